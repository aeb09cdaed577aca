// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QStringList>

#include <chrono>
#include <stop_token>

namespace berth::local {

struct ProcessEnd
{
    //! False: killed by a signal or by us.
    bool exited = false;
    int code = 0;
    //! The first 64 KiB of both streams.
    QByteArray output;
    QByteArray errors;
};

//! Runs a program of this machine with nothing of Berth's environment but PATH; killed after \a
//! limit (Timeout) or at \a stop (Cancelled). A program that cannot be started is Unavailable.
domain::Async<ProcessEnd> runProcess(QString program, QStringList arguments,
                                     std::chrono::milliseconds limit, std::stop_token stop);

} // namespace berth::local
