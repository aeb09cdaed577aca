// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"

namespace berth::cli {

//! What a run does with calls that would ask: "wait" or "deny", by --when-asked. Unless that says
//! it, deny where nobody sits at a terminal who could see the question.
[[nodiscard]] domain::Result<QString> whenAskedOf(const Context &context);

} // namespace berth::cli
