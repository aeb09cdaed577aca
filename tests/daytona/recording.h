// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/http_message.h"

#include <QtCore/QByteArray>

namespace berth::test {

//! One exchange between Daytona's own client and an imitation of its service.
struct DaytonaRecording
{
    QByteArray method;
    QByteArray target;
    //! JSON.
    QByteArray sent;
    net::HttpHead head;
    QByteArray body;
};

//! By its number: "020". An unknown one has the status 0.
DaytonaRecording daytonaRecording(const char *number);

} // namespace berth::test
