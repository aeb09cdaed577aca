// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_page.h"

#include "ui/conversation/approval_panel.h"
#include "ui/models/engine_state.h"
#include "ui/terminal/terminal_panel.h"
#include "ui/widgets/button.h"
#include "ui/widgets/page_header.h"

#include <QtWidgets/QSplitter>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

namespace {
//! Beside it the conversation keeps a column that can be read.
constexpr int kBesideFrom = 1100;
constexpr int kLeastTerminal = 320;
constexpr int kLeastConversation = 420;
constexpr int kLeastHeight = 160;
} // namespace

void ConversationPage::setTerminals(TerminalSessions &sessions)
{
    m_terminalButton = new Button(tr("Terminal"));
    m_terminalButton->setGlyph(Glyph::Terminal);
    m_terminalButton->setCheckable(true);
    m_terminalButton->setToolTip(tr("Terminal in this thread's sandbox (Ctrl+`)"));
    m_header->addAction(m_terminalButton);
    // The last of all.
    m_header->addAction(m_more);
    auto *side = new QWidget;
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(16, 12, 16, 16);
    m_terminals = new TerminalPanel(sessions);
    column->addWidget(m_terminals);
    side->hide();
    m_splitter->addWidget(side);
    connect(m_terminalButton, &QPushButton::clicked, this, &ConversationPage::toggleTerminals);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] {
        const QList<int> sizes = m_splitter->sizes();
        const int all = sizes.value(0) + sizes.value(1);
        if (all > 0)
            (m_splitter->orientation() == Qt::Horizontal ? m_shareBeside : m_shareBelow) =
                sizes.value(1) * 1000 / all;
    });
    showTerminalTarget();
}

void ConversationPage::showTerminalTarget()
{
    if (!m_terminals)
        return;
    TerminalTarget target;
    if (const application::ThreadView *thread = m_state.thread(m_thread)) {
        target.lease = thread->lease;
        target.name = thread->sandboxAlias;
        if (thread->lifecycle == application::ThreadLifecycle::Destroyed
            || thread->sandbox.isNull())
            target.refusal = tr("This thread has no sandbox any more.");
        else
            target.target = thread->id.toString();
    }
    m_terminals->setTarget(target);
}

void ConversationPage::toggleTerminals()
{
    if (!m_terminals)
        return;
    const bool open = !m_terminalsOpen;
    setTerminalsOpen(open);
    if (open)
        m_terminals->enter();
    else
        m_composer->edit()->setFocus();
}

void ConversationPage::setTerminalsOpen(bool open)
{
    m_terminalsOpen = open;
    m_terminalButton->setChecked(open);
    m_terminals->parentWidget()->setVisible(open);
    if (open)
        arrangeTerminals();
}

void ConversationPage::arrangeTerminals()
{
    if (!m_terminals || !m_terminalsOpen)
        return;
    const bool beside = width() >= kBesideFrom;
    const Qt::Orientation wanted = beside ? Qt::Horizontal : Qt::Vertical;
    QWidget *side = m_terminals->parentWidget();
    side->setMinimumSize(beside ? kLeastTerminal : 0, beside ? 0 : kLeastHeight);
    m_pages->setMinimumWidth(beside ? kLeastConversation : 0);
    m_splitter->setOrientation(wanted);
    const int share = beside ? m_shareBeside : m_shareBelow;
    const int all = beside ? m_splitter->width() : m_splitter->height();
    m_splitter->setSizes({all - all * share / 1000, all * share / 1000});
}

void ConversationPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_approvals->setMost(qMax(140, height() * 45 / 100));
    showAgent();
    arrangeTerminals();
}

QByteArray ConversationPage::terminalLayout() const
{
    return QByteArray::number(m_terminalsOpen ? 1 : 0) + ' ' + QByteArray::number(m_shareBeside)
        + ' ' + QByteArray::number(m_shareBelow);
}

void ConversationPage::restoreTerminalLayout(const QByteArray &layout)
{
    const QList<QByteArray> parts = layout.split(' ');
    if (!m_terminals || parts.size() != 3)
        return;
    m_shareBeside = qBound(150, parts[1].toInt(), 850);
    m_shareBelow = qBound(150, parts[2].toInt(), 850);
    setTerminalsOpen(parts[0] == "1");
}

} // namespace berth::ui
