// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/registry.h"

namespace berth::cli {

//! "serve" and the token of the file: done by the program itself, which owns what they need; see
//! bootstrap. Further tokens are the Engine's.
[[nodiscard]] QList<VerbSpec> serveVerbs();
[[nodiscard]] bool isServeVerb(const CliOptions &options);

} // namespace berth::cli
