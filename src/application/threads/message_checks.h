// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/agent/run_usage.h"
#include "domain/result.h"

namespace berth::application {

//! Conflict: what was asked for needs a sandbox, and the thread has none.
[[nodiscard]] domain::Error noSandbox();
//! "wait" or "deny".
[[nodiscard]] domain::Result<void> checkedWhenAsked(const QString &whenAsked);
//! Of a run that has used nothing yet.
[[nodiscard]] RunUsage usageOf(const QString &whenAsked);

} // namespace berth::application
