// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/agent/agent.h"
#include "domain/policy/security_policy.h"
#include "domain/thread/stores.h"

namespace berth::application {

//! As stored now. NotFound.
domain::Async<domain::Agent> storedAgent(domain::BerthStore &store, domain::AgentId id);
//! What it may do, as stored now. InvalidInput: its document cannot be read; then nothing is
//! allowed.
domain::Async<domain::SecurityPolicy> storedPolicy(domain::BerthStore &store, domain::AgentId id);

} // namespace berth::application
