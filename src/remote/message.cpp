// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/message.h"

#include "application/contract/json_depth.h"
#include "domain/json_depth.h"

#include <nlohmann/json.hpp>

namespace berth::remote {

using application::Payload;
using domain::ErrorKind;
using nlohmann::json;

namespace {

constexpr qsizetype kLongestId = 128;
constexpr qsizetype kLongestCommand = 64;

// Envelopes are put together as text: what is inside is JSON already, and parsing it again only to
// write it once more would double the work for the large ones.
QByteArray quoted(const QString &text)
{
    return QByteArray::fromStdString(
        json(text.toStdString()).dump(-1, ' ', false, json::error_handler_t::replace));
}

QByteArray orNull(const QByteArray &text)
{
    return text.isEmpty() ? QByteArrayLiteral("null") : text;
}

struct Framer
{
    Frame operator()(const Hello &hello) const
    {
        QByteArray text = "{\"kind\":\"hello\",\"protocol\":" + QByteArray::number(hello.protocol)
            + ",\"client\":" + quoted(hello.client);
        if (hello.error)
            text += ",\"error\":" + application::toJson(*hello.error);
        return {text + '}', {}};
    }
    Frame operator()(const CommandMessage &message) const
    {
        return {"{\"kind\":\"command\",\"id\":" + quoted(message.id.toString())
                    + ",\"command\":" + quoted(message.command)
                    + ",\"arguments\":" + orNull(message.arguments.json) + '}',
                message.arguments.binary};
    }
    Frame operator()(const CancelMessage &message) const
    {
        return {"{\"kind\":\"cancel\",\"id\":" + quoted(message.id.toString()) + '}', {}};
    }
    Frame operator()(const AnswerMessage &message) const
    {
        const QByteArray start = "{\"kind\":\"answer\",\"id\":" + quoted(message.id.toString());
        if (message.answer)
            return {start + ",\"result\":" + orNull(message.answer->json) + '}',
                    message.answer->binary};
        return {start + ",\"error\":" + application::toJson(message.answer.error()) + '}', {}};
    }
    Frame operator()(const EventMessage &message) const
    {
        return eventFrame(application::toJson(message.event), message.skipped);
    }
};

QString text(const json &object, const char *key)
{
    return QString::fromStdString(object.at(key).get_ref<const std::string &>());
}

QByteArray inner(const json &object, const char *key)
{
    const json &value = object.at(key);
    return value.is_null() ? QByteArray() : QByteArray::fromStdString(value.dump());
}

domain::RequestId requestId(const json &object)
{
    return domain::RequestId(text(object, "id"));
}

tl::unexpected<domain::Error> refused(const char *why)
{
    return domain::failure(ErrorKind::Protocol, QString::fromLatin1(why));
}

domain::Result<Message> helloFrom(const json &object)
{
    Hello hello;
    hello.protocol = object.at("protocol").get<int>();
    hello.client = text(object, "client");
    if (object.contains("error")) {
        domain::Result<domain::Error> error =
            application::fromJson<domain::Error>(inner(object, "error"));
        if (!error)
            return domain::failure(error.error());
        hello.error = std::move(*error);
    }
    return Message(std::move(hello));
}

domain::Result<Message> answerFrom(const json &object, const QByteArray &binary)
{
    if (!object.contains("error"))
        return Message(AnswerMessage{requestId(object), Payload{inner(object, "result"), binary}});
    domain::Result<domain::Error> error =
        application::fromJson<domain::Error>(inner(object, "error"));
    if (!error)
        return domain::failure(error.error());
    return Message(AnswerMessage{requestId(object), domain::failure(std::move(*error))});
}

domain::Result<Message> eventFrom(const json &object)
{
    domain::Result<application::Event> event =
        application::fromJson<application::Event>(inner(object, "event"));
    if (!event)
        return domain::failure(event.error());
    return Message(EventMessage{std::move(*event), object.at("skipped").get<std::int64_t>()});
}

domain::Result<Message> messageFrom(const json &object, const QByteArray &binary)
{
    const QString kind = text(object, "kind");
    if (kind == QLatin1String("hello"))
        return helloFrom(object);
    if (kind == QLatin1String("answer"))
        return answerFrom(object, binary);
    if (kind == QLatin1String("event"))
        return eventFrom(object);
    const bool command = kind == QLatin1String("command");
    if (!command && kind != QLatin1String("cancel"))
        return refused("A message of an unknown kind");
    const domain::RequestId id = requestId(object);
    if (id.isNull() || id.toString().size() > kLongestId)
        return refused("A request id must have 1 to 128 characters");
    if (!command)
        return Message(CancelMessage{id});
    QString name = text(object, "command");
    if (name.isEmpty() || name.size() > kLongestCommand)
        return refused("A command's name must have 1 to 64 characters");
    return Message(
        CommandMessage{id, std::move(name), Payload{inner(object, "arguments"), binary}});
}

} // namespace

Frame eventFrame(const QByteArray &eventJson, qint64 skipped)
{
    return {"{\"kind\":\"event\",\"skipped\":" + QByteArray::number(skipped)
                + ",\"event\":" + eventJson + '}',
            {}};
}

Frame toFrame(const Message &message)
{
    return std::visit(Framer{}, message);
}

domain::Result<Message> toMessage(const Frame &frame)
{
    // Writing the inner value again goes down level by level, so the depth has to be bounded
    // before.
    if (domain::nestsDeeperThan(frame.json, application::kDeepestJson))
        return refused("The JSON of a message is nested too deeply");
    const json object = json::parse(frame.json.begin(), frame.json.end(), nullptr, false);
    if (!object.is_object())
        return refused("A message is not a JSON object");
    try {
        return messageFrom(object, frame.binary);
    } catch (const json::exception &) {
        return refused("A message lacks a part or has one of the wrong type");
    }
}

} // namespace berth::remote
