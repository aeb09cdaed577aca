// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/resources/runtime_card.h"

#include "ui/resources/series_paint.h"
#include "ui/style/icons.h"
#include "ui/style/tokens.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/tool_tip.h"

#include <QtGui/QFontMetrics>
#include <QtGui/QHelpEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QToolTip>

namespace berth::ui {

using application::RuntimeView;
using domain::ObservedState;

namespace {

constexpr int kCardSide = 16;
constexpr int kCardTop = 14;
constexpr int kMark = 26;
constexpr int kCardGap = 10;
constexpr int kCardBetween = 12;
constexpr int kSpark = 26;
constexpr int kCardFooter = 36;
//! What a sparkline shows, on a scale of time that does not stretch.
constexpr qint64 kSparkMs = 120'000;
//! Of what an unreachable runtime's card is painted over with the panel's colour.
constexpr double kDimmed = 0.55;

int lineHeight(TextRole role, const QFont &base)
{
    return QFontMetrics(fontFor(role, base)).height();
}

QFont smallFont(const QFont &base)
{
    QFont font = fontFor(TextRole::Caption, base);
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * 0.94);
    return font;
}

int headHeight(const QFont &base)
{
    return qMax(kMark,
                lineHeight(TextRole::BodyStrong, base) + lineHeight(TextRole::Caption, base));
}

int metricsHeight(const QFont &base)
{
    return lineHeight(TextRole::Caption, base) + lineHeight(TextRole::BodyStrong, base)
        + QFontMetrics(smallFont(base)).height() + 2 + kSpark;
}

int footerHeight(const QFont &base)
{
    return qMax(kCardFooter, lineHeight(TextRole::Caption, base) + 20);
}

} // namespace

CardLayout::CardLayout(const QRect &area, const QFont &base, const QString &chipText, Dot chipDot,
                       Qt::LayoutDirection direction)
    : card(area)
{
    const QRect inner = area.adjusted(kCardSide, kCardTop, -kCardSide, 0);
    const int head = headHeight(base);
    const int strong = lineHeight(TextRole::BodyStrong, base);
    const QSize chipBox = chipSize(chipText, chipDot, fontFor(TextRole::Caption, base));
    mark = QRect(inner.left(), inner.top() + (head - kMark) / 2, kMark, kMark);
    // A long word for the state never pushes the name out: at most half of the head is the chip's.
    const int chipWidth = qMin(chipBox.width(), (inner.width() - kMark) * 6 / 10);
    chip = QRect(inner.right() - chipWidth + 1, inner.top() + (head - chipBox.height()) / 2,
                 chipWidth, chipBox.height());
    const int textLeft = mark.right() + 1 + 8;
    const int textWidth = chip.left() - 8 - textLeft;
    const int caption = lineHeight(TextRole::Caption, base);
    const int textTop = inner.top() + (head - strong - caption) / 2;
    name = QRect(textLeft, textTop, textWidth, strong);
    thread = QRect(textLeft, textTop + strong, textWidth, caption);

    const int metricsTop = inner.top() + head + kCardGap;
    const int column = (inner.width() - 2 * kCardBetween) / 3;
    for (int i = 0; i < 3; ++i)
        metrics[i] = QRect(inner.left() + i * (column + kCardBetween), metricsTop, column,
                           metricsHeight(base));
    divider = QRect(inner.left(), metricsTop + metricsHeight(base) + kCardGap, inner.width(), 1);
    footer = QRect(inner.left(), divider.bottom() + 1, inner.width(), footerHeight(base));
    constexpr int kButton = 32;
    for (int i = 0; i < 3; ++i) {
        // The glyph of the last one ends where the text above ends.
        buttons[i] = QRect(footer.right() + 1 + 8 - (3 - i) * kButton,
                           footer.center().y() - kButton / 2 + 1, kButton, kButton);
    }
    if (direction == Qt::LeftToRight)
        return;
    for (QRect *rect : {&mark, &name, &thread, &chip, &metrics[0], &metrics[1], &metrics[2],
                        &divider, &footer, &buttons[0], &buttons[1], &buttons[2]})
        rect->moveLeft(area.left() + area.right() - rect->right());
}

int CardLayout::heightFor(const QFont &base)
{
    return kCardTop + headHeight(base) + kCardGap + metricsHeight(base) + kCardGap + 1
        + footerHeight(base);
}

int CardLayout::minimumWidth(const QFont &base)
{
    const QFontMetrics strong(fontFor(TextRole::BodyStrong, base));
    return 2 * kCardSide + 2 * kCardBetween
        + 3 * strong.horizontalAdvance(QStringLiteral("1023 MB"));
}

CardPart CardLayout::hit(const QPoint &at) const
{
    for (const CardPart part :
         {CardPart::PauseResume, CardPart::OpenThread, CardPart::More, CardPart::Chip,
          CardPart::Thread, CardPart::Cpu, CardPart::Memory, CardPart::Disk, CardPart::Footer}) {
        if (rectOf(part).contains(at))
            return part;
    }
    return CardPart::None;
}

QRect CardLayout::rectOf(CardPart part) const
{
    switch (part) {
    case CardPart::None:
        return card;
    case CardPart::Thread:
        return thread;
    case CardPart::PauseResume:
        return buttons[0];
    case CardPart::OpenThread:
        return buttons[1];
    case CardPart::More:
        return buttons[2];
    case CardPart::Cpu:
        return metrics[0];
    case CardPart::Memory:
        return metrics[1];
    case CardPart::Disk:
        return metrics[2];
    case CardPart::Chip:
        return chip;
    case CardPart::Footer:
        return footer;
    }
    return card;
}

RuntimeCardDelegate::RuntimeCardDelegate(QObject *parent)
    : QStyledItemDelegate(parent), m_now(QDateTime::currentDateTimeUtc())
{}

void RuntimeCardDelegate::setActive(const QModelIndex &index, CardPart part)
{
    m_active = index;
    m_part = part;
}

void RuntimeCardDelegate::setNow(const QDateTime &now)
{
    m_now = now;
}

void RuntimeCardDelegate::setMarks(const QHash<QString, QString> &byConfig)
{
    m_marks = byConfig;
}

CardLayout RuntimeCardDelegate::layoutOf(const QRect &rect, const QFont &font,
                                         Qt::LayoutDirection direction, const RuntimeView &runtime)
{
    const StateText state = stateOf(runtime);
    return CardLayout(rect, font, state.word, state.dot, direction);
}

bool RuntimeCardDelegate::offersResume(const RuntimeView &runtime)
{
    return runtime.observed != ObservedState::Running
        && runtime.observed != ObservedState::Starting;
}

bool RuntimeCardDelegate::canToggle(const RuntimeView &runtime)
{
    if (!runtime.busy.isEmpty())
        return false;
    if (runtime.destroyDueAt.isValid())
        return true;
    return offersResume(runtime) ? runtime.canResume : runtime.canPause;
}

QString RuntimeCardDelegate::pauseResumeText(const RuntimeView &runtime)
{
    if (!runtime.busy.isEmpty())
        return stateOf(runtime).word;
    if (runtime.destroyDueAt.isValid())
        return tr("Undo destroy");
    if (offersResume(runtime))
        return runtime.canResume || runtime.resumeReason.isEmpty() ? tr("Resume")
                                                                   : runtime.resumeReason;
    return runtime.canPause || runtime.pauseReason.isEmpty() ? tr("Pause") : runtime.pauseReason;
}

QSize RuntimeCardDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    return {CardLayout::minimumWidth(option.font), CardLayout::heightFor(option.font)};
}

void RuntimeCardDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                                const QModelIndex &index) const
{
    const Tokens &colors = tokens(option.widget);
    const RuntimeView runtime = index.data(RuntimeModel::ViewRole).value<RuntimeView>();
    const auto *history = index.data(RuntimeModel::HistoryRole).value<const SampleHistory *>();
    const CardLayout layout = layoutOf(option.rect, option.font, option.direction, runtime);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool focused = option.state.testFlag(QStyle::State_HasFocus);
    const bool active = m_active == index;

    painter->save();
    paintCard(*painter, layout.card, colors, active && !selected ? colors.control : QColor());
    paintHead(*painter, layout, index, runtime, colors, option.font);

    const std::optional<domain::ResourceSample> &sample = runtime.sample;
    const double cpuTop = sample && sample->cpuLimitCores ? *sample->cpuLimitCores : 0;
    const double memoryTop =
        sample && sample->memoryLimitBytes ? static_cast<double>(*sample->memoryLimitBytes) : 0;
    const double diskTop =
        sample && sample->diskLimitBytes ? static_cast<double>(*sample->diskLimitBytes) : 0;
    const QFont &base = option.font;
    paintMetric(*painter, layout.metrics[0], tr("CPU"), cpuOf(runtime, m_now), history, Metric::Cpu,
                cpuTop, colors.chartCpu, colors, base);
    paintMetric(*painter, layout.metrics[1], tr("RAM"), memoryOf(runtime, m_now), history,
                Metric::Memory, memoryTop, colors.chartRam, colors, base);
    paintMetric(*painter, layout.metrics[2], tr("Disk"), diskOf(runtime, m_now), history,
                Metric::Disk, diskTop, colors.chartDisk, colors, base);
    if (runtime.unreachable) {
        // Old values stay readable behind a veil; chip and footer say why.
        QColor veil = colors.panel;
        veil.setAlphaF(static_cast<float>(1 - kDimmed));
        const QRect measured = layout.metrics[0].united(layout.metrics[2]);
        painter->fillRect(measured.adjusted(-2, 0, 2, 0), veil);
    }
    painter->fillRect(layout.divider, colors.lineSoft);
    paintFooter(*painter, layout, runtime, active || focused, active ? m_part : CardPart::None,
                colors, option.font);
    if (selected || focused)
        paintFocusRing(*painter, layout.card, metrics::kCardRadius, colors.accent);
    if (selected && focused)
        paintFocusRing(*painter, QRectF(layout.card).adjusted(3, 3, -3, -3),
                       metrics::kCardRadius - 3, colors.accent);
    painter->restore();
}

void RuntimeCardDelegate::paintHead(QPainter &painter, const CardLayout &layout,
                                    const QModelIndex &index, const RuntimeView &runtime,
                                    const Tokens &colors, const QFont &base) const
{
    const QString letters =
        m_marks.value(runtime.providerConfig.toString(), runtime.providerLabel.left(1).toUpper());
    paintMark(painter, layout.mark, letters, colors);
    const QFont strong = fontFor(TextRole::BodyStrong, base);
    painter.setFont(strong);
    painter.setPen(colors.text);
    QString name = index.data(RuntimeModel::NameRole).toString();
    // The alias says more than the agent; names that differ at their end are told apart when the
    // middle goes.
    if (!runtime.orphan && QFontMetrics(strong).horizontalAdvance(name) > layout.name.width())
        name = runtime.alias;
    painter.drawText(layout.name, Qt::AlignVCenter | Qt::TextSingleLine,
                     QFontMetrics(strong).elidedText(name, Qt::ElideMiddle, layout.name.width()));
    QFont caption = fontFor(TextRole::Caption, base);
    const bool link = !runtime.threads.isEmpty();
    caption.setUnderline(link && m_active == index && m_part == CardPart::Thread);
    painter.setFont(caption);
    painter.setPen(link && m_active == index ? colors.accent : colors.textCaption);
    const QString title = index.data(RuntimeModel::ThreadTitleRole).toString();
    painter.drawText(
        layout.thread, Qt::AlignVCenter | Qt::TextSingleLine,
        QFontMetrics(caption).elidedText(title, Qt::ElideRight, layout.thread.width()));
    const StateText state = stateOf(runtime);
    paintChip(painter, layout.chip, state.word, state.tone, state.dot,
              fontFor(TextRole::Caption, base), colors);
}

void RuntimeCardDelegate::paintMetric(QPainter &painter, const QRect &rect, const QString &label,
                                      const MetricText &text, const SampleHistory *history,
                                      Metric metric, double top, const QColor &line,
                                      const Tokens &colors, const QFont &base) const
{
    const QFont caption = fontFor(TextRole::Caption, base);
    const QFont strong = fontFor(TextRole::BodyStrong, base);
    const QFont small = smallFont(base);
    QRect row(rect.left(), rect.top(), rect.width(), QFontMetrics(caption).height());
    const auto write = [&](const QFont &font, const QColor &color, const QString &words) {
        painter.setFont(font);
        painter.setPen(color);
        row.setHeight(QFontMetrics(font).height());
        painter.drawText(row, Qt::AlignVCenter | Qt::TextSingleLine,
                         QFontMetrics(font).elidedText(words, Qt::ElideRight, row.width()));
        row.moveTop(row.top() + row.height());
    };
    write(caption, colors.textSecondary, label);
    write(strong, text.known && !text.stale ? colors.text : colors.textCaption, text.value);
    write(small, colors.textCaption, text.of);

    const QRectF spark(rect.left(), rect.bottom() + 1 - kSpark, rect.width(), kSpark);
    const qint64 now = m_now.toMSecsSinceEpoch();
    const TimeRange range{now - kSparkMs, now};
    const QList<SampleHistory::Segment> segments = history
        ? history->segments(metric, range.fromMs, range.toMs)
        : QList<SampleHistory::Segment>();
    if (segments.isEmpty()) {
        paintNoSeries(painter, spark, colors.line);
        return;
    }
    // Without a limit the line keeps to the middle: what can be seen is the change, not a share.
    const double most = highest(segments);
    const double scale = top > 0 ? qMax(top, most) : qMax(most * 1.8, 1e-3);
    paintSeries(painter, spark, segments, range, scale, line, true);
}

void RuntimeCardDelegate::paintFooter(QPainter &painter, const CardLayout &layout,
                                      const RuntimeView &runtime, bool active, CardPart part,
                                      const Tokens &colors, const QFont &base) const
{
    const QFont caption = fontFor(TextRole::Caption, base);
    const QFontMetrics fm(caption);
    painter.setFont(caption);
    const QString age = ageOf(runtime, m_now);
    QRect left = layout.footer;
    if (active && layout.buttons[0].left() < layout.buttons[1].left())
        left.setRight(layout.buttons[0].left());
    else if (active)
        left.setLeft(layout.buttons[0].right());
    painter.setPen(runtime.unreachable  ? colors.error
                       : runtime.orphan ? colors.warn
                                        : colors.textCaption);
    const QString words = active && !runtime.cost.isEmpty()
        ? tr("%1 · %2", "age and cost").arg(age, runtime.cost)
        : age;
    painter.drawText(left, Qt::AlignVCenter | Qt::TextSingleLine,
                     fm.elidedText(words, Qt::ElideRight, left.width()));
    if (!active) {
        painter.setPen(colors.textCaption);
        painter.drawText(layout.footer, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine,
                         runtime.cost);
        return;
    }
    const bool resume = offersResume(runtime);
    const bool undo = runtime.destroyDueAt.isValid();
    const bool can = canToggle(runtime);
    const Glyph glyphs[3]{undo         ? Glyph::Refresh
                              : resume ? Glyph::Play
                                       : Glyph::Pause,
                          Glyph::External, Glyph::More};
    const bool enabled[3]{can, !runtime.threads.isEmpty(), true};
    const CardPart parts[3]{CardPart::PauseResume, CardPart::OpenThread, CardPart::More};
    for (int i = 0; i < 3; ++i) {
        const bool hovered = part == parts[i] && enabled[i];
        if (hovered)
            paintRounded(painter, layout.buttons[i], metrics::kControlRadius, colors.lineSoft);
        const QRectF box(layout.buttons[i]);
        const QRectF icon(box.center().x() - 8, box.center().y() - 8, 16, 16);
        paintGlyph(painter, icon, glyphs[i],
                   enabled[i] ? (hovered ? colors.text : colors.textSecondary)
                              : mixed(colors.textCaption, colors.panel, 0.5));
    }
}

QString RuntimeCardDelegate::toolTip(const RuntimeView &runtime, CardPart part) const
{
    const auto metric = [](const MetricText &text) {
        if (!text.known)
            return text.reason;
        QString words = text.of.isEmpty() ? text.value : tr("%1 %2").arg(text.value, text.of);
        return text.reason.isEmpty() ? words : tr("%1. %2").arg(words, text.reason);
    };
    switch (part) {
    case CardPart::Cpu:
        return metric(cpuOf(runtime, m_now));
    case CardPart::Memory:
        return metric(memoryOf(runtime, m_now));
    case CardPart::Disk:
        return metric(diskOf(runtime, m_now));
    case CardPart::PauseResume:
        return pauseResumeText(runtime);
    case CardPart::OpenThread:
        return runtime.threads.isEmpty() ? tr("No thread uses it") : tr("Open thread");
    case CardPart::More:
        return tr("More actions");
    case CardPart::Thread: {
        QStringList titles;
        for (const application::ThreadLink &thread : runtime.threads)
            titles.append(thread.title);
        return titles.join(QLatin1Char('\n'));
    }
    case CardPart::Chip:
        return careReason(runtime);
    case CardPart::Footer:
        return careReason(runtime);
    case CardPart::None:
        break;
    }
    return runtime.name.isEmpty() ? runtime.externalId : runtime.name;
}

bool RuntimeCardDelegate::helpEvent(QHelpEvent *event, QAbstractItemView *view,
                                    const QStyleOptionViewItem &option, const QModelIndex &index)
{
    if (event->type() != QEvent::ToolTip || !index.isValid())
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    const RuntimeView runtime = index.data(RuntimeModel::ViewRole).value<RuntimeView>();
    const CardLayout layout = layoutOf(option.rect, option.font, option.direction, runtime);
    const CardPart part = layout.hit(event->pos());
    const QString text = toolTip(runtime, part);
    QToolTip::showText(event->globalPos(), toolTipOf(text), view->viewport(), layout.rectOf(part));
    return true;
}

} // namespace berth::ui
