// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"

namespace berth::cli {

//! Before something runs in \a target (a thread, a sandbox or a provider config): one without
//! isolation needs --yes-no-isolation or somebody at a terminal who says yes.
domain::Async<void> confirmIsolation(Context context, QString target);

} // namespace berth::cli
