// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/threads/execution_service.h"

namespace berth::application {

//! What a model is told of a command that has ended: head and tail of its output as text, and how
//! it ended in the last line.
QString commandResult(const ExecutionService &executions, const domain::ToolCall &ended);

} // namespace berth::application
