// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

namespace berth::ui {

//! "No isolation: everything that you can do, Berth's own files included"
QString noIsolationWords();
bool hasNoIsolation(const application::ProviderView &provider);
//! Commands of the thread run without isolation.
bool hasNoIsolation(const application::Snapshot &snapshot, const application::ThreadView &thread);

} // namespace berth::ui
