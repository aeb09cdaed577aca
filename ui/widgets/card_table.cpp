// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/card_table.h"

#include "ui/style/paint.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/tool_tip.h"

#include <QtGui/QContextMenuEvent>
#include <QtGui/QHelpEvent>
#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QStyledItemDelegate>
#include <QtWidgets/QToolTip>

#include <algorithm>

namespace berth::ui {

namespace {

constexpr int kPad = kCardCellPad;
constexpr int kLeastRow = 40;
constexpr int kMoreWidth = 44;
//! Columns are as wide as the first so many rows ask for.
constexpr int kMeasuredRows = 200;

QFont cellFont(const QModelIndex &index)
{
    const QVariant role = index.data(CardTable::TextRoleRole);
    return fontFor(role.isValid() ? static_cast<TextRole>(role.toInt()) : TextRole::Body);
}

bool isChip(const QModelIndex &index)
{
    return index.data(CardTable::ToneRole).isValid();
}

Dot dotOf(const QModelIndex &index)
{
    const QVariant dot = index.data(CardTable::DotRole);
    return dot.isValid() ? static_cast<Dot>(dot.toInt()) : Dot::None;
}

int cellWidth(const QModelIndex &index)
{
    if (index.data(CardTable::MoreRole).toBool())
        return kMoreWidth;
    const QString text = index.data().toString();
    if (isChip(index))
        return chipSize(text, dotOf(index), fontFor(TextRole::Caption)).width() + 2 * kPad;
    return QFontMetrics(cellFont(index)).horizontalAdvance(text) + 2 * kPad + 2;
}

//! Caption words on the card's own ground, a hairline below.
class CardHeader final : public QHeaderView
{
public:
    explicit CardHeader(QWidget *parent) : QHeaderView(Qt::Horizontal, parent)
    {
        setSectionsClickable(false);
        setHighlightSections(false);
        setSectionResizeMode(QHeaderView::Fixed);
        setMinimumSectionSize(16);
        setFocusPolicy(Qt::NoFocus);
    }

    [[nodiscard]] QSize sizeHint() const override
    {
        const QSize base = QHeaderView::sizeHint();
        return {base.width(), QFontMetrics(fontFor(TextRole::Caption)).height() + 20};
    }

protected:
    void paintSection(QPainter *painter, const QRect &rect, int section) const override
    {
        const Tokens &t = tokens(this);
        painter->save();
        painter->fillRect(rect, t.panel);
        painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), t.lineSoft);
        const QFont font = fontFor(TextRole::Caption);
        painter->setFont(font);
        painter->setPen(t.textSecondary);
        const QRect words = rect.adjusted(kPad, 0, -kPad, 0);
        painter->drawText(
            words, Qt::AlignVCenter | Qt::AlignLeading | Qt::TextSingleLine,
            QFontMetrics(font).elidedText(model()->headerData(section, Qt::Horizontal).toString(),
                                          Qt::ElideRight, words.width()));
        painter->restore();
    }
};

class CellDelegate final : public QStyledItemDelegate
{
public:
    explicit CellDelegate(CardTable *table) : QStyledItemDelegate(table), m_table(table) {}

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override
    {
        const Tokens &t = tokens(m_table);
        painter->save();
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(option.rect, t.accentSoft);
        else if (m_table->hoveredRow() == index.row())
            painter->fillRect(option.rect, t.hover);
        if (index.row() + 1 < index.model()->rowCount())
            painter->fillRect(
                QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                t.lineSoft);
        const QRect inner = option.rect.adjusted(kPad, 0, -kPad, -1);
        if (index.data(CardTable::MoreRole).toBool()) {
            const int size = metrics::kIcon;
            paintGlyph(*painter,
                       QRectF(option.rect.center().x() - size / 2.0,
                              option.rect.center().y() - size / 2.0, size, size),
                       Glyph::More, t.textSecondary);
        } else if (isChip(index)) {
            paintCellChip(*painter, inner, index, t);
        } else {
            const QFont font = cellFont(index);
            const QVariant ink = index.data(CardTable::InkRole);
            painter->setFont(font);
            painter->setPen(t.ink(ink.isValid() ? static_cast<Ink>(ink.toInt()) : Ink::Text));
            painter->setLayoutDirection(option.direction);
            painter->drawText(inner, Qt::AlignVCenter | Qt::AlignLeading | Qt::TextSingleLine,
                              QFontMetrics(font).elidedText(index.data().toString(), Qt::ElideRight,
                                                            inner.width()));
        }
        painter->restore();
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override
    {
        return {40, m_table->rowHeight()};
    }

    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                   const QModelIndex &index) override
    {
        const bool says = !index.data(Qt::ToolTipRole).toString().isEmpty();
        if (says || event->type() != QEvent::ToolTip || cellWidth(index) <= option.rect.width())
            return QStyledItemDelegate::helpEvent(event, view, option, index);
        // What is cut can be read whole.
        QToolTip::showText(event->globalPos(), toolTipOf(index.data().toString()), view);
        return true;
    }

private:
    static void paintCellChip(QPainter &painter, const QRect &inner, const QModelIndex &index,
                              const Tokens &t)
    {
        const QFont font = fontFor(TextRole::Caption);
        const QString text = index.data().toString();
        const Dot dot = dotOf(index);
        QSize size = chipSize(text, dot, font);
        size.setWidth(qMin(size.width(), inner.width()));
        QRect chip(QPoint(inner.left(), inner.center().y() - size.height() / 2), size);
        if (painter.layoutDirection() == Qt::RightToLeft)
            chip.moveRight(inner.right());
        paintChip(painter, chip, text, static_cast<Tone>(index.data(CardTable::ToneRole).toInt()),
                  dot, font, t);
    }

    CardTable *m_table;
};

} // namespace

QHeaderView *makeCardHeader(QWidget *parent)
{
    return new CardHeader(parent);
}

CardTable::CardTable(const QString &name, QWidget *parent) : QTableView(parent)
{
    setAccessibleName(name);
    setHorizontalHeader(makeCardHeader(this));
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(8);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setItemDelegate(new CellDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);
    setWordWrap(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    verticalHeader()->setDefaultSectionSize(rowHeight());
}

void CardTable::setModel(QAbstractItemModel *model)
{
    QTableView::setModel(model);
    connect(model, &QAbstractItemModel::modelReset, this, &CardTable::rowsChanged);
    connect(model, &QAbstractItemModel::rowsInserted, this, &CardTable::rowsChanged);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &CardTable::rowsChanged);
    connect(model, &QAbstractItemModel::dataChanged, this, &CardTable::fit);
    rowsChanged();
}

void CardTable::setRule(int column, Rule rule)
{
    m_rules.insert(column, rule);
    fit();
}

int CardTable::rowHeight() const
{
    return qMax(kLeastRow, QFontMetrics(fontFor(TextRole::Body)).height() + 22);
}

QSize CardTable::sizeHint() const
{
    const int rows = model() ? model()->rowCount() : 0;
    return {400, horizontalHeader()->sizeHint().height() + rows * rowHeight()};
}

QSize CardTable::minimumSizeHint() const
{
    const int rows = model() ? qMin(2, model()->rowCount()) : 0;
    return {200, horizontalHeader()->sizeHint().height() + rows * rowHeight()};
}

void CardTable::rowsChanged()
{
    fit();
    updateGeometry();
}

int CardTable::naturalWidth(int column) const
{
    int width = QFontMetrics(fontFor(TextRole::Caption))
                    .horizontalAdvance(model()->headerData(column, Qt::Horizontal).toString())
        + 2 * kPad + 2;
    const int rows = qMin(kMeasuredRows, model()->rowCount());
    for (int row = 0; row < rows; ++row)
        width = qMax(width, cellWidth(model()->index(row, column)));
    return width;
}

void CardTable::fit()
{
    // Events come while another page is shown, too; measuring waits until somebody looks.
    if (!model() || !isVisible())
        return;
    const int columns = model()->columnCount();
    QList<int> natural;
    for (int column = 0; column < columns; ++column)
        natural.append(naturalWidth(column));
    const auto leastOf = [&](int column) {
        const int least = m_rules.value(column).least;
        return least > 0 ? qMin(least, natural[column]) : natural[column];
    };
    QList<int> shown;
    for (int column = 0; column < columns; ++column)
        shown.append(column);
    const int room = viewport()->width();
    const auto least = [&] {
        int sum = 0;
        for (const int column : std::as_const(shown))
            sum += leastOf(column);
        return sum;
    };
    while (least() > room) {
        const auto worst = std::max_element(shown.cbegin(), shown.cend(), [this](int a, int b) {
            return m_rules.value(a).expendable < m_rules.value(b).expendable;
        });
        if (worst == shown.cend() || m_rules.value(*worst).expendable == 0)
            break;
        shown.erase(worst);
    }
    int spare = room;
    for (const int column : std::as_const(shown))
        spare -= natural[column];
    // What matters least is cut first.
    QList<int> yielding = shown;
    std::stable_sort(yielding.begin(), yielding.end(), [this](int a, int b) {
        return m_rules.value(a).expendable > m_rules.value(b).expendable;
    });
    for (const int column : std::as_const(yielding)) {
        const int cut = qBound(0, -spare, natural[column] - leastOf(column));
        natural[column] -= cut;
        spare += cut;
    }
    if (spare < 0) {
        // Nothing left to give: every column gets its share of what there is.
        for (const int column : std::as_const(shown))
            natural[column] = static_cast<int>(static_cast<qint64>(natural[column]) * room
                                               / qMax(1, room - spare));
        spare = 0;
    }
    int spread = 0;
    for (const int column : std::as_const(shown))
        spread += natural[column] > kMoreWidth ? 1 : 0;
    for (int column = 0; column < columns; ++column) {
        const bool shows = shown.contains(column);
        setColumnHidden(column, !shows);
        if (!shows)
            continue;
        int width = natural[column];
        if (spare > 0 && width > kMoreWidth)
            width += spare / qMax(1, spread);
        setColumnWidth(column, qMax(16, width));
    }
    // What rounding left goes to the last wide one.
    int used = 0;
    for (const int column : std::as_const(shown))
        used += columnWidth(column);
    if (spare > 0 && !shown.isEmpty() && used < room) {
        for (auto it = shown.crbegin(); it != shown.crend(); ++it) {
            if (natural[*it] > kMoreWidth) {
                setColumnWidth(*it, columnWidth(*it) + room - used);
                break;
            }
        }
    }
}

void CardTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    fit();
}

void CardTable::showEvent(QShowEvent *event)
{
    QTableView::showEvent(event);
    fit();
}

void CardTable::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange
        || event->type() == QEvent::ApplicationFontChange) {
        verticalHeader()->setDefaultSectionSize(rowHeight());
        rowsChanged();
    }
}

void CardTable::paintEvent(QPaintEvent *event)
{
    QTableView::paintEvent(event);
    if (!hasFocus() || !window()->testAttribute(Qt::WA_KeyboardFocusChange)
        || !currentIndex().isValid())
        return;
    QPainter painter(viewport());
    const QRect cell = visualRect(currentIndex());
    paintFocusRing(painter, QRect(0, cell.top(), viewport()->width(), cell.height()),
                   metrics::kControlRadius, tokens(this).accent);
}

void CardTable::hover(int row)
{
    if (m_hovered == row)
        return;
    m_hovered = row;
    viewport()->update();
}

void CardTable::mouseMoveEvent(QMouseEvent *event)
{
    QTableView::mouseMoveEvent(event);
    hover(indexAt(event->pos()).row());
}

void CardTable::leaveEvent(QEvent *event)
{
    QTableView::leaveEvent(event);
    hover(-1);
}

void CardTable::mouseReleaseEvent(QMouseEvent *event)
{
    QTableView::mouseReleaseEvent(event);
    const QModelIndex index = indexAt(event->pos());
    if (!index.isValid() || event->button() != Qt::LeftButton)
        return;
    if (index.data(MoreRole).toBool())
        Q_EMIT menuWanted(index, viewport()->mapToGlobal(visualRect(index).bottomLeft()));
    else
        Q_EMIT chosen(index);
}

void CardTable::keyPressEvent(QKeyEvent *event)
{
    const bool chooses = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter
        || event->key() == Qt::Key_Space;
    if (chooses && currentIndex().isValid()) {
        Q_EMIT chosen(currentIndex());
        return;
    }
    QTableView::keyPressEvent(event);
}

void CardTable::contextMenuEvent(QContextMenuEvent *event)
{
    const bool byMouse = event->reason() == QContextMenuEvent::Mouse;
    const QModelIndex index = byMouse ? indexAt(event->pos()) : currentIndex();
    if (!index.isValid())
        return;
    Q_EMIT menuWanted(index,
                      byMouse ? event->globalPos()
                              : viewport()->mapToGlobal(visualRect(index).bottomLeft()));
}

} // namespace berth::ui
