// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/model/model.h"
#include "net/sse_reader.h"

#include <QtCore/QSet>

#include <nlohmann/json_fwd.hpp>

#include <memory>

namespace berth::models {

//! What a reader has to know of the request that it reads the reply of.
struct ReplyContext
{
    //! What is opaque goes back only to where it came from.
    QString origin;
    QString model;
    //! Ids of calls that the history has already.
    QSet<QString> usedIds;
};

//! A call while it comes.
struct CallSlot
{
    std::optional<qint64> index;
    QString id;
    QString name;
    QByteArray arguments;
    //! It came as one object; nothing is appended any more.
    bool isWhole = false;
    //! Something came of it since it was told last.
    bool hasGrown = true;
};

//! What came since it was asked last.
struct ReplyGrowth
{
    struct Call
    {
        int index = 0;
        QString name;
        qint64 argumentBytes = 0;
    };
    QString text;
    QString reasoning;
    QList<Call> calls;
};

//! A reply out of a stream's bytes, cut anywhere. Each dialect says what its events mean.
class ReplyReader
{
public:
    explicit ReplyReader(ReplyContext context);
    virtual ~ReplyReader();
    ReplyReader(const ReplyReader &) = delete;
    ReplyReader &operator=(const ReplyReader &) = delete;

    void feed(QByteArrayView bytes);
    //! The bytes ended: also the event that lacks its empty line.
    void finishBytes();
    //! The whole body of a server that does not stream.
    void takeWhole(const QByteArray &body);
    //! Nothing more counts: the end was marked, or an error came.
    [[nodiscard]] bool isOver() const { return m_isOver; }
    //! Something of the reply itself came; it cannot be asked for again without telling it twice.
    [[nodiscard]] bool hasBegun() const;
    //! The server said how the reply ended; what may still come is its usage.
    [[nodiscard]] bool hasStop() const { return m_stop.has_value(); }
    //! One that came in the stream, or of the stream itself.
    [[nodiscard]] const std::optional<domain::Error> &error() const { return m_error; }
    //! How many events came that say something; comments and pings only show that it lives.
    [[nodiscard]] qint64 eventCount() const { return m_eventCount; }
    ReplyGrowth takeGrowth();

    //! The reply as far as it came. \a broken: why no more comes; it counts unless the reply was
    //! complete by then.
    [[nodiscard]] domain::ModelReply reply(const std::optional<domain::Error> &broken);

protected:
    //! An event's data; \a name as in SseEvent.
    virtual void take(const QByteArray &name, const nlohmann::json &data) = 0;
    virtual void takeBody(const nlohmann::json &body) = 0;
    //! ModelTurn::opaque; asked only for a complete reply.
    [[nodiscard]] virtual QByteArray opaque() const = 0;

    //! What was added: halves of characters are one unit each.
    QString addText(const QString &piece);
    QString addReasoning(const QString &piece);
    //! Beyond what a reply may have, the last one, and the reply fails.
    CallSlot &addSlot(CallSlot slot);
    //! A count of usage, within what can be added up.
    static std::optional<qint64> tokensIn(const nlohmann::json &usage, const char *key);
    void count(qsizetype bytes);
    void appendArguments(CallSlot &slot, const QByteArray &piece);
    void fail(domain::Error error);
    void markOver() { m_isOver = true; }

    const ReplyContext m_context;
    std::vector<CallSlot> m_slots;
    domain::ModelUsage m_usage;
    QString m_text;
    //! Of a refusal; empty where the server only says that it was one.
    bool m_refused = false;
    //! Set once the server said how the reply ended.
    std::optional<domain::ModelStop> m_stop;
    //! Calls of a reply that ended so may be run.
    bool m_callsCount = false;

private:
    void takeEvent(const net::SseEvent &event, bool mayBeCut);
    [[nodiscard]] domain::ModelCall callOf(CallSlot &slot, QSet<QString> &ids,
                                           const QString &cut) const;

    net::SseReader m_events;
    QString m_reasoning;
    ReplyGrowth m_growth;
    //! Characters were cut in two somewhere; see split_characters.h.
    bool m_hasHalves = false;
    std::optional<domain::Error> m_error;
    qsizetype m_bytes = 0;
    qint64 m_streamBytes = 0;
    qint64 m_eventCount = 0;
    bool m_isOver = false;
};

std::unique_ptr<ReplyReader> openAiReader(ReplyContext context);
std::unique_ptr<ReplyReader> anthropicReader(ReplyContext context);

} // namespace berth::models
