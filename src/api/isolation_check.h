// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/call.h"

namespace berth::api {

//! Forbidden where the request would work in a sandbox without isolation and its token may not
//! approve: what runs as this user could else approve itself with the token that it can read.
domain::Async<void> mayWorkThere(Call call);

} // namespace berth::api
