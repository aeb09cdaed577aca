// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/agents/agents_page.h"

#include "application/contract/commands.h"
#include "ui/agents/agent_basics.h"
#include "ui/models/agent_model.h"
#include "ui/models/agent_text.h"
#include "ui/models/engine_state.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card_table.h"
#include "ui/widgets/confirm_dialog.h"
#include "ui/widgets/list_and_panel.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/save_bar.h"
#include "ui/widgets/tab_strip.h"

#include <QtCore/QTimerEvent>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QVBoxLayout>

#include <utility>

namespace berth::ui {

using application::AgentView;
using domain::Result;

namespace {
constexpr int kMinute = 60'000;
}

AgentsPage::AgentsPage(EngineState &state, QWidget *parent)
    : QWidget(parent),
      m_state(state),
      m_model(new AgentModel(this)),
      m_table(new CardTable(tr("Agents"))),
      m_new(new Button(tr("New agent…"), ButtonKind::Primary))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *header = new PageHeader(tr("Agents"));
    m_new->setToolTip(tr("Ctrl+Shift+N"));
    header->addAction(m_new);
    column->addWidget(header);
    auto *list = new QWidget;
    auto *rows = new QVBoxLayout(list);
    rows->setContentsMargins(0, 0, 0, 20);
    auto *card = new Card;
    card->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    auto *inner = new QVBoxLayout(card);
    inner->setContentsMargins(1, 4, 1, 4);
    inner->addWidget(m_table);
    rows->addWidget(card);
    rows->addStretch(1);
    m_body = new ListAndPanel(list);
    column->addWidget(m_body, 1);
    m_table->setModel(m_model);
    m_table->setRule(AgentModel::Name, {110, 0});
    m_table->setRule(AgentModel::Model, {110, 1});
    m_table->setRule(AgentModel::Approvals, {100, 2});
    m_table->setRule(AgentModel::Activity, {0, 4});
    m_table->setRule(AgentModel::Access, {0, 3});
    setFocusProxy(m_table);
    connect(m_new, &QPushButton::clicked, this, &AgentsPage::addAgent);
    connect(m_table, &CardTable::chosen, this, [this](const QModelIndex &index) {
        showAgent(domain::AgentId(index.data(AgentModel::IdRole).toString()));
    });
    connect(&m_state, &EngineState::reset, this, &AgentsPage::onReset);
    connect(&m_state, &EngineState::event, this, &AgentsPage::onEvent);
    m_minute = startTimer(kMinute);
    onReset();
}

AgentPanel *AgentsPage::panel() const
{
    return qobject_cast<AgentPanel *>(m_body->panel());
}

ConfirmDialog *AgentsPage::question() const
{
    return m_question;
}

void AgentsPage::showAwaited()
{
    if (m_awaited.isNull() || !m_model->find(m_awaited))
        return;
    const domain::AgentId agent = std::exchange(m_awaited, {});
    if (panel() && panel()->isNew()) {
        openPanel(*m_model->find(agent), AgentPanel::Tab::Basics);
        m_table->setFocus();
    }
}

void AgentsPage::onReset()
{
    m_model->set(m_state.snapshot());
    showAwaited();
    if (AgentPanel *open = panel(); open && !open->isNew()) {
        if (const AgentView *agent = m_model->find(open->agent()))
            open->setAgent(*agent);
        else
            closePanel();
    }
    mark();
}

void AgentsPage::onEvent(const application::Event &event)
{
    if (std::holds_alternative<application::AgentsChanged>(event.body))
        onReset();
    else if (std::holds_alternative<application::ThreadChanged>(event.body)
             || std::holds_alternative<application::SandboxChanged>(event.body))
        m_model->set(m_state.snapshot());
}

void AgentsPage::addAgent()
{
    if (AgentPanel *open = panel(); open && open->isNew()) {
        open->basics()->name()->setFocus();
        return;
    }
    leave([this] {
        openPanel({}, AgentPanel::Tab::Basics);
        panel()->basics()->name()->setFocus();
    });
}

void AgentsPage::showAgent(const domain::AgentId &agent, AgentPanel::Tab tab)
{
    if (AgentPanel *open = panel(); open && open->agent() == agent) {
        open->showTab(tab);
        return;
    }
    if (!m_model->find(agent))
        return;
    leave([this, agent, tab] {
        if (const AgentView *known = m_model->find(agent))
            openPanel(*known, tab);
    });
}

void AgentsPage::leave(const std::function<void()> &then)
{
    const AgentPanel *open = panel();
    if (!open || !open->hasChanges()) {
        then();
        return;
    }
    mark();
    if (m_question)
        return;
    m_question = ConfirmDialog::askToDrop(
        open->isNew() ? tr("Drop the new agent?") : tr("Drop what you changed?"), window(), then);
}

void AgentsPage::openPanel(const AgentView &agent, AgentPanel::Tab tab)
{
    auto *open = new AgentPanel(m_state.client(), agent);
    connect(open, &AgentPanel::closed, this, [this] { leave([this] { closePanel(); }); });
    connect(open, &AgentPanel::dropped, this, &AgentsPage::closePanel);
    connect(open, &AgentPanel::providerSettingsRequested, this,
            &AgentsPage::providerSettingsRequested);
    connect(open, &AgentPanel::removeRequested, this, [this, open] { askRemove(open->agent()); });
    connect(open, &AgentPanel::saved, this, [this, open](const domain::AgentId &saved) {
        // The new one's row comes with its event; its form follows it.
        if (!open->isNew() || panel() != open)
            return;
        m_awaited = saved;
        showAwaited();
    });
    m_body->setPanel(open);
    open->showTab(tab);
    mark();
}

void AgentsPage::closePanel()
{
    m_body->setPanel(nullptr);
    mark();
    m_table->setFocus();
}

void AgentsPage::mark()
{
    const AgentPanel *open = panel();
    const QModelIndex index = open ? m_model->indexOf(open->agent()) : QModelIndex();
    if (!index.isValid())
        m_table->clearSelection();
    else if (m_table->currentIndex().row() != index.row()
             || !m_table->selectionModel()->isRowSelected(index.row()))
        m_table->selectionModel()->setCurrentIndex(
            index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void AgentsPage::askRemove(const domain::AgentId &agent)
{
    const AgentView *known = m_model->find(agent);
    if (!known || m_question)
        return;
    ConfirmDialog::Words words;
    words.question = tr("Delete agent %1?").arg(known->name);
    words.text = {tr("Its name, instructions, policy, rules and skills are removed for good.")};
    const QStringList obstacles = obstaclesOf(m_state.snapshot(), agent);
    if (!obstacles.isEmpty())
        words.text.append(
            tr("It cannot go while it has these. Sandboxes can be removed on the Sandboxes page.")
            + QLatin1Char('\n') + obstacles.join(QLatin1Char('\n')));
    words.action = tr("Delete");
    m_question = new ConfirmDialog(words, window());
    connect(m_question, &QDialog::accepted, this, [this, agent] { remove(agent); });
    m_question->open();
}

void AgentsPage::remove(const domain::AgentId &agent)
{
    application::deliver(
        this, m_state.client(), application::RemoveAgent{agent},
        [this, agent](const Result<application::Nothing> &answer) {
            AgentPanel *open = panel();
            if (answer) {
                if (open && open->agent() == agent)
                    closePanel();
                return;
            }
            if (!open || open->agent() != agent)
                return;
            QStringList why{answer.error().detail};
            if (answer.error().kind == domain::ErrorKind::Conflict)
                why += obstaclesOf(m_state.snapshot(), agent);
            why.removeAll(QString());
            open->showTab(AgentPanel::Tab::Basics);
            open->basics()->bar()->showProblem(
                tr("%1: %2", "what and why").arg(tr("Not deleted"), answer.error().message),
                why.join(QLatin1Char('\n')));
        });
}

void AgentsPage::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_minute)
        m_model->tick();
    else
        QWidget::timerEvent(event);
}

void AgentsPage::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && panel()) {
        leave([this] { closePanel(); });
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace berth::ui
