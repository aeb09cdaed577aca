// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_client.h"
#include "application/engine_session.h"
#include "cli/support/scripted_engine.h"
#include "remote/instance_lock.h"

#include <QtCore/QTemporaryDir>
#include <QtCore/QThread>

#include <memory>

namespace berth::remote {
class RemoteServer;
struct ClientLimits;
} // namespace berth::remote

namespace berth::test {

//! A ScriptedEngine on a thread of its own, reachable in process and, once it serves, over a
//! socket.
class EngineThread
{
public:
    EngineThread();
    ~EngineThread();

    //! Runs \a work on the Engine's thread and waits for it.
    void onEngine(const std::function<void(ScriptedEngine &)> &work);
    //! Takes the lock of a fresh data directory and listens; the path of the socket.
    QString serve(const remote::ClientLimits *limits = nullptr, int maximumClients = 64);
    //! As when the Engine ends.
    void stopServing();
    [[nodiscard]] QString dataDirectory() const { return m_directory.path(); }
    int servedClients();

    std::unique_ptr<application::EngineClient> inProcess();
    std::unique_ptr<application::EngineClient> overSocket();

private:
    QTemporaryDir m_directory;
    QThread m_thread;
    ScriptedEngine *m_engine = nullptr;
    remote::RemoteServer *m_server = nullptr;
    std::optional<remote::InstanceLock> m_lock;
    QString m_path;
};

} // namespace berth::test
