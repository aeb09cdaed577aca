// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/provider.h"

namespace berth::agentbay {

//! Sandboxes as cloud machines of Alibaba Cloud's AgentBay.
std::shared_ptr<const domain::ProviderKind> makeAgentBayKind();

} // namespace berth::agentbay
