// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine/event_bus.h"
#include "domain/model/model.h"

#include "async/completion.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QMap>
#include <QtCore/QObject>
#include <QtCore/QTimer>

#include <memory>
#include <optional>

namespace berth::application {

//! Follows one reply as it comes and tells of it at most twenty times a second. Pieces of one reply
//! join by their offsets. A reply that broke off and is asked for again has the same round: it
//! begins with an empty piece at offset 0, and what came before it is void.
class ReplyReader final : public QObject
{
    Q_OBJECT
public:
    ReplyReader(EventBus &bus, domain::ThreadId thread, domain::RunId run, int round,
                std::unique_ptr<domain::ModelReplyStream> stream);
    ~ReplyReader() override;

    [[nodiscard]] async::Completion<domain::ModelReply> end() const { return m_end; }
    void stop() { m_stream->stop(); }
    void retryNow() { m_stream->retryNow(); }
    //! Tells clients that what the one before told is void.
    void startOver() { tell(); }
    //! All that was told, as one piece at offset 0; nullopt: nothing was yet.
    [[nodiscard]] std::optional<ReplyGrew> told() const;
    //! Something of the reply has been shown.
    [[nodiscard]] bool hasBegun() const { return m_hasBegun; }

private:
    void grew();
    void tell();
    [[nodiscard]] ReplyGrew piece(qint64 text, qint64 reasoning) const;
    void notice(const QString &kind, const domain::Error *why, const QDateTime &until);

    EventBus &m_bus;
    domain::ThreadId m_thread;
    domain::RunId m_run;
    int m_round;
    std::unique_ptr<domain::ModelReplyStream> m_stream;
    async::Completion<domain::ModelReply> m_end;
    QString m_text;
    QString m_reasoning;
    qint64 m_textTold = 0;
    qint64 m_reasoningTold = 0;
    QMap<int, QString> m_calls;
    QTimer m_timer;
    bool m_hasBegun = false;
    bool m_waits = false;
};

} // namespace berth::application
