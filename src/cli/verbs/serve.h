// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/registry.h"

namespace berth::cli {

//! "serve" and "token": done by the program itself, which owns what they need; see bootstrap.
[[nodiscard]] QList<VerbSpec> serveVerbs();
[[nodiscard]] bool isServeVerb(const VerbSpec &spec);

} // namespace berth::cli
