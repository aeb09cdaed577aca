// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/conversation_delegate.h"

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
constexpr int kBubbleWidth = 600;
constexpr int kBubbleRadius = 14;
constexpr int kPadX = 14;
constexpr int kPadY = 10;
constexpr int kFooter = 32;
constexpr qsizetype kLongestShown = 8000;

Kind kindOf(const QModelIndex &index)
{
    return static_cast<Kind>(index.data(ConversationModel::KindRole).toInt());
}

} // namespace

ConversationDelegate::ConversationDelegate(QObject *parent) : QStyledItemDelegate(parent) {}

const QWidget *ConversationDelegate::view() const
{
    return qobject_cast<const QWidget *>(parent());
}

void ConversationDelegate::setWidth(int width, int whole)
{
    if (width == m_width && whole == m_whole)
        return;
    m_width = width;
    m_whole = whole;
    forget();
}

void ConversationDelegate::forget()
{
    m_texts.clear();
    m_boxes.clear();
}

void ConversationDelegate::setHovered(const QModelIndex &index, Part part)
{
    m_hovered = index;
    m_hoveredPart = part;
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

std::unique_ptr<ConversationDelegate::Words> ConversationDelegate::words(const QString &text,
                                                                         const QFont &font,
                                                                         int width, int maxRows)
{
    QString shown =
        text.size() > kLongestShown ? text.left(kLongestShown) + QStringLiteral(" …") : text;
    shown.replace(QLatin1Char('\n'), QChar::LineSeparator);
    auto result = std::make_unique<Words>();
    result->layout = std::make_unique<QTextLayout>(shown, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    result->layout->setTextOption(option);
    result->layout->setCacheEnabled(true);
    result->layout->beginLayout();
    double y = 0;
    double widest = 0;
    int rows = 0;
    for (QTextLine line = result->layout->createLine(); line.isValid() && rows < maxRows;
         line = result->layout->createLine(), ++rows) {
        line.setLineWidth(width);
        line.setPosition(QPointF(0, y + line.height() * 0.075));
        y += line.height() * 1.15;
        widest = qMax(widest, line.naturalTextWidth());
    }
    result->layout->endLayout();
    result->size = QSize(static_cast<int>(std::ceil(widest)), static_cast<int>(std::ceil(y)));
    return result;
}

const ConversationDelegate::Words &ConversationDelegate::textOf(const QModelIndex &index) const
{
    const Kind kind = kindOf(index);
    const QString text = index.data(ConversationModel::TextRole).toString();
    const QString key = QString::number(static_cast<int>(kind)) + QString::number(index.row())
        + QLatin1Char('|') + text;
    if (const Words *known = m_texts.object(key))
        return *known;
    const Geometry area = column();
    const bool command = kind == Kind::User && text.startsWith(QLatin1Char('!'));
    const TextRole role = command ? TextRole::Mono
        : kind == Kind::Note      ? TextRole::Caption
                                  : TextRole::Body;
    const int width = kind == Kind::User ? qMin(kBubbleWidth, area.width) - 32
        : kind == Kind::Note             ? area.width - 24
                                         : area.width;
    auto made = words(visibleText(text), fontFor(role), width, 400);
    Words *raw = made.release();
    m_texts.insert(key, raw);
    return *raw;
}

void ConversationDelegate::buildBox(CallBox &box, const ToolCallView &call, const OutputTail &tail,
                                    bool open) const
{
    const Tokens &t = tokens(view());
    const QFont mono = fontFor(TextRole::Mono);
    const QFont caption = fontFor(TextRole::Caption);
    const Geometry area = column();
    const int inner = area.width - 2 * kPadX;
    box.open = open;
    box.headerHeight = qMax(40, QFontMetrics(fontFor(TextRole::BodyStrong)).height() + 20);
    int y = box.headerHeight;
    if (open) {
        y += kPadY;
        const QString command = visibleText(call.command);
        if (command.contains(QLatin1Char('\n'))
            || QFontMetrics(mono).horizontalAdvance(command) > area.width - 320) {
            box.command = words(command, mono, inner, 24);
            box.commandRect = QRect(kPadX, y, inner, box.command->size.height());
            y = box.commandRect.bottom() + 1 + kPadY;
        }
        const bool done = call.state == domain::ToolCallState::Done;
        if (call.state == domain::ToolCallState::Preparing
            || call.state == domain::ToolCallState::Pending) {
            box.preparing =
                call.preparing.isEmpty() ? tr("Preparing the sandbox…") : call.preparing;
            box.fraction = call.preparingFraction;
            box.preparingRect = QRect(kPadX, y, inner, QFontMetrics(caption).height() + 14);
            y = box.preparingRect.bottom() + 1;
        } else if (tail.loaded && tail.text.lineCount() > 0) {
            box.output = std::make_unique<OutputBlock>(tail.text, kMaxRows, inner, mono, t);
            box.outputRect = QRect(kPadX, y, inner, box.output->height());
            y = box.outputRect.bottom() + 1;
        } else {
            if (!tail.error.isEmpty())
                box.quiet = tr("The output could not be read: %1").arg(tail.error);
            else if (!done)
                box.quiet = tr("No output yet");
            else if (call.outputBytes > 0)
                box.quiet = tr("Reading the output…");
            else
                box.quiet = tr("No output");
            box.outputRect = QRect(kPadX, y, inner, outputRowHeight(caption));
            y = box.outputRect.bottom() + 1;
        }
        QString detail = call.outcomeDetail;
        box.detailIsError = !detail.isEmpty();
        if (detail.isEmpty() && done && !call.stateTracked
            && call.outcome == domain::OutcomeKind::Exited)
            detail =
                tr("The working directory and variables that this command left were not kept.");
        if (!detail.isEmpty()) {
            box.detail = words(detail, caption, inner - 22, 8);
            box.detailRect = QRect(kPadX, y + 6, inner, qMax(18, box.detail->size.height()));
            y = box.detailRect.bottom() + 1;
        }
        if (box.output) {
            box.hasCopy = true;
            box.hasShowAll = tail.offset > 0 || box.output->isCut();
            if (tail.offset > 0)
                box.hidden = tr("… %1 above hidden").arg(byteText(tail.offset));
            else if (box.output->hiddenLines() > 0)
                box.hidden =
                    tr("… %n line(s) hidden", nullptr, static_cast<int>(box.output->hiddenLines()));
            else if (box.hasShowAll)
                box.hidden = tr("… part of a line hidden");
            box.footer = QRect(kPadX, y, inner, kFooter);
            y += kFooter + 2;
        } else {
            y += kPadY;
        }
    }
    box.height = y;
}

const ConversationDelegate::CallBox &ConversationDelegate::boxOf(const QModelIndex &index) const
{
    const auto call = index.data(ConversationModel::CallRole).value<ToolCallView>();
    const auto *tail = index.data(ConversationModel::OutputRole).value<const OutputTail *>();
    const bool open = index.data(ConversationModel::OpenRole).toBool();
    // All that the layout depends on.
    const QString key =
        QStringLiteral("%1|%2|%3|%4|%5|%6|%7|%8")
            .arg(call.id.toString())
            .arg(open)
            .arg(tail->version)
            .arg(static_cast<int>(call.state))
            .arg(call.preparing)
            .arg(call.preparingFraction)
            .arg(call.outcomeDetail)
            .arg(static_cast<int>(call.outputBytes > 0) * 2 + static_cast<int>(call.stateTracked));
    if (const CallBox *known = m_boxes.object(key))
        return *known;
    auto *box = new CallBox;
    buildBox(*box, call, *tail, open);
    m_boxes.insert(key, box);
    return *box;
}

int ConversationDelegate::heightOf(const QModelIndex &index) const
{
    const Kind kind = kindOf(index);
    int height = 0;
    if (kind == Kind::ToolCall)
        height = boxOf(index).height + 1;
    else
        height = textOf(index).size.height() + (kind == Kind::User ? 2 * kPadY : 0);
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
            QRect(x, footer.top(), fm.horizontalAdvance(tr("Show all")), footer.height());
        x = result.showAll.right() + 1 + fm.horizontalAdvance(QStringLiteral(" · "));
    }
    if (box.hasCopy)
        result.copy = QRect(x, footer.top(), fm.horizontalAdvance(copy), footer.height());
    return result;
}

ConversationDelegate::Part ConversationDelegate::partAt(const QModelIndex &index, const QRect &row,
                                                        const QPoint &at) const
{
    if (!index.isValid() || kindOf(index) != Kind::ToolCall)
        return Part::None;
    const QRect card = shape(index, row);
    if (!card.contains(at))
        return Part::None;
    const CallBox &box = boxOf(index);
    if (at.y() < card.top() + box.headerHeight)
        return Part::Header;
    const auto call = index.data(ConversationModel::CallRole).value<ToolCallView>();
    const Links found = links(box, card, copyText(call.id));
    if (found.showAll.adjusted(-4, 0, 4, 0).contains(at))
        return Part::ShowAll;
    if (found.copy.adjusted(-4, 0, 4, 0).contains(at))
        return Part::Copy;
    return Part::None;
}

void ConversationDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                                 const QModelIndex &index) const
{
    const Tokens &t = tokens(view());
    const QRect area = shape(index, option.rect);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    switch (kindOf(index)) {
    case Kind::ToolCall:
        paintCall(*painter, option, index, area);
        break;
    case Kind::User:
        paintRounded(*painter, area, kBubbleRadius, t.lineSoft,
                     t.highContrast ? t.control : QColor());
        painter->setPen(t.text);
        textOf(index).layout->draw(painter, area.topLeft() + QPointF(16, kPadY));
        break;
    case Kind::Agent:
        painter->setPen(t.text);
        textOf(index).layout->draw(painter, area.topLeft());
        break;
    case Kind::Note:
        paintGlyph(*painter, QRectF(area.left(), area.top() + 1, 16, 16), Glyph::Info,
                   t.textCaption);
        painter->setPen(t.textSecondary);
        textOf(index).layout->draw(painter, area.topLeft() + QPointF(24, 0));
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

void ConversationDelegate::paintHeader(QPainter &painter, const QRect &header,
                                       const ToolCallView &call, bool open, const Tokens &t) const
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
               open ? Glyph::ChevronDown : closed, t.textSecondary);
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
    const StateText outcome = outcomeOf(call);
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
    QString command = visibleText(call.command);
    command.replace(QLatin1Char('\n'), QStringLiteral(" ⏎ "));
    painter.setFont(mono);
    painter.setPen(t.textSecondary);
    const int room = right - x;
    painter.drawText(place(x, room), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                     QFontMetrics(mono).elidedText(command.left(2000), Qt::ElideRight, room));
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
        link(where.showAll, tr("Show all"), Part::ShowAll);
    if (box.hasCopy)
        link(where.copy, copy, Part::Copy);
}

void ConversationDelegate::paintCall(QPainter &painter, const QStyleOptionViewItem &,
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
    paintHeader(painter, header, call, box.open, t);
    if (!box.open)
        return;
    const QPoint origin = card.topLeft();
    if (box.command) {
        painter.setPen(t.textSecondary);
        painter.save();
        painter.setClipRect(box.commandRect.translated(origin), Qt::IntersectClip);
        box.command->layout->draw(&painter, box.commandRect.topLeft() + origin);
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
    } else if (box.output) {
        painter.setPen(t.text);
        box.output->paint(painter, box.outputRect.topLeft() + origin);
    } else {
        painter.setFont(caption);
        painter.setPen(t.textCaption);
        painter.drawText(box.outputRect.translated(origin), Qt::AlignVCenter | Qt::AlignLeading,
                         box.quiet);
    }
    if (box.detail) {
        const QRect where = box.detailRect.translated(origin);
        const QColor color = box.detailIsError ? t.tone(outcomeOf(call).tone) : t.textSecondary;
        paintGlyph(painter, QRectF(where.left(), where.top(), 16, 16),
                   box.detailIsError ? Glyph::Warning : Glyph::Info, color);
        painter.setPen(t.textSecondary);
        box.detail->layout->draw(&painter, where.topLeft() + QPoint(22, 0));
    }
    if (box.hasCopy)
        paintFooter(painter, index, box, card, call, t);
}

} // namespace berth::ui
