// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/thread_runs.h"

#include <QtCore/QLocale>
#include <QtCore/QStringList>

#include <algorithm>

namespace berth::ui {

using application::RunView;
using domain::RunState;

namespace {

bool isActiveState(RunState state)
{
    return state == RunState::Queued || state == RunState::Running
        || state == RunState::AwaitingApproval;
}

struct UsageSum
{
    qint64 input = 0;
    qint64 cached = 0;
    qint64 output = 0;
    qint64 reasoning = 0;
    double cost = 0;
    bool hasTokens = false;
    bool hasCost = false;
    QString currency;
};

UsageSum sumOf(const QList<RunView> &runs)
{
    UsageSum sum;
    for (const RunView &run : runs) {
        const application::UsageView &u = run.usage;
        sum.input += u.inputTokens.value_or(0);
        sum.cached += u.cachedTokens.value_or(0);
        sum.output += u.outputTokens.value_or(0);
        sum.reasoning += u.reasoningTokens.value_or(0);
        sum.hasTokens = sum.hasTokens || u.inputTokens || u.outputTokens;
        // Sums of two currencies mean nothing: the first one that is there counts.
        if (u.cost && (!sum.hasCost || sum.currency == u.currency)) {
            sum.cost += *u.cost;
            sum.currency = u.currency;
            sum.hasCost = true;
        }
    }
    return sum;
}

} // namespace

QString tokensText(qint64 tokens)
{
    const QLocale locale;
    if (tokens < 1000)
        return locale.toString(tokens);
    const bool millions = tokens >= 1'000'000;
    const double shown = static_cast<double>(tokens) / (millions ? 1e6 : 1e3);
    return locale.toString(shown, 'f', shown < 100 ? 1 : 0)
        + (millions ? QStringLiteral("M") : QStringLiteral("k"));
}

QString costText(double cost, const QString &currency)
{
    const QLocale locale;
    const QString value = locale.toString(cost, 'f', cost > 0 && cost < 0.01 ? 4 : 2);
    if (currency.isEmpty() || currency == QLatin1String("USD"))
        return QLatin1Char('$') + value;
    if (currency == QLatin1String("EUR"))
        return QStringLiteral("€") + value;
    if (currency == QLatin1String("CNY") || currency == QLatin1String("JPY"))
        return QStringLiteral("¥") + value;
    return QStringLiteral("%1 %2").arg(value, currency);
}

ThreadRuns::ThreadRuns(QObject *parent) : QObject(parent) {}

void ThreadRuns::clear()
{
    m_thread = {};
    m_runs.clear();
    m_notice = {};
    Q_EMIT changed();
}

void ThreadRuns::set(const application::ThreadDetail &detail)
{
    const bool same = m_thread == detail.thread.id;
    m_thread = detail.thread.id;
    m_runs = detail.runs;
    std::stable_sort(m_runs.begin(), m_runs.end(),
                     [](const auto &a, const auto &b) { return a.createdAt < b.createdAt; });
    // A notice is told once; the same thread taken again does not end it.
    if (!same || !isActive())
        m_notice = {};
    noteLast();
    Q_EMIT changed();
}

void ThreadRuns::noteLast()
{
    if (!m_notice.kind.isEmpty() || m_runs.isEmpty())
        return;
    const RunView &last = m_runs.last();
    if (isActiveState(last.state) || !last.canContinue)
        return;
    m_notice.thread = m_thread;
    m_notice.run = last.id;
    m_notice.canContinue = true;
    m_notice.detail = last.detail;
    switch (last.state) {
    case RunState::Interrupted:
        m_notice.kind = QStringLiteral("failed");
        m_notice.text = tr("The agent was interrupted");
        break;
    case RunState::Cancelled:
        m_notice.kind = QStringLiteral("stopped");
        m_notice.text = tr("Stopped");
        break;
    case RunState::Failed:
        m_notice.kind = QStringLiteral("failed");
        m_notice.text = tr("The agent could not go on");
        break;
    default:
        m_notice.kind = QStringLiteral("limit");
        m_notice.text = tr("The agent has paused");
        break;
    }
}

void ThreadRuns::apply(const application::Event &event)
{
    if (m_thread.isNull())
        return;
    if (const auto *run = std::get_if<application::RunChanged>(&event.body)) {
        if (run->run.thread != m_thread)
            return;
        const auto at = std::find_if(m_runs.begin(), m_runs.end(),
                                     [run](const RunView &r) { return r.id == run->run.id; });
        if (at == m_runs.end())
            m_runs.append(run->run);
        else
            *at = run->run;
        const bool other = m_notice.run != run->run.id;
        const bool waits =
            m_notice.kind == QLatin1String("waiting") || m_notice.kind == QLatin1String("thinking");
        // It goes on, or what it waited for is over.
        const bool isPast = waits != isActiveState(run->run.state);
        if (other || isPast || run->run.state == RunState::Done)
            m_notice = {};
        noteLast();
        Q_EMIT changed();
    } else if (const auto *notice = std::get_if<application::RunNotice>(&event.body)) {
        if (notice->thread != m_thread)
            return;
        m_notice = *notice;
        Q_EMIT changed();
    } else if (const auto *reply = std::get_if<application::ReplyGrew>(&event.body)) {
        // It has gone on.
        if (reply->thread == m_thread && !m_notice.kind.isEmpty()) {
            m_notice = {};
            Q_EMIT changed();
        }
    }
}

bool ThreadRuns::isActive() const
{
    return std::any_of(m_runs.cbegin(), m_runs.cend(),
                       [](const RunView &run) { return isActiveState(run.state); });
}

QString ThreadRuns::usageText() const
{
    const UsageSum sum = sumOf(m_runs);
    QStringList parts;
    if (sum.hasTokens)
        parts.append(tr("%1 tokens").arg(tokensText(sum.input + sum.output)));
    if (sum.hasCost)
        parts.append(costText(sum.cost, sum.currency));
    return parts.join(QStringLiteral(" · "));
}

QString ThreadRuns::usageDetail() const
{
    const UsageSum sum = sumOf(m_runs);
    if (!sum.hasTokens)
        return {};
    const QLocale locale;
    QStringList lines{tr("Read by the model: %1").arg(locale.toString(sum.input)),
                      tr("Written by the model: %1").arg(locale.toString(sum.output))};
    if (sum.cached > 0)
        lines.append(tr("Of what was read, cached: %1").arg(locale.toString(sum.cached)));
    if (sum.reasoning > 0)
        lines.append(tr("Of what was written, thought: %1").arg(locale.toString(sum.reasoning)));
    for (auto it = m_runs.crbegin(); it != m_runs.crend(); ++it) {
        if (it->usage.contextUsed <= 0)
            continue;
        lines.append(
            it->usage.contextSize > 0
                ? tr("In its context now: %1 of %2")
                      .arg(locale.toString(it->usage.contextUsed),
                           locale.toString(it->usage.contextSize))
                : tr("In its context now: %1").arg(locale.toString(it->usage.contextUsed)));
        break;
    }
    lines.append(sum.hasCost ? tr("Cost: %1").arg(costText(sum.cost, sum.currency))
                             : tr("Cost: — (no prices are set for this model)"));
    return lines.join(QLatin1Char('\n'));
}

} // namespace berth::ui
