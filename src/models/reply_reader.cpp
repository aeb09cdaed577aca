// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/reply_reader.h"

#include "domain/json_depth.h"
#include "models/answer_error.h"
#include "models/bounded_json.h"
#include "models/split_characters.h"
#include "net/json_fields.h"

#include <QtCore/QUuid>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace berth::models {

using domain::Error;
using domain::ErrorKind;
using domain::ModelCall;
using domain::ModelReply;
using domain::ModelStop;
using nlohmann::json;

namespace {

//! Text, reasoning and arguments of one reply together; no model says as much.
constexpr qsizetype kMostReplyBytes = 64 * 1024 * 1024;
//! Of the stream itself, in which each piece has its wrapping.
constexpr qint64 kMostStreamBytes = 256 * 1024 * 1024;
constexpr std::size_t kMostCalls = 256;
//! So that sums of a few stay far from what a number holds.
constexpr qint64 kMostTokens = 1'000'000'000'000;
constexpr qsizetype kTailShown = 200;

QString inventedCallId()
{
    return QStringLiteral("call_") + QUuid::createUuid().toString(QUuid::Id128);
}

//! Broken UTF-8 inside of a piece must not lose the piece.
json lenientlyParsed(const QByteArray &data, bool *halves = nullptr)
{
    if (domain::nestsDeeperThan(data, kDeepestReply))
        return json(json::value_t::discarded);
    json value = net::parsed(data);
    if (value.is_discarded() && halves)
        value = net::parsed(withHalvesKept(data, *halves));
    if (value.is_discarded())
        value = net::parsed(QString::fromUtf8(data).toUtf8());
    return value;
}

QString tailOf(const QByteArray &arguments)
{
    const QString text = QString::fromUtf8(arguments);
    return text.size() > kTailShown ? QStringLiteral("…") + text.right(kTailShown) : text;
}

} // namespace

ReplyReader::ReplyReader(ReplyContext context) : m_context(std::move(context)) {}

ReplyReader::~ReplyReader() = default;

void ReplyReader::feed(QByteArrayView bytes)
{
    if (m_isOver)
        return;
    m_streamBytes += bytes.size();
    if (m_streamBytes > kMostStreamBytes) {
        fail({ErrorKind::Protocol, QStringLiteral("The reply is too large"), {}, {}, {}});
        return;
    }
    for (const net::SseEvent &event : m_events.feed(bytes))
        takeEvent(event, false);
    if (m_events.isBroken())
        fail(
            {ErrorKind::Protocol, QStringLiteral("A piece of the reply is too large"), {}, {}, {}});
}

void ReplyReader::finishBytes()
{
    for (const net::SseEvent &event : m_events.finish())
        takeEvent(event, true);
}

void ReplyReader::takeEvent(const net::SseEvent &event, bool mayBeCut)
{
    if (m_isOver)
        return;
    const QByteArray data = event.data.trimmed();
    if (data == "[DONE]") {
        m_isOver = true;
        return;
    }
    if (data.isEmpty())
        return;
    const json value = lenientlyParsed(data, &m_hasHalves);
    if (value.is_discarded() || !value.is_object()) {
        // An event that the end of the bytes cut is no error of its own.
        if (!mayBeCut && event.name == "error")
            fail(errorInStream(QString::fromUtf8(data)));
        else if (!mayBeCut)
            fail({ErrorKind::Protocol,
                  QStringLiteral("A piece of the reply is no JSON object"),
                  shownLine(data),
                  {},
                  {}});
        return;
    }
    if (event.name != "ping" && net::textIn(value, "type") != QLatin1String("ping"))
        ++m_eventCount;
    take(event.name, value);
}

void ReplyReader::takeWhole(const QByteArray &body)
{
    const json value = lenientlyParsed(body, &m_hasHalves);
    if (!value.is_object()) {
        fail({ErrorKind::Protocol,
              QStringLiteral("The reply is no JSON object"),
              shownLine(body),
              {},
              {}});
        return;
    }
    takeBody(value);
    m_isOver = true;
}

bool ReplyReader::hasBegun() const
{
    return !m_text.isEmpty() || !m_reasoning.isEmpty() || !m_slots.empty() || m_stop;
}

ReplyGrowth ReplyReader::takeGrowth()
{
    for (size_t i = 0; i < m_slots.size(); ++i) {
        if (std::exchange(m_slots[i].hasGrown, false))
            m_growth.calls.append(
                {static_cast<int>(i), m_slots[i].name, m_slots[i].arguments.size()});
    }
    ReplyGrowth grown = std::exchange(m_growth, {});
    // The other half of a character may come with the next piece.
    for (QString ReplyGrowth::*text : {&ReplyGrowth::text, &ReplyGrowth::reasoning}) {
        QString &told = grown.*text;
        if (!m_isOver && !told.isEmpty() && told.back().isHighSurrogate()) {
            (m_growth.*text) = told.right(1);
            told.chop(1);
        }
    }
    return grown;
}

QString ReplyReader::addText(const QString &piece)
{
    count(piece.size());
    const QString joined = m_hasHalves ? withHalvesJoined(piece) : piece;
    m_text += joined;
    m_growth.text += joined;
    return joined;
}

QString ReplyReader::addReasoning(const QString &piece)
{
    count(piece.size());
    const QString joined = m_hasHalves ? withHalvesJoined(piece) : piece;
    m_reasoning += joined;
    m_growth.reasoning += joined;
    return joined;
}

CallSlot &ReplyReader::addSlot(CallSlot slot)
{
    if (m_slots.size() >= kMostCalls) {
        fail({ErrorKind::Protocol, QStringLiteral("The reply has too many calls"), {}, {}, {}});
        return m_slots.back();
    }
    return m_slots.emplace_back(std::move(slot));
}

std::optional<qint64> ReplyReader::tokensIn(const json &usage, const char *key)
{
    const std::optional<qint64> told = net::integerIn(usage, key);
    return told ? std::optional(std::clamp<qint64>(*told, 0, kMostTokens)) : std::nullopt;
}

void ReplyReader::appendArguments(CallSlot &slot, const QByteArray &piece)
{
    count(piece.size());
    slot.arguments += piece;
    slot.hasGrown = true;
}

void ReplyReader::count(qsizetype bytes)
{
    m_bytes += bytes;
    if (m_bytes > kMostReplyBytes)
        fail({ErrorKind::Protocol, QStringLiteral("The reply is too large"), {}, {}, {}});
}

void ReplyReader::fail(Error error)
{
    if (!m_error)
        m_error = std::move(error);
    m_isOver = true;
}

ModelCall ReplyReader::callOf(CallSlot &slot, QSet<QString> &ids, const QString &cut) const
{
    if (slot.id.isEmpty() || ids.contains(slot.id))
        slot.id = inventedCallId();
    ids.insert(slot.id);
    if (m_hasHalves)
        slot.arguments = withHalvesJoined(slot.arguments);
    ModelCall call{slot.id, slot.name, slot.arguments, cut};
    // Whoever has them later reads and writes them level by level.
    if (domain::nestsDeeperThan(call.arguments, kDeepestArguments)) {
        call.arguments = QByteArrayLiteral("{}");
        if (call.problem.isEmpty())
            call.problem =
                QStringLiteral("The arguments nest deeper than %1 levels").arg(kDeepestArguments);
    }
    if (call.arguments.trimmed().isEmpty())
        call.arguments = QByteArrayLiteral("{}");
    if (!call.problem.isEmpty())
        return call;
    if (call.name.isEmpty()) {
        call.problem = QStringLiteral("The call names no tool");
        return call;
    }
    const json arguments = lenientlyParsed(call.arguments);
    if (arguments.is_discarded())
        call.problem = QStringLiteral("The arguments are not valid JSON. They end with: %1")
                           .arg(tailOf(call.arguments));
    else if (!arguments.is_object())
        call.problem =
            QStringLiteral("The arguments are no JSON object: %1").arg(tailOf(call.arguments));
    return call;
}

ModelReply ReplyReader::reply(const std::optional<Error> &broken)
{
    ModelReply reply;
    reply.turn.role = domain::ModelRole::Assistant;
    reply.turn.text = m_text;
    reply.turn.reasoning = m_reasoning;
    reply.usage = m_usage;

    QString cut;
    if (m_error) {
        reply.error = m_error;
    } else if (!m_stop && broken) {
        reply.error = broken;
    } else if (!m_stop) {
        reply.error = Error{ErrorKind::Unavailable,
                            QStringLiteral("The reply was interrupted"),
                            QStringLiteral("The server closed the connection before the reply was "
                                           "complete"),
                            {},
                            {}};
    }
    if (reply.error) {
        const bool cancelled = reply.error->kind == ErrorKind::Cancelled;
        reply.stop = cancelled ? ModelStop::Cancelled : ModelStop::Failed;
        if (cancelled)
            reply.error.reset();
        cut = cancelled ? QStringLiteral("The reply was stopped before the call was complete")
                        : QStringLiteral("The reply was interrupted before the call was complete");
    } else {
        reply.stop = m_refused ? ModelStop::Refused : *m_stop;
        if (reply.stop == ModelStop::Length)
            cut = QStringLiteral("The reply reached its limit of tokens inside of the calls");
        else if (reply.stop == ModelStop::Refused || reply.stop == ModelStop::ContentFilter)
            cut = QStringLiteral("The model's provider withheld the rest of the reply");
        else if (!m_callsCount)
            cut = QStringLiteral("The reply ended without its calls being complete");
    }
    QSet<QString> ids = m_context.usedIds;
    for (CallSlot &slot : m_slots) {
        QString why = cut;
        if (!why.isEmpty() && !slot.arguments.isEmpty())
            why += QStringLiteral(". The arguments end with: %1").arg(tailOf(slot.arguments));
        reply.turn.calls.append(callOf(slot, ids, why));
    }
    if (reply.stop == ModelStop::End && !m_slots.empty())
        reply.stop = ModelStop::ToolCalls;
    if (!reply.error && reply.stop != ModelStop::Cancelled)
        reply.turn.opaque = opaque();
    return reply;
}

} // namespace berth::models
