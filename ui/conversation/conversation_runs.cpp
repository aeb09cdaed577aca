// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/conversation_page.h"

#include "ui/conversation/approval_override.h"
#include "ui/conversation/attachment_bar.h"
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_view.h"
#include "ui/conversation/run_strip.h"
#include "ui/models/engine_state.h"
#include "ui/models/thread_runs.h"

#include <QtGui/QTextCursor>

// Sending, stopping and going on.
namespace berth::ui {

using application::Started;
using domain::Result;

void ConversationPage::showUnderWay()
{
    m_composer->setStoppable(m_model->underWay() != nullptr || m_runs->isActive());
    m_composer->setUsage(m_runs->usageText(), m_runs->usageDetail());
    m_runStrip->showNotice(m_runs->notice());
}

void ConversationPage::sent(const domain::ThreadId &thread, const Result<Started> &started,
                            const QList<int> &files)
{
    m_sending.remove(thread);
    if (started) {
        m_edits.remove(thread);
        m_attachments->clear(thread, files);
    }
    if (thread != m_thread)
        return;
    m_composer->setBusy(false);
    if (!started) {
        m_composer->showError(started.error());
        return;
    }
    m_composer->clear();
    if (m_editing > 0)
        endEdit(false);
    flushDraft();
    m_view->jumpToLatest();
}

void ConversationPage::send(const QString &text, bool asCommand)
{
    // Commands stand for themselves; the files wait for a message to the agent.
    const bool isCommand = asCommand || text.startsWith(QLatin1Char('!'));
    const QString whole = isCommand ? text : text + m_attachments->words();
    const QList<int> files = isCommand ? QList<int>() : m_attachments->named();
    if (m_editing > 0 && !asCommand) {
        m_draftDue.stop();
        m_sending.insert(m_thread);
        m_composer->setBusy(true);
        application::EditMessage command;
        command.thread = m_thread;
        command.seq = m_editing;
        command.text = whole;
        application::deliver(this, m_state.client(), command,
                             [this, thread = m_thread, files](const Result<Started> &started) {
                                 sent(thread, started, files);
                             });
        return;
    }
    application::SendMessage command;
    command.thread = m_thread;
    command.text = whole;
    command.asCommand = asCommand;
    sendMessage(command, files);
}

void ConversationPage::sendMessage(const application::SendMessage &command, const QList<int> &files)
{
    m_draftDue.stop();
    m_sending.insert(m_thread);
    m_composer->setBusy(true);
    application::deliver(this, m_state.client(), command,
                         [this, command, files](const Result<Started> &started) {
                             sent(command.thread, started, files);
                             if (!started && command.thread == m_thread)
                                 m_anyway->offer(started.error(), command.text, command.asCommand);
                         });
}

void ConversationPage::sendAnyway(const QString &text, bool asCommand)
{
    application::SendMessage command;
    command.thread = m_thread;
    command.text = text;
    command.asCommand = asCommand;
    command.runAnyway = true;
    sendMessage(command, {});
}

void ConversationPage::stop()
{
    const auto *call = m_model->underWay();
    // The user's own command is stopped by itself, an agent with all that it does.
    if (!call || !call->byUser) {
        if (call || m_runs->isActive())
            stopRun();
        return;
    }
    m_composer->setStopping(true);
    application::deliver(this, m_state.client(), application::StopToolCall{call->id},
                         [this, thread = m_thread](const Result<application::ToolCallView> &view) {
                             if (thread != m_thread)
                                 return;
                             m_composer->setStopping(false);
                             if (view)
                                 m_model->update(*view);
                             else
                                 m_composer->showError(view.error());
                         });
}

void ConversationPage::stopRun()
{
    m_composer->setStopping(true);
    application::deliver(this, m_state.client(), application::StopRun{m_thread},
                         [this, thread = m_thread](const Result<application::Nothing> &done) {
                             if (thread != m_thread)
                                 return;
                             m_composer->setStopping(false);
                             if (!done)
                                 m_composer->showError(done.error());
                         });
}

void ConversationPage::continueRun()
{
    m_runStrip->setBusy(true);
    application::deliver(this, m_state.client(), application::ContinueRun{m_thread},
                         [this, thread = m_thread](const Result<Started> &started) {
                             if (thread != m_thread)
                                 return;
                             m_runStrip->setBusy(false);
                             if (!started)
                                 m_composer->showError(started.error());
                             else
                                 m_view->jumpToLatest();
                         });
}

void ConversationPage::retryNow()
{
    m_runStrip->setBusy(true);
    application::deliver(this, m_state.client(), application::RetryRunNow{m_thread},
                         [this, thread = m_thread](const Result<application::Nothing> &done) {
                             if (thread != m_thread)
                                 return;
                             m_runStrip->setBusy(false);
                             if (!done)
                                 m_composer->showError(done.error());
                         });
}

void ConversationPage::beginEdit(qint64 seq, const QString &text)
{
    if (m_editing == 0)
        m_beforeEdit = m_composer->edit()->toPlainText();
    m_editing = seq;
    m_composer->setText(text);
    m_composer->setEditing(true);
    m_composer->edit()->setFocus();
}

//! Another thread is opened: the edit waits for the way back.
void ConversationPage::keepEdit()
{
    if (m_editing > 0)
        m_edits.insert(m_thread, {m_editing, m_composer->edit()->toPlainText(), m_beforeEdit});
    m_editing = 0;
    m_beforeEdit.clear();
    m_composer->setEditing(false);
}

void ConversationPage::takeEdit()
{
    const Edit edit = m_edits.take(m_thread);
    if (edit.seq == 0)
        return;
    m_composer->setText(edit.before);
    m_editing = edit.seq;
    m_beforeEdit = edit.before;
    m_composer->setText(edit.text);
    m_composer->setEditing(true);
}

void ConversationPage::endEdit(bool keepText)
{
    m_editing = 0;
    m_composer->setEditing(false);
    if (!keepText)
        m_composer->setText(m_beforeEdit);
    m_beforeEdit.clear();
}

} // namespace berth::ui
