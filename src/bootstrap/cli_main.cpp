// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootstrap/engine_access.h"
#include "bootstrap/logging.h"
#include "bootstrap/own_keys.h"
#include "bootstrap/serve_main.h"
#include "cli/cli_application.h"
#include "cli/exit_codes.h"
#include "cli/fd_sink.h"
#include "cli/verbs/serve.h"

#include <QtCore/QCoreApplication>

#include <unistd.h>

using namespace berth;

int main(int argc, char **argv)
{
    bootstrap::takeKeysOutOfEnvironment();
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("berth-cli"));
    const cli::CliOptions options = cli::parseOptions(QCoreApplication::arguments().mid(1));
    cli::FdSink out(STDOUT_FILENO);
    cli::FdSink err(STDERR_FILENO);
    if (!options.needsEngine())
        return cli::reportWithoutEngine(options, QStringLiteral(BERTH_VERSION), out, err);

    const bootstrap::AppPaths paths = bootstrap::resolvePaths(options.dataDirectory);
    const domain::Result<void> made = bootstrap::makeDirectories(paths);
    if (!made)
        return cli::reportError(options, made.error(), out, err);
    bootstrap::startLogging(paths.logs, QStringLiteral("berth-cli"), false);

    if (cli::isServeVerb(options))
        return bootstrap::runServeVerb(options, paths, out, err);

    bootstrap::EngineAccess access(paths, application::ClientKind::Cli);
    int exitCode = cli::kOwnFailure;
    bool done = false;
    QObject::connect(
        &access, &bootstrap::EngineAccess::finished, &application,
        [&] { QCoreApplication::exit(exitCode); }, Qt::QueuedConnection);
    QObject::connect(&access, &bootstrap::EngineAccess::failed, &application,
                     [&](const domain::Error &error) {
                         if (!done)
                             exitCode = cli::reportError(options, error, out, err);
                         QCoreApplication::exit(exitCode);
                     });
    bool started = false;
    QObject::connect(&access.client(), &application::EngineClient::connectionChanged, &application,
                     [&](bool connected) {
                         if (!connected || std::exchange(started, true))
                             return;
                         cli::runCli(options, access.client(), &application, [&](int code) {
                             exitCode = code;
                             done = true;
                             access.leaveWhenUnused();
                         });
                     });
    access.start();
    return QCoreApplication::exec();
}
