// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/process_list.h"

#include "ui/models/process_model.h"
#include "ui/models/process_text.h"
#include "ui/style/paint.h"
#include "ui/style/type_scale.h"

#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QContextMenuEvent>
#include <QtGui/QGuiApplication>
#include <QtGui/QPainter>
#include <QtWidgets/QMenu>

namespace berth::ui {

namespace {
constexpr int kPad = 10;
constexpr int kAction = 32;
constexpr int kGap = 8;
} // namespace

ProcessDelegate::ProcessDelegate(QWidget *owner) : QStyledItemDelegate(owner), m_owner(owner) {}

QRect ProcessDelegate::actionRect(const QRect &row, bool mirrored)
{
    const int x = mirrored ? row.left() + kPad - 4 : row.right() - kPad - kAction + 4;
    return {x, row.center().y() - kAction / 2, kAction, kAction};
}

QSize ProcessDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const
{
    const int title = QFontMetrics(fontFor(TextRole::Mono)).height();
    const int facts = QFontMetrics(fontFor(TextRole::Caption)).height();
    return {120, 2 * kPad + title + 6 + qMax(facts, 20)};
}

void ProcessDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                            const QModelIndex &index) const
{
    const auto *model = qobject_cast<const ProcessModel *>(index.model());
    const application::ProcessView *process = model ? model->at(index) : nullptr;
    if (!process)
        return;
    const Tokens &colors = tokens(m_owner);
    const bool mirrored = option.direction == Qt::RightToLeft;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setLayoutDirection(option.direction);
    const QRectF box = QRectF(option.rect).adjusted(1, 1, -1, -1);
    if (option.state & QStyle::State_MouseOver)
        paintRounded(*painter, box, metrics::kControlRadius, colors.hover);
    if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_Active))
        paintFocusRing(*painter, box, metrics::kControlRadius, colors.accent);

    const QRect action = actionRect(option.rect, mirrored);
    QRect words = option.rect.adjusted(kPad, kPad, -kPad, -kPad);
    if (mirrored)
        words.setLeft(action.right() + kGap);
    else
        words.setRight(action.left() - kGap);
    const QFont mono = fontFor(TextRole::Mono);
    const QFontMetrics titles(mono);
    painter->setFont(mono);
    painter->setPen(hasEnded(*process) ? colors.textSecondary : colors.text);
    QRect line(words.left(), words.top(), words.width(), titles.height());
    painter->drawText(line, Qt::AlignVCenter | Qt::AlignLeading,
                      titles.elidedText(titleOf(*process), Qt::ElideRight, line.width()));

    const QFont caption = fontFor(TextRole::Caption);
    const QFontMetrics fm(caption);
    const StateText state = stateOf(*process);
    QSize chip = chipSize(state.word, state.dot, caption);
    const int second = line.bottom() + 7;
    const int height = words.bottom() + 1 - second;
    chip.setHeight(qMin(chip.height(), height + 4));
    const QRect chipRect(mirrored ? words.right() + 1 - chip.width() : words.left(),
                         second + (height - chip.height()) / 2, qMin(chip.width(), words.width()),
                         chip.height());
    paintChip(*painter, chipRect, state.word, state.tone, state.dot, caption, colors);
    QRect rest(words.left(), second, words.width(), height);
    if (mirrored)
        rest.setRight(chipRect.left() - kGap);
    else
        rest.setLeft(chipRect.right() + kGap);
    painter->setFont(caption);
    painter->setPen(colors.textCaption);
    painter->drawText(rest, Qt::AlignVCenter | Qt::AlignLeading,
                      fm.elidedText(factsOf(*process, model->now()), Qt::ElideRight, rest.width()));

    if (m_hovered == index.row())
        paintRounded(*painter, QRectF(action), metrics::kControlRadius, colors.hover);
    const QRectF glyph = QRectF(action).adjusted(8, 8, -8, -8);
    paintGlyph(*painter, glyph, hasEnded(*process) ? Glyph::Trash : Glyph::Stop,
               hasEnded(*process) ? colors.textSecondary : colors.error);
    painter->restore();
}

ProcessList::ProcessList(QWidget *parent) : QListView(parent), m_delegate(new ProcessDelegate(this))
{
    setItemDelegate(m_delegate);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSelectionMode(QAbstractItemView::NoSelection);
    setMouseTracking(true);
    setUniformItemSizes(true);
    setAccessibleName(tr("Background commands"));
    viewport()->setAutoFillBackground(false);
}

void ProcessList::setProcesses(ProcessModel *model)
{
    m_processes = model;
    setModel(model);
    connect(model, &QAbstractItemModel::dataChanged, viewport(), qOverload<>(&QWidget::update));
}

QSize ProcessList::sizeHint() const
{
    return {240, 160};
}

void ProcessList::act(const QModelIndex &index)
{
    const QString id = index.data(ProcessModel::IdRole).toString();
    if (index.data(ProcessModel::EndedRole).toBool())
        Q_EMIT removeRequested(id);
    else
        Q_EMIT stopRequested(id);
}

QModelIndex ProcessList::actionAt(const QPoint &at) const
{
    const QModelIndex index = indexAt(at);
    if (index.isValid()
        && ProcessDelegate::actionRect(visualRect(index), isRightToLeft()).contains(at))
        return index;
    return {};
}

void ProcessList::mousePressEvent(QMouseEvent *event)
{
    QListView::mousePressEvent(event);
    if (event->button() == Qt::LeftButton)
        m_pressed = indexAt(event->position().toPoint());
}

void ProcessList::mouseReleaseEvent(QMouseEvent *event)
{
    QListView::mouseReleaseEvent(event);
    const QPoint at = event->position().toPoint();
    const QModelIndex index = indexAt(at);
    if (event->button() != Qt::LeftButton || !index.isValid() || m_pressed != index)
        return;
    if (actionAt(at).isValid())
        act(index);
    else
        Q_EMIT openRequested(index.data(ProcessModel::IdRole).toString());
}

void ProcessList::mouseMoveEvent(QMouseEvent *event)
{
    QListView::mouseMoveEvent(event);
    const QModelIndex over = actionAt(event->position().toPoint());
    m_delegate->setHoveredAction(over.isValid() ? over.row() : -1);
    setToolTip(!over.isValid()                                   ? QString()
                   : over.data(ProcessModel::EndedRole).toBool() ? tr("Remove from the list")
                                                                 : tr("Stop"));
    viewport()->update();
}

void ProcessList::leaveEvent(QEvent *event)
{
    QListView::leaveEvent(event);
    m_delegate->setHoveredAction(-1);
    viewport()->update();
}

void ProcessList::keyPressEvent(QKeyEvent *event)
{
    const QModelIndex index = currentIndex();
    if (index.isValid() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        Q_EMIT openRequested(index.data(ProcessModel::IdRole).toString());
        return;
    }
    if (index.isValid() && event->key() == Qt::Key_Delete
        && index.data(ProcessModel::EndedRole).toBool()) {
        act(index);
        return;
    }
    QListView::keyPressEvent(event);
}

void ProcessList::contextMenuEvent(QContextMenuEvent *event)
{
    const bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
    const QModelIndex index = keyboard ? currentIndex() : indexAt(event->pos());
    const application::ProcessView *process = m_processes ? m_processes->at(index) : nullptr;
    if (!process)
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QString id = process->id.toString();
    menu->addAction(tr("Open"), this, [this, id] { Q_EMIT openRequested(id); });
    menu->addAction(tr("Copy command"), this, [command = process->command] {
        QGuiApplication::clipboard()->setText(command);
    });
    menu->addSeparator();
    menu->addAction(tr("Stop"), this, [this, id] { Q_EMIT stopRequested(id); })
        ->setEnabled(!hasEnded(*process));
    menu->addAction(tr("Remove from the list"), this, [this, id] { Q_EMIT removeRequested(id); })
        ->setEnabled(hasEnded(*process));
    menu->popup(keyboard ? viewport()->mapToGlobal(visualRect(index).center())
                         : event->globalPos());
}

} // namespace berth::ui
