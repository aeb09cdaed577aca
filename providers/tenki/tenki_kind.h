// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/provider.h"

namespace berth::tenki {

//! Sandboxes as sessions of Tenki's cloud.
std::shared_ptr<const domain::ProviderKind> makeTenkiKind();

} // namespace berth::tenki
