// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/codec.h"
#include "application/contract/commands.h"
#include "application/contract/events.h"

#include <QtCore/QHash>

#include <functional>

namespace berth::test {

//! The agent's side of a ScriptedEngine: replies, approvals, rules, models. Nothing happens by
//! itself: the test says what the agent does.
class ScriptedAgents
{
public:
    using Tell = std::function<void(application::EventBody)>;

    ScriptedAgents(application::Snapshot &state,
                   QHash<domain::ThreadId, application::ThreadDetail> &details, Tell tell);

    // --- what the agent does
    //! A user's message with a run that works on it.
    domain::RunId ask(const domain::ThreadId &thread, const QString &text);
    //! A piece of the reply that is being written; its offset is where the last one ended.
    void grow(const domain::ThreadId &thread, const QString &piece, const QString &thought = {});
    //! The reply is whole: a message. What grew before belongs to it.
    void say(const domain::ThreadId &thread, const QString &text, const QString &thought = {});
    //! A call of a tool by the agent that has ended.
    domain::ToolCallId used(const domain::ThreadId &thread, const QString &tool,
                            const QString &command, const QString &result,
                            const QString &diff = {});
    void notice(const domain::ThreadId &thread, const QString &kind, const QString &text,
                const QString &detail = {}, bool canContinue = false, const QDateTime &until = {});
    //! The last run of the thread changes.
    void change(const domain::ThreadId &thread,
                const std::function<void(application::RunView &)> &how);
    //! A call that waits for the user.
    application::ApprovalView askApproval(const domain::ThreadId &thread, const QString &command,
                                          const QStringList &patterns = {});
    //! The model has the first endpoint of models, or none.
    void setHasModel(bool hasModel);

    application::ModelList models;
    application::PresetList presets;
    application::RuleList rules;
    //! What answers to approvals allow from then on: "thread: git push".
    QStringList granted;
    application::AuditList audit;
    application::HealthView modelHealth;
    //! Events of a test's steps carry the command's id.
    std::function<void(const domain::RequestId &, const domain::HealthStep &)> step;

    //! Answers commands of this group; nullopt: not one of them.
    std::optional<domain::Result<application::Payload>> serve(
        const domain::RequestId &id, const QString &command, const application::Payload &arguments);

private:
    application::Snapshot &m_state;
    QHash<domain::ThreadId, application::ThreadDetail> &m_details;
    Tell m_tell;
    struct Growing
    {
        qint64 text = 0;
        qint64 reasoning = 0;
        int round = 1;
    };
    QHash<domain::ThreadId, Growing> m_growing;
};

} // namespace berth::test
