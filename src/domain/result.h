// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/task.h"
#include "domain/error.h"

#include <tl/expected.hpp>

#include <utility>

namespace berth::domain {

//! One line to swap once std::expected is there in C++20's successor.
template <typename T>
using Result = tl::expected<T, Error>;

//! One answer, later. Take a std::stop_token by value where it may last.
template <typename T>
using Async = async::Task<Result<T>>;

inline tl::unexpected<Error> failure(Error error)
{
    return tl::unexpected<Error>(std::move(error));
}

inline tl::unexpected<Error> failure(ErrorKind kind, QString message, QString detail = {})
{
    return tl::unexpected<Error>(Error{kind, std::move(message), std::move(detail), {}, {}});
}

} // namespace berth::domain
