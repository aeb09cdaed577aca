// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/stuck_watch.h"

#include <algorithm>

namespace berth::application {

namespace {

constexpr qsizetype kKept = 12;
constexpr qsizetype kSameResult = 4;
constexpr qsizetype kSameFailure = 3;
constexpr qsizetype kAlternating = 6;

} // namespace

QString StuckWatch::pattern() const
{
    const auto last = [this](qsizetype count, const auto &same) {
        if (m_steps.size() < count)
            return false;
        for (qsizetype i = m_steps.size() - count; i < m_steps.size(); ++i) {
            if (!same(m_steps[i], i))
                return false;
        }
        return true;
    };
    const Step &end = m_steps.constLast();
    if (last(kSameFailure,
             [&end](const Step &step, qsizetype) { return step.isError && step.call == end.call; }))
        return QStringLiteral("The same call has failed %1 times").arg(kSameFailure);
    if (last(kSameResult, [&end](const Step &step, qsizetype) {
            return step.call == end.call && step.result == end.result;
        }))
        return QStringLiteral("The same call has had the same result %1 times").arg(kSameResult);
    if (m_steps.size() >= 2 && m_steps[m_steps.size() - 2].call != end.call
        && last(kAlternating, [this](const Step &step, qsizetype i) {
               const Step &twin = m_steps[m_steps.size() - 1 - (m_steps.size() - 1 - i) % 2];
               return step.call == twin.call && step.result == twin.result;
           }))
        return QStringLiteral("Two calls alternate with the same results");
    return {};
}

StuckWatch::Verdict StuckWatch::note(const QList<domain::ToolCall> &calls)
{
    for (const domain::ToolCall &call : calls)
        m_steps << Step{call.tool + QLatin1Char(' ') + call.arguments, call.result, call.isError};
    if (m_steps.size() > kKept)
        m_steps.remove(0, m_steps.size() - kKept);
    if (m_steps.isEmpty())
        return Verdict::Fine;
    m_reason = pattern();
    if (m_reason.isEmpty())
        return Verdict::Fine;
    // Told once; then it gets as many steps again before the user is asked.
    m_steps.clear();
    return std::exchange(m_warned, true) ? Verdict::Ask : Verdict::Warn;
}

} // namespace berth::application
