// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootstrap/serve_main.h"

#include "api/api_server.h"
#include "api/token_file.h"
#include "bootstrap/engine_thread.h"
#include "bootstrap/signals.h"
#include "cli/cli_application.h"
#include "cli/completions.h"
#include "cli/registry.h"
#include "providers/registry/provider_kinds.h"
#include "storage/backup.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>

#include <nlohmann/json.hpp>

namespace berth::bootstrap {

using domain::Error;
using domain::ErrorKind;
using domain::Result;

namespace {

//! Why somebody else's Engine cannot be served.
Error heldBy(const AppPaths &paths)
{
    const std::optional<remote::LockHolder> holder = remote::lockHolder(paths.engine.data);
    const QString who =
        holder ? QStringLiteral("process %1").arg(holder->pid) : QStringLiteral("another process");
    return {ErrorKind::Conflict,
            QStringLiteral("The data in %1 belongs to %2 already").arg(paths.engine.data, who),
            QStringLiteral("Quit that Berth first, or use another directory with --data-dir."),
            {},
            {}};
}

int runToken(const cli::CliOptions &options, const AppPaths &paths, cli::OutputSink &out,
             cli::OutputSink &err)
{
    const api::TokenFile file(paths.engine.data);
    const QString &verb = options.verb->verb;
    const Result<domain::Secret> token = verb == QLatin1String("show") ? file.read()
        : verb == QLatin1String("new")                                 ? file.make()
                                                                       : file.rotate();
    if (!token)
        return cli::reportError(options, token.error(), out, err);
    if (options.json) {
        nlohmann::json scopes = nlohmann::json::array();
        const QStringList names = api::wireNames(api::kOwnerScopes);
        for (const QString &name : names)
            scopes.push_back(name.toStdString());
        const nlohmann::json shown{{"token", token->exposeForWire().toStdString()},
                                   {"path", file.path().toStdString()},
                                   {"scopes", scopes}};
        out.write(QByteArray::fromStdString(shown.dump()) + '\n');
    } else {
        out.write(token->exposeForWire() + '\n');
    }
    return 0;
}

//! Settings are small and written whole: copied as they are.
Result<void> copySettings(const QString &from, const QString &to)
{
    const QStringList names = QDir(from).entryList({QStringLiteral("*.json")}, QDir::Files);
    for (const QString &name : names) {
        const QString copy = QDir(to).filePath(name);
        if (QFile::exists(copy))
            continue;
        if (!QFile::copy(QDir(from).filePath(name), copy))
            return domain::failure(ErrorKind::Storage,
                                   QStringLiteral("%1 cannot be written").arg(copy));
        QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
    }
    return {};
}

Result<void> copyAll(const AppPaths &paths, const QString &folder)
{
    const QDir into(folder);
    if (!into.mkpath(QStringLiteral("sandboxes")) || !into.mkpath(QStringLiteral("config")))
        return domain::failure(ErrorKind::Storage, QStringLiteral("%1 cannot be made").arg(folder));
    for (const QString &made : {folder, into.filePath(QStringLiteral("sandboxes")),
                                into.filePath(QStringLiteral("config"))})
        QFile::setPermissions(made, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const Result<void> berth = storage::copyDatabase(paths.berthDb, folder);
    if (!berth)
        return berth;
    // Leases alone; a Berth that has never had one may be without.
    if (QFileInfo::exists(paths.sandboxDb)) {
        const Result<void> leases = storage::copyDatabase(paths.sandboxDb, folder);
        if (!leases)
            return leases;
    }
    const Result<void> configs =
        copySettings(paths.engine.sandboxes, into.filePath(QStringLiteral("sandboxes")));
    if (!configs)
        return configs;
    return copySettings(paths.engine.config, into.filePath(QStringLiteral("config")));
}

//! \a folder is there whole or not at all.
Result<void> backUp(const AppPaths &paths, const QString &folder)
{
    const QString part = folder + QStringLiteral(".part");
    for (const QString &taken : {folder, part}) {
        if (QFileInfo::exists(taken) || QFileInfo(taken).isSymLink())
            return domain::failure(ErrorKind::Conflict,
                                   QStringLiteral("%1 is there already").arg(taken),
                                   QStringLiteral("Name a folder that is not there yet."));
    }
    if (!QFileInfo::exists(paths.berthDb))
        return domain::failure(ErrorKind::NotFound,
                               QStringLiteral("There is no database %1").arg(paths.berthDb),
                               QStringLiteral("Berth has never run with this data folder."));
    Result<void> copied = copyAll(paths, part);
    if (copied && !QDir().rename(part, folder))
        copied =
            domain::failure(ErrorKind::Storage, QStringLiteral("%1 cannot be made").arg(folder));
    if (!copied)
        QDir(part).removeRecursively();
    return copied;
}

int runBackup(const cli::CliOptions &options, const AppPaths &paths, cli::OutputSink &out,
              cli::OutputSink &err)
{
    const QString folder = QDir::cleanPath(QDir::current().absoluteFilePath(options.arguments[0]));
    const Result<void> done = backUp(paths, folder);
    if (!done)
        return cli::reportError(options, done.error(), out, err);
    if (options.json) {
        const nlohmann::json shown{{"backup", folder.toStdString()}};
        out.write(QByteArray::fromStdString(shown.dump()) + '\n');
    } else {
        out.write(QStringLiteral("Copied to %1\n").arg(folder).toUtf8());
    }
    return 0;
}

int runCompletions(const cli::CliOptions &options, cli::OutputSink &out, cli::OutputSink &err)
{
    const QByteArray script = cli::completionScript(options.arguments[0]);
    if (script.isEmpty()) {
        const Error unknown{ErrorKind::InvalidInput,
                            QStringLiteral("There are no completions for \"%1\"")
                                .arg(options.arguments[0].left(40)),
                            QStringLiteral("There are some for bash, zsh and fish."),
                            {},
                            {}};
        return cli::reportError(options, unknown, out, err);
    }
    out.write(script);
    return 0;
}

//! One run of the server, until it has ended.
class Serving final : public QObject
{
public:
    Serving(const cli::CliOptions &options, const AppPaths &paths, cli::OutputSink &out,
            cli::OutputSink &err, EngineThread &engine, api::ListenAddress listen)
        : m_options(options), m_out(out), m_err(err), m_engine(engine)
    {
        m_settings.listen = listen;
        m_settings.dataDirectory = paths.engine.data;
        m_settings.version = QStringLiteral(BERTH_VERSION);
        connect(&engine, &EngineThread::ready, this, [this] { begin(); });
        connect(&engine, &EngineThread::failed, this, [this](const Error &error) {
            QCoreApplication::exit(cli::reportError(m_options, error, m_out, m_err));
        });
        connect(&engine, &EngineThread::finished, this, [this] { QCoreApplication::exit(m_code); });
        connect(&m_signals, &TerminationSignals::received, this, [this] { end(); });
    }

private:
    void begin()
    {
        m_ready = true;
        if (m_ending) {
            m_engine.shutDown(true);
            return;
        }
        m_engine.serveApi(m_settings, [this](const Result<api::ListenAddress> &listening) {
            if (listening)
                return tell(*listening);
            m_code = cli::reportError(m_options, listening.error(), m_out, m_err);
            m_ending = true;
            m_engine.shutDown(false);
        });
    }

    void tell(const api::ListenAddress &listening)
    {
        const QString address = QStringLiteral("http://") + listening.shown();
        const QString path = api::TokenFile(m_settings.dataDirectory).path();
        if (m_options.json) {
            const nlohmann::json shown{{"listening", address.toStdString()},
                                       {"token_file", path.toStdString()}};
            m_out.write(QByteArray::fromStdString(shown.dump()) + '\n');
            return;
        }
        m_out.write(
            QStringLiteral("Listening on %1\nThe token lies in %2\n").arg(address, path).toUtf8());
    }

    void end()
    {
        if (std::exchange(m_ending, true))
            return;
        if (m_ready)
            m_engine.shutDown(true);
    }

    cli::CliOptions m_options;
    cli::OutputSink &m_out;
    cli::OutputSink &m_err;
    EngineThread &m_engine;
    api::ApiSettings m_settings;
    TerminationSignals m_signals;
    bool m_ready = false;
    bool m_ending = false;
    int m_code = 0;
};

int runServer(const cli::CliOptions &options, const AppPaths &paths, cli::OutputSink &out,
              cli::OutputSink &err)
{
    const Result<api::ListenAddress> listen = options.has("listen")
        ? api::parseListenAddress(options.value("listen"))
        : Result<api::ListenAddress>(api::ListenAddress());
    if (!listen)
        return cli::reportError(options, listen.error(), out, err);
    Result<remote::InstanceLock> lock = remote::InstanceLock::take(paths.engine.data);
    if (!lock)
        return cli::reportError(
            options, lock.error().kind == ErrorKind::Conflict ? heldBy(paths) : lock.error(), out,
            err);
    EngineThread engine(std::move(*lock), paths, providers::builtinProviderKinds());
    const Serving serving(options, paths, out, err, engine, *listen);
    engine.start();
    return QCoreApplication::exec();
}

} // namespace

int runServeVerb(const cli::CliOptions &options, const AppPaths &paths, cli::OutputSink &out,
                 cli::OutputSink &err)
{
    const QString &noun = options.verb->noun;
    if (noun == QLatin1String("token"))
        return runToken(options, paths, out, err);
    if (noun == QLatin1String("backup"))
        return runBackup(options, paths, out, err);
    if (noun == QLatin1String("completions"))
        return runCompletions(options, out, err);
    return runServer(options, paths, out, err);
}

} // namespace berth::bootstrap
