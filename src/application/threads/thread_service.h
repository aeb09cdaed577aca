// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/threads/execution_service.h"
#include "application/threads/thread_responder.h"

#include <QtCore/QSet>

#include <map>

namespace berth::application {

//! What is to be run as one line of a shell: \a argv with its words quoted, or the text.
QString lineOf(const QStringList &argv, const QString &shellText);

//! Threads, their messages and runs.
class ThreadService final : public QObject
{
    Q_OBJECT
public:
    ThreadService(domain::BerthStore &store, domain::LeaseStore &leases, ProviderService &providers,
                  SandboxService &sandboxes, ExecutionService &executions, EventBus &bus);
    ~ThreadService() override;

    //! Reads the threads; what an earlier Engine left running becomes interrupted.
    domain::Async<void> start();
    void stop();
    domain::Async<void> drained();

    [[nodiscard]] QList<ThreadView> views() const;
    [[nodiscard]] std::optional<domain::Thread> thread(const domain::ThreadId &id) const;
    domain::Async<ThreadList> list(ListThreads request);
    domain::Async<ThreadDetail> detail(domain::ThreadId id);
    domain::Async<Started> create(NewThread request, Caller caller);
    domain::Async<Started> send(SendMessage request, Caller caller);
    domain::Async<ThreadView> update(UpdateThread request);
    domain::Async<Started> exec(Exec request, Caller caller);
    domain::Async<Started> edit(EditMessage request, Caller caller);
    //! What \a target means: a thread, or a sandbox by its lease's id, its own, or its alias with
    //! the default agent; of the latter only sandbox and agent are set.
    [[nodiscard]] domain::Result<domain::Thread> targetOf(const QString &target) const;
    //! By the policy of the line's agent and the rules; what to write down of it. Forbidden says
    //! why not. Empty where nothing decides.
    domain::Async<QString> admitted(OwnLine line);
    //! The user's hooks before something of his own: why it is not begun; empty: it is.
    domain::Async<QString> hookDenial(domain::ToolCall call, domain::AgentId agent,
                                      std::stop_token stop);
    //! And after it; nothing waits for them.
    void tellHooks(const domain::ToolCall &ended, const domain::AgentId &agent);
    //! A message is being replaced: nothing may be added meanwhile.
    [[nodiscard]] bool isEdited(const domain::ThreadId &id) const { return m_edited.contains(id); }

    //! Answers what is no command; null: nobody does. Outlives the threads' work.
    void setResponder(ThreadResponder *responder) { m_responder = responder; }
    //! One run at a time in each thread, in the order of arrival.
    async::Task<std::shared_ptr<async::Turnstile::Pass>> enterTurn(domain::ThreadId thread);
    //! For whoever runs something of the thread.
    void runStarted(const domain::ThreadId &thread);
    void runEnded(const domain::ThreadId &thread);
    //! The title of a thread that begins with this message.
    static QString titleFrom(const QString &text);

private:
    //! A message that may be stored.
    struct Admitted
    {
        domain::Thread thread;
        //! nullopt: it is for the responder.
        std::optional<QString> command;
        QString decision;
    };
    struct Turn
    {
        domain::ToolCall call;
        domain::CommandSpec command;
        domain::Run run;
        domain::SandboxId sandbox;
        domain::AgentId agent;
        QString source;
    };

    //! nullopt: it is a message for the responder.
    domain::Result<std::optional<QString>> commandIn(const QString &text, bool asCommand,
                                                     const domain::AgentId &agent) const;
    domain::Async<Admitted> admit(SendMessage request, Caller caller);
    //! Stores the message and begins what it asks for.
    domain::Async<Started> take(Admitted admitted, SendMessage request, QString source);
    domain::Async<Started> replace(Admitted admitted, EditMessage request, SendMessage again,
                                   QString source);
    //! The sandbox of a new thread; without one where none is named.
    domain::Result<void> chooseSandbox(const NewThread &request, domain::FirstMessage *first);
    //! Between the user's hooks.
    domain::Async<domain::ToolCall> runOwn(ExecutionRequest request, domain::AgentId agent);
    async::Task<void> tellAfter(domain::ToolCall ended, domain::AgentId agent);
    domain::Async<Started> sendToResponder(domain::Thread thread, SendMessage request);
    void beginAnswer(const domain::Thread &thread, const domain::Run &run);
    domain::Async<void> clearDraft(domain::ThreadId thread, QDateTime at);
    domain::Result<domain::Thread *> find(const domain::ThreadId &id);
    [[nodiscard]] ThreadView viewOf(const domain::Thread &thread) const;
    void publish(const domain::Thread &thread);
    void publishThreadsOf(const domain::SandboxId &sandbox);
    void tellSandbox(const domain::SandboxId &sandbox);
    static Turn turnFor(const domain::Thread &thread, const QString &command, qint64 timeoutMs,
                        const QString &source);
    async::Task<void> noteRun(domain::Run run);
    async::Task<void> runTurn(Turn turn);
    async::Task<void> runEphemeral(ExecutionRequest request, domain::AgentId agent);
    async::Task<void> startOver(domain::SandboxId sandbox);
    [[nodiscard]] Started startedOf(const Turn &turn) const;

    domain::BerthStore &m_store;
    domain::LeaseStore &m_leases;
    ProviderService &m_providers;
    SandboxService &m_sandboxes;
    ExecutionService &m_executions;
    EventBus &m_bus;
    ThreadResponder *m_responder = nullptr;
    std::map<QString, domain::Thread> m_threads;
    //! One turn at a time in each thread.
    std::map<QString, async::Turnstile> m_turns;
    QHash<domain::ThreadId, int> m_running;
    QSet<domain::ThreadId> m_edited;
    async::Scope m_scope;
};

} // namespace berth::application
