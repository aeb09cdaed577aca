// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/approval_panel.h"

#include "ui/conversation/ansi_text.h"
#include "ui/conversation/approval_card.h"
#include "ui/models/engine_state.h"
#include "ui/models/thread_text.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"

#include <QtCore/QEvent>
#include <QtCore/QTimer>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace berth::ui {

using application::ApprovalView;

namespace {

//! Return that comes sooner than this after a card went was meant for that card.
constexpr qint64 kStrayKeyMs = 700;
constexpr qsizetype kMostShown = 60;

QString shortLine(const QString &text)
{
    const QString line = visibleText(text.simplified());
    return line.size() <= kMostShown ? line : line.left(kMostShown - 1) + QStringLiteral("…");
}

} // namespace

ApprovalPanel::ApprovalPanel(EngineState &state, QWidget *parent)
    : QScrollArea(parent),
      m_state(state),
      m_inside(new QWidget),
      m_column(new QVBoxLayout(m_inside)),
      m_count(new Label(TextRole::Caption, Ink::Caption)),
      m_lost(new Banner(Tone::Info)),
      m_copyLost(m_lost->addAction(tr("Copy the text"))),
      m_dismiss(m_lost->addAction(tr("Dismiss")))
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("Approvals"));
    viewport()->setAutoFillBackground(false);
    m_inside->setAutoFillBackground(false);
    m_column->setContentsMargins(0, 0, 0, 2);
    m_column->setSpacing(8);
    m_count->hide();
    m_column->addWidget(m_count);
    m_lost->hide();
    m_column->addWidget(m_lost);
    for (Button *button : {m_copyLost, m_dismiss})
        button->setFocusPolicy(Qt::TabFocus);
    connect(m_copyLost, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_lostReason); });
    connect(m_dismiss, &QPushButton::clicked, this, [this] {
        const bool had = m_lost->isAncestorOf(window()->focusWidget());
        m_lostThread = {};
        m_lostReason.clear();
        if (had)
            Q_EMIT focusReleased();
        refresh();
    });
    setWidget(m_inside);
    m_inside->setAutoFillBackground(false);
    m_inside->installEventFilter(this);
    hide();
    connect(&state, &EngineState::approvalsChanged, this, &ApprovalPanel::refresh);
}

void ApprovalPanel::setThread(const domain::ThreadId &thread)
{
    m_thread = thread;
    refresh();
}

void ApprovalPanel::setMost(int height)
{
    if (m_most == height)
        return;
    m_most = height;
    fit();
}

void ApprovalPanel::refresh()
{
    QList<ApprovalCard *> kept;
    for (const ApprovalView &approval : m_state.snapshot().approvals) {
        if (approval.thread != m_thread || m_thread.isNull())
            continue;
        const auto known =
            std::find_if(m_cards.cbegin(), m_cards.cend(), [&approval](const ApprovalCard *card) {
                return card->approval().toolCall == approval.toolCall;
            });
        // What it shows is what is decided about: another command is another card.
        if (known != m_cards.cend() && (*known)->approval() == approval) {
            kept.append(*known);
            continue;
        }
        auto *card = new ApprovalCard(m_state.client(), approval);
        const domain::ToolCallId call = approval.toolCall;
        connect(card, &ApprovalCard::decided, this, [this, call] { m_state.closeApproval(call); });
        connect(card, &ApprovalCard::opened, this, [this](QWidget *part) {
            QTimer::singleShot(0, part, [this, part] {
                fit();
                ensureWidgetVisible(part, 0, 8);
            });
        });
        m_column->insertWidget(known != m_cards.cend() ? m_column->indexOf(*known) : -1, card);
        kept.append(card);
    }
    bool released = false;
    for (ApprovalCard *card : std::as_const(m_cards)) {
        if (kept.contains(card))
            continue;
        // Qt would give the focus to the next button, and a key meant for this card would decide
        // about another.
        const QWidget *focus = window()->focusWidget();
        released = released || (focus && (card == focus || card->isAncestorOf(focus)));
        keepReason(*card);
        m_column->removeWidget(card);
        card->deleteLater();
    }
    if (released)
        releaseFocus();
    for (ApprovalCard *card : std::as_const(m_cards)) {
        if (!kept.contains(card))
            card->hide();
    }
    const bool changed = m_cards != kept;
    m_cards = kept;
    if (changed)
        guardClicks();
    const auto count = static_cast<int>(m_cards.size());
    m_count->setText(
        tr("%n action(s) wait for you · Ctrl+Shift+A goes to the next", nullptr, count));
    m_count->setVisible(count > 1);
    const bool isLost = !m_lostReason.isEmpty() && m_lostThread == m_thread;
    m_lost->setVisible(isLost);
    setVisible(count > 0 || isLost);
    fit();
}

void ApprovalPanel::keepReason(const ApprovalCard &card)
{
    const QString reason = card.unsentReason();
    const ApprovalView &approval = card.approval();
    // Of another thread than the one that is shown: nothing happened to it.
    if (reason.isEmpty() || approval.thread != m_thread)
        return;
    m_lostReason = reason;
    m_lostThread = approval.thread;
    m_lost->setText(
        tr("%1 “%2” does not wait for you any more", "kind of action, command")
            .arg(verbOf(approval.tool), shortLine(approval.command)),
        tr("It was decided elsewhere, or its run has ended. Your reason was not sent: “%1”")
            .arg(shortLine(reason)));
}

void ApprovalPanel::releaseFocus()
{
    Q_EMIT focusReleased();
    if (m_heir)
        m_heir->removeEventFilter(this);
    m_heir = window()->focusWidget();
    m_released.start();
    if (m_heir)
        m_heir->installEventFilter(this);
}

void ApprovalPanel::guardClicks()
{
    for (ApprovalCard *card : std::as_const(m_cards))
        card->guardClicks();
}

void ApprovalPanel::showEvent(QShowEvent *event)
{
    QScrollArea::showEvent(event);
    // It also moves with what it is in, as when the composer below grows.
    for (QWidget *outer = this; outer && !outer->isWindow(); outer = outer->parentWidget())
        outer->installEventFilter(this);
}

void ApprovalPanel::fit()
{
    if (isHidden())
        return;
    const int wanted = m_inside->layout()->hasHeightForWidth()
        ? m_inside->layout()->totalHeightForWidth(viewport()->width())
        : m_inside->layout()->totalSizeHint().height();
    // Else the scroll area makes room for labels as if they had to wrap at every word.
    if (m_inside->minimumHeight() != wanted)
        m_inside->setMinimumHeight(wanted);
    const int height = qMin(m_most, wanted);
    if (minimumHeight() != height || maximumHeight() != height)
        setFixedHeight(height);
}

bool ApprovalPanel::focusCard(const domain::ToolCallId &call)
{
    for (ApprovalCard *card : std::as_const(m_cards)) {
        if (card->approval().toolCall != call)
            continue;
        card->focusDecision();
        QTimer::singleShot(0, card, [this, card] { ensureWidgetVisible(card, 0, 8); });
        return true;
    }
    return false;
}

domain::ToolCallId ApprovalPanel::focusedCall() const
{
    const QWidget *focus = window()->focusWidget();
    for (const ApprovalCard *card : m_cards) {
        if (focus && card->isAncestorOf(focus))
            return card->approval().toolCall;
    }
    return {};
}

bool ApprovalPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress && watched == m_heir) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        // It would send what is written there.
        return (key == Qt::Key_Return || key == Qt::Key_Enter)
            && m_released.elapsed() < kStrayKeyMs;
    }
    if (event->type() == QEvent::Move)
        guardClicks();
    if (watched == m_inside
        && (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize))
        QTimer::singleShot(0, this, &ApprovalPanel::fit);
    return QScrollArea::eventFilter(watched, event);
}

} // namespace berth::ui
