// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/error.h"
#include "net/http_message.h"

namespace berth::net {

//! 401 Unauthorized, 402 Quota, 403 Forbidden, 404 and 410 NotFound, 409 and 412 Conflict, 408 and
//! 504 Timeout, 429 RateLimited, 501 Unsupported, other 5xx Unavailable, other 4xx InvalidInput,
//! anything else Protocol. A caller that asks for something other than an instance has to judge
//! NotFound for itself.
domain::ErrorKind kindOfStatus(int status);

//! Of an answer with that head, with its status, and with what it asks to wait (see retryAfter()).
domain::Error httpError(const HttpHead &head, QString message, QString detail);

} // namespace berth::net
