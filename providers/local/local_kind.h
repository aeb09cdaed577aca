// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/provider.h"
#include "providers/local/bubblewrap.h"

namespace berth::local {

//! The provider "local".
std::shared_ptr<const domain::ProviderKind> makeLocalKind(HostSystem system = {});

} // namespace berth::local
