// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"
#include "ui/agents/agent_panel.h"

#include <QtCore/QPointer>
#include <QtWidgets/QWidget>

#include <functional>

namespace berth::ui {

class AgentModel;
class Button;
class CardTable;
class ConfirmDialog;
class EngineState;
class ListAndPanel;

//! Who acts: every agent, and beside them the form of one.
class AgentsPage final : public QWidget
{
    Q_OBJECT
public:
    explicit AgentsPage(EngineState &state, QWidget *parent = nullptr);

    void addAgent();
    void showAgent(const domain::AgentId &agent, AgentPanel::Tab tab = AgentPanel::Tab::Basics);
    void closePanel();

    [[nodiscard]] CardTable *table() const { return m_table; }
    [[nodiscard]] AgentModel *model() const { return m_model; }
    [[nodiscard]] Button *newButton() const { return m_new; }
    //! nullptr: none is open.
    [[nodiscard]] AgentPanel *panel() const;
    //! The open question, if there is one.
    [[nodiscard]] ConfirmDialog *question() const;

Q_SIGNALS:
    void providerSettingsRequested();

protected:
    void timerEvent(QTimerEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void onReset();
    void onEvent(const application::Event &event);
    void openPanel(const application::AgentView &agent, AgentPanel::Tab tab);
    void askRemove(const domain::AgentId &agent);
    void remove(const domain::AgentId &agent);
    //! Selects the row of what the panel shows.
    void mark();
    //! Asks first when something was typed that is not saved.
    void leave(const std::function<void()> &then);
    void showAwaited();

    EngineState &m_state;
    AgentModel *m_model;
    CardTable *m_table;
    Button *m_new;
    ListAndPanel *m_body;
    QPointer<ConfirmDialog> m_question;
    //! Made just now; its row is not here yet.
    domain::AgentId m_awaited;
    int m_minute = 0;
};

} // namespace berth::ui
