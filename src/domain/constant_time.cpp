// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/constant_time.h"

#include <QtCore/QCryptographicHash>

namespace berth::domain {

bool equalsInConstantTime(const QByteArray &left, const QByteArray &right)
{
    // Digests are as long as each other, whatever they are of.
    const QByteArray one = QCryptographicHash::hash(left, QCryptographicHash::Sha256);
    const QByteArray other = QCryptographicHash::hash(right, QCryptographicHash::Sha256);
    volatile unsigned char difference = 0;
    for (qsizetype i = 0; i < one.size(); ++i)
        difference = static_cast<unsigned char>(difference | (one.at(i) ^ other.at(i)));
    return difference == 0;
}

} // namespace berth::domain
