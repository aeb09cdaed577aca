// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/settings/security_words.h"
#include "ui/widgets/card.h"

class QVBoxLayout;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class FieldEditor;
class Label;
class RuleEditor;

//! A rule that is added or changed: for whom, about which tool, what follows, and the pattern with
//! examples.
class RuleForm final : public Card
{
    Q_OBJECT
public:
    //! A rule without id is a new one. \a client outlives the form.
    RuleForm(application::EngineClient &client, const application::RuleView &rule,
             const SecurityNames &names, QWidget *parent = nullptr);

    [[nodiscard]] const QString &ruleId() const { return m_rule.id; }
    //! As the fields say now, without its pattern.
    [[nodiscard]] application::RuleView target() const;
    [[nodiscard]] FieldEditor *scopeField() const { return m_scope; }
    [[nodiscard]] FieldEditor *agentField() const { return m_agent; }
    [[nodiscard]] FieldEditor *threadField() const { return m_thread; }
    [[nodiscard]] FieldEditor *toolField() const { return m_tool; }
    [[nodiscard]] FieldEditor *decisionField() const { return m_decision; }
    [[nodiscard]] RuleEditor *editor() const { return m_editor; }

Q_SIGNALS:
    void saved(const berth::application::RuleView &rule);
    void cancelled();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void addFields(QVBoxLayout &column, const SecurityNames &names);
    void onChanged();
    void showOwner();
    void save(const QString &pattern);

    application::EngineClient &m_client;
    application::RuleView m_rule;
    FieldEditor *m_scope = nullptr;
    FieldEditor *m_agent = nullptr;
    FieldEditor *m_thread = nullptr;
    FieldEditor *m_tool = nullptr;
    FieldEditor *m_decision = nullptr;
    Label *m_effect;
    RuleEditor *m_editor;
    bool m_saving = false;
};

} // namespace berth::ui
