// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootstrap/engine_thread.h"

#include "api/api_server.h"
#include "application/in_process_client.h"
#include "async/post.h"
#include "bootstrap/own_keys.h"
#include "domain/log.h"
#include "models/endpoint_factory.h"
#include "remote/remote_server.h"
#include "storage/key_store.h"
#include "storage/storage.h"

#include <QtCore/QDir>
#include <QtCore/QProcessEnvironment>

namespace berth::bootstrap {

using domain::Result;

//! Everything that lives on the Engine's thread.
struct EngineThread::Inside
{
    remote::InstanceLock lock;
    AppPaths paths;
    domain::ProviderKinds kinds;
    std::unique_ptr<storage::Storage> storage;
    std::unique_ptr<application::Engine> engine;
    std::unique_ptr<remote::RemoteServer> server;
    std::shared_ptr<api::ApiServer> api;
    bool closing = false;
};

EngineThread::EngineThread(remote::InstanceLock lock, AppPaths paths, domain::ProviderKinds kinds,
                           QObject *parent)
    : QObject(parent), m_context(new QObject)
{
    m_inside = std::make_shared<Inside>(
        Inside{std::move(lock), std::move(paths), std::move(kinds), {}, {}, {}, {}, false});
    m_thread.setObjectName(QStringLiteral("engine"));
    m_context->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_context, &QObject::deleteLater);
}

EngineThread::~EngineThread()
{
    if (m_thread.isRunning()) {
        // Destroyed on their own thread, in the order that their needs dictate.
        async::post(m_context, [inside = m_inside, thread = &m_thread, context = m_context] {
            inside->api.reset();
            // Behind what the API's client has posted on its leave.
            async::post(context, [inside, thread] {
                inside->server.reset();
                inside->engine.reset();
                inside->storage.reset();
                thread->quit();
            });
        });
        m_thread.wait();
    } else {
        delete m_context;
    }
}

void EngineThread::start()
{
    m_thread.start();
    async::post(m_context, [inside = m_inside, this] { open(inside, this); });
}

async::Task<void> EngineThread::open(std::shared_ptr<Inside> inside, EngineThread *owner)
{
    const auto fail = [owner](const domain::Error &error) {
        domain::log(domain::LogLevel::Error, "engine",
                    error.message + QStringLiteral(": ") + error.detail);
        async::post(owner, [owner, error] { Q_EMIT owner->failed(error); });
    };
    const Result<void> socketDirectory = remote::prepareSocketDirectory(inside->lock.socketPath());
    if (!socketDirectory) {
        fail(socketDirectory.error());
        co_return;
    }
    // Next to the socket, under the same hash, so that two data directories never share it.
    QString runtime = inside->lock.socketPath();
    runtime.chop(5);
    QDir().mkpath(runtime);
    QFile::setPermissions(runtime, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    storage::StoragePaths files{inside->paths.berthDb, inside->paths.sandboxDb,
                                inside->paths.backups};
    Result<std::unique_ptr<storage::Storage>> storage = co_await storage::openStorage(files);
    if (!storage) {
        fail(storage.error());
        co_return;
    }
    inside->storage = std::move(*storage);
    application::EngineSettings settings;
    settings.paths = inside->paths.engine;
    settings.paths.runtime = runtime;
    settings.version = QStringLiteral(BERTH_VERSION);
    settings.trust = &inside->storage->trust();
    settings.conversations = &inside->storage->conversations();
    settings.access = &inside->storage->access();
    settings.models = std::make_shared<models::EndpointFactory>();
    settings.keyStore = storage::desktopKeyStore();
    settings.environment = [environment = environmentWithKeys()](const QString &name) {
        return environment.contains(name) ? std::optional(environment.value(name)) : std::nullopt;
    };
    inside->engine = std::make_unique<application::Engine>(
        inside->storage->berth(), inside->storage->leases(), inside->storage->processes(),
        inside->kinds, settings);
    const Result<void> started = co_await inside->engine->start();
    if (!started) {
        fail(started.error());
        co_return;
    }
    inside->server =
        std::make_unique<remote::RemoteServer>(*inside->engine, inside->lock.socketPath());
    const Result<void> listening = inside->server->listen(inside->lock);
    if (!listening) {
        fail(listening.error());
        co_return;
    }
    async::post(owner, [owner] { Q_EMIT owner->ready(); });
}

std::unique_ptr<application::EngineClient> EngineThread::connectClient(application::ClientKind kind)
{
    return std::make_unique<application::InProcessClient>(*m_inside->engine, m_context, kind);
}

Result<api::ListenAddress> EngineThread::beginApi(const std::shared_ptr<Inside> &inside,
                                                  QObject *context, api::ApiSettings settings)
{
    settings.access = inside->engine->accessTable();
    auto client = std::make_unique<application::InProcessClient>(*inside->engine, context,
                                                                 application::ClientKind::Api);
    auto approver = std::make_unique<application::InProcessClient>(
        *inside->engine, context, application::ClientKind::Api, nullptr,
        application::ClientRight::Approve);
    inside->api =
        std::make_shared<api::ApiServer>(settings, std::move(client), std::move(approver));
    const Result<api::ListenAddress> listening = inside->api->listen();
    if (!listening)
        inside->api.reset();
    inside->engine->setApiServing(listening ? listening->shown() : QString(),
                                  listening ? QString()
                                            : listening.error().message + QStringLiteral(": ")
                                          + listening.error().detail);
    return listening;
}

void EngineThread::serveApi(const api::ApiSettings &settings,
                            std::function<void(const Result<api::ListenAddress> &)> told)
{
    async::post(m_context, [inside = m_inside, this, settings, told = std::move(told)] {
        const Result<api::ListenAddress> listening = beginApi(inside, m_context, settings);
        async::post(this, [told, listening] { told(listening); });
    });
}

void EngineThread::serveApiWhenEnabled(const api::ApiSettings &settings)
{
    async::post(m_context, [inside = m_inside, context = m_context, settings] {
        if (inside->closing)
            return;
        const auto follow = [inside = std::weak_ptr<Inside>(inside), context,
                             settings](bool enabled) {
            if (const std::shared_ptr<Inside> there = inside.lock())
                switchApi(there, context, settings, enabled);
        };
        QObject::connect(inside->engine.get(), &application::Engine::apiEnabledChanged, context,
                         follow);
        follow(inside->engine->isApiEnabled());
    });
}

async::Task<void> EngineThread::switchApi(std::shared_ptr<Inside> inside, QObject *context,
                                          api::ApiSettings settings, bool enabled)
{
    if (enabled) {
        if (!inside->api && !inside->closing) {
            const Result<api::ListenAddress> listening = beginApi(inside, context, settings);
            if (!listening)
                domain::log(domain::LogLevel::Warning, "api", listening.error().message);
        }
        co_return;
    }
    const std::shared_ptr<api::ApiServer> ended = std::move(inside->api);
    if (!ended)
        co_return;
    co_await ended->stop();
    if (inside->engine && !inside->api)
        inside->engine->setApiServing({}, {});
}

void EngineThread::shutDown(bool byUser)
{
    if (!m_thread.isRunning()) {
        Q_EMIT finished();
        return;
    }
    async::post(m_context, [inside = m_inside, this, byUser] { close(inside, this, byUser); });
}

void EngineThread::shutDownWhenUnused()
{
    async::post(m_context, [inside = m_inside, this] { closeWhenUnused(inside, this); });
}

void EngineThread::closeWhenUnused(const std::shared_ptr<Inside> &inside, EngineThread *owner)
{
    // Decided where sessions are opened, so that none can slip in between.
    if (inside->closing || inside->engine->isInUse())
        return;
    inside->server->close();
    close(inside, owner, false);
}

async::Task<void> EngineThread::close(std::shared_ptr<Inside> inside, EngineThread *owner,
                                      bool byUser)
{
    if (std::exchange(inside->closing, true))
        co_return;
    if (inside->api) {
        co_await inside->api->stop();
        inside->api.reset();
    }
    if (inside->engine) {
        const Result<void> ended = co_await inside->engine->shutDown(byUser);
        if (!ended)
            domain::log(domain::LogLevel::Warning, "engine", ended.error().message);
    }
    if (inside->server)
        inside->server->close();
    if (inside->storage) {
        const Result<void> closed = co_await inside->storage->close();
        if (!closed)
            domain::log(domain::LogLevel::Warning, "engine", closed.error().message);
    }
    async::post(owner, [owner] { Q_EMIT owner->finished(); });
}

} // namespace berth::bootstrap
