// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/conversation_view.h"

#include "ui/conversation/conversation_sizes.h"
#include "ui/models/thread_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/tool_tip.h"

#include <QtCore/QTimerEvent>
#include <QtGui/QClipboard>
#include <QtGui/QCursor>
#include <QtGui/QGuiApplication>
#include <QtGui/QMouseEvent>
#include <QtWidgets/QScrollBar>

namespace berth::ui {

using Kind = ConversationModel::Kind;
using Part = ConversationDelegate::Part;

ConversationView::ConversationView(QWidget *parent)
    : QListView(parent),
      m_delegate(new ConversationDelegate(this)),
      m_latest(new Button(tr("Jump to latest"), ButtonKind::Secondary, this))
{
    setFrameShape(QFrame::NoFrame);
    setItemDelegate(m_delegate);
    setSelectionMode(QAbstractItemView::NoSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setResizeMode(QListView::Adjust);
    setMouseTracking(true);
    setAccessibleName(tr("Conversation"));
    viewport()->setBackgroundRole(QPalette::Window);
    verticalScrollBar()->setSingleStep(24);
    m_latest->setGlyph(Glyph::ArrowDown);
    m_latest->hide();
    connect(m_latest, &QPushButton::clicked, this, &ConversationView::jumpToLatest);
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, &ConversationView::onRange);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &ConversationView::onScrolled);
}

void ConversationView::setConversation(ConversationModel *model)
{
    m_conversation = model;
    setModel(model);
    connect(model, &QAbstractItemModel::dataChanged, this, &ConversationView::onRowChanged);
    connect(model, &QAbstractItemModel::modelAboutToBeReset, this,
            &ConversationView::rememberPlace);
    connect(model, &QAbstractItemModel::modelReset, this, &ConversationView::restorePlace);
    const auto rowsMoved = [this] {
        m_heights.clear();
        updateTimer();
    };
    connect(model, &QAbstractItemModel::rowsInserted, this, rowsMoved);
    connect(model, &QAbstractItemModel::rowsRemoved, this, rowsMoved);
    connect(model, &QAbstractItemModel::rowsMoved, this, [this, rowsMoved] {
        rowsMoved();
        scheduleDelayedItemsLayout();
    });
}

void ConversationView::rememberPlace()
{
    const auto keyOf = [](const QModelIndex &index) {
        return index.data(ConversationModel::KeyRole).toULongLong();
    };
    m_place = {};
    m_place.thread = m_conversation->thread();
    m_place.following = m_following;
    m_place.current = keyOf(currentIndex());
    for (int row = 0; row < m_conversation->rowCount(); ++row) {
        const QModelIndex index = m_conversation->index(row);
        const QRect rect = visualRect(index);
        if (rect.bottom() < 0)
            continue;
        m_place.top = keyOf(index);
        m_place.offset = rect.top();
        break;
    }
}

void ConversationView::restorePlace()
{
    m_heights.clear();
    m_delegate->forget();
    updateTimer();
    const bool same = !m_place.thread.isNull() && m_place.thread == m_conversation->thread();
    m_following = m_place.following || !same;
    QModelIndex top;
    for (int row = 0; same && row < m_conversation->rowCount(); ++row) {
        const QModelIndex index = m_conversation->index(row);
        const quint64 key = index.data(ConversationModel::KeyRole).toULongLong();
        if (key == m_place.current)
            selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
        if (key == m_place.top)
            top = index;
    }
    if (m_following || !top.isValid()) {
        jumpToLatest();
        return;
    }
    m_moving = true;
    executeDelayedItemsLayout();
    verticalScrollBar()->setValue(verticalScrollBar()->value() + visualRect(top).top()
                                  - m_place.offset);
    m_moving = false;
    onScrolled();
}

void ConversationView::onRowChanged(const QModelIndex &index)
{
    m_delegate->noteChanged(index);
    const int height = m_delegate->heightOf(index);
    if (m_heights.value(index.row(), -1) != height) {
        m_heights.insert(index.row(), height);
        scheduleDelayedItemsLayout();
    }
    updateTimer();
}

void ConversationView::jumpToLatest()
{
    m_following = true;
    executeDelayedItemsLayout();
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    m_latest->hide();
}

void ConversationView::showPlace(const QModelIndex &index, const QRect &place)
{
    executeDelayedItemsLayout();
    const QRect spot = place.translated(m_delegate->shape(index, visualRect(index)).topLeft());
    if (spot.top() < 24 || spot.bottom() > viewport()->height() - 24)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + spot.top()
                                      - viewport()->height() / 3);
    viewport()->update();
}

void ConversationView::notePictures(quint64 row)
{
    for (int i = 0; m_conversation && i < m_conversation->rowCount(); ++i) {
        const QModelIndex index = m_conversation->index(i);
        if (index.data(ConversationModel::KeyRole).toULongLong() != row)
            continue;
        onRowChanged(index);
        update(index);
    }
}

void ConversationView::onRange()
{
    if (m_following) {
        m_moving = true;
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
        m_moving = false;
    }
    onScrolled();
}

void ConversationView::onScrolled()
{
    const QScrollBar *bar = verticalScrollBar();
    if (!m_moving)
        m_following = bar->value() >= bar->maximum() - 8;
    m_latest->setVisible(!m_following && bar->maximum() > 0);
    if (m_latest->isVisible())
        placeButton();
}

void ConversationView::placeButton()
{
    m_latest->adjustSize();
    m_latest->move(viewport()->x() + (viewport()->width() - m_latest->width()) / 2,
                   viewport()->y() + viewport()->height() - m_latest->height() - 12);
    m_latest->raise();
}

void ConversationView::resizeEvent(QResizeEvent *event)
{
    m_delegate->setWidth(viewport()->width(), width());
    m_heights.clear();
    // While resizing, the range changes before the rows are laid out; what was at the end stays
    // there.
    const bool following = m_following;
    m_moving = true;
    QListView::resizeEvent(event);
    m_moving = false;
    m_following = following;
    scheduleDelayedItemsLayout();
    placeButton();
}

void ConversationView::changeEvent(QEvent *event)
{
    QListView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange
        || event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange) {
        m_delegate->forget();
        m_heights.clear();
        scheduleDelayedItemsLayout();
    }
}

QPoint ConversationView::pointOf(const QModelIndex &index, Part part) const
{
    const QRect row = visualRect(index);
    for (int y = row.top(); y <= row.bottom(); y += 4) {
        for (int x = row.left(); x <= row.right(); x += 4) {
            if (m_delegate->partAt(index, row, QPoint(x, y)) == part)
                return {x, y};
        }
    }
    return {-1, -1};
}

void ConversationView::hover(const QPoint &at)
{
    const QModelIndex index = indexAt(at);
    const Part part =
        index.isValid() ? m_delegate->partAt(index, visualRect(index), at) : Part::None;
    const MarkdownBox::Hit hit =
        part == Part::Link || part == Part::CopyCode || part == Part::Picture
        ? m_delegate->hitAt(index, visualRect(index), at)
        : MarkdownBox::Hit();
    if (!m_delegate->setHovered(index, part, hit))
        return;
    viewport()->setToolTip(toolTipOf(hit.target));
    viewport()->setCursor(part == Part::None ? Qt::ArrowCursor : Qt::PointingHandCursor);
    viewport()->update();
}

void ConversationView::mouseMoveEvent(QMouseEvent *event)
{
    hover(event->position().toPoint());
}

void ConversationView::mousePressEvent(QMouseEvent *event)
{
    const QModelIndex index = indexAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || !index.isValid())
        return;
    m_pressed = index;
    m_pressedPart = m_delegate->partAt(index, visualRect(index), event->position().toPoint());
    selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
}

void ConversationView::mouseReleaseEvent(QMouseEvent *event)
{
    const QModelIndex index = indexAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && index.isValid() && m_pressed == index
        && m_pressedPart
            == m_delegate->partAt(index, visualRect(index), event->position().toPoint()))
        act(index, m_pressedPart,
            m_delegate->hitAt(index, visualRect(index), event->position().toPoint()));
    m_pressed = QModelIndex();
}

void ConversationView::leaveEvent(QEvent *event)
{
    QListView::leaveEvent(event);
    if (m_delegate->setHovered({}, Part::None))
        viewport()->update();
}

void ConversationView::toggle(const QModelIndex &index)
{
    const auto role = kindOf(index) == Kind::Agent ? ConversationModel::ReasoningOpenRole
                                                   : ConversationModel::OpenRole;
    m_conversation->setOpen(index, !index.data(role).toBool());
}

void ConversationView::act(const QModelIndex &index, Part part, const MarkdownBox::Hit &hit)
{
    const auto call = index.data(ConversationModel::CallRole).value<application::ToolCallView>();
    switch (part) {
    case Part::None:
        return;
    case Part::Header:
    case Part::Reasoning:
        toggle(index);
        return;
    case Part::ShowAll:
        if (isShell(call))
            Q_EMIT showAllRequested(call.id);
        else
            m_conversation->setExpanded(index,
                                        !index.data(ConversationModel::ExpandedRole).toBool());
        return;
    case Part::Copy:
        if (isShell(call)) {
            Q_EMIT copyRequested(call.id);
        } else {
            QGuiApplication::clipboard()->setText(call.diff.isEmpty() ? call.result : call.diff);
            showCopied(call.id, tr("Copied"));
        }
        return;
    case Part::Link:
        askAboutLink(hit.target, QCursor::pos());
        return;
    case Part::Picture:
        Q_EMIT pictureRequested(index.data(ConversationModel::KeyRole).toULongLong(), hit.picture);
        return;
    case Part::CopyCode:
        QGuiApplication::clipboard()->setText(m_delegate->codeOf(index, hit.copy));
        m_delegate->setCopiedCode(index.data(ConversationModel::KeyRole).toULongLong(), hit.copy);
        m_copiedEnds.start(2000, this);
        viewport()->update();
        return;
    }
}

void ConversationView::keyPressEvent(QKeyEvent *event)
{
    const QModelIndex index = currentIndex();
    if (index.isValid()) {
        const bool isCall = index.data(ConversationModel::KindRole).toInt()
            == static_cast<int>(ConversationModel::Kind::ToolCall);
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter
            || event->key() == Qt::Key_Space) {
            if (isCall || kindOf(index) == Kind::Agent)
                toggle(index);
            return;
        }
        if (event->keyCombination() == (Qt::CTRL | Qt::SHIFT | Qt::Key_C)
            && kindOf(index) == Kind::Agent) {
            const auto *markdown =
                index.data(ConversationModel::MarkdownRole).value<const Markdown *>();
            QGuiApplication::clipboard()->setText(markdown->plainText());
            return;
        }
        if (event->matches(QKeySequence::Copy)) {
            if (isCall)
                act(index, Part::Copy);
            else
                QGuiApplication::clipboard()->setText(
                    index.data(ConversationModel::TextRole).toString());
            return;
        }
        if (event->key() == Qt::Key_Menu) {
            openMenu(
                index,
                viewport()->mapToGlobal(m_delegate->shape(index, visualRect(index)).topLeft()));
            return;
        }
    }
    if (event->key() == Qt::Key_End) {
        jumpToLatest();
        return;
    }
    QListView::keyPressEvent(event);
}

void ConversationView::contextMenuEvent(QContextMenuEvent *event)
{
    const QModelIndex index =
        event->reason() == QContextMenuEvent::Keyboard ? currentIndex() : indexAt(event->pos());
    if (index.isValid())
        openMenu(index, event->globalPos());
}

void ConversationView::showCopied(const domain::ToolCallId &call, const QString &text)
{
    m_delegate->setCopied(call, text);
    m_copiedEnds.start(2000, this);
    viewport()->update();
}

void ConversationView::updateTimer()
{
    const bool needed = isVisible() && m_conversation && m_conversation->underWay();
    if (needed && !m_tick.isActive())
        m_tick.start(100, this);
    else if (!needed)
        m_tick.stop();
}

void ConversationView::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_tick.timerId()) {
        // Only running cards show time.
        for (int row = 0; row < m_conversation->rowCount(); ++row) {
            const QModelIndex index = m_conversation->index(row);
            const QRect rect = visualRect(index);
            if (rect.intersects(viewport()->rect())
                && index.data(ConversationModel::KindRole).toInt()
                    == static_cast<int>(ConversationModel::Kind::ToolCall)
                && isUnderWay(
                    index.data(ConversationModel::CallRole).value<application::ToolCallView>()))
                viewport()->update(rect);
        }
        return;
    }
    if (event->timerId() == m_copiedEnds.timerId()) {
        m_copiedEnds.stop();
        m_delegate->setCopied({}, {});
        m_delegate->setCopiedCode(0, -1);
        viewport()->update();
        return;
    }
    QListView::timerEvent(event);
}

void ConversationView::showEvent(QShowEvent *event)
{
    QListView::showEvent(event);
    updateTimer();
}

void ConversationView::hideEvent(QHideEvent *event)
{
    QListView::hideEvent(event);
    updateTimer();
}

} // namespace berth::ui
