// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"

namespace berth::cli {

//! One line of standard input.
async::Completion<QString> typedLine(const Context &context);
//! The same, while the terminal shows nothing of it.
async::Completion<QString> typedKey(const Context &context);
//! A key, typed behind "<what> (not shown):" or given on standard input; InvalidInput when it is
//! empty.
domain::Async<QString> keyGiven(Context context, QString what);

} // namespace berth::cli
