// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/route.h"

namespace berth::api {

//! One JSON object of all that the request says: its body as the route's fields describe it, its
//! query and the parameters of its path. InvalidInput, naming the key, when something is wrong; of
//! a body also with a key that the route does not know.
domain::Result<QByteArray> checkedBody(const Route &route, const Request &request);

} // namespace berth::api
