// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "async/sleep.h"

#include "async/completion.h"

#include <QtCore/QTimer>

#include <algorithm>
#include <limits>

namespace berth::async {

Task<bool> sleepFor(std::chrono::milliseconds duration, std::stop_token stop)
{
    if (stop.stop_requested())
        co_return false;
    const Completion<bool> done;
    QTimer timer;
    timer.setSingleShot(true);
    timer.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer, &QTimer::timeout, &timer, [done] { done.complete(true); });
    // A timer takes an int; it would never fire for a negative one, and the largest is 24 days.
    using std::chrono::milliseconds;
    timer.start(
        std::clamp(duration, milliseconds(0), milliseconds(std::numeric_limits<int>::max())));
    const std::stop_callback onStop(stop, [done] { done.complete(false); });
    const bool elapsed = co_await done;
    co_return elapsed;
}

} // namespace berth::async
