// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/provider.h"

namespace berth::daytona {

//! Sandboxes of the Daytona service, or of a Daytona server of one's own.
std::shared_ptr<const domain::ProviderKind> makeDaytonaKind();

} // namespace berth::daytona
