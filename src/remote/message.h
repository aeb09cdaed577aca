// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/codec.h"
#include "remote/frame.h"

#include <variant>

// What the two ends say to each other.
namespace berth::remote {

//! Both ends must speak the same one: they come from the same package.
inline constexpr int kProtocolVersion = 1;

//! The first message of either end; nothing else is accepted before it. With an error the Engine's
//! end says why it will not talk, and closes.
struct Hello
{
    int protocol = kProtocolVersion;
    //! "window", "cli", "api"; "engine" from the Engine's end.
    QString client;
    std::optional<domain::Error> error;
    bool operator==(const Hello &) const = default;
};
struct CommandMessage
{
    domain::RequestId id;
    QString command;
    application::Payload arguments;
    bool operator==(const CommandMessage &) const = default;
};
struct CancelMessage
{
    domain::RequestId id;
    bool operator==(const CancelMessage &) const = default;
};
struct AnswerMessage
{
    domain::RequestId id;
    domain::Result<application::Payload> answer;
    bool operator==(const AnswerMessage &) const = default;
};
struct EventMessage
{
    application::Event event;
    //! How many events before this one were merged into later ones for a slow reader; not a gap.
    qint64 skipped = 0;
    bool operator==(const EventMessage &) const = default;
};

using Message = std::variant<Hello, CommandMessage, CancelMessage, AnswerMessage, EventMessage>;

[[nodiscard]] Frame toFrame(const Message &message);
//! The frame of an event whose JSON is made already.
[[nodiscard]] Frame eventFrame(const QByteArray &eventJson, qint64 skipped);
//! ErrorKind::Protocol for anything that is not exactly such a message.
domain::Result<Message> toMessage(const Frame &frame);

} // namespace berth::remote
