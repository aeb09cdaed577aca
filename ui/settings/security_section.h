// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/settings/security_words.h"

#include <QtWidgets/QWidget>

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class AuditView;
class HookSettings;
class RuleList;
class TabStrip;

//! Rules, hooks, and what was done. Asks the Engine when it is shown.
class SecuritySection final : public QWidget
{
    Q_OBJECT
public:
    enum class Part { Rules, Hooks, Audit };

    explicit SecuritySection(application::EngineClient &client, QWidget *parent = nullptr);

    void showPart(Part part);
    //! Asks who the ids of agents and threads are.
    void loadNames();

    [[nodiscard]] TabStrip *tabs() const { return m_tabs; }
    [[nodiscard]] RuleList *rules() const { return m_rules; }
    [[nodiscard]] HookSettings *hooks() const { return m_hooks; }
    [[nodiscard]] AuditView *audit() const { return m_audit; }

Q_SIGNALS:
    //! Agents and threads are known by these names now.
    void namesChanged(const berth::ui::SecurityNames &names);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void showTab(int tab);
    void loadShown();

    application::EngineClient &m_client;
    TabStrip *m_tabs;
    RuleList *m_rules;
    HookSettings *m_hooks;
    AuditView *m_audit;
};

} // namespace berth::ui
