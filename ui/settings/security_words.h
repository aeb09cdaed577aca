// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/agent_contract.h"
#include "application/contract/views.h"
#include "ui/models/runtime_text.h"

#include <QtCore/QPair>

// The words of Settings, Security.
namespace berth::ui {

//! Who the ids in rules, tokens and the audit are.
struct SecurityNames
{
    QList<application::AgentView> agents;
    QList<application::ThreadView> threads;

    //! The id itself where nobody has it.
    [[nodiscard]] QString agent(const QString &id) const;
    [[nodiscard]] QString thread(const QString &id) const;
};

//! "allow", "ask", "deny" of a rule.
StateText ruleDecisionText(const QString &decision);
//! "in every thread", "agent scout", "thread “Fix it”"
QString ruleScopeText(const application::RuleView &rule, const SecurityNames &names);
//! "allowed", "asked", "denied", "hook_denied", "not run" of the audit.
StateText auditDecisionText(const QString &decision);
//! By what or whom it was decided, as the Engine writes it down: "allowed by rule git *".
QString auditReasonText(const QString &decidedBy);
//! "exited", "timed_out", … of the audit; empty: it has not ended.
QString auditOutcomeText(const QString &outcome);
QString hookMomentText(const QString &moment);
//! What a token may do with it: "read: see threads …".
QString scopeText(const QString &scope);
//! Wire name and words of the tools that rules and hooks are about.
QList<QPair<QString, QString>> toolChoices();
//! A field of a form made of FieldEditors.
application::FieldView formField(const QString &key, const QString &type, const QString &label,
                                 const QString &value, const QString &help = {});

} // namespace berth::ui
