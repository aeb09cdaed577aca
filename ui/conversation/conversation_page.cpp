// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/conversation_page.h"

#include "domain/text.h"
#include "ui/conversation/approval_override.h"
#include "ui/conversation/approval_panel.h"
#include "ui/conversation/attachment_bar.h"
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_view.h"
#include "ui/conversation/output_feed.h"
#include "ui/conversation/output_search.h"
#include "ui/conversation/output_view.h"
#include "ui/conversation/output_viewer.h"
#include "ui/conversation/picture_shelf.h"
#include "ui/conversation/run_strip.h"
#include "ui/conversation/thread_search.h"
#include "ui/models/engine_state.h"
#include "ui/models/isolation_text.h"
#include "ui/models/thread_runs.h"
#include "ui/models/thread_text.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/column.h"
#include "ui/widgets/label.h"
#include "ui/widgets/lock_chip.h"
#include "ui/widgets/page_header.h"

#include <QtCore/QTimerEvent>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::ThreadDetail;
using application::ThreadView;
using application::UpdateThread;

ConversationPage::ConversationPage(EngineState &state, QWidget *parent)
    : QWidget(parent),
      m_state(state),
      m_model(new ConversationModel(this)),
      m_runs(new ThreadRuns(this)),
      m_copy(new OutputCopy(state.client(), this)),
      m_pictures(new PictureShelf(state.client(), this)),
      m_header(new PageHeader({})),
      m_binding(new Chip),
      m_rename(new IconButton(Glyph::Edit, tr("Rename (F2)"))),
      m_titleEdit(new QLineEdit),
      m_resources(new Button(tr("Resources"))),
      m_notice(new Banner(Tone::Warn)),
      m_loadError(new Banner(Tone::Error)),
      m_pages(new QStackedWidget),
      m_view(new ConversationView),
      m_viewer(new OutputViewer(state.client())),
      m_composer(new Composer(tr("Send")))
{
    build();
    new OutputFeed(state.client(), *m_model, this);
    connect(&state, &EngineState::event, this, &ConversationPage::onEvent);
    connect(&state, &EngineState::reset, this, [this] {
        if (!m_thread.isNull())
            load();
    });
    connect(m_model, &ConversationModel::underWayChanged, this, &ConversationPage::showUnderWay);
    connect(m_model, &ConversationModel::reloadWanted, this, &ConversationPage::load,
            Qt::QueuedConnection);
    connect(m_runs, &ThreadRuns::changed, this, &ConversationPage::showUnderWay);
    connect(m_runStrip, &RunStrip::continueRequested, this, &ConversationPage::continueRun);
    connect(m_runStrip, &RunStrip::retryRequested, this, &ConversationPage::retryNow);
    connect(m_view, &ConversationView::editRequested, this, &ConversationPage::beginEdit);
    connect(m_composer, &Composer::editingCancelled, this, [this] { endEdit(false); });
    connect(m_view, &ConversationView::showAllRequested, this, &ConversationPage::showOutput);
    connect(m_view, &ConversationView::copyRequested, m_copy, &OutputCopy::copy);
    connect(m_view, &ConversationView::reuseRequested, this, [this](const QString &text) {
        m_composer->setText(text);
        m_composer->edit()->setFocus();
        m_draftDue.start(600, this);
    });
    connect(m_copy, &OutputCopy::copied, m_view, &ConversationView::showCopied);
    connect(m_viewer, &OutputViewer::closed, this, &ConversationPage::closeViewer);
    connect(m_composer, &Composer::submitted, this, &ConversationPage::send);
    m_anyway = new RunAnyway(*m_composer);
    connect(m_anyway, &RunAnyway::requested, this, &ConversationPage::sendAnyway);
    connect(m_composer, &Composer::confirmed, this, [this] { m_confirmed.insert(m_thread); });
    connect(m_composer, &Composer::stopRequested, this, &ConversationPage::stop);
    connect(m_composer, &Composer::connectModelRequested, this,
            &ConversationPage::connectModelRequested);
    connect(m_composer, &Composer::textEdited, this, [this] { m_draftDue.start(600, this); });
    connect(m_rename, &QToolButton::clicked, this, &ConversationPage::rename);
    connect(m_resources, &QPushButton::clicked, this, [this] {
        if (const ThreadView *thread = m_state.thread(m_thread))
            Q_EMIT showRuntime(thread->lease.toString());
    });
    m_ages.start(10'000, this);
}

ConversationPage::~ConversationPage() = default;

void ConversationPage::build()
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_titleEdit->setAccessibleName(tr("Title of the thread"));
    m_titleEdit->setMinimumWidth(260);
    m_titleEdit->hide();
    m_titleEdit->installEventFilter(this);
    m_header->addBesideTitle(m_titleEdit);
    m_header->addBesideTitle(m_rename);
    m_header->addBesideTitle(m_binding);
    m_agent = new Label(TextRole::Body, Ink::Secondary);
    m_header->addAction(m_agent);
    m_header->addAction(m_resources);
    column->addWidget(m_header);
    connect(m_titleEdit, &QLineEdit::returnPressed, this, [this] { endRename(true); });

    auto *talk = new QWidget;
    auto *lines = new QVBoxLayout(talk);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    m_loadError->hide();
    m_loadError->setFlat(true);
    connect(m_loadError->addAction(tr("Try again")), &QPushButton::clicked, this,
            &ConversationPage::load);
    lines->addWidget(m_loadError);
    m_view->setConversation(m_model);
    buildTools(talk);
    lines->addWidget(m_view, 1);
    auto *foot = new QWidget;
    auto *feet = new QVBoxLayout(foot);
    feet->setContentsMargins(0, 4, 0, 20);
    feet->setSpacing(8);
    m_notice->hide();
    feet->addWidget(m_notice);
    m_runStrip = new RunStrip;
    feet->addWidget(m_runStrip);
    m_approvals = new ApprovalPanel(m_state);
    feet->addWidget(m_approvals);
    connect(m_approvals, &ApprovalPanel::focusReleased, this,
            [this] { m_composer->edit()->setFocus(Qt::OtherFocusReason); });
    auto *lock = new LockChip;
    m_sandboxChip = lock;
    m_composer->setLeading(lock);
    feet->addWidget(m_composer);
    lines->addWidget(new Column(foot));
    m_pages->addWidget(talk);
    m_pages->addWidget(m_viewer);
    m_splitter = new QSplitter(Qt::Horizontal);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_pages);
    column->addWidget(m_splitter, 1);
    setFocusProxy(m_composer);
}

void ConversationPage::openThread(const domain::ThreadId &thread)
{
    if (thread == m_thread)
        return;
    flushDraft();
    endRename(false);
    keepEdit();
    m_thread = thread;
    m_runs->clear();
    m_approvals->setThread(thread);
    m_model->clear();
    closeViewer();
    if (m_search->isOpen())
        m_search->close();
    m_anyway->withdraw();
    m_pictures->setThread(thread);
    m_attachments->setThread(thread);
    m_composer->setBusy(m_sending.contains(thread));
    m_composer->setStopping(false);
    m_runStrip->setBusy(false);
    m_composer->clear();
    m_savedDraft.clear();
    if (const ThreadView *view = m_state.thread(thread)) {
        m_savedDraft = view->draft;
        m_composer->setText(view->draft);
    }
    takeEdit();
    showThread();
    load();
}

void ConversationPage::load()
{
    m_loadError->hide();
    application::deliver(this, m_state.client(), application::GetThread{m_thread},
                         [this, thread = m_thread](const domain::Result<ThreadDetail> &detail) {
                             if (thread != m_thread)
                                 return;
                             if (!detail) {
                                 m_loadError->setText(detail.error().message,
                                                      detail.error().detail);
                                 m_loadError->show();
                                 return;
                             }
                             m_runs->set(*detail);
                             m_model->set(*detail);
                             if (isViewerOpen()) {
                                 if (const auto *call = m_model->call(m_viewer->call()))
                                     m_viewer->update(*call);
                             }
                             showThread();
                         });
}

void ConversationPage::onEvent(const application::Event &event)
{
    if (m_thread.isNull())
        return;
    m_model->apply(event);
    m_runs->apply(event);
    if (std::holds_alternative<application::AgentsChanged>(event.body)
        || std::holds_alternative<application::ModelsChanged>(event.body)
        || std::holds_alternative<application::EngineChanged>(event.body))
        showThread();
    if (const auto *changed = std::get_if<application::ThreadChanged>(&event.body)) {
        if (changed->thread.id == m_thread)
            showThread();
    } else if (isViewerOpen()) {
        const auto *grew = std::get_if<application::OutputGrew>(&event.body);
        const auto *changedCall = std::get_if<application::ToolCallChanged>(&event.body);
        if ((grew && grew->toolCall == m_viewer->call())
            || (changedCall && changedCall->toolCall.id == m_viewer->call())) {
            if (const auto *call = m_model->call(m_viewer->call()))
                m_viewer->update(*call);
        }
    }
}

void ConversationPage::showThread()
{
    const ThreadView *thread = m_state.thread(m_thread);
    m_composer->setHasModel(m_state.snapshot().engine.hasModel);
    m_composer->setPlaceholder(m_state.snapshot().engine.hasModel
                                   ? tr("Reply, or start a line with ! to run a command yourself")
                                   : tr("Start a line with ! to run a command, as in !ls -la"));
    if (!thread)
        return;
    // One that has run a command was asked about when that was sent.
    const bool ask = hasNoIsolation(m_state.snapshot(), *thread) && !m_confirmed.contains(m_thread)
        && !m_model->hasCalls();
    m_composer->setConfirmation(ask ? noIsolationWords() : QString());
    if (!m_titleEdit->isVisibleTo(this))
        m_header->setTitle(thread->title);
    const StateText state = stateOf(*thread);
    m_binding->set(bindingText(*thread, domain::nowUtc()), state.tone, state.dot);
    m_sandboxChip->setText(thread->sandboxLabel.isEmpty() ? tr("No sandbox")
                                                          : thread->sandboxLabel);
    m_resources->setVisible(!thread->lease.isNull());
    const application::AgentView *agent = m_state.agent(thread->agent);
    m_agent->setText(agent ? tr("Agent: %1").arg(agent->name) : QString());
    showAgent();
    m_composer->setAttachRefusal(attachRefusal());
    m_composer->setModelName(agent && m_state.snapshot().engine.hasModel ? agent->model
                                                                         : QString());
    showTerminalTarget();
    if (thread->notice.isEmpty()) {
        m_notice->hide();
    } else {
        m_notice->setTone(thread->lifecycle == application::ThreadLifecycle::Unreachable
                              ? Tone::Error
                              : Tone::Warn);
        m_notice->setText(thread->notice);
        m_notice->show();
    }
}

bool ConversationPage::escape()
{
    if (m_titleEdit->isVisible()) {
        endRename(false);
        return true;
    }
    if (isViewerOpen()) {
        if (m_viewer->search()->isOpen())
            m_viewer->search()->close();
        else
            closeViewer();
        return true;
    }
    if (m_search->isOpen()) {
        m_search->close();
        return true;
    }
    if (m_composer->isEditing()) {
        endEdit(false);
        return true;
    }
    if (!m_model->underWay() && !m_runs->isActive())
        return false;
    stop();
    return true;
}

void ConversationPage::setEnterSends(bool on)
{
    m_composer->setEnterSends(on);
}

void ConversationPage::flushDraft()
{
    m_draftDue.stop();
    // What is on its way is no draft any more.
    if (m_thread.isNull() || !m_state.isConnected() || m_sending.contains(m_thread))
        return;
    // What is being edited is no draft.
    const QString text = m_editing > 0 ? m_beforeEdit : m_composer->edit()->toPlainText();
    if (text == m_savedDraft)
        return;
    m_savedDraft = text;
    // Seen at once: coming back before the answer must find it.
    if (const ThreadView *known = m_state.thread(m_thread)) {
        ThreadView changed = *known;
        changed.draft = text;
        m_state.apply(changed);
    }
    UpdateThread command;
    command.thread = m_thread;
    command.draft = text;
    application::deliver(this, m_state.client(), command,
                         [this, thread = m_thread](const domain::Result<ThreadView> &view) {
                             if (view)
                                 m_state.apply(*view);
                             else if (thread == m_thread)
                                 m_savedDraft = QString(); // the next pause in typing tries again
                         });
}

void ConversationPage::rename()
{
    const ThreadView *thread = m_state.thread(m_thread);
    if (!thread)
        return;
    m_header->setTitle({});
    m_titleEdit->setText(thread->title);
    m_titleEdit->show();
    m_rename->hide();
    m_titleEdit->setFocus();
    m_titleEdit->selectAll();
}

void ConversationPage::endRename(bool keep)
{
    if (!m_titleEdit->isVisibleTo(this))
        return;
    m_titleEdit->hide();
    m_rename->show();
    const QString title = m_titleEdit->text().simplified();
    const ThreadView *thread = m_state.thread(m_thread);
    m_header->setTitle(thread ? thread->title : QString());
    m_composer->edit()->setFocus();
    if (!keep || title.isEmpty() || !thread || title == thread->title)
        return;
    m_header->setTitle(title);
    UpdateThread command;
    command.thread = m_thread;
    command.title = title;
    application::deliver(this, m_state.client(), command,
                         [this](const domain::Result<ThreadView> &view) {
                             if (view)
                                 m_state.apply(*view);
                             else
                                 m_composer->showError(view.error());
                             showThread();
                         });
}

bool ConversationPage::isViewerOpen() const
{
    return m_pages->currentWidget() == m_viewer;
}

void ConversationPage::showOutput(const domain::ToolCallId &id)
{
    const auto *call = m_model->call(id);
    if (!call)
        return;
    m_pages->setCurrentWidget(m_viewer);
    m_viewer->open(*call);
}

void ConversationPage::closeViewer()
{
    if (!isViewerOpen())
        return;
    m_pages->setCurrentIndex(0);
    m_view->setFocus();
}

void ConversationPage::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_draftDue.timerId())
        flushDraft();
    else if (event->timerId() == m_ages.timerId() && isVisible())
        showThread();
}

void ConversationPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    flushDraft();
}

bool ConversationPage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_titleEdit) {
        if (event->type() == QEvent::KeyPress
            && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
            endRename(false);
            return true;
        }
        if (event->type() == QEvent::FocusOut)
            endRename(true);
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace berth::ui
