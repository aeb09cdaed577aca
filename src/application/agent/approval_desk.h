// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/commands.h"
#include "application/engine/event_bus.h"
#include "async/completion.h"
#include "domain/thread/conversation_store.h"

#include <QtCore/QHash>
#include <QtCore/QObject>

namespace berth::application {

//! The questions that wait for the user, and the rules that he made of his answers. What is pending
//! stays so over restarts.
class ApprovalDesk final : public QObject
{
    Q_OBJECT
public:
    ApprovalDesk(domain::ConversationStore &store, EventBus &bus);

    //! Reads the rules.
    domain::Async<void> start();

    [[nodiscard]] QList<ApprovalView> views() const;
    [[nodiscard]] bool isPending(const domain::ToolCallId &call) const
    {
        return m_pending.contains(call);
    }
    [[nodiscard]] int pendingOf(const domain::RunId &run) const;
    [[nodiscard]] const QList<domain::ApprovalRule> &rules() const { return m_rules; }

    //! Asks and waits. With \a isStored the question is in the database since before a restart.
    //! Cancelled when \a stop is requested: then it is still pending, until closeRun().
    domain::Async<domain::Approval> ask(ApprovalView view, bool isStored, std::stop_token stop);
    domain::Async<Nothing> decide(DecideApproval decision, QString who);
    //! Whatever is still asked of the run is denied, since nobody would use the answer.
    domain::Async<void> closeRun(domain::RunId run);

    domain::Async<RuleView> saveRule(SaveRule request);
    domain::Async<Nothing> removeRule(QString id);
    [[nodiscard]] RuleList ruleViews() const;
    //! Its rules went with it.
    void agentRemoved(const domain::AgentId &agent);

Q_SIGNALS:
    //! A question of the run was asked or answered.
    void changed(const berth::domain::RunId &run);

private:
    struct Pending
    {
        ApprovalView view;
        async::Completion<domain::Approval> answer;
        //! Counts the questions, for those of one moment.
        qint64 order = 0;
    };

    domain::Async<void> addRules(ApprovalView view, QString scope, QStringList patterns);
    domain::Async<void> keep(domain::ApprovalRule rule);
    void close(const domain::Approval &decided);

    domain::ConversationStore &m_store;
    EventBus &m_bus;
    QHash<domain::ToolCallId, Pending> m_pending;
    qint64 m_asked = 0;
    QList<domain::ApprovalRule> m_rules;
};

} // namespace berth::application
