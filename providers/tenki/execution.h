// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/execution.h"
#include "domain/execution/shell.h"
#include "providers/tenki/connection.h"

namespace berth::tenki {

//! Starts \a command, whose directory and time are filled in; answers once it has begun.
domain::Async<std::shared_ptr<domain::Execution>> startCommand(LinkPtr link,
                                                               domain::CommandSpec command,
                                                               std::stop_token stop);

} // namespace berth::tenki
