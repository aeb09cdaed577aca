// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_panel.h"

#include "ui/conversation/ansi_text.h"
#include "ui/models/process_model.h"
#include "ui/models/process_text.h"
#include "ui/terminal/process_list.h"
#include "ui/terminal/terminal_pane.h"
#include "ui/terminal/terminal_search.h"
#include "ui/terminal/terminal_tabs.h"
#include "ui/terminal/terminal_view.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"
#include "ui/widgets/spinner.h"

#include <QtCore/QLocale>
#include <QtCore/QTimerEvent>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::ProcessKind;
using application::ProcessView;
using application::StartProcess;
using domain::ObservedState;
using domain::ProcessId;

namespace {
constexpr int kSide = 260;
constexpr int kBetween = 16;
constexpr int kSizeNeeds = 460;
} // namespace

TerminalPanel::TerminalPanel(TerminalSessions &sessions, QWidget *parent)
    : QWidget(parent), m_sessions(sessions), m_processes(new ProcessModel(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    buildHead(column);
    m_question = new Banner(Tone::Warn);
    m_resume = m_question->addAction(tr("Resume and open"));
    auto *no = m_question->addAction(tr("Cancel"));
    m_question->hide();
    m_failure = new Banner(Tone::Error);
    auto *dismiss = m_failure->addAction(tr("Dismiss"));
    m_failure->hide();
    column->addWidget(m_question);
    column->addWidget(m_failure);
    connect(m_resume, &QPushButton::clicked, this, &TerminalPanel::openNew);
    connect(no, &QPushButton::clicked, m_question, &QWidget::hide);
    connect(dismiss, &QPushButton::clicked, m_failure, &QWidget::hide);

    m_pages = new QStackedWidget;
    m_empty = new EmptyState({}, {});
    m_open = m_empty->setAction(tr("Open terminal"));
    connect(m_open, &QPushButton::clicked, this, &TerminalPanel::openNew);
    m_pages->addWidget(m_empty);
    m_busy = new QWidget;
    auto *wait = new QHBoxLayout(m_busy);
    wait->addStretch(1);
    wait->addWidget(new Spinner);
    m_busyText = new Label(TextRole::Body, Ink::Secondary);
    wait->addWidget(m_busyText);
    auto *cancel = new Button(tr("Cancel"));
    connect(cancel, &QPushButton::clicked, this, [this] {
        if (!m_starting.isNull())
            m_sessions.state().client().cancel(m_starting);
    });
    wait->addWidget(cancel);
    wait->addStretch(1);
    m_pages->addWidget(m_busy);
    auto *row = new QHBoxLayout;
    row->setSpacing(kBetween);
    row->addWidget(m_pages, 1);
    row->addWidget(buildList());
    column->addLayout(row, 1);

    connect(&m_sessions, &TerminalSessions::changed, this, &TerminalPanel::refresh);
    connect(&m_sessions, &TerminalSessions::failed, this, &TerminalPanel::showFailure);
    arrange();
}

void TerminalPanel::buildHead(QVBoxLayout *column)
{
    auto *head = new QHBoxLayout;
    head->setSpacing(8);
    m_tabs = new TerminalTabs;
    m_new = new IconButton(Glyph::Plus, tr("New terminal"));
    m_search = new IconButton(Glyph::Search, tr("Search in the terminal (Ctrl+Shift+F)"));
    m_listButton = new Button(tr("Background"));
    m_listButton->setCheckable(true);
    m_size = new Label(TextRole::Caption, Ink::Caption);
    head->addWidget(m_tabs);
    head->addWidget(m_new);
    head->addStretch(1);
    head->addWidget(m_size);
    head->addWidget(m_search);
    head->addWidget(m_listButton);
    column->addLayout(head);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        if (TerminalPane *shown = paneAt(tab))
            m_pages->setCurrentWidget(shown);
        refreshEmpty();
    });
    connect(m_tabs, &TerminalTabs::closeClicked, this, &TerminalPanel::closeTab);
    connect(m_new, &QToolButton::clicked, this, &TerminalPanel::askNew);
    connect(m_search, &QToolButton::clicked, this, [this] {
        if (TerminalPane *shown = pane())
            shown->search()->open();
    });
    connect(m_listButton, &QPushButton::clicked, this, &TerminalPanel::setListOpen);
}

QWidget *TerminalPanel::buildList()
{
    m_side = new QWidget;
    auto *column = new QVBoxLayout(m_side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(new SectionLabel(tr("Background commands")));
    m_command = new QLineEdit;
    m_command->setPlaceholderText(tr("Run in background…"));
    m_command->setAccessibleName(tr("Command to run in the background"));
    m_command->setFont(fontFor(TextRole::Mono));
    column->addWidget(m_command);
    m_none = new Label(tr("Nothing runs in the background. What is started here goes on when Berth "
                          "is closed, where the sandbox keeps its processes."),
                       TextRole::Body, Ink::Secondary);
    m_none->setWrapped(true);
    column->addWidget(m_none);
    m_list = new ProcessList;
    m_list->setProcesses(m_processes);
    column->addWidget(m_list, 1);
    connect(m_command, &QLineEdit::returnPressed, this, &TerminalPanel::runInBackground);
    connect(m_list, &ProcessList::openRequested, this, &TerminalPanel::openProcess);
    connect(m_list, &ProcessList::stopRequested, this,
            [this](const QString &id) { m_sessions.stop(ProcessId(id)); });
    connect(m_list, &ProcessList::removeRequested, this,
            [this](const QString &id) { m_sessions.remove(ProcessId(id)); });
    return m_side;
}

void TerminalPanel::setTarget(const TerminalTarget &target)
{
    if (target == m_target)
        return;
    const bool other = target.lease != m_target.lease || target.target != m_target.target;
    m_target = target;
    if (other) {
        m_question->hide();
        m_failure->hide();
    }
    refresh();
}

TerminalPanel::Ready TerminalPanel::readiness() const
{
    if (!m_target.refusal.isEmpty() || m_target.target.isEmpty())
        return Ready::Never;
    const application::RuntimeView *runtime = m_sessions.runtime(m_target.lease);
    if (!runtime || runtime->observed == ObservedState::Gone)
        return Ready::New;
    switch (runtime->observed) {
    case ObservedState::Running:
    case ObservedState::Starting:
        return Ready::Running;
    default:
        return Ready::Sleeps;
    }
}

TerminalPane *TerminalPanel::pane() const
{
    return paneAt(m_tabs->currentIndex());
}

TerminalPane *TerminalPanel::paneAt(int tab) const
{
    // Behind the empty page and the waiting one.
    return tab < 0 || tab >= m_shown.size()
        ? nullptr
        : qobject_cast<TerminalPane *>(m_pages->widget(tab + 2));
}

int TerminalPanel::tabOf(const ProcessId &id) const
{
    return static_cast<int>(m_shown.indexOf(id));
}

void TerminalPanel::addTab(const ProcessView &process)
{
    TerminalSession *session = m_sessions.session(process.id);
    if (!session)
        return;
    auto *made = new TerminalPane(session);
    m_pages->addWidget(made);
    m_shown.append(process.id);
    connectPane(made);
    m_tabs->addTab({});
}

void TerminalPanel::connectPane(TerminalPane *made)
{
    connect(made, &TerminalPane::titleChanged, this, &TerminalPanel::refreshTabs);
    connect(made, &TerminalPane::sizeChanged, this, &TerminalPanel::refreshTabs);
    const ProcessId id = made->session()->process().id;
    connect(made, &TerminalPane::stopRequested, this, [this, id] { m_sessions.stop(id); });
    connect(made, &TerminalPane::leaveRequested, this,
            [this, id] { m_sessions.setOpen(id, false); });
    connect(made, &TerminalPane::resumeRequested, this,
            [this] { m_sessions.resumeRuntime(m_target.lease); });
    connect(made, &TerminalPane::startAgainRequested, this, [this, id] {
        if (const ProcessView *process = m_sessions.find(id))
            startAgain(*process);
    });
}

void TerminalPanel::refresh()
{
    QList<ProcessView> open;
    QList<ProcessView> listed;
    for (const ProcessView &process : m_sessions.of(m_target.lease)) {
        if (m_sessions.isOpen(process))
            open.append(process);
        if (process.kind == ProcessKind::Background || !m_sessions.isOpen(process))
            listed.append(process);
    }
    for (int tab = static_cast<int>(m_shown.size()) - 1; tab >= 0; --tab) {
        const auto stays = [&](const auto &p) { return p.id == m_shown.at(tab); };
        // A session that was made anew needs a pane of its own.
        if (std::any_of(open.cbegin(), open.cend(), stays) && paneAt(tab)->session())
            continue;
        QWidget *gone = paneAt(tab);
        m_shown.removeAt(tab);
        m_pages->removeWidget(gone);
        gone->deleteLater();
        m_tabs->removeTab(tab);
    }
    for (const ProcessView &process : std::as_const(open)) {
        if (tabOf(process.id) < 0)
            addTab(process);
    }
    m_processes->setProcesses(listed);
    refreshTabs();
    refreshEmpty();
}

void TerminalPanel::refreshTabs()
{
    const application::RuntimeView *runtime = m_sessions.runtime(m_target.lease);
    for (int tab = 0; tab < m_shown.size(); ++tab) {
        TerminalPane *at = paneAt(tab);
        if (!at || !at->session())
            continue;
        const ProcessView &process = at->session()->process();
        const QString inside = visibleText(at->session()->screen().title().trimmed()).simplified();
        m_tabs->setTitle(tab,
                         process.title.isEmpty() && !inside.isEmpty() ? inside : titleOf(process));
        m_tabs->setEnded(tab, hasEnded(process));
        at->setCanResume(runtime && runtime->canResume && runtime->busy.isEmpty());
    }
    const TerminalPane *shown = pane();
    const QSize size = shown && shown->session()
        ? QSize(shown->session()->screen().columns(), shown->session()->screen().rows())
        : QSize();
    const QLocale locale;
    m_size->setText(size.isValid()
                        ? tr("%1 × %2", "columns and rows")
                              .arg(locale.toString(size.width()), locale.toString(size.height()))
                        : QString());
    const int running = m_processes->running();
    m_listButton->setText(running > 0 ? tr("Background %1").arg(locale.toString(running))
                                      : tr("Background"));
    m_search->setEnabled(shown != nullptr);
    m_new->setEnabled(readiness() != Ready::Never && m_starting.isNull());
    m_none->setVisible(m_processes->rowCount() == 0);
    m_list->setVisible(m_processes->rowCount() > 0);
    m_command->setEnabled(readiness() != Ready::Never);
}

void TerminalPanel::refreshEmpty()
{
    const Ready ready = readiness();
    if (ready == Ready::Running)
        m_question->hide();
    if (TerminalPane *shown = pane()) {
        m_pages->setCurrentWidget(shown);
        if (std::exchange(m_enter, false))
            shown->setFocus();
        return;
    }
    if (!m_starting.isNull() && m_startingTarget == m_target.target) {
        m_busyText->setText(ready == Ready::Running
                                ? tr("Opening a terminal…")
                                : tr("Making %1 ready for a terminal…").arg(m_target.name));
        m_pages->setCurrentWidget(m_busy);
        return;
    }
    m_open->setVisible(ready != Ready::Never);
    switch (ready) {
    case Ready::Running:
        m_empty->setText(tr("No terminal is open"),
                         tr("A shell in %1. It goes on while this window is closed, where the "
                            "sandbox keeps its processes.")
                             .arg(m_target.name));
        m_open->setText(tr("Open terminal"));
        break;
    case Ready::Sleeps:
        m_empty->setText(tr("%1 does not run").arg(m_target.name),
                         tr("Opening a terminal resumes it."));
        m_open->setText(tr("Resume and open"));
        break;
    case Ready::New:
        m_empty->setText(tr("%1 has not been started").arg(m_target.name),
                         tr("Opening a terminal starts it."));
        m_open->setText(tr("Start and open"));
        break;
    case Ready::Never:
        m_empty->setText(tr("No terminal here"), m_target.refusal);
        break;
    }
    m_pages->setCurrentWidget(m_empty);
}

void TerminalPanel::openNew()
{
    if (!m_starting.isNull() || readiness() == Ready::Never)
        return;
    m_question->hide();
    m_failure->hide();
    StartProcess command;
    command.target = m_target.target;
    const QSize size = pane() ? pane()->view()->cells() : TerminalView::cellsIn(m_pages->size());
    command.columns = size.width();
    command.rows = size.height();
    m_startingTarget = m_target.target;
    m_starting =
        m_sessions.start(this, command, [this](const domain::Result<ProcessView> &started) {
            m_starting = {};
            if (!started) {
                if (started.error().kind != domain::ErrorKind::Cancelled)
                    showFailure(tr("Could not open a terminal"), started.error());
                refresh();
                return;
            }
            refresh();
            const int tab = tabOf(started->id);
            if (tab < 0)
                return;
            m_tabs->setCurrentIndex(tab);
            if (isVisible())
                paneAt(tab)->setFocus();
        });
    refresh();
}

void TerminalPanel::askNew()
{
    if (readiness() == Ready::Running || !pane()) {
        openNew();
        return;
    }
    m_question->setText(tr("%1 does not run").arg(m_target.name), tr("A new terminal resumes it."));
    m_question->show();
    m_resume->setFocus();
}

void TerminalPanel::enter()
{
    if (TerminalPane *shown = pane()) {
        shown->setFocus();
        return;
    }
    m_enter = true;
    if (readiness() == Ready::Running)
        openNew();
    else
        m_open->setFocus();
}

void TerminalPanel::closeTab(int tab)
{
    TerminalPane *at = paneAt(tab);
    if (!at || !at->session())
        return;
    const ProcessView process = at->session()->process();
    // What is listed anyway is only put away; a terminal that ended has nothing more to say.
    if (process.kind == ProcessKind::Background) {
        m_sessions.setOpen(process.id, false);
    } else if (hasEnded(process)) {
        m_sessions.setOpen(process.id, false);
        m_sessions.remove(process.id);
    } else {
        m_tabs->setCurrentIndex(tab);
        at->askClose();
    }
}

void TerminalPanel::runInBackground()
{
    const QString text = m_command->text().trimmed();
    if (text.isEmpty())
        return;
    m_failure->hide();
    StartProcess command;
    command.target = m_target.target;
    command.shellText = text;
    m_command->clear();
    m_sessions.start(this, command, [this, text](const domain::Result<ProcessView> &started) {
        if (started)
            return;
        showFailure(tr("Could not run it in the background"), started.error());
        if (m_command->text().isEmpty())
            m_command->setText(text);
    });
}

void TerminalPanel::startAgain(const ProcessView &process)
{
    if (process.kind == ProcessKind::Terminal) {
        // Takes the place of the one that ended.
        m_sessions.setOpen(process.id, false);
        m_sessions.remove(process.id);
        openNew();
        return;
    }
    StartProcess command;
    command.target = m_target.target;
    command.shellText = process.command;
    command.title = process.title;
    m_sessions.start(this, command, [this](const domain::Result<ProcessView> &started) {
        if (started)
            openProcess(started->id.toString());
        else
            showFailure(tr("Could not run it again"), started.error());
    });
}

void TerminalPanel::openProcess(const QString &id)
{
    const ProcessId process(id);
    m_sessions.setOpen(process, true);
    const int tab = tabOf(process);
    if (tab < 0)
        return;
    m_tabs->setCurrentIndex(tab);
    if (width() < kBeside)
        setListOpen(false);
    paneAt(tab)->setFocus();
}

void TerminalPanel::showFailure(const QString &what, const domain::Error &error)
{
    if (!isVisible())
        return;
    m_failure->setText(what,
                       error.detail.isEmpty()
                           ? error.message
                           : tr("%1. %2", "what and why").arg(error.message, error.detail));
    m_failure->show();
}

void TerminalPanel::setListOpen(bool open)
{
    m_listOpen = open;
    m_listButton->setChecked(open);
    arrange();
    if (open && isVisible())
        m_command->setFocus();
}

void TerminalPanel::arrange()
{
    const bool beside = width() >= kBeside;
    m_side->setVisible(m_listOpen);
    m_pages->setVisible(beside || !m_listOpen);
    m_side->setMinimumWidth(beside ? kSide : 0);
    m_side->setMaximumWidth(beside ? kSide : QWIDGETSIZE_MAX);
    m_size->setVisible(width() >= kSizeNeeds);
}

void TerminalPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void TerminalPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_second.start(1000, this);
    refresh();
}

void TerminalPanel::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_second.stop();
}

void TerminalPanel::timerEvent(QTimerEvent *)
{
    if (!m_listOpen)
        return;
    // Output grows without an event for each byte; the list tells its size once a second.
    m_processes->setNow(QDateTime::currentDateTimeUtc());
    refresh();
}

} // namespace berth::ui
