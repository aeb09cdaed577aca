// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/sandboxes_page.h"

#include "application/contract/commands.h"
#include "ui/models/engine_state.h"
#include "ui/models/sandbox_model.h"
#include "ui/sandboxes/add_sandbox_panel.h"
#include "ui/sandboxes/sandbox_actions.h"
#include "ui/sandboxes/sandbox_panel.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/card_table.h"
#include "ui/widgets/confirm_dialog.h"
#include "ui/widgets/flow_row.h"
#include "ui/widgets/label.h"
#include "ui/widgets/list_and_panel.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/search_field.h"

#include <QtCore/QTimerEvent>
#include <QtGui/QKeyEvent>
#include <QtGui/QShortcut>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QMenu>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::SandboxView;
using domain::Result;

namespace {
constexpr int kTick = 15'000;
}

SandboxesPage::SandboxesPage(EngineState &state, QWidget *parent)
    : QWidget(parent),
      m_state(state),
      m_model(new SandboxModel(this)),
      m_filter(new SandboxFilterModel(this)),
      m_actions(new SandboxActions(state.client(), *m_model, this)),
      m_search(new SearchField(tr("Filter sandboxes"))),
      m_add(new Button(tr("Add sandbox…"), ButtonKind::Primary))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *header = new PageHeader(tr("Sandboxes"));
    m_search->setMinimumWidth(120);
    m_search->setMaximumWidth(220);
    m_search->setToolTip(tr("Ctrl+F"));
    header->addBesideTitle(
        new Label(tr("every sandbox of every agent"), TextRole::Body, Ink::Caption));
    header->addAction(m_search);
    header->addAction(m_add);
    column->addWidget(header);
    m_filter->setSourceModel(m_model);
    m_body = new ListAndPanel(buildList());
    column->addWidget(m_body, 1);
    setFocusProxy(m_table);
    auto *find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, m_search, [this] { m_search->setFocus(); });
    auto *again = new QShortcut(QKeySequence(Qt::Key_F5), this);
    again->setContext(Qt::WidgetWithChildrenShortcut);
    connect(again, &QShortcut::activated, this, &SandboxesPage::load);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_filter->setText(text);
        refresh();
    });
    connect(m_add, &QPushButton::clicked, this, &SandboxesPage::addSandbox);
    connect(m_model, &SandboxModel::setChanged, this, &SandboxesPage::refresh);
    connect(m_actions, &SandboxActions::openThread, this, &SandboxesPage::openThread);
    connect(m_actions, &SandboxActions::showRuntime, this, &SandboxesPage::showRuntime);
    connect(m_actions, &SandboxActions::started, m_failure, &QWidget::hide);
    connect(m_actions, &SandboxActions::failed, this,
            [this](const QString &what, const domain::Error &error) {
                m_failure->setTone(Tone::Error);
                m_failure->setText(tr("%1. %2", "what and why").arg(what, error.message),
                                   error.detail);
                m_failure->show();
            });
    connect(m_actions, &SandboxActions::copied, this, [this](const QString &alias) {
        m_failure->setTone(Tone::Ok);
        m_failure->setText(tr("The copy is %1. It is made when it is first used.").arg(alias));
        m_failure->show();
    });
    connect(&m_state, &EngineState::reset, this, [this] {
        m_model->set(m_state.snapshot());
        if (isVisible())
            load();
    });
    connect(&m_state, &EngineState::event, this, &SandboxesPage::onEvent);
    m_minute = startTimer(kTick);
    m_model->set(m_state.snapshot());
    refresh();
}

QWidget *SandboxesPage::buildFilters()
{
    auto *row = new FlowRow;
    m_agentButton = new Button(tr("All agents"));
    m_typeButton = new Button(tr("All types"));
    m_deleted = new QCheckBox(tr("Deleted"));
    for (Button *button : {m_agentButton, m_typeButton}) {
        button->setOpens(true);
        row->addWidget(button);
    }
    row->addWidget(m_deleted);
    connect(m_agentButton, &QPushButton::clicked, this, &SandboxesPage::chooseAgent);
    connect(m_typeButton, &QPushButton::clicked, this, &SandboxesPage::chooseType);
    connect(m_deleted, &QCheckBox::toggled, this, [this](bool shown) {
        m_filter->setDeleted(shown);
        refresh();
    });
    return row;
}

QWidget *SandboxesPage::buildList()
{
    auto *list = new QWidget;
    auto *column = new QVBoxLayout(list);
    column->setContentsMargins(0, 0, 0, 20);
    column->setSpacing(12);
    column->addWidget(buildFilters());
    m_failure = new Banner(Tone::Error);
    connect(m_failure->addAction(tr("Dismiss")), &QPushButton::clicked, m_failure, &QWidget::hide);
    m_failure->hide();
    column->addWidget(m_failure);
    auto *card = new Card;
    m_card = card;
    card->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    auto *inner = new QVBoxLayout(card);
    inner->setContentsMargins(1, 4, 1, 4);
    m_table = new CardTable(tr("Sandboxes"));
    inner->addWidget(m_table);
    column->addWidget(card);
    m_empty = new EmptyState(QString(), QString());
    m_emptyAction = m_empty->setAction(tr("Add sandbox…"));
    connect(m_emptyAction, &QPushButton::clicked, this, [this] {
        if (m_filter->isFiltered())
            showAll();
        else
            addSandbox();
    });
    column->addWidget(m_empty, 1);
    auto *notes = new FlowRow;
    m_note = new Label(tr("Removing a sandbox here keeps a cloud runtime unless you also "
                          "destroy it."),
                       TextRole::Body, Ink::Caption);
    m_left = new Label(TextRole::Body, Ink::Error);
    m_leftLink = new LinkButton(tr("Destroy it…"));
    notes->addWidget(m_note);
    notes->addWidget(m_left);
    notes->addWidget(m_leftLink);
    column->addWidget(notes);
    column->addStretch(1);
    m_table->setModel(m_filter);
    m_table->setRule(SandboxModel::Alias, {90, 0});
    m_table->setRule(SandboxModel::External, {110, 4});
    m_table->setRule(SandboxModel::Threads, {0, 2});
    m_table->setRule(SandboxModel::LastSeen, {0, 3});
    const auto idOf = [](const QModelIndex &index) {
        return domain::SandboxId(index.data(SandboxModel::IdRole).toString());
    };
    connect(m_table, &CardTable::chosen, this,
            [this, idOf](const QModelIndex &index) { showSandbox(idOf(index)); });
    connect(m_table, &CardTable::menuWanted, this,
            [this, idOf](const QModelIndex &index, const QPoint &at) {
                m_actions->menuFor(idOf(index), this)->popup(at);
            });
    connect(m_leftLink, &QToolButton::clicked, this, [this] {
        const QList<domain::SandboxId> left = m_model->leftRunning();
        if (!left.isEmpty())
            m_actions->purge(left.first(), window());
    });
    return list;
}

void SandboxesPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    load();
}

void SandboxesPage::load()
{
    application::ListSandboxes all;
    all.deleted = true;
    application::deliver(this, m_state.client(), all,
                         [this](const Result<application::SandboxList> &list) {
                             if (list)
                                 m_model->setRows(list->sandboxes);
                             // Else the rows of the snapshot stay; the window says that it is not
                             // connected.
                         });
}

void SandboxesPage::onEvent(const application::Event &event)
{
    if (const auto *changed = std::get_if<application::SandboxChanged>(&event.body))
        m_model->update(changed->sandbox);
    const bool concerns = std::holds_alternative<application::RuntimeChanged>(event.body)
        || std::holds_alternative<application::RuntimeRemoved>(event.body)
        || std::holds_alternative<application::ThreadChanged>(event.body)
        || std::holds_alternative<application::AgentsChanged>(event.body);
    if (!concerns)
        return;
    m_model->set(m_state.snapshot());
    refresh();
}

void SandboxesPage::refresh()
{
    const bool none = m_filter->rowCount() == 0;
    m_card->setVisible(!none);
    m_empty->setVisible(none);
    if (none) {
        const bool filtered = m_filter->isFiltered();
        m_empty->setText(filtered ? tr("No sandbox matches") : tr("No sandboxes yet"),
                         filtered ? tr("Another agent, type or word may show one.")
                                  : tr("A new thread makes one by itself. Or add one here, from a "
                                       "preset or a type."));
        m_emptyAction->setText(filtered ? tr("Show all") : tr("Add sandbox…"));
    }
    m_agentButton->setText(m_filter->agent().isEmpty()
                               ? tr("All agents")
                               : m_model->agentName(domain::AgentId(m_filter->agent())));
    m_typeButton->setText(m_filter->type().isEmpty() ? tr("All types") : m_filter->type());
    const auto left = static_cast<int>(m_model->leftRunning().size());
    m_left->setText(left > 0 ? tr("%n deleted sandbox(es) still run.", nullptr, left) : QString());
    m_left->setVisible(left > 0);
    m_leftLink->setVisible(left > 0);
    m_note->setVisible(!none);
    if (SandboxPanel *open = panel()) {
        if (m_model->find(open->sandbox()))
            open->refresh();
        else
            closePanel();
    }
    mark();
}

void SandboxesPage::showAll()
{
    m_filter->setAgent({});
    m_filter->setType({});
    m_search->clear();
    refresh();
    m_table->setFocus();
}

QString SandboxesPage::leftText() const
{
    return m_left->text();
}

void SandboxesPage::chooseFrom(Button *button, const QList<QPair<QString, QString>> &choices,
                               const QString &current,
                               void (SandboxFilterModel::*set)(const QString &))
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const QPair<QString, QString> &choice : choices) {
        QAction *action = menu->addAction(choice.second);
        action->setCheckable(true);
        action->setChecked(choice.first == current);
        connect(action, &QAction::triggered, this, [this, set, value = choice.first] {
            (m_filter->*set)(value);
            refresh();
        });
    }
    menu->popup(button->mapToGlobal(QPoint(0, button->height() + 4)));
}

void SandboxesPage::chooseAgent()
{
    QList<QPair<QString, QString>> choices{{QString(), tr("All agents")}};
    for (const application::AgentView &agent : m_state.snapshot().agents)
        choices.append({agent.id.toString(), agent.name});
    chooseFrom(m_agentButton, choices, m_filter->agent(), &SandboxFilterModel::setAgent);
}

void SandboxesPage::chooseType()
{
    QList<QPair<QString, QString>> choices{{QString(), tr("All types")}};
    QStringList seen;
    for (const SandboxView &row : m_model->rows()) {
        if (!seen.contains(row.type))
            seen.append(row.type);
    }
    seen.sort();
    for (const QString &type : std::as_const(seen))
        choices.append({type, type});
    chooseFrom(m_typeButton, choices, m_filter->type(), &SandboxFilterModel::setType);
}

AddSandboxPanel *SandboxesPage::addPanel() const
{
    return qobject_cast<AddSandboxPanel *>(m_body->panel());
}

SandboxPanel *SandboxesPage::panel() const
{
    return qobject_cast<SandboxPanel *>(m_body->panel());
}

void SandboxesPage::addSandbox()
{
    if (AddSandboxPanel *add = addPanel()) {
        add->agent()->setFocus();
        return;
    }
    leave([this] { openAdd(); });
}

void SandboxesPage::openAdd()
{
    auto *add = new AddSandboxPanel(m_state, domain::AgentId(m_filter->agent()));
    connect(add, &AddSandboxPanel::closed, this, [this] { leave([this] { closePanel(); }); });
    connect(add, &AddSandboxPanel::added, this, [this](const SandboxView &sandbox) {
        m_model->update(sandbox);
        openRow(sandbox.id);
    });
    m_body->setPanel(add);
    mark();
    add->agent()->setFocus();
}

void SandboxesPage::leave(const std::function<void()> &then)
{
    const bool isTyped = addPanel() ? addPanel()->hasChanges() : panel() && panel()->hasChanges();
    if (!isTyped) {
        then();
        return;
    }
    mark();
    if (m_question)
        return;
    m_question = ConfirmDialog::askToDrop(
        addPanel() ? tr("Drop the new sandbox?") : tr("Drop what you changed?"), window(), then);
}

ConfirmDialog *SandboxesPage::question() const
{
    return m_question;
}

void SandboxesPage::showSandbox(const domain::SandboxId &sandbox)
{
    if (const SandboxPanel *open = panel(); open && open->sandbox() == sandbox)
        return;
    if (m_model->find(sandbox))
        leave([this, sandbox] { openRow(sandbox); });
}

void SandboxesPage::openRow(const domain::SandboxId &sandbox)
{
    if (!m_model->find(sandbox))
        return;
    auto *open = new SandboxPanel(m_state.client(), *m_model, *m_actions, sandbox);
    connect(open, &SandboxPanel::closed, this, [this] { leave([this] { closePanel(); }); });
    connect(open, &SandboxPanel::providerSettingsRequested, this,
            &SandboxesPage::providerSettingsRequested);
    m_body->setPanel(open);
    mark();
}

void SandboxesPage::closePanel()
{
    m_body->setPanel(nullptr);
    mark();
    m_table->setFocus();
}

void SandboxesPage::mark()
{
    const SandboxPanel *open = panel();
    const QModelIndex index =
        open ? m_filter->mapFromSource(m_model->indexOf(open->sandbox())) : QModelIndex();
    if (!index.isValid())
        m_table->clearSelection();
    else if (!m_table->selectionModel()->isRowSelected(index.row()))
        m_table->selectionModel()->setCurrentIndex(
            index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void SandboxesPage::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_minute) {
        QWidget::timerEvent(event);
        return;
    }
    if (!isVisible())
        return;
    m_model->tick();
    if (SandboxPanel *open = panel())
        open->refresh();
}

void SandboxesPage::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && m_body->panel()) {
        leave([this] { closePanel(); });
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace berth::ui
