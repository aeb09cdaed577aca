// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"

namespace berth::domain {

//! The agent that is there from the first start, and meant where none is named.
inline AgentId defaultAgent()
{
    return AgentId(QStringLiteral("default"));
}

} // namespace berth::domain
