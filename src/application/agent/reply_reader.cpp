// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/reply_reader.h"

#include "domain/text.h"

namespace berth::application {

using domain::ModelReplyStream;

namespace {

//! At most twenty times a second a client hears of a reply.
constexpr int kTellIntervalMs = 50;

} // namespace

ReplyReader::ReplyReader(EventBus &bus, domain::ThreadId thread, domain::RunId run, int round,
                         std::unique_ptr<ModelReplyStream> stream)
    : m_bus(bus),
      m_thread(std::move(thread)),
      m_run(std::move(run)),
      m_round(round),
      m_stream(std::move(stream))
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kTellIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, &ReplyReader::tell);
    connect(m_stream.get(), &ModelReplyStream::textGrew, this, [this](const QString &piece) {
        m_text += piece;
        grew();
    });
    connect(m_stream.get(), &ModelReplyStream::reasoningGrew, this, [this](const QString &piece) {
        m_reasoning += piece;
        grew();
    });
    connect(m_stream.get(), &ModelReplyStream::callGrew, this,
            [this](int index, const QString &name, qint64) {
                if (m_calls.contains(index) && m_calls.value(index) == name)
                    return;
                m_calls.insert(index, name);
                grew();
            });
    connect(m_stream.get(), &ModelReplyStream::waiting, this,
            [this](std::chrono::milliseconds wait, const domain::Error &why) {
                m_waits = true;
                notice(QStringLiteral("waiting"), &why, domain::nowUtc().addMSecs(wait.count()));
            });
    connect(m_stream.get(), &ModelReplyStream::finished, this,
            [this](const domain::ModelReply &reply) {
                if (m_timer.isActive()) {
                    m_timer.stop();
                    tell();
                }
                m_end.complete(reply);
            });
    notice(QStringLiteral("thinking"), nullptr, {});
}

ReplyReader::~ReplyReader() = default;

void ReplyReader::grew()
{
    if (!std::exchange(m_hasBegun, true) || std::exchange(m_waits, false))
        notice(QString(), nullptr, {});
    if (!m_timer.isActive())
        m_timer.start();
}

ReplyGrew ReplyReader::piece(qint64 text, qint64 reasoning) const
{
    ReplyGrew grown;
    grown.thread = m_thread;
    grown.run = m_run;
    grown.round = m_round;
    grown.offset = text;
    grown.text = m_text.mid(text);
    grown.reasoningOffset = reasoning;
    grown.reasoning = m_reasoning.mid(reasoning);
    grown.calls = QStringList(m_calls.cbegin(), m_calls.cend());
    return grown;
}

void ReplyReader::tell()
{
    const ReplyGrew event = piece(m_textTold, m_reasoningTold);
    m_textTold = m_text.size();
    m_reasoningTold = m_reasoning.size();
    m_bus.publish(event);
}

std::optional<ReplyGrew> ReplyReader::told() const
{
    if (!m_hasBegun)
        return std::nullopt;
    ReplyGrew whole = piece(0, 0);
    whole.text.truncate(m_textTold);
    whole.reasoning.truncate(m_reasoningTold);
    return whole;
}

void ReplyReader::notice(const QString &kind, const domain::Error *why, const QDateTime &until)
{
    RunNotice event;
    event.thread = m_thread;
    event.run = m_run;
    event.kind = kind;
    if (why) {
        event.text = why->message;
        event.detail = why->detail;
    }
    event.until = until;
    m_bus.publish(event);
}

} // namespace berth::application
