// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// A file that is written piece by piece.
#include "net/guest/guest_write.h"

#include <QtCore/QScopeGuard>

namespace berth::net {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::FileWriter;
using domain::Result;

namespace {

//! With the requests that may be under way it stays below BG_MAX_OPEN_WRITES.
constexpr int kOpenAtOnce = 8;

using Answer = async::Completion<Result<bool>>;

Error busy()
{
    return {
        ErrorKind::Conflict, QStringLiteral("The piece before has not been taken yet"), {}, {}, {}};
}

class GuestFileWriter final : public FileWriter,
                              public GuestSink,
                              public std::enable_shared_from_this<GuestFileWriter>
{
public:
    GuestFileWriter(std::shared_ptr<GuestChannel> channel, std::shared_ptr<int> openWriters)
        : m_channel(std::move(channel)), m_openWriters(std::move(openWriters))
    {
        ++*m_openWriters;
        QObject::connect(m_channel.get(), &GuestChannel::silent, &m_silence, [this] {
            end(Error{
                ErrorKind::Timeout, QStringLiteral("The sandbox does not answer"), {}, {}, {}});
        });
    }
    ~GuestFileWriter() override
    {
        abort();
        if (m_channel)
            m_channel->detach(m_id);
        --*m_openWriters;
    }

    Answer open(const QByteArray &body)
    {
        m_id = m_channel->attach(this);
        m_channel->send(BG_WRITE_OPEN, m_id, body);
        return m_waiting.emplace();
    }

    Async<void> append(QByteArray bytes, std::stop_token stop) override
    {
        return appendNow(shared_from_this(), std::move(bytes), std::move(stop));
    }
    Async<void> commit(std::stop_token stop) override
    {
        return commitNow(shared_from_this(), std::move(stop));
    }
    void abort() override
    {
        end(Error{ErrorKind::Cancelled, QStringLiteral("The file was given up"), {}, {}, {}});
    }

    bool onFrame(quint8 type, const QByteArray &body) override
    {
        switch (type) {
        case BG_WRITE_ACK: {
            GuestReader reader(body);
            const quint64 total = reader.u64();
            if (reader.isBad() || total > m_sent || total < m_acknowledged
                || (m_opened && total == m_acknowledged))
                return false;
            m_opened = true;
            m_acknowledged = total;
            if (m_acknowledged == m_sent && !m_committed)
                answer(true);
            return true;
        }
        case BG_REPLY:
            if (!m_committed)
                return false;
            m_ended =
                Error{ErrorKind::Conflict, QStringLiteral("The file is complete"), {}, {}, {}};
            answer(true);
            return true;
        case BG_ERROR: {
            const std::optional<GuestErrorReply> error = decodeGuestError(body);
            if (!error)
                return false;
            lose(guestError(*error, {}));
            return true;
        }
        default:
            return false;
        }
    }

    void onLost(const QString &reason) override
    {
        m_channel = nullptr;
        lose(Error{ErrorKind::Unavailable,
                   QStringLiteral("The connection to the sandbox was lost"),
                   reason,
                   {},
                   {}});
    }

    //! What was sent may have arrived or not: nothing can follow, so the file is given up.
    void end(const Error &error)
    {
        if (m_ended)
            return;
        if (m_channel)
            m_channel->send(BG_KILL, m_id);
        lose(error);
    }

private:
    static Async<void> appendNow(std::shared_ptr<GuestFileWriter> self, QByteArray bytes,
                                 std::stop_token stop)
    {
        for (qsizetype at = 0; at < bytes.size(); at += BG_WRITE_WINDOW) {
            if (self->m_waiting)
                co_return failure(busy());
            if (self->m_ended)
                co_return failure(*self->m_ended);
            if (self->m_committed)
                co_return failure(ErrorKind::Conflict, QStringLiteral("The file is complete"));
            const Answer taken = self->m_waiting.emplace();
            const QByteArray window = bytes.mid(at, BG_WRITE_WINDOW);
            self->m_sent += static_cast<quint64>(window.size());
            for (qsizetype i = 0; i < window.size(); i += BG_MAX_DATA)
                self->m_channel->send(BG_WRITE_DATA, self->m_id, window.mid(i, BG_MAX_DATA));
            const Result<void> done = co_await wait(self, taken, stop);
            if (!done)
                co_return failure(done.error());
        }
        if (self->m_ended)
            co_return failure(*self->m_ended);
        co_return Result<void>();
    }

    static Async<void> commitNow(std::shared_ptr<GuestFileWriter> self, std::stop_token stop)
    {
        if (self->m_waiting)
            co_return failure(busy());
        if (self->m_ended)
            co_return failure(*self->m_ended);
        const Answer done = self->m_waiting.emplace();
        self->m_committed = true;
        self->m_channel->send(BG_WRITE_COMMIT, self->m_id);
        const Result<void> result = co_await wait(self, done, stop);
        co_return result;
    }

    static Async<void> wait(std::shared_ptr<GuestFileWriter> self, Answer answered,
                            std::stop_token stop)
    {
        const std::stop_callback onStop(stop, [self] {
            self->end(Error{ErrorKind::Cancelled, QStringLiteral("Cancelled"), {}, {}, {}});
        });
        const Result<bool> result = co_await answered;
        if (!result)
            co_return failure(result.error());
        co_return Result<void>();
    }

    void answer(const Result<bool> &result)
    {
        if (const std::optional<Answer> waiting = std::exchange(m_waiting, std::nullopt))
            waiting->complete(result);
    }
    void lose(const Error &error)
    {
        if (!m_ended)
            m_ended = error;
        answer(failure(*m_ended));
    }

    std::shared_ptr<GuestChannel> m_channel;
    std::shared_ptr<int> m_openWriters;
    QObject m_silence;
    quint32 m_id = 0;
    quint64 m_sent = 0;
    quint64 m_acknowledged = 0;
    bool m_opened = false;
    bool m_committed = false;
    //! Why nothing more can be written; set once.
    std::optional<Error> m_ended;
    std::optional<Answer> m_waiting;
};

} // namespace

Async<std::shared_ptr<FileWriter>> openGuestWriter(std::shared_ptr<GuestChannel> channel,
                                                   QByteArray open,
                                                   std::shared_ptr<int> openWriters,
                                                   std::stop_token stop)
{
    const Result<bool> turn = co_await GuestChannel::takeTurn(channel, stop);
    if (!turn)
        co_return failure(turn.error());
    // Only until it is open: files stay open for as long as somebody sends, and the turns are for
    // what is over soon.
    const auto giveBack = qScopeGuard([channel] { channel->giveTurnBack(); });
    if (*openWriters >= kOpenAtOnce)
        co_return failure(ErrorKind::Quota,
                          QStringLiteral("Too many files are being written at once"));
    const auto writer = std::make_shared<GuestFileWriter>(channel, openWriters);
    const Answer opened = writer->open(open);
    Result<bool> result = true;
    {
        const std::stop_callback onStop(stop, [writer] { writer->abort(); });
        result = co_await opened;
    }
    if (!result && stop.stop_requested())
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    if (!result)
        co_return failure(result.error());
    co_return std::shared_ptr<FileWriter>(writer);
}

} // namespace berth::net
