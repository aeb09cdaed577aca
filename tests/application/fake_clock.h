// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/lifecycle/clock.h"
#include "async/completion.h"
#include "domain/text.h"
#include "support/await.h"

#include <algorithm>

namespace berth::test {

//! A clock that a test turns. Who sleeps wakes in the order of their times.
class FakeClock final : public application::Clock
{
public:
    [[nodiscard]] std::chrono::milliseconds now() const override { return m_now; }
    [[nodiscard]] QDateTime wall() const override { return m_start.addMSecs(m_now.count()); }
    async::Task<bool> sleepFor(std::chrono::milliseconds duration, std::stop_token stop) override
    {
        if (stop.stop_requested())
            co_return false;
        const async::Completion<bool> done;
        m_sleepers.append({m_now + duration, done});
        const std::stop_callback onStop(stop, [done] { done.complete(false); });
        const bool elapsed = co_await done;
        co_return elapsed;
    }
    [[nodiscard]] int sleepers()
    {
        dropAwake();
        return static_cast<int>(m_sleepers.size());
    }

    void advance(std::chrono::milliseconds duration)
    {
        const std::chrono::milliseconds target = m_now + duration;
        // What earlier calls have set going comes to its sleep first.
        spin(std::chrono::milliseconds(5));
        for (;;) {
            dropAwake();
            const auto next =
                std::min_element(m_sleepers.begin(), m_sleepers.end(),
                                 [](const Sleeper &a, const Sleeper &b) { return a.due < b.due; });
            if (next == m_sleepers.end() || next->due > target)
                break;
            m_now = std::max(m_now, next->due);
            const async::Completion<bool> done = next->done;
            m_sleepers.erase(next);
            done.complete(true);
            spin(std::chrono::milliseconds(5));
        }
        m_now = target;
    }

private:
    struct Sleeper
    {
        std::chrono::milliseconds due;
        async::Completion<bool> done;
    };
    void dropAwake()
    {
        m_sleepers.removeIf([](const Sleeper &one) { return one.done.isComplete(); });
    }

    QDateTime m_start = domain::nowUtc();
    std::chrono::milliseconds m_now{1'000'000};
    QList<Sleeper> m_sleepers;
};

} // namespace berth::test
