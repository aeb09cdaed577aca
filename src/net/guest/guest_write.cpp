// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/guest/guest_write.h"

namespace berth::net {

using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

class Upload : public GuestSink
{
public:
    Upload(GuestChannel *channel, QByteArray content)
        : m_channel(channel), m_content(std::move(content))
    {}
    ~Upload() override
    {
        if (m_channel)
            m_channel->detach(m_id);
    }

    void open(const QByteArray &body)
    {
        m_id = m_channel->attach(this);
        m_channel->send(BG_WRITE_OPEN, m_id, body);
    }

    void abort()
    {
        if (m_channel)
            m_channel->send(BG_KILL, m_id);
    }

    bool onFrame(quint8 type, const QByteArray &body) override
    {
        switch (type) {
        case BG_WRITE_ACK: {
            GuestReader reader(body);
            const quint64 total = reader.u64();
            if (reader.isBad() || total > static_cast<quint64>(m_sent) || total < m_acknowledged)
                return false;
            m_acknowledged = total;
            push();
            return true;
        }
        case BG_REPLY:
            if (!m_committed)
                return false;
            done.complete(Result<bool>(true));
            return true;
        case BG_ERROR: {
            const std::optional<GuestErrorReply> error = decodeGuestError(body);
            if (!error)
                return false;
            done.complete(failure(guestError(*error, {})));
            return true;
        }
        default:
            return false;
        }
    }

    void onLost(const QString &reason) override
    {
        m_channel = nullptr;
        done.complete(failure(ErrorKind::Unavailable,
                              QStringLiteral("The connection to the sandbox was lost"), reason));
    }

    const async::Completion<Result<bool>> done;

private:
    void push()
    {
        if (!m_channel || done.isComplete())
            return;
        while (m_sent < m_content.size()
               && m_sent - static_cast<qint64>(m_acknowledged) + BG_MAX_DATA <= BG_WRITE_WINDOW) {
            const QByteArray piece = m_content.mid(m_sent, BG_MAX_DATA);
            m_channel->send(BG_WRITE_DATA, m_id, piece);
            m_sent += piece.size();
        }
        if (m_sent == m_content.size() && !m_committed) {
            m_committed = true;
            m_channel->send(BG_WRITE_COMMIT, m_id);
        }
    }

    GuestChannel *m_channel;
    const QByteArray m_content;
    quint32 m_id = 0;
    qint64 m_sent = 0;
    quint64 m_acknowledged = 0;
    bool m_committed = false;
};

} // namespace

domain::Async<void> writeThroughGuest(std::shared_ptr<GuestChannel> channel, QByteArray open,
                                      QByteArray content, std::stop_token stop)
{
    const Result<bool> turn = co_await GuestChannel::takeTurn(channel, stop);
    if (!turn)
        co_return failure(turn.error());
    Upload upload(channel.get(), std::move(content));
    const auto done = upload.done;
    upload.open(open);
    {
        const std::stop_callback onStop(stop, [done] {
            done.complete(failure(ErrorKind::Cancelled, QStringLiteral("Cancelled")));
        });
        QObject silence;
        QObject::connect(channel.get(), &GuestChannel::silent, &silence, [done] {
            done.complete(
                failure(ErrorKind::Timeout, QStringLiteral("The sandbox does not answer")));
        });
        co_await done;
    }
    const Result<bool> result = co_await done;
    // Before the turn is given back: the next write must not come while this one still counts.
    if (!result)
        upload.abort();
    channel->giveTurnBack();
    if (!result)
        co_return failure(result.error());
    co_return Result<void>();
}

} // namespace berth::net
