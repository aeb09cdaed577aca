// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/agent/pipeline/tool_pipeline.h"

namespace berth::application {

//! The programs of hooks.json around the agent's calls and the user's own lines.
std::shared_ptr<CallHooks> userHooks(const QString &path);

} // namespace berth::application
