// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/file_system.h"
#include "net/script/script_runner.h"

#include <memory>

namespace berth::net {

domain::Async<domain::GlobResult> globByScript(std::shared_ptr<ScriptRunner> runner,
                                               domain::GlobRequest request, std::stop_token stop);
domain::Async<domain::GrepResult> grepByScript(std::shared_ptr<ScriptRunner> runner,
                                               domain::GrepRequest request, std::stop_token stop);

} // namespace berth::net
