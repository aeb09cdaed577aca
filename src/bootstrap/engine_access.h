// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bootstrap/app_paths.h"
#include "bootstrap/engine_thread.h"
#include "bootstrap/switching_client.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QTimer>

namespace berth::bootstrap {

//! Gives a program its EngineClient: takes the data directory's lock and owns the Engine, or finds
//! it taken and connects to its holder.
class EngineAccess final : public QObject
{
    Q_OBJECT
public:
    EngineAccess(AppPaths paths, application::ClientKind kind, QObject *parent = nullptr);
    ~EngineAccess() override;

    [[nodiscard]] SwitchingClient &client() { return m_client; }
    //! A window asks a one-shot owner to hand over, and takes over when an owner goes away.
    void start();
    [[nodiscard]] bool ownsEngine() const { return m_engine != nullptr; }
    //! finished() follows. Somebody else's Engine goes on.
    void shutDown(bool byUser);
    //! Of a one-shot owner: finished() follows once nobody else uses its Engine.
    void leaveWhenUnused();

Q_SIGNALS:
    //! There is no Engine to be had; for a window the end of the matter until start() again.
    void failed(const berth::domain::Error &error);
    void finished();

private:
    void own(remote::InstanceLock lock);
    void connectToHolder();
    void retryLater();

    AppPaths m_paths;
    application::ClientKind m_kind;
    std::unique_ptr<EngineThread> m_engine;
    SwitchingClient m_client;
    QTimer m_retry;
    QTimer m_leaving;
    bool m_ending = false;
    QElapsedTimer m_patience;
    bool m_wasConnected = false;
};

} // namespace berth::bootstrap
