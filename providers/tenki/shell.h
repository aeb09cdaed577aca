// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/shell.h"
#include "providers/tenki/connection.h"

namespace berth::tenki {

//! Commands with their input closed: Tenki's call takes the whole input at its start.
std::unique_ptr<domain::Shell> makeShell(LinkPtr link);

//! Why there is neither a terminal nor live input.
QString noLiveInputReason();
//! Why nothing outlives its call.
QString noBackgroundReason();

} // namespace berth::tenki
