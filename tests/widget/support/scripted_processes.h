// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/codec.h"
#include "application/contract/commands.h"
#include "application/contract/events.h"

#include <QtCore/QHash>

#include <functional>

namespace berth::test {

//! Processes of a ScriptedEngine: they write what the test says and keep what is typed.
class ScriptedProcesses
{
public:
    using Tell = std::function<void(application::EventBody)>;

    ScriptedProcesses(application::Snapshot &state, Tell tell);

    application::ProcessView add(
        const application::RuntimeView &runtime, application::ProcessKind kind,
        const QString &title, application::ProcessState state = application::ProcessState::Running);
    //! Output; wakes who waits for it.
    void write(const domain::ProcessId &process, const QByteArray &bytes);
    void end(const domain::ProcessId &process, domain::OutcomeKind outcome, int exitCode,
             const QString &detail = {});
    void change(const domain::ProcessId &process,
                const std::function<void(application::ProcessView &)> &how);

    //! All that was written to it, in order.
    QHash<domain::ProcessId, QByteArray> typed;
    //! Of each write.
    QList<QByteArray> writes;
    //! Written by a new terminal as soon as it is there.
    QByteArray greeting;

    //! Answers commands of this group; nullopt: not one of them, or not to be answered yet, as a
    //! long poll is until \a answer is called.
    std::optional<domain::Result<application::Payload>> serve(
        const QString &command, const application::Payload &arguments,
        const std::function<void(domain::Result<application::Payload>)> &answer, bool *taken);
    [[nodiscard]] int waiting() const { return static_cast<int>(m_polls.size()); }

private:
    struct Poll
    {
        application::ReadProcess command;
        std::function<void(domain::Result<application::Payload>)> answer;
    };
    application::ProcessView *find(const domain::ProcessId &id);
    application::OutputChunk chunk(const application::ReadProcess &command);
    domain::Result<application::ProcessView> start(const application::StartProcess &command);
    void wake(const domain::ProcessId &process);

    application::Snapshot &m_state;
    Tell m_tell;
    QHash<domain::ProcessId, QByteArray> m_output;
    QList<Poll> m_polls;
};

} // namespace berth::test
