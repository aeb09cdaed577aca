// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/tenki/connection.h"

#include "async/post.h"
#include "providers/tenki/files.h"
#include "providers/tenki/run.h"
#include "providers/tenki/shell.h"

namespace berth::tenki {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

const QByteArray kUsualHome = QByteArrayLiteral("/home/tenki");

Async<std::shared_ptr<TenkiConnection>> openNow(CorePtr core, domain::ExternalId id,
                                                std::stop_token stop)
{
    const Result<Session> session = co_await ownSession(core, id, stop);
    if (!session)
        co_return failure(session.error());
    if (session->state != SessionState::Running)
        co_return failure(ErrorKind::Conflict,
                          QStringLiteral("The sandbox does not run: it is %1")
                              .arg(instanceFrom(*session).stateDetail),
                          QStringLiteral("Resume it first"));
    const Result<SandboxSettings> settings = sandboxSettings(core->settings.values, {});
    if (!settings)
        co_return failure(settings.error());
    std::shared_ptr<DataPlane> plane = core->fresh.take(id.toString());
    if (!plane)
        plane = std::make_shared<DataPlane>(core, *session);
    const Result<void> ready = co_await plane->ready({}, stop);
    if (!ready)
        co_return failure(ready.error());
    const auto link = std::make_shared<Link>();
    link->plane = plane;
    link->home = settings->home;
    link->timeout = settings->timeout;
    // The sandbox's own row may have set them; only its making knew of it.
    const QByteArray home = session->metadata.value(kHomeKey).toUtf8();
    const qint64 timeout = session->metadata.value(kTimeoutKey).toLongLong();
    if (home.startsWith('/'))
        link->home = home;
    if (timeout > 0)
        link->timeout = std::chrono::milliseconds(timeout);
    if (link->home != kUsualHome) {
        net::ScriptRequest making;
        making.script = "mkdir -p -- " + net::shellWord(link->home);
        const Result<net::ScriptResult> made = co_await runScript(plane, making, stop);
        if (!made)
            co_return failure(made.error());
        if (made->code != 0)
            co_return failure(ErrorKind::InvalidInput,
                              QStringLiteral("The working directory %1 cannot be made")
                                  .arg(QString::fromUtf8(link->home)),
                              QString::fromUtf8(made->err.trimmed().left(300)));
    }
    const auto connection = std::make_shared<TenkiConnection>(link);
    co_return connection;
}

} // namespace

Async<std::shared_ptr<domain::SandboxConnection>> connectSandbox(CorePtr core,
                                                                 domain::ExternalId id,
                                                                 std::stop_token stop)
{
    const QString key = id.toString();
    while (core->connecting.contains(key)) {
        const async::Completion<bool> other = core->connecting.value(key);
        const bool done = co_await other;
        Q_UNUSED(done)
    }
    if (const auto open = core->connections.value(key).lock(); open && open->isOpen())
        co_return std::shared_ptr<domain::SandboxConnection>(open);
    const async::Completion<bool> done;
    core->connecting.insert(key, done);
    const Result<std::shared_ptr<TenkiConnection>> connection = co_await openNow(core, id, stop);
    core->connecting.remove(key);
    done.complete(true);
    if (!connection)
        co_return failure(connection.error());
    core->connections.insert(key, *connection);
    co_return std::shared_ptr<domain::SandboxConnection>(*connection);
}

void Link::close(const QString &why)
{
    if (!isOpen())
        return;
    reason = why;
    const QPointer<TenkiConnection> told = connection;
    closed.request_stop();
    // Behind the ends of the commands, which are told from the event loop as well.
    if (told)
        async::post(told,
                    [told, why] { async::post(told, [told, why] { Q_EMIT told->lost(why); }); });
}

TenkiConnection::TenkiConnection(LinkPtr link)
    : m_link(std::move(link)), m_shell(makeShell(m_link)), m_files(makeFileSystem(m_link))
{
    m_link->connection = this;
}

TenkiConnection::~TenkiConnection()
{
    m_link->connection.clear();
    m_link->close(QStringLiteral("the connection was closed"));
}

} // namespace berth::tenki
