// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/error.h"

#include <array>
#include <utility>

namespace berth::domain {

namespace {

constexpr std::array<std::pair<ErrorKind, QLatin1String>, 14> kErrorNames{{
    {ErrorKind::Cancelled, QLatin1String("cancelled")},
    {ErrorKind::InvalidInput, QLatin1String("invalid_input")},
    {ErrorKind::Unauthorized, QLatin1String("unauthorized")},
    {ErrorKind::Forbidden, QLatin1String("forbidden")},
    {ErrorKind::NotFound, QLatin1String("not_found")},
    {ErrorKind::Conflict, QLatin1String("conflict")},
    {ErrorKind::Quota, QLatin1String("quota")},
    {ErrorKind::RateLimited, QLatin1String("rate_limited")},
    {ErrorKind::Timeout, QLatin1String("timeout")},
    {ErrorKind::Unavailable, QLatin1String("unavailable")},
    {ErrorKind::Protocol, QLatin1String("protocol")},
    {ErrorKind::Storage, QLatin1String("storage")},
    {ErrorKind::Unsupported, QLatin1String("unsupported")},
    {ErrorKind::Internal, QLatin1String("internal")},
}};

} // namespace

QString wireName(ErrorKind kind)
{
    for (const auto &[candidate, name] : kErrorNames) {
        if (candidate == kind)
            return QString(name);
    }
    return QStringLiteral("internal");
}

std::optional<ErrorKind> errorKindFromWire(QStringView wire)
{
    for (const auto &[kind, name] : kErrorNames) {
        if (wire == name)
            return kind;
    }
    return std::nullopt;
}

} // namespace berth::domain
