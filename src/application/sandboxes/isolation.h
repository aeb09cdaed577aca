// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sandbox/sandbox.h"

namespace berth::application {

class ProviderService;

//! What runs in \a sandbox runs on this machine as it is ("isolation": "none"), by the row's own
//! setting or else by its provider config.
bool isPassthrough(const ProviderService &providers, const domain::Sandbox &sandbox);

} // namespace berth::application
