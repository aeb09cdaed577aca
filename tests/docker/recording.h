// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>

namespace berth::test {

//! What an engine (Docker 20.10) answered once.
struct Recording
{
    int status = 0;
    QByteArray body;
    //! Of a stream: its lines.
    QList<QByteArray> lines;
};

//! By the number that its file's name begins with: "020". An unreadable one has the status 0.
Recording recording(const QString &number);

} // namespace berth::test
