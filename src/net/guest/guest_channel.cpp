// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/guest/guest_channel.h"

#include "async/post.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QRandomGenerator>

#include <cerrno>

namespace berth::net {

using domain::Error;
using domain::ErrorKind;
using domain::failure;

namespace {

// Below the guest's own limit, so that it never refuses for this.
constexpr int kRequestsAtOnce = 16;
constexpr qint64 kReadAtOnce = 256 * 1024;

QByteArray freshNonce()
{
    QByteArray nonce(BG_NONCE_SIZE, '\0');
    QRandomGenerator::system()->generate(nonce.begin(), nonce.end());
    return nonce;
}

qint64 nowMs()
{
    return QDeadlineTimer::current().deadline();
}

// Text of whatever answered instead of the guest, for a person to read.
QString readable(const QByteArray &bytes)
{
    QString text;
    for (const QChar c : QString::fromUtf8(bytes))
        text += c.isPrint() || c == u'\n' ? c : QChar(u' ');
    return text.simplified();
}

ErrorKind kindOf(quint32 number)
{
    switch (number) {
    case ENOENT:
        return ErrorKind::NotFound;
    case EACCES:
    case EPERM:
    case EROFS:
        return ErrorKind::Forbidden;
    case EEXIST:
    case ENOTEMPTY:
    case EBUSY:
        return ErrorKind::Conflict;
    case ENOTDIR:
    case EISDIR:
    case EINVAL:
    case ELOOP:
    case ENAMETOOLONG:
    case E2BIG:
    case ENOEXEC:
    case EXDEV:
        return ErrorKind::InvalidInput;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EAGAIN:
        return ErrorKind::Quota;
    case ECANCELED:
        return ErrorKind::Cancelled;
    case ENOTSUP:
        return ErrorKind::Unsupported;
    default:
        return ErrorKind::Internal;
    }
}

} // namespace

Error guestError(const GuestErrorReply &reply, const QString &what)
{
    QString text = readable(reply.text.toUtf8());
    if (text.isEmpty())
        text = QStringLiteral("errno %1").arg(reply.number);
    return Error{kindOf(reply.number),
                 what.isEmpty() ? text : what + QStringLiteral(": ") + text,
                 {},
                 {},
                 {}};
}

GuestSink::~GuestSink() = default;

struct GuestChannel::Pending
{
    async::Completion<domain::Result<Answer>> done;
    QByteArray data;
    qint64 maxData = 0;
};

GuestChannel::GuestChannel(std::shared_ptr<QIODevice> stream, GuestChannelOptions options)
    : m_stream(std::move(stream)), m_options(options), m_nonce(freshNonce()), m_decoder(m_nonce)
{
    QIODevice *device = m_stream.get();
    connect(device, &QIODevice::readyRead, this, &GuestChannel::readAll);
    const auto ended = [this] {
        readAll(); // the last words often say why
        fail(QStringLiteral("The sandbox closed the connection"), ErrorKind::Unavailable);
    };
    connect(device, &QIODevice::readChannelFinished, this, ended);
    connect(device, &QIODevice::aboutToClose, this, ended);
    connect(&m_beat, &QTimer::timeout, this, &GuestChannel::beat);
}

GuestChannel::~GuestChannel()
{
    m_stream->disconnect(this);
    m_state = State::Closed;
    const auto sinks = std::exchange(m_sinks, {});
    for (GuestSink *sink : sinks)
        sink->onLost(QStringLiteral("The connection to the sandbox was closed"));
}

domain::Async<std::shared_ptr<GuestChannel>> GuestChannel::open(std::shared_ptr<QIODevice> stream,
                                                                GuestChannelOptions options,
                                                                std::stop_token stop)
{
    return openNow(std::shared_ptr<GuestChannel>(new GuestChannel(std::move(stream), options)),
                   std::move(stop));
}

domain::Async<std::shared_ptr<GuestChannel>> GuestChannel::openNow(
    std::shared_ptr<GuestChannel> self, std::stop_token stop)
{
    self->greet();
    const auto greeted = self->m_greeted;
    QTimer deadline;
    deadline.setSingleShot(true);
    QObject::connect(&deadline, &QTimer::timeout, &deadline, [greeted] {
        greeted.complete(
            failure(ErrorKind::Timeout, QStringLiteral("The guest runner does not answer")));
    });
    deadline.start(self->m_options.handshakeDeadline);
    const std::stop_callback onStop(stop, [greeted] {
        greeted.complete(
            failure(ErrorKind::Cancelled, QStringLiteral("Cancelled while connecting")));
    });
    const domain::Result<bool> result = co_await greeted;
    if (!result) {
        Error error = result.error();
        const QString said = readable(self->m_decoder.preamble());
        if (error.kind != ErrorKind::Cancelled && !said.isEmpty())
            error.detail = said;
        self->close(error.message);
        co_return failure(error);
    }
    co_return self;
}

void GuestChannel::greet()
{
    m_heardAt = nowMs();
    if (m_options.reattach)
        m_stream->write(QByteArray(BG_PADDING, '\0'));
    m_stream->write(QByteArray(BG_MAGIC, BG_MAGIC_SIZE) + m_nonce);
    if (m_stream->bytesAvailable() > 0)
        async::post(this, [this] { readAll(); });
}

void GuestChannel::readAll()
{
    const auto keep = weak_from_this().lock();
    while (m_state != State::Closed && m_stream->bytesAvailable() > 0) {
        const QByteArray bytes = m_stream->read(kReadAtOnce);
        if (bytes.isEmpty())
            return;
        m_heardAt = nowMs();
        m_toldSilent = false;
        m_decoder.append(bytes);
        while (m_state != State::Closed) {
            const std::optional<GuestFrame> frame = m_decoder.next();
            if (!frame)
                break;
            dispatch(*frame);
        }
        if (m_state != State::Closed && !m_decoder.problem().isEmpty())
            fail(QStringLiteral("The guest runner broke the protocol: ") + m_decoder.problem(),
                 ErrorKind::Protocol);
    }
}

void GuestChannel::onHello(const QByteArray &body)
{
    const std::optional<GuestHello> hello = decodeGuestHello(body);
    if (!hello) {
        fail(QStringLiteral("The guest runner sent a greeting that makes no sense"),
             ErrorKind::Protocol);
        return;
    }
    m_hello = *hello;
    if (hello->protocolMin > BG_PROTOCOL_MAX || hello->protocolMax < BG_PROTOCOL_MIN) {
        fail(
            QStringLiteral(
                "The guest runner in this sandbox is of another version (%1). Restart the sandbox.")
                .arg(hello->build),
            ErrorKind::Unsupported);
        return;
    }
    for (const GuestJob &job : hello->jobs)
        m_lastId = qMax(m_lastId, job.id);
    if (m_lastId > 0x7FFFFFFF) {
        fail(QStringLiteral("The guest runner names a command that cannot be"),
             ErrorKind::Protocol);
        return;
    }
    m_state = State::Open;
    m_beat.start(m_options.heartbeat);
    m_greeted.complete(true);
}

void GuestChannel::dispatch(const GuestFrame &frame)
{
    if (m_state == State::Greeting) {
        if (frame.type == BG_HELLO)
            onHello(frame.body);
        else
            fail(QStringLiteral("The guest runner broke the protocol: no greeting"),
                 ErrorKind::Protocol);
        return;
    }
    if (frame.type == BG_PONG)
        return;
    if (frame.type == BG_FATAL) {
        GuestReader reader(frame.body);
        fail(QStringLiteral("The guest runner gave up: ") + readable(reader.bytes(1024)),
             ErrorKind::Protocol);
        return;
    }
    bool fits = frame.id > 0 && frame.id <= m_lastId;
    if (fits) {
        if (GuestSink *sink = m_sinks.value(frame.id))
            fits = sink->onFrame(frame.type, frame.body);
        else if (const auto pending = m_pending.value(frame.id))
            fits = onPending(*pending, frame);
    }
    if (!fits)
        fail(QStringLiteral("The guest runner broke the protocol: an unexpected frame"),
             ErrorKind::Protocol);
}

bool GuestChannel::onPending(Pending &pending, const GuestFrame &frame)
{
    switch (frame.type) {
    case BG_DATA:
        // An offset in front of the bytes; they come in order.
        if (frame.body.size() < 8 || pending.data.size() + frame.body.size() - 8 > pending.maxData)
            return false;
        pending.data += frame.body.mid(8);
        return true;
    case BG_REPLY:
        pending.done.complete(Answer{frame.body, pending.data});
        return true;
    case BG_ERROR: {
        const std::optional<GuestErrorReply> error = decodeGuestError(frame.body);
        if (!error)
            return false;
        pending.done.complete(failure(guestError(*error, {})));
        return true;
    }
    default:
        return false;
    }
}

domain::Async<GuestChannel::Answer> GuestChannel::request(quint8 type, QByteArray body,
                                                          qint64 maxData, std::stop_token stop)
{
    return perform(shared_from_this(), type, std::move(body), maxData, std::move(stop));
}

domain::Async<GuestChannel::Answer> GuestChannel::perform(std::shared_ptr<GuestChannel> self,
                                                          quint8 type, QByteArray body,
                                                          qint64 maxData, std::stop_token stop)
{
    if (body.size() > static_cast<qsizetype>(BG_MAX_TO_GUEST))
        co_return failure(ErrorKind::InvalidInput, QStringLiteral("The request is too large"));
    const domain::Result<bool> turn = co_await takeTurn(self, stop);
    if (!turn)
        co_return failure(turn.error());

    const quint32 id = ++self->m_lastId;
    const auto pending = std::make_shared<Pending>();
    pending->maxData = maxData;
    self->m_pending.insert(id, pending);
    self->send(type, id, body);
    {
        const auto done = pending->done;
        const std::stop_callback onStop(stop, [done] {
            done.complete(failure(ErrorKind::Cancelled, QStringLiteral("Cancelled")));
        });
        co_await done;
    }
    const domain::Result<Answer> answer = co_await pending->done;
    self->m_pending.remove(id);
    self->giveTurnBack();
    if (!answer && answer.error().kind == ErrorKind::Cancelled && stop.stop_requested())
        self->send(BG_KILL, id);
    co_return answer;
}

async::Task<domain::Result<bool>> GuestChannel::takeTurn(std::shared_ptr<GuestChannel> self,
                                                         std::stop_token stop)
{
    // A turn that was given may have been taken by a request that came in between, so look again.
    while (self->isOpen() && self->m_underWay >= kRequestsAtOnce && !stop.stop_requested()) {
        const async::Completion<bool> turn;
        self->m_waiting.push_back(turn);
        const std::stop_callback onStop(stop, [turn] { turn.complete(false); });
        co_await turn;
    }
    if (stop.stop_requested())
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    if (!self->isOpen())
        co_return failure(ErrorKind::Unavailable,
                          QStringLiteral("The connection to the sandbox is closed"));
    ++self->m_underWay;
    co_return true;
}

void GuestChannel::giveTurnBack()
{
    --m_underWay;
    while (!m_waiting.empty()) {
        const async::Completion<bool> next = m_waiting.front();
        m_waiting.pop_front();
        if (next.isComplete()) // stopped while it waited
            continue;
        next.complete(true);
        return;
    }
}

quint32 GuestChannel::attach(GuestSink *sink)
{
    m_sinks.insert(++m_lastId, sink);
    return m_lastId;
}

bool GuestChannel::attachTo(quint32 id, GuestSink *sink)
{
    if (id == 0 || id > m_lastId || m_sinks.contains(id) || m_pending.contains(id))
        return false;
    m_sinks.insert(id, sink);
    return true;
}

void GuestChannel::detach(quint32 id)
{
    m_sinks.remove(id);
}

void GuestChannel::send(quint8 type, quint32 id, const QByteArray &body)
{
    if (isOpen())
        m_stream->write(encodeGuestFrame(type, id, body));
}

void GuestChannel::beat()
{
    send(BG_PING, 0);
    if (nowMs() - m_heardAt < m_options.silence.count() || m_toldSilent)
        return;
    m_toldSilent = true;
    failPending(Error{ErrorKind::Timeout,
                      QStringLiteral("The sandbox does not answer"),
                      QStringLiteral("It may be paused or overloaded."),
                      {},
                      {}});
    Q_EMIT silent();
}

void GuestChannel::failPending(const Error &error)
{
    for (const auto &pending : std::as_const(m_pending))
        pending->done.complete(failure(error));
}

void GuestChannel::fail(const QString &reason, ErrorKind kind)
{
    if (m_state == State::Closed)
        return;
    const auto keep = weak_from_this().lock();
    const bool wasOpen = m_state == State::Open;
    m_state = State::Closed;
    m_beat.stop();
    m_stream->disconnect(this);
    m_greeted.complete(failure(kind, reason));
    failPending(Error{ErrorKind::Unavailable, reason, {}, {}, {}});
    for (const async::Completion<bool> &turn : std::exchange(m_waiting, {}))
        turn.complete(false);
    const auto sinks = std::exchange(m_sinks, {});
    for (GuestSink *sink : sinks)
        sink->onLost(reason);
    m_stream->close();
    if (wasOpen)
        Q_EMIT lost(reason);
}

void GuestChannel::close(const QString &reason)
{
    fail(reason, ErrorKind::Unavailable);
}

} // namespace berth::net
