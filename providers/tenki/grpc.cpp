// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/tenki/grpc.h"

#include "async/sleep.h"
#include "domain/secret.h"
#include "net/web/retry.h"
#include "net/web/status_error.h"

#include <QtCore/QDateTime>
#include <QtCore/QUrl>

namespace berth::tenki {

using domain::ErrorKind;
using net::HttpHead;
using net::HttpHeaders;
using namespace std::chrono_literals;

namespace {

constexpr int kAttempts = 3;
constexpr std::chrono::milliseconds kFirstWait{250};
//! A server that wants to be left alone for longer is told to the user at once.
constexpr std::chrono::milliseconds kLongestWait{5000};

//! "invalid%20API%20key": what is not a sequence stays as it is.
QString decodedMessage(const QByteArray &message)
{
    QString text = QString::fromUtf8(QByteArray::fromPercentEncoding(message)).left(500);
    for (QChar &one : text) {
        if (!one.isPrint())
            one = QLatin1Char(' ');
    }
    return domain::redacted(text.trimmed());
}

//! What a status means, for users.
QString wordsFor(GrpcStatus status)
{
    switch (status) {
    case GrpcStatus::Ok:
        return QStringLiteral("it ended well, but without an answer");
    case GrpcStatus::Cancelled:
        return QStringLiteral("Tenki gave the call up");
    case GrpcStatus::Unknown:
        return QStringLiteral("Tenki failed for a reason that it does not tell");
    case GrpcStatus::InvalidArgument:
        return QStringLiteral("Tenki does not accept a value");
    case GrpcStatus::DeadlineExceeded:
        return QStringLiteral("it took Tenki too long");
    case GrpcStatus::NotFound:
        return QStringLiteral("Tenki does not know it");
    case GrpcStatus::AlreadyExists:
        return QStringLiteral("it exists already");
    case GrpcStatus::PermissionDenied:
        return QStringLiteral("this key may not do that");
    case GrpcStatus::ResourceExhausted:
        return QStringLiteral("a limit of the account is reached");
    case GrpcStatus::FailedPrecondition:
        return QStringLiteral("its state does not allow it");
    case GrpcStatus::Aborted:
        return QStringLiteral("something else came in between");
    case GrpcStatus::OutOfRange:
        return QStringLiteral("a value is out of range");
    case GrpcStatus::Unimplemented:
        return QStringLiteral("Tenki does not offer it");
    case GrpcStatus::Internal:
        return QStringLiteral("Tenki failed");
    case GrpcStatus::Unavailable:
        return QStringLiteral("Tenki is not available");
    case GrpcStatus::DataLoss:
        return QStringLiteral("Tenki lost data");
    case GrpcStatus::Unauthenticated:
        return QStringLiteral("Tenki does not accept the key");
    }
    return QStringLiteral("Tenki failed");
}

QString sentence(const QString &what, const QString &words)
{
    return what + QStringLiteral(" did not work: ") + words;
}

CallError cutShort(const QString &what)
{
    return {{ErrorKind::Unavailable,
             sentence(what, QStringLiteral("the answer was cut off")),
             QStringLiteral("The connection to Tenki ended before the end of the call was told"),
             {},
             {}},
            {},
            {},
            false};
}

CallError nonsense(const QString &what, const QString &why)
{
    return {{ErrorKind::Protocol,
             sentence(what, QStringLiteral("Tenki's answer is not gRPC")),
             why,
             {},
             {}},
            {},
            {},
            false};
}

//! \a status is what "grpc-status" said.
CallError failed(const QString &what, const QByteArray &status, const QByteArray &message,
                 const HttpHeaders &headers)
{
    const std::optional<GrpcStatus> known = grpcStatusFrom(status);
    const QString text = decodedMessage(message);
    if (!known)
        return nonsense(
            what, QStringLiteral("Its status is \"%1\"").arg(QString::fromLatin1(status.left(20))));
    CallError made;
    made.status = known;
    made.text = text;
    made.error.kind = kindOf(*known, text);
    made.error.message = sentence(what, wordsFor(*known));
    made.error.detail = text;
    if (const auto wait = net::retryAfter(headers, QDateTime::currentDateTimeUtc()))
        made.error.retryAfter = std::chrono::ceil<std::chrono::seconds>(*wait);
    return made;
}

//! Nothing of gRPC in it: something before the service answered.
CallError notGrpc(const QString &what, const HttpHead &head)
{
    if (head.isSuccess())
        return nonsense(what,
                        QStringLiteral("The address answers with \"%1\": is it Tenki's API?")
                            .arg(QString::fromLatin1(head.headers.value("content-type").left(60))));
    CallError made;
    made.error = net::httpError(
        head, sentence(what, QStringLiteral("HTTP status %1").arg(head.status)),
        QStringLiteral("Something in front of Tenki's service answered in its place"));
    if (head.status == 404) {
        // Not a word about the thing asked for.
        made.isEdgeMiss = true;
        made.error.kind = ErrorKind::Unavailable;
        made.error.detail = QStringLiteral(
            "Tenki's edge does not lead there, or not yet; if it stays so, check the endpoint");
    }
    return made;
}

Call<std::shared_ptr<GrpcStream>> openNow(GrpcChannel channel, GrpcCall call, std::stop_token stop)
{
    net::WebRequest request;
    request.method = QByteArrayLiteral("POST");
    request.url = channel.base;
    QString path = request.url.path();
    while (path.endsWith(QLatin1Char('/')))
        path.chop(1);
    request.url.setPath(path + QString::fromLatin1(channel.service + call.method));
    request.headers = channel.headers;
    request.headers.append(QByteArrayLiteral("Content-Type"),
                           QByteArrayLiteral("application/grpc+proto"));
    request.headers.append(QByteArrayLiteral("TE"), QByteArrayLiteral("trailers"));
    // No grpc-accept-encoding: then nothing comes compressed.
    request.headers.append(QByteArrayLiteral("Accept-Encoding"), QByteArrayLiteral("identity"));
    if (call.serverLimit.count() > 0)
        request.headers.append(QByteArrayLiteral("grpc-timeout"),
                               QByteArray::number(qint64(call.serverLimit.count())) + 'm');
    request.body = call.body;
    request.deadlines.firstByte = answerLimit(channel, call);
    request.deadlines.idle = request.deadlines.firstByte;
    const domain::Result<std::shared_ptr<net::WebStream>> opened =
        co_await channel.client->open(request, stop);
    if (!opened) {
        domain::Error error = opened.error();
        error.message = sentence(call.what, error.message);
        co_return callFailure(error);
    }
    const HttpHead head = (*opened)->head();
    const QByteArray status = head.headers.value("grpc-status");
    // "Trailers only": nothing but an end.
    if (!status.isEmpty() && status != "0")
        co_return callFailure(
            failed(call.what, status, head.headers.value("grpc-message"), head.headers));
    if (!head.headers.value("content-type").startsWith("application/grpc"))
        co_return callFailure(notGrpc(call.what, head));
    if (!head.isSuccess())
        co_return callFailure(notGrpc(call.what, head));
    const auto stream = std::make_shared<GrpcStream>(*opened, call.what);
    co_return stream;
}

Call<QByteArray> unaryNow(GrpcChannel channel, GrpcCall call, std::stop_token stop)
{
    const CallResult<std::shared_ptr<GrpcStream>> stream = co_await openCall(channel, call, stop);
    if (!stream)
        co_return callFailure(stream.error());
    const CallResult<std::optional<QByteArray>> message =
        co_await (*stream)->next(answerLimit(channel, call), stop);
    if (!message)
        co_return callFailure(message.error());
    if (!*message)
        co_return callFailure(nonsense(call.what, QStringLiteral("It holds no message")));
    // The status comes after the message, and alone says whether it counts.
    const CallResult<std::optional<QByteArray>> end =
        co_await (*stream)->next(answerLimit(channel, call), stop);
    if (!end)
        co_return callFailure(end.error());
    if (*end)
        co_return callFailure(nonsense(call.what, QStringLiteral("It holds two messages")));
    const QByteArray answer = **message;
    co_return answer;
}

Call<QByteArray> repeatableNow(GrpcChannel channel, GrpcCall call, std::stop_token stop)
{
    std::chrono::milliseconds wait = kFirstWait;
    for (int attempt = 1;; ++attempt) {
        const CallResult<QByteArray> answer = co_await unaryCall(channel, call, stop);
        if (answer)
            co_return *answer;
        const CallError failure = answer.error();
        const ErrorKind kind = failure.error.kind;
        const bool passing = kind == ErrorKind::Unavailable || kind == ErrorKind::RateLimited;
        std::chrono::milliseconds pause = wait;
        if (failure.error.retryAfter)
            pause = *failure.error.retryAfter;
        // A silent server was waited for long enough; an edge that does not lead there is for the
        // caller to judge.
        if (!passing || failure.isEdgeMiss || attempt == kAttempts || pause > kLongestWait)
            co_return callFailure(failure);
        const bool elapsed = co_await async::sleepFor(pause, stop);
        if (!elapsed)
            co_return callFailure(domain::Error{ErrorKind::Cancelled,
                                                QStringLiteral("%1 was given up").arg(call.what),
                                                {},
                                                {},
                                                {}});
        wait *= 2;
    }
}

} // namespace

std::optional<GrpcStatus> grpcStatusFrom(const QByteArray &number)
{
    bool isNumber = false;
    const int value = number.trimmed().toInt(&isNumber);
    if (!isNumber || value < 0 || value > static_cast<int>(GrpcStatus::Unauthenticated))
        return std::nullopt;
    return static_cast<GrpcStatus>(value);
}

ErrorKind kindOf(GrpcStatus status, const QString &text)
{
    switch (status) {
    case GrpcStatus::Ok:
        return ErrorKind::Protocol;
    case GrpcStatus::Cancelled: // by the server: what we give up is never answered
    case GrpcStatus::Unknown:
    case GrpcStatus::Internal:
    case GrpcStatus::Unavailable:
        return ErrorKind::Unavailable;
    case GrpcStatus::InvalidArgument:
    case GrpcStatus::OutOfRange:
        return ErrorKind::InvalidInput;
    case GrpcStatus::DeadlineExceeded:
        return ErrorKind::Timeout;
    case GrpcStatus::NotFound:
        return ErrorKind::NotFound;
    case GrpcStatus::AlreadyExists:
    case GrpcStatus::FailedPrecondition:
    case GrpcStatus::Aborted:
        return ErrorKind::Conflict;
    case GrpcStatus::PermissionDenied:
        return ErrorKind::Forbidden;
    case GrpcStatus::ResourceExhausted:
        // One status for three things; the service's own client tells them apart by these words.
        if (text.contains(QLatin1String("rate limit"), Qt::CaseInsensitive))
            return ErrorKind::RateLimited;
        if (text.contains(QLatin1String("capacity"), Qt::CaseInsensitive))
            return ErrorKind::Unavailable;
        return ErrorKind::Quota;
    case GrpcStatus::Unimplemented:
        return ErrorKind::Unsupported;
    case GrpcStatus::DataLoss:
        return ErrorKind::Protocol;
    case GrpcStatus::Unauthenticated:
        return ErrorKind::Unauthorized;
    }
    return ErrorKind::Protocol;
}

std::chrono::milliseconds answerLimit(const GrpcChannel &channel, const GrpcCall &call)
{
    return call.answerWithin.count() > 0 ? call.answerWithin : channel.answerWithin;
}

GrpcCall grpcCall(const char *method, const QByteArray &message, const QString &what)
{
    GrpcCall call;
    call.method = method;
    call.body = net::envelope(0, message);
    call.what = what;
    return call;
}

GrpcStream::GrpcStream(std::shared_ptr<net::WebStream> stream, QString what)
    : m_stream(std::move(stream)),
      m_parser(std::make_shared<net::EnvelopeParser>()),
      m_what(std::move(what))
{}

Call<std::optional<QByteArray>> GrpcStream::next(std::chrono::milliseconds idle,
                                                 std::stop_token stop)
{
    return nextNow(m_stream, m_parser, m_what, idle, std::move(stop));
}

Call<std::optional<QByteArray>> GrpcStream::nextNow(std::shared_ptr<net::WebStream> stream,
                                                    std::shared_ptr<net::EnvelopeParser> parser,
                                                    QString what, std::chrono::milliseconds idle,
                                                    std::stop_token stop)
{
    for (;;) {
        std::optional<net::Envelope> whole = parser->next();
        if (whole && whole->isCompressed())
            co_return callFailure(nonsense(
                what,
                QStringLiteral("A message is compressed, which Berth did not offer to take; "
                               "something on the way changed the request")));
        if (whole && whole->flags != 0)
            co_return callFailure(
                nonsense(what, QStringLiteral("A message has the flags %1").arg(whole->flags)));
        if (whole)
            co_return std::optional<QByteArray>(std::move(whole->payload));
        if (const domain::Result<void> sound = parser->check(); !sound)
            co_return callFailure(nonsense(what, sound.error().message));
        const domain::Result<QByteArray> piece = co_await stream->next(idle, stop);
        if (!piece) {
            domain::Error error = piece.error();
            error.message = sentence(what, error.message);
            co_return callFailure(error);
        }
        if (!piece->isEmpty()) {
            parser->feed(*piece);
            continue;
        }
        QByteArray status = stream->trailers().value("grpc-status");
        QByteArray message = stream->trailers().value("grpc-message");
        if (status.isEmpty()) {
            status = stream->head().headers.value("grpc-status");
            message = stream->head().headers.value("grpc-message");
        }
        if (status.isEmpty())
            co_return callFailure(cutShort(what));
        if (status != "0")
            co_return callFailure(failed(what, status, message, stream->head().headers));
        if (parser->hasRest())
            co_return callFailure(cutShort(what));
        co_return std::optional<QByteArray>();
    }
}

Call<std::shared_ptr<GrpcStream>> openCall(GrpcChannel channel, GrpcCall call, std::stop_token stop)
{
    return openNow(std::move(channel), std::move(call), std::move(stop));
}

Call<QByteArray> unaryCall(GrpcChannel channel, GrpcCall call, std::stop_token stop)
{
    return unaryNow(std::move(channel), std::move(call), std::move(stop));
}

Call<QByteArray> repeatableCall(GrpcChannel channel, GrpcCall call, std::stop_token stop)
{
    return repeatableNow(std::move(channel), std::move(call), std::move(stop));
}

} // namespace berth::tenki
