// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QMetaType>
#include <QtCore/QString>

#include <chrono>
#include <optional>

namespace berth::domain {

//! Why something did not work, as far as the program has to decide on it. Closed: the tables for
//! HTTP status, exit code and the window's words are exhaustive over it.
enum class ErrorKind {
    Cancelled,
    InvalidInput,
    Unauthorized,
    Forbidden,
    NotFound,
    Conflict,
    Quota,
    RateLimited,
    Timeout,
    Unavailable,
    Protocol,
    Storage,
    Unsupported,
    Internal,
};

struct Error
{
    ErrorKind kind = ErrorKind::Internal;
    //! What happened, one English sentence without a full stop's worth of guesses and without
    //! secrets.
    QString message;
    //! Why, and what to do; may be empty. No secrets.
    QString detail;
    std::optional<int> httpStatus;
    std::optional<std::chrono::seconds> retryAfter;

    bool operator==(const Error &) const = default;
};

//! snake_case, as on the wire: "not_found".
QString wireName(ErrorKind kind);
//! nullopt for a name of a newer version.
std::optional<ErrorKind> errorKindFromWire(QStringView name);

} // namespace berth::domain

Q_DECLARE_METATYPE(berth::domain::Error)
