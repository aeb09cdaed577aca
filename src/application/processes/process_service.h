// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/commands.h"
#include "application/threads/thread_service.h"
#include "domain/sandbox/process.h"

#include <QtCore/QHash>
#include <QtCore/QObject>

#include <map>
#include <memory>

namespace berth::application {

//! Background commands and terminals: what lives in sandboxes beside the conversations, over lost
//! connections and, where the provider keeps processes, over pause and restarts of Berth. A record
//! is written before a process is started; whenever a sandbox is connected, its jobs are held
//! against the records. What cannot be seen now is Unknown, never guessed, and no sandbox is
//! started or resumed only to look.
class ProcessService final : public QObject
{
    Q_OBJECT
public:
    ProcessService(domain::ProcessStore &store, domain::LeaseStore &leases,
                   ProviderService &providers, SandboxService &sandboxes, ThreadService &threads,
                   QString outputDir, EventBus &bus);
    ~ProcessService() override;

    //! Reads the records, and looks at those whose sandbox runs.
    domain::Async<void> start();
    //! Lets go of everything; what the provider keeps runs on.
    void stop();
    domain::Async<void> drained();

    [[nodiscard]] QList<ProcessView> views() const;
    //! nullopt: there is no such process.
    [[nodiscard]] std::optional<domain::LeaseId> leaseOf(const domain::ProcessId &id) const;
    //! Some run that end with this Engine: a one-shot owner stays for them.
    [[nodiscard]] bool holdsEngine() const;

    domain::Async<ProcessList> list(ListProcesses request, std::stop_token stop);
    //! For a user: if the policy of the target's agent and the rules let him.
    domain::Async<ProcessView> begin(StartProcess request, Caller caller, std::stop_token stop);
    //! Of a call that was decided on already.
    domain::Async<ProcessView> beginAdmitted(StartProcess request, QString source,
                                             std::stop_token stop);
    domain::Async<ProcessView> end(domain::ProcessId id, std::stop_token stop);
    domain::Async<Nothing> write(WriteProcess request, std::stop_token stop);
    domain::Async<Nothing> resize(ResizeProcess request);
    domain::Async<OutputChunk> read(ReadProcess request, std::stop_token stop);
    domain::Async<Nothing> remove(domain::ProcessId id);

    //! Processes under way in one sandbox; more are refused.
    static constexpr int kMostInSandbox = 64;
    //! Ended ones that a sandbox keeps listed; older ones are forgotten.
    static constexpr int kMostEnded = 50;
    //! Input that a program has not taken yet; more is refused.
    static constexpr qint64 kMostInput = 1024 * 1024;

private:
    struct Known;
    using Shared = std::shared_ptr<Known>;

    // Commands.
    domain::Result<Shared> find(const domain::ProcessId &id) const;
    domain::Async<void> launch(Shared known, domain::CommandSpec command, QString source,
                               std::stop_token stop);
    domain::Async<std::shared_ptr<domain::Execution>> startIn(ReadySandbox ready, Shared known,
                                                              domain::CommandSpec command,
                                                              std::stop_token stop);
    domain::Async<void> becomeReachable(Shared known, std::stop_token stop);

    // Following.
    void follow(const Shared &known, std::shared_ptr<domain::Execution> execution);
    void onFinished(const Shared &known, const domain::Outcome &outcome);
    //! Without ending it.
    void letGo(const Shared &known, const QString &reason);
    void conclude(const Shared &known, domain::Outcome outcome);
    void grew(const Shared &known);
    void count(Known &known, bool runs);

    // Looking into sandboxes.
    void onLease(const domain::SandboxId &sandbox);
    void onConnected(const domain::SandboxId &sandbox);
    //! Once: connects if the sandbox runs, and adopts.
    domain::Async<void> look(domain::LeaseId lease, std::stop_token stop);
    async::Task<void> lookBounded(domain::LeaseId lease, std::stop_token stop);
    async::Task<void> keepLooking(domain::LeaseId lease, std::chrono::milliseconds delay);
    void lookSoon(const domain::LeaseId &lease, std::chrono::milliseconds delay);
    async::Task<void> adoptInBackground(domain::LeaseId lease);
    domain::Async<void> adopt(domain::LeaseId lease, ReadySandbox ready);
    domain::Async<void> adoptJob(Shared known, ReadySandbox ready, domain::Job job);
    Shared adoptUnknown(const domain::LeaseId &lease, const domain::ProcessId &id,
                        const ReadySandbox &ready, const domain::Job &job);
    [[nodiscard]] std::optional<domain::Outcome> sureEnd(const Known &known) const;
    [[nodiscard]] QList<Shared> unfollowed(const domain::LeaseId &lease) const;
    [[nodiscard]] bool isRunning(const domain::LeaseId &lease) const;

    // Records and views.
    [[nodiscard]] ProcessView viewOf(const Known &known) const;
    [[nodiscard]] std::optional<domain::Capabilities> capabilitiesOf(
        const domain::LeaseId &lease) const;
    [[nodiscard]] QString pathOf(const domain::ProcessRecord &record) const;
    void publish(const Shared &known);
    void save(const Shared &known);
    async::Task<void> saveInBackground(Shared known);
    void forget(const Shared &known);
    async::Task<void> forgetInBackground(domain::ProcessId id, QString path);
    void prune(const domain::LeaseId &lease);

    domain::ProcessStore &m_store;
    domain::LeaseStore &m_leases;
    ProviderService &m_providers;
    SandboxService &m_sandboxes;
    ThreadService &m_threads;
    QString m_outputDir;
    EventBus &m_bus;
    std::map<QString, Shared> m_known;
    QHash<domain::LeaseId, async::Completion<domain::Result<void>>> m_looks;
    QHash<domain::LeaseId, bool> m_keptLooking;
    //! The connection whose jobs were held against the records.
    QHash<domain::LeaseId, std::weak_ptr<domain::SandboxConnection>> m_adopted;
    bool m_stopping = false;
    //! Work that an end of the Engine cuts short.
    async::Scope m_scope;
    //! Writing of records, which it does not.
    async::Scope m_saving;
};

} // namespace berth::application
