// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/commands.h"
#include "application/contract/events.h"
#include "domain/result.h"

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

template <typename T>
Payload encode(const T &value)
{
    return {toJson(value), {}};
}
template <>
inline Payload encode(const OutputChunk &value)
{
    return {toJson(value), value.bytes};
}

template <typename T>
domain::Result<T> decode(const Payload &payload)
{
    return fromJson<T>(payload.json);
}
template <>
inline domain::Result<OutputChunk> decode(const Payload &payload)
{
    domain::Result<OutputChunk> chunk = fromJson<OutputChunk>(payload.json);
    if (chunk)
        chunk->bytes = payload.binary;
    return chunk;
}

} // namespace berth::application
