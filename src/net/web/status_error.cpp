// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/web/status_error.h"

#include "net/web/retry.h"

namespace berth::net {

using domain::Error;
using domain::ErrorKind;

ErrorKind kindOfStatus(int status)
{
    switch (status) {
    case 401:
        return ErrorKind::Unauthorized;
    case 402:
        return ErrorKind::Quota;
    case 403:
        return ErrorKind::Forbidden;
    case 404:
    case 410:
        return ErrorKind::NotFound;
    case 408:
    case 504:
        return ErrorKind::Timeout;
    case 409:
    case 412:
        return ErrorKind::Conflict;
    case 429:
        return ErrorKind::RateLimited;
    case 501:
        return ErrorKind::Unsupported;
    default:
        break;
    }
    if (status >= 500 && status < 600)
        return ErrorKind::Unavailable;
    if (status >= 400 && status < 500)
        return ErrorKind::InvalidInput;
    return ErrorKind::Protocol;
}

Error httpError(const HttpHead &head, QString message, QString detail)
{
    Error error{kindOfStatus(head.status), std::move(message), std::move(detail), head.status, {}};
    if (const auto wait = retryAfter(head, QDateTime::currentDateTimeUtc()))
        error.retryAfter = std::chrono::ceil<std::chrono::seconds>(*wait);
    return error;
}

} // namespace berth::net
