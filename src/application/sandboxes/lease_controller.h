// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/providers/provider_service.h"
#include "async/scope.h"
#include "async/turnstile.h"
#include "domain/sandbox/sandbox.h"
#include "domain/sandbox/stores.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QObject>

namespace berth::application {

//! What ensure() gives.
struct ReadySandbox
{
    std::shared_ptr<domain::SandboxConnection> connection;
    //! Variables that every command has without anybody's doing; for telling a thread's own ones.
    domain::Environment baseline;
    //! Grows with each new instance: a terminal of an older one starts over.
    domain::InstanceId instance;
    bool resumed = false;
    bool fresh = false;
};

enum class OnGone {
    //! The provider says that the instance is gone and we did not destroy it: fail, the user
    //! decides.
    Tell,
    //! The user has decided: make a new one.
    Recreate,
};

//! The only writer of one lease: runs its commands one at a time, each step a compare-and-swap with
//! an event.
class LeaseController final : public QObject
{
    Q_OBJECT
public:
    LeaseController(domain::LeaseWithInstance known, domain::Sandbox sandbox,
                    domain::LeaseStore &store, ProviderService &providers);
    ~LeaseController() override;

    [[nodiscard]] const domain::Lease &lease() const { return m_lease; }
    [[nodiscard]] const std::optional<domain::InstanceRecord> &instance() const
    {
        return m_instance;
    }
    [[nodiscard]] const domain::Sandbox &sandbox() const { return m_sandbox; }
    //! "starting", "pausing", …; empty: at rest.
    [[nodiscard]] QString busy() const { return m_busy; }
    [[nodiscard]] bool isUnreachable() const { return m_unreachable; }
    [[nodiscard]] QDateTime startedAt() const { return m_startedAt; }
    [[nodiscard]] QDateTime stateSince() const { return m_stateSince; }
    [[nodiscard]] bool isConnected() const { return m_connection && m_connection->isOpen(); }
    //! This Engine started, resumed or adopted it.
    [[nodiscard]] bool isControlled() const { return m_controlled; }
    //! Commands under way; kept by whoever runs them.
    void commandStarted() { ++m_commands; }
    void commandEnded() { --m_commands; }
    [[nodiscard]] int commands() const { return m_commands; }

    //! Coalesced: all callers share one attempt; it is given up only when every one of them has
    //! stopped.
    domain::Async<ReadySandbox> ensure(QString source, OnGone onGone, domain::ProgressSink progress,
                                       std::stop_token stop);
    domain::Async<void> pause(QString source, std::stop_token stop);
    domain::Async<void> destroy(QString source, std::stop_token stop);

    //! What a list or a probe of the provider showed; ignored while a command of this lease is
    //! under way.
    domain::Async<void> observe(domain::Instance seen);
    //! The provider listed everything and this was not there: asks for it by id, and only a sure
    //! "not found" ends it.
    domain::Async<void> confirmMissing(std::stop_token stop);
    void observeFailure(const domain::Error &error);

Q_SIGNALS:
    void changed();
    //! A first instance, or a new one after the old was gone or destroyed.
    void instanceMade(bool fresh);
    void destroyed();

private:
    struct Attempt;

    domain::Async<void> transition(domain::Lease next,
                                   std::optional<domain::InstanceRecord> instance, QString type,
                                   QString source, QString error);
    domain::Async<void> setObserved(domain::ObservedState state, QString type, QString source,
                                    QString error);
    async::Task<void> runAttempt(std::shared_ptr<Attempt> attempt, QString source, OnGone onGone);
    domain::Async<ReadySandbox> bringUp(QString source, OnGone onGone,
                                        std::shared_ptr<Attempt> attempt);
    domain::Async<domain::Instance> findOrCreate(std::shared_ptr<domain::Provider> provider,
                                                 QString source, std::shared_ptr<Attempt> attempt);
    domain::Async<std::optional<domain::Instance>> findByToken(
        std::shared_ptr<domain::Provider> provider, std::stop_token stop);
    domain::Async<ReadySandbox> connect(std::shared_ptr<domain::Provider> provider, bool made,
                                        std::stop_token stop);
    domain::Async<void> initialise(std::shared_ptr<domain::SandboxConnection> connection,
                                   std::stop_token stop);
    void setBusy(const QString &what);
    void dropConnection();
    [[nodiscard]] bool hasLiveInstance() const;
    [[nodiscard]] QString configHash() const;

    domain::Lease m_lease;
    std::optional<domain::InstanceRecord> m_instance;
    domain::Sandbox m_sandbox;
    domain::LeaseStore &m_store;
    ProviderService &m_providers;
    async::Turnstile m_turn;
    std::shared_ptr<Attempt> m_attempt;
    std::shared_ptr<domain::SandboxConnection> m_connection;
    domain::Environment m_baseline;
    QString m_busy;
    bool m_unreachable = false;
    bool m_controlled = false;
    //! Made by this Engine, and its set-up commands have not all worked yet.
    bool m_needsInit = false;
    int m_commands = 0;
    QDateTime m_startedAt;
    QDateTime m_stateSince;
    QElapsedTimer m_lastSeenRunning;
};

} // namespace berth::application
