// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/resources/cpu_overview.h"

#include "ui/models/runtime_model.h"
#include "ui/models/runtime_text.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/tool_tip.h"

#include <QtCore/QLocale>
#include <QtCore/QMap>
#include <QtGui/QPainter>

namespace berth::ui {

namespace {

constexpr qint64 kRangeMs = 15 * 60'000;
//! A sum needs samples of all runtimes at one time; those of so long stand for one.
constexpr qint64 kBucketMs = 5'000;
constexpr int kSide = 16;
constexpr int kTop = 10;
constexpr int kLeastPlot = 40;
//! Square before a name, and between names.
constexpr int kKey = 13;
constexpr int kBetweenNames = 12;

QColor lineColor(qsizetype line, const Tokens &colors)
{
    const QColor all[]{colors.chartCpu, colors.chartRam, colors.chartDisk,
                       colors.info,     colors.ok,       colors.error};
    return all[static_cast<std::size_t>(line) % std::size(all)];
}

} // namespace

CpuOverview::CpuOverview(const RuntimeModel &runtimes, QWidget *parent)
    : Card(parent), m_runtimes(runtimes)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setAccessibleName(tr("CPU, all runtimes, last 15 min"));
}

void CpuOverview::refresh(const QDateTime &now)
{
    // Whole buckets, so that the sums of the past do not wobble from second to second.
    const qint64 end = now.toMSecsSinceEpoch() / kBucketMs * kBucketMs;
    m_range = {end - kRangeMs, end};
    QMap<QString, QString> labels;
    QMap<QString, QList<const SampleHistory *>> byConfig;
    for (int row = 0; row < m_runtimes.rowCount(); ++row) {
        const QModelIndex index = m_runtimes.index(row);
        const auto *history = index.data(RuntimeModel::HistoryRole).value<const SampleHistory *>();
        const QString config = index.data(RuntimeModel::ProviderConfigRole).toString();
        labels.insert(config, index.data(RuntimeModel::ProviderLabelRole).toString());
        if (history && history->lastMs() >= m_range.fromMs)
            byConfig[config].append(history);
    }
    m_lines.clear();
    QStringList spoken;
    for (auto it = byConfig.cbegin(); it != byConfig.cend(); ++it) {
        Line line{labels.value(it.key()), {}};
        bool open = false;
        for (qint64 from = m_range.fromMs; from < m_range.toMs; from += kBucketMs) {
            std::optional<double> sum;
            for (const SampleHistory *history : it.value()) {
                if (const std::optional<double> mean =
                        history->mean(Metric::Cpu, from, from + kBucketMs))
                    sum = sum.value_or(0) + *mean;
            }
            if (sum) {
                if (!open)
                    line.segments.append(SampleHistory::Segment());
                line.segments.last().append(QPointF(static_cast<qreal>(from + kBucketMs), *sum));
            }
            open = sum.has_value();
        }
        if (line.segments.isEmpty())
            continue;
        spoken.append(tr("%1: now %2 cores, highest %3")
                          .arg(line.label, cpuText(line.segments.last().last().y(), {}),
                               cpuText(highest(line.segments), {})));
        m_lines.append(line);
    }
    setAccessibleDescription(spoken.isEmpty() ? tr("Nothing sampled yet")
                                              : spoken.join(QStringLiteral("; ")));
    setToolTip(toolTipOf(spoken.join(QLatin1Char('\n'))));
    update();
}

QSize CpuOverview::sizeHint() const
{
    return {360, minimumSizeHint().height() + 8};
}

QSize CpuOverview::minimumSizeHint() const
{
    return {220,
            kTop + QFontMetrics(fontFor(TextRole::Caption, font())).height() + 6 + kLeastPlot
                + kTop};
}

void CpuOverview::paintEvent(QPaintEvent *event)
{
    Card::paintEvent(event);
    QPainter painter(this);
    const Tokens &colors = tokens(this);
    const QFont caption = fontFor(TextRole::Caption, font());
    const QFontMetrics fm(caption);
    painter.setFont(caption);
    const QRect head(kSide, kTop, width() - 2 * kSide, fm.height());

    // The names of the lines need their room; the title has a short form.
    QString title = tr("CPU, all runtimes, last 15 min");
    int names = 0;
    for (const Line &line : std::as_const(m_lines))
        names += fm.horizontalAdvance(line.label) + kKey + kBetweenNames;
    if (fm.horizontalAdvance(title) + names > head.width())
        title = tr("CPU, 15 min");
    painter.setPen(colors.textSecondary);
    painter.drawText(head, Qt::AlignVCenter, fm.elidedText(title, Qt::ElideRight, head.width()));
    // As many names as have room, the first ones before the others; the tooltip has all.
    int room = head.width() - fm.horizontalAdvance(title);
    qsizetype shown = 0;
    while (shown < m_lines.size()) {
        room -= fm.horizontalAdvance(m_lines[shown].label) + kKey + kBetweenNames;
        if (room < 0)
            break;
        ++shown;
    }
    int right = head.right();
    for (qsizetype i = shown - 1; i >= 0; --i) {
        const int text = fm.horizontalAdvance(m_lines[i].label);
        painter.setPen(lineColor(i, colors));
        painter.drawText(QRect(right - text, head.top(), text + 1, head.height()), Qt::AlignVCenter,
                         m_lines[i].label);
        painter.fillRect(QRectF(right - text - kKey, head.center().y() - 3.5, 8, 8),
                         lineColor(i, colors));
        right -= text + kKey + kBetweenNames;
    }

    const QRectF plot(kSide, head.bottom() + 7, width() - 2 * kSide,
                      height() - head.bottom() - 7 - kTop - 2);
    double most = 0;
    for (const Line &line : std::as_const(m_lines))
        most = qMax(most, highest(line.segments));
    if (m_lines.isEmpty()) {
        paintNoSeries(painter, plot, colors.line);
        painter.setPen(colors.textCaption);
        painter.drawText(plot, Qt::AlignCenter, tr("Nothing sampled yet"));
        return;
    }
    const double top = niceTop(most * 1.1, false);
    for (qsizetype i = 0; i < m_lines.size(); ++i)
        paintSeries(painter, plot, m_lines[i].segments, m_range, top, lineColor(i, colors), true);
}

} // namespace berth::ui
