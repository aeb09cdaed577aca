// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/provider.h"

namespace berth::providers {

//! All kinds of provider that this build has, in the order in which they are shown.
domain::ProviderKinds builtinProviderKinds();

} // namespace berth::providers
