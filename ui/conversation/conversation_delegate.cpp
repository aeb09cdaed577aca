// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/conversation_delegate.h"

#include "ui/conversation/conversation_sizes.h"
#include "ui/models/thread_text.h"
#include "ui/style/paint.h"
#include "ui/style/type_scale.h"

#include <QtCore/QDateTime>
#include <QtGui/QPainter>
#include <QtGui/QPainterPath>
#include <QtWidgets/QAbstractItemView>

#include <cmath>

namespace berth::ui {

using application::ToolCallView;
using Kind = ConversationModel::Kind;

namespace {

constexpr int kGap = 20;
constexpr int kEdge = 24;
constexpr int kBubbleRadius = 14;

} // namespace

ConversationDelegate::ConversationDelegate(QObject *parent) : QStyledItemDelegate(parent) {}

const QWidget *ConversationDelegate::view() const
{
    return qobject_cast<const QWidget *>(parent());
}

QRectF ConversationDelegate::seenOf(const QRect &row) const
{
    const auto *items = qobject_cast<const QAbstractItemView *>(parent());
    return items ? QRectF(row & items->viewport()->rect()) : QRectF(row);
}

void ConversationDelegate::setWidth(int width, int whole)
{
    if (width == m_width && whole == m_whole)
        return;
    const int before = column().width;
    m_width = width;
    m_whole = whole;
    // A wider window moves the column, and lays out nothing again.
    if (column().width != before)
        forget();
}

void ConversationDelegate::forget()
{
    m_texts.clear();
    m_boxes.clear();
    m_agents.clear();
    m_heights.clear();
}

void ConversationDelegate::noteChanged(const QModelIndex &index)
{
    m_heights.remove(index.data(ConversationModel::KeyRole).toULongLong());
}

void ConversationDelegate::setCopiedCode(quint64 key, int block)
{
    m_copiedKey = key;
    m_copiedBlock = block;
}

bool ConversationDelegate::setHovered(const QModelIndex &index, Part part,
                                      const MarkdownBox::Hit &hit)
{
    const bool isSomething = part != Part::None || m_hoveredPart != Part::None;
    if (!isSomething || (m_hovered == index && m_hoveredPart == part && m_hoveredHit == hit))
        return false;
    m_hovered = index;
    m_hoveredPart = part;
    m_hoveredHit = hit;
    return true;
}

void ConversationDelegate::setCopied(const domain::ToolCallId &call, const QString &text)
{
    m_copied = call;
    m_copiedText = text;
}

QString ConversationDelegate::copyText(const domain::ToolCallId &call) const
{
    return !m_copiedText.isEmpty() && call == m_copied ? m_copiedText : tr("Copy");
}

ConversationDelegate::Geometry ConversationDelegate::column() const
{
    const int width = qMax(200, qMin(metrics::kColumn, m_whole - 2 * kEdge));
    // The scroll bar is at the end: mirrored, the viewport begins behind it.
    const bool mirrored = view() && view()->layoutDirection() == Qt::RightToLeft;
    return {(m_whole - width) / 2 - (mirrored ? m_whole - m_width : 0), width};
}

int ConversationDelegate::contentHeight(const QModelIndex &index) const
{
    switch (kindOf(index)) {
    case Kind::ToolCall:
        return boxOf(index).height + 1;
    case Kind::Agent:
        return agentOf(index).height;
    case Kind::User:
        return textOf(index).size.height() + 2 * kPadY;
    case Kind::Note:
        break;
    }
    return textOf(index).size.height();
}

int ConversationDelegate::heightOf(const QModelIndex &index) const
{
    const quint64 key = index.data(ConversationModel::KeyRole).toULongLong();
    auto known = m_heights.constFind(key);
    if (known == m_heights.constEnd())
        known = m_heights.insert(key, contentHeight(index));
    int height = *known;
    if (index.row() == 0)
        height += kEdge;
    const bool last = index.row() == index.model()->rowCount() - 1;
    return height + (last ? kEdge : kGap);
}

QSize ConversationDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const
{
    return {qMax(1, m_width), heightOf(index)};
}

QRect ConversationDelegate::shape(const QModelIndex &index, const QRect &row) const
{
    const Geometry area = column();
    const int top = row.top() + (index.row() == 0 ? kEdge : 0);
    const Kind kind = kindOf(index);
    if (kind == Kind::ToolCall)
        return {row.left() + area.left, top, area.width, boxOf(index).height};
    if (kind == Kind::Agent)
        return {row.left() + area.left, top, area.width, agentOf(index).height};
    const QSize size = textOf(index).size;
    if (kind == Kind::User) {
        const int width = size.width() + 32;
        const bool mirrored = view() && view()->layoutDirection() == Qt::RightToLeft;
        const int left = mirrored ? area.left : area.left + area.width - width;
        return {row.left() + left, top, width, size.height() + 2 * kPadY};
    }
    return {row.left() + area.left, top, area.width, size.height()};
}

ConversationDelegate::Links ConversationDelegate::links(const CallBox &box, const QRect &card,
                                                        const QString &copy) const
{
    const QFontMetrics fm(fontFor(TextRole::Caption));
    const QRect footer = box.footer.translated(card.topLeft());
    int x = footer.left();
    Links result;
    if (!box.hidden.isEmpty())
        x += fm.horizontalAdvance(box.hidden) + fm.horizontalAdvance(QStringLiteral(" · "));
    if (box.hasShowAll) {
        result.showAll =
            QRect(x, footer.top(), fm.horizontalAdvance(moreText(box.showsAll)), footer.height());
        x = result.showAll.right() + 1 + fm.horizontalAdvance(QStringLiteral(" · "));
    }
    if (box.hasCopy)
        result.copy = QRect(x, footer.top(), fm.horizontalAdvance(copy), footer.height());
    return result;
}

ConversationDelegate::Part ConversationDelegate::partAt(const QModelIndex &index, const QRect &row,
                                                        const QPoint &at) const
{
    if (!index.isValid())
        return Part::None;
    if (kindOf(index) == Kind::Agent) {
        const QRect area = shape(index, row);
        const AgentBox &agent = agentOf(index);
        if (agent.reasoningHead.translated(area.topLeft()).contains(at))
            return Part::Reasoning;
        const MarkdownBox::Hit hit = hitAt(index, row, at);
        return hit.copy >= 0         ? Part::CopyCode
            : !hit.picture.isEmpty() ? Part::Picture
            : hit.target.isEmpty()   ? Part::None
                                     : Part::Link;
    }
    if (kindOf(index) != Kind::ToolCall)
        return Part::None;
    const QRect card = shape(index, row);
    if (!card.contains(at))
        return Part::None;
    const CallBox &box = boxOf(index);
    if (at.y() < card.top() + box.headerHeight)
        return Part::Header;
    if (box.pictureRect.translated(card.topLeft()).contains(at))
        return Part::Picture;
    const auto call = index.data(ConversationModel::CallRole).value<ToolCallView>();
    const Links found = links(box, card, copyText(call.id));
    if (found.showAll.adjusted(-4, 0, 4, 0).contains(at))
        return Part::ShowAll;
    if (found.copy.adjusted(-4, 0, 4, 0).contains(at))
        return Part::Copy;
    return Part::None;
}

MarkdownBox::Hit ConversationDelegate::hitAt(const QModelIndex &index, const QRect &row,
                                             const QPoint &at) const
{
    if (!index.isValid() || kindOf(index) != Kind::Agent)
        return {{}, -1, index.isValid() ? pictureOf(index) : QString()};
    const AgentBox &agent = agentOf(index);
    return agent.text.hitAt(at - shape(index, row).topLeft() - QPoint(0, agent.textTop));
}

QString ConversationDelegate::moreOf(const QModelIndex &index) const
{
    if (kindOf(index) != Kind::ToolCall)
        return {};
    const CallBox &box = boxOf(index);
    return box.hasShowAll ? moreText(box.showsAll) : QString();
}

QString ConversationDelegate::codeOf(const QModelIndex &index, int block) const
{
    return kindOf(index) == Kind::Agent ? agentOf(index).text.codeOf(block) : QString();
}

const MarkdownBox &ConversationDelegate::markdownOf(const QModelIndex &index) const
{
    return agentOf(index).text;
}

void ConversationDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                                 const QModelIndex &index) const
{
    const Tokens &t = tokens(view());
    const QRect area = shape(index, option.rect);
    const FoundMarks marks = marksOf(index);
    const auto drawText = [&](const QPointF &inside) {
        const QTextLayout &layout = *textOf(index).layout;
        layout.draw(painter, area.topLeft() + inside, marks.in(layout, t), seenOf(option.rect));
    };
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    switch (kindOf(index)) {
    case Kind::ToolCall:
        paintCall(*painter, option, index, area);
        break;
    case Kind::User:
        paintRounded(*painter, area, kBubbleRadius, t.lineSoft,
                     t.highContrast ? t.control : QColor());
        painter->setPen(isSuperseded(index) ? t.textCaption : t.text);
        drawText(QPointF(16, kPadY));
        break;
    case Kind::Agent:
        paintAgent(*painter, option, index, area);
        break;
    case Kind::Note:
        paintGlyph(*painter, QRectF(area.left(), area.top() + 1, 16, 16), Glyph::Info,
                   t.textCaption);
        painter->setPen(t.textSecondary);
        drawText(QPointF(24, 0));
        break;
    }
    const auto *items = qobject_cast<const QAbstractItemView *>(parent());
    if (items && items->hasFocus() && items->currentIndex() == index
        && option.state.testFlag(QStyle::State_KeyboardFocusChange)) {
        const bool call = kindOf(index) == Kind::ToolCall;
        paintFocusRing(*painter, call ? QRectF(area) : QRectF(area).adjusted(-6, -4, 6, 4),
                       call ? 10 : kBubbleRadius, t.accent);
    }
    painter->restore();
}

void ConversationDelegate::paintAgent(QPainter &painter, const QStyleOptionViewItem &option,
                                      const QModelIndex &index, const QRect &area) const
{
    const Tokens &t = tokens(view());
    const AgentBox &agent = agentOf(index);
    const FoundMarks marks = marksOf(index);
    const QFont caption = fontFor(TextRole::Caption);
    if (isSuperseded(index))
        painter.setOpacity(0.7);
    if (!agent.reasoningHead.isEmpty()) {
        const QRect head = agent.reasoningHead.translated(area.topLeft());
        paintGlyph(painter, QRectF(head.left(), head.center().y() - 6, 14, 14),
                   agent.reasoningOpen ? Glyph::ChevronDown : Glyph::ChevronRight, t.textCaption);
        QFont font = caption;
        font.setUnderline(m_hovered == index && m_hoveredPart == Part::Reasoning);
        painter.setFont(font);
        painter.setPen(t.textCaption);
        painter.drawText(head.adjusted(20, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         reasoningTitle(index));
    }
    if (agent.reasoning) {
        const QPoint at = area.topLeft() + QPoint(20, agent.reasoningHead.bottom() + 5);
        paintRounded(painter, QRectF(at.x() - 14, at.y(), 2, agent.reasoning->size.height()), 1,
                     t.line);
        painter.setPen(t.textSecondary);
        agent.reasoning->layout->draw(&painter, at, marks.in(*agent.reasoning->layout, t),
                                      seenOf(option.rect));
    }
    const QRectF clip = seenOf(option.rect);
    const bool hovered = m_hovered == index;
    const quint64 key = index.data(ConversationModel::KeyRole).toULongLong();
    painter.save();
    agent.text.paint(painter, area.topLeft() + QPointF(0, agent.textTop), clip,
                     hovered ? m_hoveredHit : MarkdownBox::Hit(),
                     key == m_copiedKey ? m_copiedBlock : -1, marks, t);
    painter.restore();
    if (!agent.status.isEmpty()) {
        painter.setFont(caption);
        painter.setPen(t.textCaption);
        painter.drawText(QRect(area.left(), area.top() + agent.statusTop, area.width(),
                               QFontMetrics(caption).height() + 4),
                         Qt::AlignVCenter | Qt::AlignLeading, agent.status);
    }
}

void ConversationDelegate::paintHeader(QPainter &painter, const QRect &header,
                                       const ToolCallView &call, const CallBox &box,
                                       const FoundMarks &marks, const Tokens &t) const
{
    const Qt::LayoutDirection direction = view() ? view()->layoutDirection() : Qt::LeftToRight;
    const auto place = [&](int from, int width) {
        return QStyle::visualRect(direction, header,
                                  QRect(from, header.top(), width, header.height()));
    };
    int x = header.left() + 12;
    const QRect arrow = place(x, 16);
    const Glyph closed = direction == Qt::RightToLeft ? Glyph::ChevronDown : Glyph::ChevronRight;
    paintGlyph(painter, QRectF(arrow.left(), arrow.center().y() - 7, 16, 16),
               box.open ? Glyph::ChevronDown : closed, t.textSecondary);
    x += 24;
    const QFont strong = fontFor(TextRole::BodyStrong);
    const QString verb = verbOf(call);
    const int verbWidth = QFontMetrics(strong).horizontalAdvance(verb) + 1;
    painter.setFont(strong);
    painter.setPen(t.text);
    painter.drawText(place(x, verbWidth), Qt::AlignVCenter | Qt::AlignLeading, verb);
    x += verbWidth + 10;

    int right = header.right() - 11;
    const QFont caption = fontFor(TextRole::Caption);
    const StateText &outcome = box.outcome;
    const QSize chip = chipSize(outcome.word, outcome.dot, caption);
    const QRect chipRow = place(right - chip.width() + 1, chip.width());
    painter.setLayoutDirection(direction);
    paintChip(painter,
              QRect(chipRow.left(), chipRow.center().y() - chip.height() / 2 + 1, chip.width(),
                    chip.height()),
              outcome.word, outcome.tone, outcome.dot, caption, t);
    right -= chip.width() + 10;
    const QString took = durationOf(call, QDateTime::currentDateTimeUtc());
    if (!took.isEmpty()) {
        const QFont body = fontFor(TextRole::Body);
        const int width = QFontMetrics(body).horizontalAdvance(took) + 1;
        painter.setFont(body);
        painter.setPen(t.textCaption);
        painter.drawText(place(right - width + 1, width), Qt::AlignVCenter | Qt::AlignTrailing,
                         took);
        right -= width + 10;
    }
    const QFont mono = fontFor(TextRole::Mono);
    QString command = visibleText(call.command.left(2000));
    command.replace(QLatin1Char('\n'), QStringLiteral(" ⏎ "));
    painter.setFont(mono);
    painter.setPen(t.textSecondary);
    const int room = right - x;
    const QFontMetrics metrics(mono);
    const QString shown = metrics.elidedText(command, Qt::ElideRight, room);
    const QRect where = place(x, room);
    if (!box.command) {
        for (const qsizetype at : occurrences(shown, marks.text, 20)) {
            const int from = where.left() + metrics.horizontalAdvance(shown.left(at));
            const bool now =
                box.title && marks.current == box.title->layout.get() && marks.at == at;
            painter.fillRect(QRect(from, where.center().y() - metrics.height() / 2,
                                   metrics.horizontalAdvance(shown.mid(at, marks.text.size())),
                                   metrics.height()),
                             now ? t.accentSoft : t.warnSoft);
        }
    }
    painter.drawText(where, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, shown);
}

void ConversationDelegate::paintFooter(QPainter &painter, const QModelIndex &index,
                                       const CallBox &box, const QRect &card,
                                       const ToolCallView &call, const Tokens &t) const
{
    QFont caption = fontFor(TextRole::Caption);
    const QRect footer = box.footer.translated(card.topLeft());
    const QString copy = copyText(call.id);
    const Links where = links(box, card, copy);
    painter.setFont(caption);
    painter.setPen(t.textCaption);
    const int flags = Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine;
    QString before = box.hidden;
    if (!before.isEmpty() && (box.hasShowAll || box.hasCopy))
        before += QStringLiteral(" · ");
    painter.drawText(footer, flags, before);
    if (box.hasShowAll && box.hasCopy)
        painter.drawText(QRect(where.showAll.right() + 1, footer.top(), 40, footer.height()), flags,
                         QStringLiteral(" · "));
    const auto link = [&](const QRect &rect, const QString &text, Part part) {
        QFont font = caption;
        font.setUnderline(m_hovered == index && m_hoveredPart == part);
        painter.setFont(font);
        painter.setPen(t.accent);
        painter.drawText(rect.adjusted(0, 0, 2, 0), flags, text);
    };
    if (box.hasShowAll)
        link(where.showAll, moreText(box.showsAll), Part::ShowAll);
    if (box.hasCopy)
        link(where.copy, copy, Part::Copy);
    const int taken = (box.hasCopy ? where.copy : where.showAll).right() + 12 - footer.left();
    if (!box.used.isEmpty()
        && taken + QFontMetrics(caption).horizontalAdvance(box.used) < footer.width()) {
        painter.setFont(caption);
        painter.setPen(t.textCaption);
        painter.drawText(footer, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, box.used);
    }
}

void ConversationDelegate::paintCall(QPainter &painter, const QStyleOptionViewItem &option,
                                     const QModelIndex &index, const QRect &card) const
{
    const Tokens &t = tokens(view());
    const auto call = index.data(ConversationModel::CallRole).value<ToolCallView>();
    const CallBox &box = boxOf(index);
    constexpr double kRadius = 10;
    paintCard(painter, card, t, {}, kRadius);
    const QRect header(card.left(), card.top(), card.width(), box.headerHeight);
    if (box.open) {
        painter.save();
        QPainterPath path;
        path.addRoundedRect(QRectF(card).adjusted(1, 1, -1, -1), kRadius - 1, kRadius - 1);
        painter.setClipPath(path, Qt::IntersectClip);
        painter.fillRect(QRect(card.left(), header.bottom() + 1, card.width(), card.height()),
                         t.code);
        painter.fillRect(QRect(card.left(), header.bottom(), card.width(), 1), t.lineSoft);
        painter.restore();
        paintRounded(painter, card, kRadius, {}, t.line);
    }
    if (m_hovered == index && m_hoveredPart == Part::Header) {
        painter.save();
        QPainterPath path;
        path.addRoundedRect(QRectF(card).adjusted(1, 1, -1, -1), kRadius - 1, kRadius - 1);
        painter.setClipPath(path, Qt::IntersectClip);
        painter.fillRect(header, t.hover);
        painter.restore();
    }
    const FoundMarks marks = marksOf(index);
    paintHeader(painter, header, call, box, marks, t);
    if (!box.open)
        return;
    const QPoint origin = card.topLeft();
    if (box.command) {
        painter.setPen(t.textSecondary);
        painter.save();
        painter.setClipRect(box.commandRect.translated(origin), Qt::IntersectClip);
        box.command->layout->draw(&painter, box.commandRect.topLeft() + origin,
                                  marks.in(*box.command->layout, t));
        painter.restore();
        painter.fillRect(QRect(card.left() + 1, box.commandRect.bottom() + origin.y() + kPadY / 2,
                               card.width() - 2, 1),
                         t.line);
    }
    const QFont caption = fontFor(TextRole::Caption);
    if (!box.preparing.isEmpty()) {
        const QRect where = box.preparingRect.translated(origin);
        painter.setFont(caption);
        painter.setPen(t.textSecondary);
        painter.drawText(
            where, Qt::AlignTop | Qt::AlignLeading | Qt::TextSingleLine,
            QFontMetrics(caption).elidedText(box.preparing, Qt::ElideMiddle, where.width()));
        const QRectF groove(where.left(), where.bottom() - 5, where.width(), 4);
        paintRounded(painter, groove, 2, t.line);
        QRectF done = groove;
        if (box.fraction >= 0) {
            done.setWidth(groove.width() * qBound(0.0, box.fraction, 1.0));
        } else {
            // Not known how far: a piece that travels.
            const double phase =
                static_cast<double>(QDateTime::currentMSecsSinceEpoch() % 1600) / 1600.0;
            done.setWidth(groove.width() * 0.25);
            done.moveLeft(groove.left()
                          + (groove.width() - done.width())
                              * (0.5 - 0.5 * std::cos(phase * 2 * M_PI)));
        }
        paintRounded(painter, done, 2, t.accent);
    } else if (!box.picture.isEmpty()) {
        const RowPictures from{m_pictures, index.data(ConversationModel::KeyRole).toULongLong(),
                               true};
        paintPicture(painter, from, box.picture, box.pictureRect.translated(origin),
                     seenOf(option.rect), m_hovered == index && m_hoveredPart == Part::Picture, t);
    } else if (box.output) {
        painter.setPen(t.text);
        box.output->paint(painter, box.outputRect.topLeft() + origin, seenOf(option.rect), marks,
                          t);
    } else {
        painter.setFont(caption);
        painter.setPen(t.textCaption);
        painter.drawText(box.outputRect.translated(origin), Qt::AlignVCenter | Qt::AlignLeading,
                         box.quiet);
    }
    if (box.detail) {
        const QRect where = box.detailRect.translated(origin);
        const QColor color = box.detailIsError ? t.tone(box.outcome.tone) : t.textSecondary;
        paintGlyph(painter, QRectF(where.left(), where.top(), 16, 16),
                   box.detailIsError ? Glyph::Warning : Glyph::Info, color);
        painter.setPen(t.textSecondary);
        box.detail->layout->draw(&painter, where.topLeft() + QPoint(22, 0));
    }
    if (box.hasCopy)
        paintFooter(painter, index, box, card, call, t);
}

} // namespace berth::ui
