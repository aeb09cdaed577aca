// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/resources/time_chart.h"

#include "ui/style/paint.h"
#include "ui/style/tokens.h"
#include "ui/style/type_scale.h"

#include <QtCore/QDateTime>
#include <QtCore/QLocale>
#include <QtGui/QKeyEvent>
#include <QtGui/QMouseEvent>
#include <QtGui/QPainter>

namespace berth::ui {

namespace {

constexpr int kPadding = 8;
constexpr int kPlotHeight = 84;
constexpr qint64 kMinuteMs = 60'000;
constexpr qint64 kLongestMs = 15 * kMinuteMs;
constexpr qint64 kKeyStepMs = 5'000;

} // namespace

TimeChart::TimeChart(const QString &name, QList<Series> series,
                     std::function<QString(double)> format, QWidget *parent)
    : QWidget(parent), m_name(name), m_series(std::move(series)), m_format(std::move(format))
{
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(name);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TimeChart::setHistory(const SampleHistory *history)
{
    m_history = history;
    m_crosshair.reset();
    update();
}

void TimeChart::setLimit(std::optional<double> limit)
{
    m_limit = limit;
}

void TimeChart::setEmptyText(const QString &text)
{
    m_emptyText = text;
}

void TimeChart::refresh(qint64 nowMs)
{
    const qint64 first = m_history && !m_history->isEmpty() ? m_history->firstMs() : nowMs;
    m_range = {qMax(nowMs - kLongestMs, qMin(first, nowMs - kMinuteMs)), nowMs};
    describe();
    update();
}

void TimeChart::setCrosshair(std::optional<qint64> atMs)
{
    if (m_crosshair == atMs)
        return;
    m_crosshair = atMs;
    update();
}

QSize TimeChart::sizeHint() const
{
    const int label = QFontMetrics(fontFor(TextRole::Caption, font())).height();
    return {320, kPlotHeight + label + 2 * kPadding};
}

QSize TimeChart::minimumSizeHint() const
{
    return {160, sizeHint().height()};
}

QRectF TimeChart::plot() const
{
    const int label = QFontMetrics(fontFor(TextRole::Caption, font())).height();
    return QRectF(rect()).adjusted(kPadding, kPadding, -kPadding, -kPadding - label);
}

double TimeChart::top() const
{
    double most = m_limit.value_or(0);
    if (m_history) {
        for (const Series &series : m_series)
            most = qMax(most,
                        highest(m_history->segments(series.metric, m_range.fromMs, m_range.toMs)));
    }
    // A limit is the scale, unless it is passed; else a round number with air above the line.
    if (m_limit && most <= *m_limit)
        return *m_limit * 1.05;
    return niceTop(most * 1.2, m_series.first().metric != Metric::Cpu);
}

QColor TimeChart::colorOf(Paint paint) const
{
    const Tokens &colors = tokens(this);
    switch (paint) {
    case Paint::Cpu:
        return colors.chartCpu;
    case Paint::Memory:
        return colors.chartRam;
    case Paint::Disk:
        return colors.chartDisk;
    case Paint::Receive:
        return colors.info;
    case Paint::Send:
        return colors.chartDisk;
    }
    return colors.text;
}

void TimeChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &colors = tokens(this);
    paintRounded(painter, QRectF(rect()), metrics::kCardRadius, colors.panel, colors.line);
    const QRectF area = plot();
    const double most = top();
    bool any = false;
    for (const Series &series : m_series) {
        if (!m_history)
            break;
        const QList<SampleHistory::Segment> lines =
            m_history->segments(series.metric, m_range.fromMs, m_range.toMs);
        any = any || !lines.isEmpty();
        paintSeries(painter, area, lines, m_range, most, colorOf(series.paint), true);
    }
    if (m_limit && any) {
        const double y = area.bottom() - (*m_limit / most) * (area.height() - 3);
        painter.setPen(QPen(colors.control, 1, Qt::DashLine));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
    if (!any) {
        paintNoSeries(painter, area, colors.line);
        painter.setPen(colors.textCaption);
        painter.setFont(fontFor(TextRole::Caption, font()));
        painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
    }
    paintTimes(painter);
    if (any)
        paintCrosshair(painter);
    if (hasFocus())
        paintFocusRing(painter, QRectF(rect()), metrics::kCardRadius, colors.accent);
}

void TimeChart::paintTimes(QPainter &painter) const
{
    const QFont small = fontFor(TextRole::Caption, font());
    painter.setFont(small);
    painter.setPen(tokens(this).textCaption);
    const QRectF area = plot();
    const QRectF line(area.left(), area.bottom(), area.width(),
                      rect().bottom() - area.bottom() - kPadding + 4);
    const QLocale locale;
    const auto clock = [&](qint64 ms) {
        const bool seconds = m_range.toMs - m_range.fromMs < 5 * kMinuteMs;
        const QTime time = QDateTime::fromMSecsSinceEpoch(ms).time();
        return seconds ? time.toString(QStringLiteral("HH:mm:ss"))
                       : locale.toString(time, QStringLiteral("HH:mm"));
    };
    const qint64 span = m_range.toMs - m_range.fromMs;
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, clock(m_range.fromMs));
    painter.drawText(line, Qt::AlignHCenter | Qt::AlignVCenter, clock(m_range.fromMs + span / 2));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, tr("now"));
}

void TimeChart::paintCrosshair(QPainter &painter) const
{
    if (!m_crosshair || !m_history || *m_crosshair < m_range.fromMs || *m_crosshair > m_range.toMs)
        return;
    const Tokens &colors = tokens(this);
    const QRectF area = plot();
    const double share = static_cast<double>(*m_crosshair - m_range.fromMs)
        / static_cast<double>(m_range.toMs - m_range.fromMs);
    const double x = area.left() + share * area.width();
    painter.setPen(QPen(colors.control, 1));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));

    QStringList values;
    for (const Series &series : m_series) {
        const std::optional<double> value = m_history->valueNear(series.metric, *m_crosshair);
        const QString text = value ? m_format(*value) : QStringLiteral("—");
        values.append(series.name.isEmpty() ? text : tr("%1 %2").arg(series.name, text));
    }
    const QString time = QLocale().toString(QDateTime::fromMSecsSinceEpoch(*m_crosshair).time(),
                                            QStringLiteral("HH:mm:ss"));
    const QString words = tr("%1 · %2", "time and value under the crosshair")
                              .arg(time, values.join(QStringLiteral("  ")));
    const QFont small = fontFor(TextRole::Caption, font());
    const QSize size = QFontMetrics(small).size(Qt::TextSingleLine, words) + QSize(12, 6);
    QRectF tag(QPointF(x + 8, area.top()), QSizeF(size));
    if (tag.right() > area.right())
        tag.moveRight(x - 8);
    tag.moveLeft(qMax(tag.left(), area.left()));
    paintRounded(painter, tag, 6, colors.panel, colors.line);
    painter.setFont(small);
    painter.setPen(colors.text);
    painter.drawText(tag, Qt::AlignCenter, words);
}

void TimeChart::describe()
{
    QStringList parts;
    for (const Series &series : m_series) {
        const QList<SampleHistory::Segment> lines = m_history
            ? m_history->segments(series.metric, m_range.fromMs, m_range.toMs)
            : QList<SampleHistory::Segment>();
        if (lines.isEmpty())
            continue;
        double least = lines.first().first().y();
        for (const SampleHistory::Segment &line : lines) {
            for (const QPointF &point : line)
                least = qMin(least, point.y());
        }
        const QString words =
            tr("now %1, lowest %2, highest %3")
                .arg(m_format(lines.last().last().y()), m_format(least), m_format(highest(lines)));
        parts.append(series.name.isEmpty() ? words : tr("%1: %2").arg(series.name, words));
    }
    setAccessibleDescription(parts.isEmpty() ? m_emptyText : parts.join(QStringLiteral("; ")));
}

void TimeChart::mouseMoveEvent(QMouseEvent *event)
{
    const QRectF area = plot();
    const double share = qBound(0.0, (event->position().x() - area.left()) / area.width(), 1.0);
    const auto span = static_cast<double>(m_range.toMs - m_range.fromMs);
    Q_EMIT crosshairMoved(m_range.fromMs + static_cast<qint64>(share * span));
}

void TimeChart::leaveEvent(QEvent *)
{
    Q_EMIT crosshairMoved(std::nullopt);
}

void TimeChart::keyPressEvent(QKeyEvent *event)
{
    const qint64 at = m_crosshair.value_or(m_range.toMs);
    switch (event->key()) {
    case Qt::Key_Left:
        Q_EMIT crosshairMoved(qMax(m_range.fromMs, at - kKeyStepMs));
        return;
    case Qt::Key_Right:
        Q_EMIT crosshairMoved(qMin(m_range.toMs, at + kKeyStepMs));
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void TimeChart::focusOutEvent(QFocusEvent *event)
{
    Q_EMIT crosshairMoved(std::nullopt);
    QWidget::focusOutEvent(event);
}

} // namespace berth::ui
