// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

namespace berth::application {

MessageView messageViewOf(const domain::Message &message);
//! Of a run that is one command of the user.
RunView commandRunViewOf(const domain::Run &run);
//! Of a whole thread, in its order; the last run of the agent may be one to continue.
QList<RunView> runViewsOf(const QList<domain::Run> &runs, const QList<domain::ToolCall> &calls);

} // namespace berth::application
