// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/log.h"

#include "domain/secret.h"

#include <atomic>
#include <cstdio>

namespace berth::domain {

namespace {

void toStandardError(LogLevel level, const char *area, const QString &line)
{
    if (level == LogLevel::Warning || level == LogLevel::Error)
        std::fprintf(stderr, "berth: %s: %s\n", area, redacted(line).toUtf8().constData());
}

std::atomic<LogSink> g_sink{&toStandardError};

} // namespace

void setLogSink(LogSink sink)
{
    g_sink.store(sink ? sink : &toStandardError);
}

void log(LogLevel level, const char *area, const QString &line)
{
    g_sink.load()(level, area, line);
}

} // namespace berth::domain
