// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/provider.h"

namespace berth::docker {

//! Sandboxes as containers of a Docker engine on this machine.
std::shared_ptr<const domain::ProviderKind> makeDockerKind();

} // namespace berth::docker
