// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/support/engine_thread.h"

#include "application/in_process_client.h"
#include "remote/remote_client.h"
#include "remote/remote_server.h"

namespace berth::test {

EngineThread::EngineThread()
{
    m_engine = new ScriptedEngine;
    m_engine->moveToThread(&m_thread);
    m_thread.start();
}

EngineThread::~EngineThread()
{
    stopServing();
    m_engine->deleteLater();
    m_thread.quit();
    m_thread.wait();
}

void EngineThread::onEngine(const std::function<void(ScriptedEngine &)> &work)
{
    QMetaObject::invokeMethod(
        m_engine, [this, &work] { work(*m_engine); }, Qt::BlockingQueuedConnection);
}

QString EngineThread::serve(const remote::ClientLimits *limits, int maximumClients)
{
    domain::Result<remote::InstanceLock> lock = remote::InstanceLock::take(m_directory.path());
    if (!lock)
        qFatal("%s", qPrintable(lock.error().message));
    m_lock.emplace(std::move(*lock));
    // Below the test's own directory, so that nothing is left behind.
    m_path = m_directory.path() + QStringLiteral("/run/engine.sock");
    onEngine([&](ScriptedEngine &engine) {
        m_server = new remote::RemoteServer(engine, m_path);
        if (limits)
            m_server->setLimits(*limits);
        m_server->setMaximumClients(maximumClients);
        const domain::Result<void> listening = m_server->listen(*m_lock);
        if (!listening)
            qFatal("%s", qPrintable(listening.error().message + listening.error().detail));
    });
    return m_path;
}

void EngineThread::stopServing()
{
    onEngine([this](ScriptedEngine &) {
        delete m_server;
        m_server = nullptr;
    });
    m_lock.reset();
}

int EngineThread::servedClients()
{
    int count = 0;
    onEngine([&](ScriptedEngine &) { count = m_server ? m_server->clientCount() : 0; });
    return count;
}

std::unique_ptr<application::EngineClient> EngineThread::inProcess()
{
    return std::make_unique<application::InProcessClient>(*m_engine, m_engine,
                                                          application::ClientKind::Cli);
}

std::unique_ptr<application::EngineClient> EngineThread::overSocket()
{
    if (m_path.isEmpty())
        serve();
    return std::make_unique<remote::RemoteClient>(m_path, remote::RemoteClient::Options{});
}

} // namespace berth::test
