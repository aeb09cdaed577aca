// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

namespace berth::remote {

//! Who is at the other end of a local socket must be the user that runs this process: whoever may
//! connect may run commands.
domain::Result<void> checkPeer(qintptr socketDescriptor);

} // namespace berth::remote
