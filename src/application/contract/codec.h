// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/commands.h"
#include "application/contract/events.h"
#include "domain/result.h"

#include <concepts>

// JSON text of every value of the contract; snake_case, times ISO-8601 UTC, absent values left out.
namespace berth::application {

//! What travels: JSON text and, for output, raw bytes beside it.
struct Payload
{
    QByteArray json;
    QByteArray binary;
    bool operator==(const Payload &) const = default;
};

//! Defined for all views, commands, replies, events and domain::Error.
template <typename T>
QByteArray toJson(const T &value);
//! Unknown keys are ignored, missing ones keep their default; wrong types are ErrorKind::Protocol.
template <typename T>
domain::Result<T> fromJson(const QByteArray &json);

//! Has a member \c bytes, which travels beside the JSON.
template <typename T>
concept Binary = requires(T value)
{
    {
        value.bytes
        } -> std::convertible_to<QByteArray>;
};

template <typename T>
Payload encode(const T &value)
{
    if constexpr (Binary<T>)
        return {toJson(value), value.bytes};
    else
        return {toJson(value), {}};
}

template <typename T>
domain::Result<T> decode(const Payload &payload)
{
    domain::Result<T> value = fromJson<T>(payload.json);
    if constexpr (Binary<T>) {
        if (value)
            value->bytes = payload.binary;
    }
    return value;
}

} // namespace berth::application
