// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "async/sleep.h"

#include "async/completion.h"

#include <QtCore/QTimer>

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
    timer.start(duration);
    const std::stop_callback onStop(stop, [done] { done.complete(false); });
    const bool elapsed = co_await done;
    co_return elapsed;
}

} // namespace berth::async
