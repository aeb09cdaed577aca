// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootstrap/logging.h"

#include "domain/log.h"
#include "domain/secret.h"

#include <QtCore/QDir>
#include <QtCore/QLoggingCategory>

#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <sys/stat.h>

namespace berth::bootstrap {

namespace {

constexpr size_t kLogBytes = 2 * 1024 * 1024;
constexpr size_t kLogFiles = 5;

spdlog::level::level_enum levelOf(domain::LogLevel level)
{
    switch (level) {
    case domain::LogLevel::Debug:
        return spdlog::level::debug;
    case domain::LogLevel::Info:
        return spdlog::level::info;
    case domain::LogLevel::Warning:
        return spdlog::level::warn;
    case domain::LogLevel::Error:
        return spdlog::level::err;
    }
    return spdlog::level::info;
}

void toSpdlog(domain::LogLevel level, const char *area, const QString &line)
{
    // One entry, one line: what comes from a sandbox must not forge entries.
    QString clean = domain::redacted(line);
    clean.replace(QLatin1Char('\n'), QStringLiteral("\\n"))
        .replace(QLatin1Char('\r'), QStringLiteral("\\r"));
    spdlog::log(levelOf(level), "[{}] {}", area, clean.toStdString());
}

void fromQt(QtMsgType type, const QMessageLogContext &context, const QString &message)
{
    domain::LogLevel level = domain::LogLevel::Info;
    if (type == QtDebugMsg)
        level = domain::LogLevel::Debug;
    else if (type == QtWarningMsg)
        level = domain::LogLevel::Warning;
    else if (type == QtCriticalMsg || type == QtFatalMsg)
        level = domain::LogLevel::Error;
    toSpdlog(level, context.category ? context.category : "qt", message);
    if (type == QtFatalMsg)
        spdlog::shutdown();
}

} // namespace

void startLogging(const QString &directory, const QString &program, bool echo)
{
    std::vector<spdlog::sink_ptr> sinks;
    const mode_t before = umask(0077);
    try {
        const QString file = QDir(directory).filePath(program + QStringLiteral(".log"));
        sinks.push_back(std::make_shared<spdlog::sinks::rotating_file_sink_mt>(
            file.toStdString(), kLogBytes, kLogFiles));
    } catch (const spdlog::spdlog_ex &problem) {
        // No log is no reason not to work.
        std::fprintf(stderr, "berth: no log file: %s\n", problem.what());
    }
    umask(before);
    if (echo) {
        auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
        sink->set_level(spdlog::level::warn);
        sink->set_pattern("berth: %v");
        sinks.push_back(sink);
    }
    auto logger = std::make_shared<spdlog::logger>("berth", sinks.begin(), sinks.end());
    logger->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %P %L %v", spdlog::pattern_time_type::utc);
    if (echo)
        sinks.back()->set_pattern("berth: %v");
    logger->set_level(spdlog::level::debug);
    logger->flush_on(spdlog::level::info);
    spdlog::set_default_logger(logger);
    domain::setLogSink(&toSpdlog);
    qInstallMessageHandler(&fromQt);
}

} // namespace berth::bootstrap
