// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/lifecycle_contract.h"
#include "application/contract/views.h"

// The words for agents and sandbox rows, the same on screen and for assistive technology.
namespace berth::ui {

//! "asks for exec", "read only", "never asks".
QString approvalsText(const application::AgentView &agent);
//! "private", "protected", "public"
QString accessText(const QString &access);
//! What that access means, in a sentence.
QString accessMeaning(const QString &access);
//! "starts on demand, stops after 30 min idle"
QString lifecycleText(const domain::LifecyclePolicy &policy);
//! "now", "2 h ago", "never"
QString agoText(const QDateTime &at, const QDateTime &now);

//! How a new agent's calls are asked for: one choice for autonomy and what asks.
enum class Approvals { Commands, CommandsAndFiles, ReadOnly, Never };
void setApprovals(application::AgentView *agent, Approvals approvals);

//! What stands against removing an agent: "Threads: a, b", "Sandboxes: default". Empty: nothing.
QStringList obstaclesOf(const application::Snapshot &snapshot, const domain::AgentId &agent);

} // namespace berth::ui
