// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/status.h"

#include <nlohmann/json.hpp>

namespace berth::api {

// No default: a new kind has to be given a status here.
int httpStatus(domain::ErrorKind kind)
{
    switch (kind) {
    case domain::ErrorKind::InvalidInput:
        return 400;
    case domain::ErrorKind::Unauthorized:
        return 424;
    case domain::ErrorKind::Quota:
        return 402;
    case domain::ErrorKind::Forbidden:
        return 403;
    case domain::ErrorKind::NotFound:
        return 404;
    case domain::ErrorKind::Cancelled:
    case domain::ErrorKind::Conflict:
        return 409;
    case domain::ErrorKind::Unsupported:
        return 422;
    case domain::ErrorKind::RateLimited:
        return 429;
    case domain::ErrorKind::Storage:
    case domain::ErrorKind::Internal:
        return 500;
    case domain::ErrorKind::Protocol:
        return 502;
    case domain::ErrorKind::Unavailable:
        return 503;
    case domain::ErrorKind::Timeout:
        return 504;
    }
    return 500;
}

QByteArray errorBody(const QString &code, const QString &message, const QString &detail)
{
    nlohmann::json error{{"code", code.toStdString()}, {"message", message.toStdString()}};
    if (!detail.isEmpty())
        error["detail"] = detail.toStdString();
    return QByteArray::fromStdString(nlohmann::json{{"error", error}}.dump(
        -1, ' ', false, nlohmann::json::error_handler_t::replace));
}

QByteArray errorBody(const domain::Error &error)
{
    return errorBody(domain::wireName(error.kind), error.message, error.detail);
}

} // namespace berth::api
