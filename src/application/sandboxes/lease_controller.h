// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/lifecycle/clock.h"
#include "application/providers/provider_service.h"
#include "async/scope.h"
#include "async/turnstile.h"
#include "domain/sandbox/sandbox.h"
#include "domain/sandbox/stores.h"

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

//! What is still to be done in a sandbox that was connected, before it counts as ready.
using SandboxPreparation = std::function<domain::Async<void>(
    const domain::SandboxId &sandbox, const domain::InstanceId &instance,
    const std::shared_ptr<domain::SandboxConnection> &connection, const std::stop_token &stop)>;

enum class PauseWhen {
    //! The user's word: also with a command under way, which then stands still.
    Now,
    //! A policy's: refused (Conflict) while anything works in it.
    AtRest,
};

//! The only writer of one lease: runs its commands one at a time, each step a compare-and-swap with
//! an event.
class LeaseController final : public QObject
{
    Q_OBJECT
public:
    LeaseController(domain::LeaseWithInstance known, domain::Sandbox sandbox,
                    domain::LeaseStore &store, ProviderService &providers,
                    std::shared_ptr<Clock> clock);
    ~LeaseController() override;

    [[nodiscard]] const domain::Lease &lease() const { return m_lease; }
    [[nodiscard]] const std::optional<domain::InstanceRecord> &instance() const
    {
        return m_instance;
    }
    [[nodiscard]] bool hasLiveInstance() const;
    //! There is something to show: an instance, or one that may just be coming to be.
    [[nodiscard]] bool mayExist() const;
    [[nodiscard]] const domain::Sandbox &sandbox() const { return m_sandbox; }
    void setSandbox(domain::Sandbox sandbox) { m_sandbox = std::move(sandbox); }
    //! "starting", "pausing", …; empty: at rest.
    [[nodiscard]] QString busy() const { return m_busy; }
    //! Somebody waits for it to be ready.
    [[nodiscard]] bool isWanted() const { return m_attempt != nullptr; }
    [[nodiscard]] bool isUnreachable() const { return m_unreachable; }
    //! Another engine or account answered for it last, and does not know it.
    [[nodiscard]] bool isOnAnotherEngine() const { return m_onAnotherEngine; }
    [[nodiscard]] QDateTime startedAt() const { return m_startedAt; }
    [[nodiscard]] QDateTime stateSince() const { return m_stateSince; }
    [[nodiscard]] bool isConnected() const { return m_connection && m_connection->isOpen(); }
    //! This Engine started, resumed or adopted it.
    [[nodiscard]] bool isControlled() const { return m_controlled; }
    [[nodiscard]] bool canPause() const;

    //! A part of each ensure that opens a connection; its failure is the ensure's.
    void setPreparation(SandboxPreparation preparation) { m_preparation = std::move(preparation); }
    //! It is to be done again, at the next ensure at the latest.
    void prepareAnew() { ++m_preparationWanted; }
    //! Now, where it runs and is connected; else nothing happens.
    domain::Async<void> prepareIfConnected(std::stop_token stop);

    //! Foreground commands under way, from before ensure() to their end; kept by whoever runs them.
    void commandStarted();
    void commandEnded();
    [[nodiscard]] int commands() const { return m_commands; }
    //! Background commands that run; kept by whoever runs them.
    void backgroundStarted();
    void backgroundEnded();
    [[nodiscard]] int inFlight() const { return m_commands + m_background; }
    //! A terminal or background command had input or output: the idle time begins anew.
    void touch() { Q_EMIT touched(); }
    //! A policy must not stop it. A background command counts only where pausing would end it;
    //! elsewhere it merely stands still, and counts by what it says (touch()).
    [[nodiscard]] bool isWorking() const;

    //! Coalesced: all callers share one attempt; it is given up only when every one of them has
    //! stopped.
    domain::Async<ReadySandbox> ensure(QString source, OnGone onGone, domain::ProgressSink progress,
                                       std::stop_token stop);
    //! The first instance of this lease: a copy of \a original, of another one. The intent is
    //! stored before it is asked for, once; whatever may have been made without an answer is looked
    //! for.
    //! After a failure the intent stays, for whoever removes the sandbox: withdrawCopy().
    domain::Async<void> makeCopy(domain::InstanceRecord original, QString source,
                                 std::stop_token stop);
    //! It is to be a copy of another one's instance, and is not there yet: nothing else may be made
    //! under its name.
    [[nodiscard]] bool isCopyIntent() const;
    //! \a seen may be that copy.
    [[nodiscard]] bool mayBeItsCopy(const domain::Instance &seen) const;
    //! Looks for the copy of a copying that was interrupted, and takes it. False: there is none,
    //! and none is to come. \a isOwned tells of an instance of another lease.
    domain::Async<bool> settleCopy(std::function<bool(const domain::ExternalId &)> isOwned,
                                   QString source, std::stop_token stop);
    //! There is no copy.
    domain::Async<void> withdrawCopy(QString source, QString why);
    //! Connects only if it runs: never starts, resumes or makes anything. Conflict when it does not
    //! run.
    domain::Async<ReadySandbox> look(std::stop_token stop);
    domain::Async<void> pause(QString source, std::stop_token stop,
                              PauseWhen when = PauseWhen::Now);
    domain::Async<void> destroy(QString source, std::stop_token stop);
    //! Pauses it now and has it destroyed after \a undo, by whoever calls destroyIfDue(); at once
    //! where it cannot be paused.
    domain::Async<void> destroyLater(QString source, std::chrono::seconds undo,
                                     std::stop_token stop);
    //! Answers whether it ran before. Conflict when it is too late.
    domain::Async<bool> undoDestroy(QString source);
    //! Finishes what destroyLater() began, once its time has come.
    domain::Async<void> destroyIfDue(QString source, std::stop_token stop);
    [[nodiscard]] bool isDestroyPending() const;
    //! Writes what is wanted, without doing it: whoever reads the records next finishes it.
    domain::Async<void> want(domain::DesiredState desired, QString source);

    //! What a list of the provider showed; ignored while a command of this lease is under way.
    domain::Async<void> observe(domain::Instance seen);
    //! Asks the provider how it is, behind what is under way.
    domain::Async<void> probe(QString source, std::stop_token stop);
    //! The provider listed everything and this was not there: asks for it by id, and only a sure
    //! "not found" ends it.
    domain::Async<void> confirmMissing(std::stop_token stop);
    void observeFailure(const domain::Error &error);
    //! Says in the lease that wanted and real state have differed for long.
    domain::Async<void> flagDifference();

    //! Gives up what is under way, whoever waits for it; then drained() comes.
    void stop();
    async::Task<void> drained() { return m_attempts.drained(); }

Q_SIGNALS:
    void changed();
    //! commands(), inFlight() or isWorking() may have changed.
    void workChanged();
    void touched();
    //! A first instance, or a new one after the old was gone or destroyed.
    void instanceMade(bool fresh);
    void destroyed();
    //! A connection was opened.
    void connected();

private:
    struct Attempt;

    domain::Async<void> transition(domain::Lease next,
                                   std::optional<domain::InstanceRecord> instance, QString type,
                                   QString source, QString error);
    domain::Async<void> setObserved(domain::ObservedState state, QString type, QString source,
                                    QString error);
    domain::Async<void> markGone(QString source);
    domain::Async<void> noteFailure(domain::Error error, QString source);
    domain::Async<void> destroyNow(QString source, std::stop_token stop);
    domain::Async<void> applySeen(domain::Instance seen, QString source);
    domain::Async<void> resumeUsage(domain::Instance seen);
    //! Another engine or account answers than the one that the sandbox is at: what it does not know
    //! is not gone.
    [[nodiscard]] bool isElsewhere(const domain::Provider &provider) const;
    [[nodiscard]] domain::Error elsewhere() const;
    domain::Async<domain::Instance> ask(std::shared_ptr<domain::Provider> provider,
                                        std::stop_token stop);
    async::Task<void> runAttempt(std::shared_ptr<Attempt> attempt, QString source, OnGone onGone);
    domain::Async<ReadySandbox> bringUp(QString source, OnGone onGone,
                                        std::shared_ptr<Attempt> attempt);
    domain::Async<bool> wake(std::shared_ptr<domain::Provider> provider, domain::Instance seen,
                             QString source, std::shared_ptr<Attempt> attempt);
    domain::Async<domain::Instance> findOrCreate(std::shared_ptr<domain::Provider> provider,
                                                 QString source, std::shared_ptr<Attempt> attempt);
    domain::Async<std::optional<domain::Instance>> findIntended(
        std::shared_ptr<domain::Provider> provider, QString source,
        std::shared_ptr<Attempt> attempt);
    domain::Async<std::optional<domain::Instance>> findByToken(
        std::shared_ptr<domain::Provider> provider, std::stop_token stop);
    domain::Async<domain::Instance> askForCopy(std::shared_ptr<domain::Provider> provider,
                                               domain::ExternalId original, std::stop_token stop);
    domain::Async<void> takeCopy(std::shared_ptr<domain::Provider> provider, domain::Instance made,
                                 QString source);
    domain::Async<ReadySandbox> connect(std::shared_ptr<domain::Provider> provider, QString source,
                                        std::stop_token stop);
    domain::Async<void> initialise(std::shared_ptr<domain::SandboxConnection> connection,
                                   QString source, std::stop_token stop);
    domain::Async<void> prepare(std::stop_token stop);
    [[nodiscard]] bool isPrepared() const { return m_preparationDone == m_preparationWanted; }
    void setBusy(const QString &what);
    void dropConnection();
    [[nodiscard]] bool isFreshlySeen() const;
    [[nodiscard]] QString configHash() const;
    [[nodiscard]] QStringList initCommands() const;
    //! The create call of the intent may still be under way somewhere.
    [[nodiscard]] bool isIntentBlocking() const;

    domain::Lease m_lease;
    std::optional<domain::InstanceRecord> m_instance;
    domain::Sandbox m_sandbox;
    domain::LeaseStore &m_store;
    ProviderService &m_providers;
    std::shared_ptr<Clock> m_clock;
    async::Turnstile m_turn;
    std::shared_ptr<Attempt> m_attempt;
    //! Outlives the callers that gave up, not this.
    async::Scope m_attempts;
    std::shared_ptr<domain::SandboxConnection> m_connection;
    domain::Environment m_baseline;
    SandboxPreparation m_preparation;
    //! Counts what asks for a preparation, and up to which it was done.
    int m_preparationWanted = 0;
    int m_preparationDone = 0;
    QString m_busy;
    bool m_unreachable = false;
    bool m_onAnotherEngine = false;
    bool m_controlled = false;
    //! Its span in the present state is being recorded.
    bool m_usageOpen = false;
    //! It ran when the user had it destroyed.
    bool m_ranBefore = false;
    bool m_differenceFlagged = false;
    int m_commands = 0;
    int m_background = 0;
    QDateTime m_startedAt;
    QDateTime m_stateSince;
    std::optional<std::chrono::milliseconds> m_seenRunning;
    std::optional<std::chrono::milliseconds> m_differsSince;
};

} // namespace berth::application
