// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "guest/guest_binary.h"

#include <QtCore/QCryptographicHash>

extern const char berthGuestArch[];
extern const unsigned char berthGuestBytes[];
extern const unsigned long berthGuestSize;

namespace berth::guest {

namespace {

QString canonical(const QString &arch)
{
    const QString name = arch.toLower();
    if (name == QLatin1String("amd64") || name == QLatin1String("x86-64"))
        return QStringLiteral("x86_64");
    if (name == QLatin1String("arm64"))
        return QStringLiteral("aarch64");
    return name;
}

} // namespace

QByteArray guestBinary(const QString &arch)
{
    if (canonical(arch) != canonical(QLatin1String(berthGuestArch)))
        return {};
    return QByteArray::fromRawData(reinterpret_cast<const char *>(berthGuestBytes),
                                   static_cast<qsizetype>(berthGuestSize));
}

QString guestBinaryId(const QString &arch)
{
    const QByteArray bytes = guestBinary(arch);
    if (bytes.isEmpty())
        return {};
    const QByteArray hash = QCryptographicHash::hash(bytes, QCryptographicHash::Sha256);
    return QString::fromLatin1(hash.toHex().first(16));
}

} // namespace berth::guest
