// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/provider.h"

namespace berth::e2b {

//! Sandboxes as micro machines of E2B's cloud, or of an installation of its software.
std::shared_ptr<const domain::ProviderKind> makeE2bKind();

} // namespace berth::e2b
