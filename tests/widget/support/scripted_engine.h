// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_session.h"
#include "application/in_process_client.h"
#include "widget/support/scripted_agents.h"
#include "widget/support/scripted_files.h"
#include "widget/support/scripted_processes.h"
#include "widget/support/scripted_sandboxes.h"
#include "widget/support/scripted_security.h"

#include <QtCore/QHash>

#include <functional>
#include <memory>

namespace berth::test {

//! An Engine for widget tests: answers commands from state in memory and tells its clients of each
//! change. Lives on the thread of the test, so that nothing happens between two turns of the event
//! loop.
class ScriptedEngine final : public QObject, public application::EngineHost
{
    Q_OBJECT
public:
    ScriptedEngine();
    ~ScriptedEngine() override;

    std::unique_ptr<application::EngineSession> openSession(application::ClientKind kind) override;
    //! A client of this engine; wait for its connectionChanged().
    std::unique_ptr<application::InProcessClient> makeClient();

    // --- state, to be set before or changed during a test
    // -------------------------------------------------
    application::Snapshot state;
    QHash<domain::ThreadId, application::ThreadDetail> details;
    QHash<domain::ConfigName, application::ProviderForm> forms;
    //! Answer of TestProvider; its steps are told as events first.
    application::HealthView health;

    //! docker and local, ready; one agent. Nothing else.
    void fillProviders();
    application::ProviderView addProvider(const QString &config, const QString &mark,
                                          const QString &label, const QString &summary,
                                          application::ProviderState state);
    domain::ThreadId addThread(
        const QString &title, const QDateTime &lastActivity,
        application::ThreadLifecycle lifecycle = application::ThreadLifecycle::Active);
    application::RuntimeView addRuntime(const QString &alias, domain::ObservedState observed);
    //! Adds a user message with a running tool call to \a thread and says so.
    domain::ToolCallId startCall(const domain::ThreadId &thread, const QString &command);
    //! Appends to the output of a call and says so.
    void write(const domain::ToolCallId &call, const QByteArray &bytes,
               domain::OutputStream stream = domain::OutputStream::Stdout);
    //! An output of \a total bytes that exists nowhere: \a page makes what is asked for.
    void setVirtualOutput(const domain::ToolCallId &call, qint64 total,
                          std::function<QByteArray(qint64 offset, qint64 length)> page);
    void finish(const domain::ToolCallId &call, domain::OutcomeKind kind, int exitCode);
    application::ToolCallView *call(const domain::ToolCallId &id);
    void change(const domain::ToolCallId &call,
                const std::function<void(application::ToolCallView &)> &how);
    void change(const domain::ThreadId &thread,
                const std::function<void(application::ThreadView &)> &how);

    void emitEvent(application::EventBody body);
    //! Background commands and terminals.
    ScriptedProcesses processes{
        state, [this](application::EventBody body) { emitEvent(std::move(body)); }};

    //! What agents do, and the models that they use.
    ScriptedAgents agents{state, details,
                          [this](application::EventBody body) { emitEvent(std::move(body)); }};

    //! Hooks, and who may use the HTTP API.
    ScriptedSecurity security{[this](application::EventBody body) { emitEvent(std::move(body)); }};

    //! Rows, presets, policies, lifecycles, skills.
    ScriptedSandboxes sandboxes{
        state, agents.presets, [this](application::EventBody body) { emitEvent(std::move(body)); }};

    //! Files of the sandbox of every thread.
    ScriptedFiles files;

    // --- what clients did
    // -----------------------------------------------------------------------------------
    struct Received
    {
        QString command;
        application::Payload arguments;
    };
    QList<Received> received;
    //! Held commands that a client did not want any more; they were answered with Cancelled.
    QList<domain::RequestId> cancelled;
    [[nodiscard]] int count(const QString &command) const;
    //! The last one of this kind; fails the test when there is none.
    template <typename Command>
    [[nodiscard]] Command last() const
    {
        const QString name = QString::fromLatin1(Command::kName);
        for (auto it = received.crbegin(); it != received.crend(); ++it) {
            if (it->command == name)
                return application::decode<Command>(it->arguments).value_or(Command{});
        }
        qFatal("no %s was received", Command::kName);
    }
    template <typename Command>
    [[nodiscard]] int count() const
    {
        return count(QString::fromLatin1(Command::kName));
    }

    //! Instead of the usual answer, for the next or all commands of one kind.
    QHash<QString, domain::Error> failures;
    //! Commands that are not answered until release().
    QStringList held;
    void release();

private:
    class Session;
    friend class Session;
    void serve(Session &session, const domain::RequestId &id, const QString &command,
               const application::Payload &arguments);
    void stop(Session &session, const domain::RequestId &id);
    domain::Result<application::Payload> answered(const domain::RequestId &id,
                                                  const QString &command,
                                                  const application::Payload &arguments);
    domain::Result<application::Payload> answer(const domain::RequestId &id, const QString &command,
                                                const application::Payload &arguments);
    domain::Result<application::Started> start(const domain::ThreadId &thread, const QString &text,
                                               bool asCommand);
    domain::Result<application::Started> newThread(const application::NewThread &command);
    domain::Result<application::OutputChunk> output(const application::ReadOutput &command);
    domain::Result<application::RuntimeView> drive(const QString &runtime, domain::ObservedState to,
                                                   domain::DesiredState desired);

    struct Output
    {
        QByteArray bytes;
        QList<application::OutputSegment> segments;
        qint64 virtualTotal = -1;
        std::function<QByteArray(qint64, qint64)> page;
    };
    QHash<domain::ToolCallId, Output> m_outputs;
    QList<Session *> m_sessions;
    QList<std::function<void()>> m_heldBack;
};

} // namespace berth::test
