// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/options.h"

namespace berth::cli {

//! Of the verb that \a options name, else of the program.
[[nodiscard]] QString helpText(const CliOptions &options);

} // namespace berth::cli
