// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootstrap/engine_access.h"

#include "api/api_server.h"
#include "async/post.h"
#include "providers/registry/provider_kinds.h"
#include "remote/remote_client.h"

namespace berth::bootstrap {

using application::ClientKind;
using domain::Result;

namespace {

constexpr int kRetryMs = 50;
//! How long a one-shot program waits for an Engine of its own or another's.
constexpr qint64 kPatienceMs = 15'000;
constexpr std::chrono::milliseconds kConnectDeadline{1500};

} // namespace

EngineAccess::EngineAccess(AppPaths paths, ClientKind kind, QObject *parent)
    : QObject(parent), m_paths(std::move(paths)), m_kind(kind)
{
    m_retry.setSingleShot(true);
    m_retry.setInterval(kRetryMs);
    connect(&m_retry, &QTimer::timeout, this, &EngineAccess::start);
    m_leaving.setInterval(kRetryMs);
    connect(&m_leaving, &QTimer::timeout, this, &EngineAccess::leaveWhenUnused);
    m_patience.start();
}

EngineAccess::~EngineAccess() = default;

void EngineAccess::start()
{
    if (m_ending)
        return;
    Result<remote::InstanceLock> lock = remote::InstanceLock::take(m_paths.engine.data);
    if (lock)
        own(std::move(*lock));
    else if (lock.error().kind == domain::ErrorKind::Conflict)
        connectToHolder();
    else
        Q_EMIT failed(lock.error());
}

void EngineAccess::own(remote::InstanceLock lock)
{
    m_engine =
        std::make_unique<EngineThread>(std::move(lock), m_paths, providers::builtinProviderKinds());
    connect(m_engine.get(), &EngineThread::ready, this, [this] {
        m_client.setTarget(m_engine->connectClient(m_kind));
        // "berth-cli serve" always serves it, a command line that ends soon never.
        if (m_kind != ClientKind::Window)
            return;
        api::ApiSettings settings;
        settings.dataDirectory = m_paths.engine.data;
        settings.version = QStringLiteral(BERTH_VERSION);
        m_engine->serveApiWhenEnabled(settings);
    });
    connect(m_engine.get(), &EngineThread::failed, this, [this](const domain::Error &error) {
        m_engine.reset();
        Q_EMIT failed(error);
    });
    connect(m_engine.get(), &EngineThread::finished, this, [this] {
        m_client.dropTarget(tr("Berth is ending"));
        m_engine.reset();
        Q_EMIT finished();
    });
    m_engine->start();
}

void EngineAccess::connectToHolder()
{
    remote::RemoteClient::Options options;
    options.kind = m_kind;
    options.deadline = kConnectDeadline;
    auto client = std::make_unique<remote::RemoteClient>(
        [directory = m_paths.engine.data] {
            const std::optional<remote::LockHolder> holder = remote::lockHolder(directory);
            return holder ? holder->socketPath : QString();
        },
        options);
    m_wasConnected = false;
    connect(client.get(), &application::EngineClient::connectionChanged, this,
            [this](bool connected, const QString &reason) {
                if (connected) {
                    m_wasConnected = true;
                    return;
                }
                const bool takesOver = m_kind == ClientKind::Window;
                if (takesOver || !m_wasConnected)
                    m_client.setTarget(nullptr, reason);
                // The holder may have ended just now: then the lock is free.
                const bool again = !m_wasConnected && m_patience.elapsed() < kPatienceMs;
                if (takesOver || again)
                    retryLater();
                else if (!m_wasConnected)
                    Q_EMIT failed(
                        domain::Error{domain::ErrorKind::Unavailable,
                                      tr("Another Berth holds the data but does not answer"),
                                      reason,
                                      {},
                                      {}});
            });
    m_client.setTarget(std::move(client), tr("Connecting"));
}

void EngineAccess::retryLater()
{
    if (!m_ending)
        m_retry.start();
}

void EngineAccess::leaveWhenUnused()
{
    if (!m_engine) {
        m_leaving.stop();
        shutDown(false);
        return;
    }
    m_engine->shutDownWhenUnused();
    // The last one to use it may leave without our hearing of it.
    m_leaving.start();
}

void EngineAccess::shutDown(bool byUser)
{
    m_ending = true;
    m_retry.stop();
    if (m_engine) {
        m_engine->shutDown(byUser);
        return;
    }
    m_client.setTarget(nullptr, tr("Berth is ending"));
    async::post(this, [this] { Q_EMIT finished(); });
}

} // namespace berth::bootstrap
