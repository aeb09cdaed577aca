// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/provider.h"
#include "providers/local/bubblewrap.h"

namespace berth::local {

//! Puts the runner and the few files of /etc that every sandbox sees into \a paths.runtime (or
//! .data, where programs may not be run from there). What is there already is kept when it is the
//! same: running sandboxes use it.
domain::Result<GuestFiles> ensureGuestFiles(const domain::ProviderPaths &paths);

} // namespace berth::local
