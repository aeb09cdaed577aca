// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/task.h"

#include <chrono>
#include <stop_token>

namespace berth::async {

//! Suspends for \a duration; false when \a stop was requested first. Stop must be requested on the
//! same thread.
Task<bool> sleepFor(std::chrono::milliseconds duration, std::stop_token stop = {});

} // namespace berth::async
