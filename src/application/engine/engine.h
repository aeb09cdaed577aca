// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine/engine_settings.h"
#include "application/engine_session.h"
#include "async/scope.h"
#include "domain/provider/provider.h"
#include "domain/sandbox/process.h"
#include "domain/sandbox/stores.h"
#include "domain/thread/stores.h"

#include <QtCore/QObject>

#include <memory>

namespace berth::application {

class AccessTable;

//! Everything behind the border: made on the Engine's thread and used only there. Clients come by
//! openSession().
class Engine final : public QObject, public EngineHost
{
    Q_OBJECT
public:
    Engine(domain::BerthStore &berth, domain::LeaseStore &leases, domain::ProcessStore &processes,
           domain::ProviderKinds kinds, EngineSettings settings);
    ~Engine() override;

    //! Reads the records, marks what a crash interrupted, and begins to reconcile in the
    //! background.
    domain::Async<void> start();
    //! Ends running commands, applies on_exit when \a byUser (at most ten seconds), and lets every
    //! coroutine end.
    domain::Async<void> shutDown(bool byUser);

    std::unique_ptr<EngineSession> openSession(ClientKind kind) override;

    [[nodiscard]] int sessions() const;
    //! More than one client besides windows uses it, or a command is under way.
    [[nodiscard]] bool isInUse() const;
    [[nodiscard]] const EngineSettings &settings() const { return m_settings; }
    [[nodiscard]] domain::BerthStore &berth() const { return m_berth; }

    //! Who may use the HTTP API; for whoever serves it. After start().
    [[nodiscard]] std::shared_ptr<AccessTable> accessTable() const;
    //! The user wants the window to serve it, too.
    [[nodiscard]] bool isApiEnabled() const;
    //! Where it is served now, or why not although it should.
    void setApiServing(const QString &address, const QString &problem);

    class Session;
    struct Services;

Q_SIGNALS:
    void apiEnabledChanged(bool enabled);

private:
    std::unique_ptr<Services> m_services;
    domain::BerthStore &m_berth;
    domain::LeaseStore &m_leases;
    domain::ProcessStore &m_processes;
    domain::ProviderKinds m_kinds;
    EngineSettings m_settings;
    int m_sessions = 0;
};

} // namespace berth::application
