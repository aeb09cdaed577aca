// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/resources/runtime_grid.h"

#include "ui/style/tokens.h"
#include "ui/style/type_scale.h"

#include <QtGui/QContextMenuEvent>
#include <QtGui/QKeyEvent>
#include <QtGui/QMouseEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QScrollBar>

namespace berth::ui {

using application::RuntimeView;

namespace {

constexpr int kGridSpacing = 16;
constexpr int kMostColumns = 4;
//! Cards grow narrower down to this before a column is given up.
constexpr int kCardWidth = 244;
//! Room for the ring and the soft edge of cards at the border.
constexpr int kGridEdge = 2;

} // namespace

RuntimeGrid::RuntimeGrid(QWidget *parent)
    : QListView(parent), m_cards(new RuntimeCardDelegate(this))
{
    setItemDelegate(m_cards);
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    // A press must not move the card away from under the pointer.
    setAutoScroll(false);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    setAccessibleName(tr("Runtimes"));
}

void RuntimeGrid::setHeadings(std::function<Heading(const QString &)> headings)
{
    m_headings = std::move(headings);
    viewport()->update();
}

void RuntimeGrid::setGrouped(bool grouped)
{
    m_grouped = grouped;
    doItemsLayout();
}

void RuntimeGrid::place()
{
    m_places.clear();
    m_bands.clear();
    m_contentHeight = 0;
    m_columns = 1;
    if (!model() || model()->rowCount() == 0)
        return;
    const int width = viewport()->width() - 2 * kGridEdge;
    const int least = qMax(kCardWidth, CardLayout::minimumWidth(font()));
    m_columns = qBound(1, (width + kGridSpacing) / (least + kGridSpacing), kMostColumns);
    const int cardWidth = (width - (m_columns - 1) * kGridSpacing) / m_columns;
    const int cardHeight = CardLayout::heightFor(font());
    const int heading = QFontMetrics(fontFor(TextRole::BodyStrong, font())).height();
    int y = kGridEdge;
    int column = 0;
    QString config;
    for (int row = 0; row < model()->rowCount(); ++row) {
        const QString own =
            model()->index(row, 0).data(RuntimeModel::ProviderConfigRole).toString();
        if (m_grouped && (row == 0 || own != config)) {
            if (row > 0)
                y += cardHeight + kGridSpacing + 2;
            column = 0;
            m_bands.append({QRect(kGridEdge, y, width, heading), own});
            y += heading + kGridSpacing - 2;
        } else if (column == m_columns) {
            column = 0;
            y += cardHeight + kGridSpacing;
        }
        config = own;
        const int x = kGridEdge + column * (cardWidth + kGridSpacing);
        const QRect logical(x, y, cardWidth, cardHeight);
        m_places.append(isRightToLeft()
                            ? logical.translated(viewport()->width() - 2 * x - cardWidth, 0)
                            : logical);
        ++column;
    }
    m_contentHeight = y + cardHeight + kGridSpacing;
}

void RuntimeGrid::doItemsLayout()
{
    place();
    QAbstractItemView::doItemsLayout();
    updateGeometries();
    Q_EMIT viewChanged();
}

QRect RuntimeGrid::visualRect(const QModelIndex &index) const
{
    if (!index.isValid() || index.row() >= m_places.size())
        return {};
    return m_places[index.row()].translated(0, -verticalOffset());
}

CardLayout RuntimeGrid::layoutAt(const QModelIndex &index) const
{
    return RuntimeCardDelegate::layoutOf(visualRect(index), font(), layoutDirection(),
                                         index.data(RuntimeModel::ViewRole).value<RuntimeView>());
}

void RuntimeGrid::scrollTo(const QModelIndex &index, ScrollHint)
{
    if (index.isValid())
        Q_EMIT seeRequested(index);
}

QModelIndex RuntimeGrid::indexAt(const QPoint &point) const
{
    const QPoint at = point + QPoint(0, verticalOffset());
    for (int row = 0; row < m_places.size(); ++row) {
        if (m_places[row].contains(at))
            return model()->index(row, 0);
    }
    return {};
}

int RuntimeGrid::verticalOffset() const
{
    return verticalScrollBar()->value();
}

QModelIndex RuntimeGrid::moveCursor(CursorAction action, Qt::KeyboardModifiers)
{
    const int rows = static_cast<int>(m_places.size());
    if (rows == 0)
        return {};
    const QModelIndex current = currentIndex();
    if (!current.isValid())
        return model()->index(0, 0);
    const int row = qMin(current.row(), rows - 1);
    const QRect here = m_places[row];
    // The nearest card of the next line up or down that is at least \a distance away.
    const auto vertical = [&](int direction, int distance) {
        int best = row;
        int bestLine = 0;
        for (int i = row + direction; i >= 0 && i < rows; i += direction) {
            const int away = direction * (m_places[i].top() - here.top());
            if (away <= 0)
                continue;
            if (best != row && away != bestLine && bestLine >= distance)
                break;
            const bool otherLine = best == row || away != bestLine;
            const auto off = [&](int r) {
                return qAbs(m_places[r].center().x() - here.center().x());
            };
            if (otherLine || off(i) < off(best)) {
                best = i;
                bestLine = away;
            }
        }
        return best;
    };
    const int towardsEnd = isRightToLeft() ? -1 : 1;
    int target = row;
    switch (action) {
    case MoveLeft:
        target = row - towardsEnd;
        break;
    case MoveRight:
        target = row + towardsEnd;
        break;
    case MovePrevious:
        target = row - 1;
        break;
    case MoveNext:
        target = row + 1;
        break;
    case MoveUp:
        target = vertical(-1, 1);
        break;
    case MoveDown:
        target = vertical(1, 1);
        break;
    case MovePageUp:
        target = vertical(-1, viewport()->height() - here.height());
        break;
    case MovePageDown:
        target = vertical(1, viewport()->height() - here.height());
        break;
    case MoveHome:
        target = 0;
        break;
    case MoveEnd:
        target = rows - 1;
        break;
    }
    return model()->index(qBound(0, target, rows - 1), 0);
}

void RuntimeGrid::setSelection(const QRect &rect, QItemSelectionModel::SelectionFlags flags)
{
    const QModelIndex index = indexAt(rect.topLeft());
    selectionModel()->select(index.isValid() ? QItemSelection(index, index) : QItemSelection(),
                             flags);
}

QRegion RuntimeGrid::visualRegionForSelection(const QItemSelection &selection) const
{
    QRegion region;
    for (const QModelIndex &index : selection.indexes())
        region += visualRect(index);
    return region;
}

void RuntimeGrid::updateGeometries()
{
    QScrollBar *bar = verticalScrollBar();
    bar->setPageStep(viewport()->height());
    bar->setSingleStep(CardLayout::heightFor(font()) / 4);
    bar->setRange(0, qMax(0, m_contentHeight - viewport()->height()));
    QAbstractItemView::updateGeometries();
}

void RuntimeGrid::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    const Tokens &colors = tokens(this);
    const int offset = verticalOffset();
    const QFont strong = fontFor(TextRole::BodyStrong, font());
    for (const Band &band : m_bands) {
        const QRect line = band.rect.translated(0, -offset);
        if (!line.intersects(event->rect()) || !m_headings)
            continue;
        const Heading heading = m_headings(band.config);
        const int titleWidth = QFontMetrics(strong).horizontalAdvance(heading.title);
        painter.setFont(strong);
        painter.setPen(colors.text);
        painter.drawText(line, Qt::AlignLeading | Qt::AlignVCenter, heading.title);
        painter.setFont(font());
        painter.setPen(colors.textCaption);
        QRect rest = line;
        if (isRightToLeft())
            rest.setRight(line.right() - titleWidth - 8);
        else
            rest.setLeft(line.left() + titleWidth + 8);
        painter.drawText(
            rest, Qt::AlignLeading | Qt::AlignVCenter,
            QFontMetrics(font()).elidedText(heading.facts, Qt::ElideRight, rest.width()));
    }
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    for (int row = 0; row < m_places.size(); ++row) {
        const QModelIndex index = model()->index(row, 0);
        option.rect = m_places[row].translated(0, -offset);
        if (!option.rect.adjusted(-kGridEdge, -kGridEdge, kGridEdge, kGridEdge)
                 .intersects(event->rect()))
            continue;
        option.state.setFlag(QStyle::State_Selected, selectionModel()->isSelected(index));
        option.state.setFlag(QStyle::State_HasFocus,
                             m_byKeyboard && hasFocus() && currentIndex() == index);
        m_cards->paint(&painter, option, index);
    }
}

void RuntimeGrid::resizeEvent(QResizeEvent *event)
{
    QAbstractItemView::resizeEvent(event);
    doItemsLayout();
}

void RuntimeGrid::scrollContentsBy(int dx, int dy)
{
    QAbstractItemView::scrollContentsBy(dx, dy);
    viewport()->update();
    Q_EMIT viewChanged();
}

void RuntimeGrid::changeEvent(QEvent *event)
{
    QListView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LayoutDirectionChange
        || event->type() == QEvent::StyleChange)
        scheduleDelayedItemsLayout();
}

QStringList RuntimeGrid::visibleRuntimes() const
{
    QStringList ids;
    // The page around it scrolls: what lies outside of that is not seen.
    const QRect seen = viewport()->visibleRegion().boundingRect();
    for (int row = 0; row < m_places.size(); ++row) {
        const QModelIndex index = model()->index(row, 0);
        if (visualRect(index).intersects(seen))
            ids.append(index.data(RuntimeModel::IdRole).toString());
    }
    return ids;
}

CardPart RuntimeGrid::partAt(const QModelIndex &index, const QPoint &at) const
{
    return index.isValid() ? layoutAt(index).hit(at) : CardPart::None;
}

void RuntimeGrid::hover(const QPoint &at)
{
    const QModelIndex index = indexAt(at);
    const CardPart part = partAt(index, at);
    m_cards->setActive(index, part);
    const bool link = part == CardPart::Thread
        && !index.data(RuntimeModel::ViewRole).value<RuntimeView>().threads.isEmpty();
    viewport()->setCursor(link ? Qt::PointingHandCursor : Qt::ArrowCursor);
    viewport()->update();
}

void RuntimeGrid::mouseMoveEvent(QMouseEvent *event)
{
    hover(event->pos());
}

void RuntimeGrid::mousePressEvent(QMouseEvent *event)
{
    m_byKeyboard = false;
    const QModelIndex index = indexAt(event->pos());
    m_pressed = index;
    m_pressedPart = partAt(index, event->pos());
    if (index.isValid())
        selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
    viewport()->update();
}

void RuntimeGrid::mouseReleaseEvent(QMouseEvent *event)
{
    const QModelIndex index = indexAt(event->pos());
    if (event->button() != Qt::LeftButton || !index.isValid() || m_pressed != index)
        return;
    const CardPart part = partAt(index, event->pos());
    if (part != m_pressedPart)
        return;
    const RuntimeView runtime = index.data(RuntimeModel::ViewRole).value<RuntimeView>();
    switch (part) {
    case CardPart::Thread:
        if (runtime.threads.isEmpty())
            Q_EMIT openRequested(index);
        else
            Q_EMIT partClicked(index, part);
        return;
    case CardPart::More:
        Q_EMIT menuRequested(index, event->globalPosition().toPoint());
        return;
    case CardPart::PauseResume:
    case CardPart::OpenThread:
        Q_EMIT partClicked(index, part);
        return;
    default:
        Q_EMIT openRequested(index);
    }
}

void RuntimeGrid::mouseDoubleClickEvent(QMouseEvent *event)
{
    // Two quick clicks are two clicks.
    mousePressEvent(event);
}

void RuntimeGrid::leaveEvent(QEvent *event)
{
    m_cards->setActive({}, CardPart::None);
    viewport()->update();
    QListView::leaveEvent(event);
}

void RuntimeGrid::keyPressEvent(QKeyEvent *event)
{
    m_byKeyboard = true;
    const QModelIndex index = currentIndex();
    if (index.isValid()) {
        switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            Q_EMIT openRequested(index);
            return;
        case Qt::Key_Delete:
            Q_EMIT destroyRequested(index);
            return;
        default:
            break;
        }
    }
    // Arrows move the frame of the keyboard alone; what the sheet shows changes by Return.
    static constexpr int kArrows[]{Qt::Key_Left, Qt::Key_Right,  Qt::Key_Up,       Qt::Key_Down,
                                   Qt::Key_Home, Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_End};
    static constexpr CursorAction kActions[]{MoveLeft, MoveRight,  MoveUp,       MoveDown,
                                             MoveHome, MovePageUp, MovePageDown, MoveEnd};
    for (std::size_t i = 0; i < std::size(kArrows); ++i) {
        if (event->key() != kArrows[i])
            continue;
        const QModelIndex target = moveCursor(kActions[i], event->modifiers());
        if (target.isValid()) {
            selectionModel()->setCurrentIndex(target, QItemSelectionModel::NoUpdate);
            scrollTo(target);
            viewport()->update();
        }
        return;
    }
    QListView::keyPressEvent(event);
}

void RuntimeGrid::contextMenuEvent(QContextMenuEvent *event)
{
    const bool byKeyboard = event->reason() == QContextMenuEvent::Keyboard;
    const QModelIndex index = byKeyboard ? currentIndex() : indexAt(event->pos());
    if (!index.isValid())
        return;
    const QPoint at =
        byKeyboard ? viewport()->mapToGlobal(visualRect(index).center()) : event->globalPos();
    Q_EMIT menuRequested(index, at);
}

void RuntimeGrid::focusInEvent(QFocusEvent *event)
{
    QListView::focusInEvent(event);
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason
        || event->reason() == Qt::ShortcutFocusReason)
        m_byKeyboard = true;
    if (!currentIndex().isValid() && model() && model()->rowCount() > 0)
        selectionModel()->setCurrentIndex(model()->index(0, 0), QItemSelectionModel::NoUpdate);
    viewport()->update();
}

} // namespace berth::ui
