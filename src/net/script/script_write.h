// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/file_system.h"
#include "net/script/script_runner.h"

#include <memory>

namespace berth::net {

domain::Async<void> writeByScript(std::shared_ptr<ScriptRunner> runner, domain::SandboxPath path,
                                  QByteArray content, std::stop_token stop);
domain::Async<std::shared_ptr<domain::FileWriter>> openWriteByScript(
    std::shared_ptr<ScriptRunner> runner, domain::SandboxPath path, int mode, bool refuseExisting,
    std::stop_token stop);

} // namespace berth::net
