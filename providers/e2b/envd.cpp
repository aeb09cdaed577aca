// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/e2b/envd.h"

#include "async/sleep.h"

#include <QtCore/QUuid>

namespace berth::e2b {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using net::HttpResponse;
using net::WebRequest;
using namespace std::chrono_literals;

namespace {

constexpr int kEnvdPort = 49983;
constexpr int kLooksAtAChange = 20;
constexpr auto kBetweenLooks = 250ms;

WebRequest envdRequest(const Envd &envd, const char *method, const QByteArray &target)
{
    WebRequest made;
    made.method = method;
    made.url = QUrl::fromEncoded(envd.base.toUtf8() + target, QUrl::StrictMode);
    if (!envd.access.token.isEmpty())
        made.headers.append("X-Access-Token", envd.access.token.exposeForWire());
    if (!envd.access.trafficToken.isEmpty())
        made.headers.append("e2b-traffic-access-token", envd.access.trafficToken.exposeForWire());
    // Needed where all sandboxes share one host, passed over at a sandbox's own.
    made.headers.append("E2b-Sandbox-Id", envd.access.id.toUtf8());
    made.headers.append("E2b-Sandbox-Port", QByteArray::number(kEnvdPort));
    made.deadlines = envd.pace.deadlines;
    return made;
}

//! With the user that calls about processes and files run as.
WebRequest rpcRequest(const Envd &envd, const QByteArray &method, const char *contentType,
                      const QByteArray &body)
{
    WebRequest made = envdRequest(envd, "POST", '/' + method);
    made.headers.append("Content-Type", contentType);
    made.headers.append("Connect-Protocol-Version", "1");
    QByteArray user = envd.user.toUtf8();
    // Before that version there was no default.
    if (user.isEmpty() && !envd.isAtLeast(0, 4, 0))
        user = QByteArrayLiteral("user");
    if (!user.isEmpty())
        made.headers.append("Authorization", "Basic " + (user + ':').toBase64());
    made.body = body;
    return made;
}

QByteArray fileTarget(const Envd &envd, const QByteArray &path)
{
    QByteArray target = "/files?path=" + net::percentEncoded(path);
    QByteArray user = envd.user.toUtf8();
    if (user.isEmpty() && !envd.isAtLeast(0, 4, 0))
        user = QByteArrayLiteral("user");
    if (!user.isEmpty())
        target += "&username=" + net::percentEncoded(user);
    return target;
}

Error lostOnTheWay(Error error, const QString &what)
{
    if (error.kind == ErrorKind::Cancelled)
        return error;
    error.detail = error.detail.isEmpty() ? error.message
                                          : error.message + QStringLiteral(": ") + error.detail;
    error.message = what + QStringLiteral(" failed: the sandbox does not answer");
    return error;
}

Async<EventStreamPtr> openEvents(EnvdPtr envd, WebRequest request, QString what,
                                 std::stop_token stop)
{
    request.headers.append("Keepalive-Ping-Interval",
                           QByteArray::number(envd->pace.keepAliveSeconds));
    const Result<std::shared_ptr<net::WebStream>> opened = co_await envd->web->open(request, stop);
    if (!opened)
        co_return failure(lostOnTheWay(opened.error(), what));
    const std::shared_ptr<net::WebStream> stream = *opened;
    const net::HttpHead head = stream->head();
    // A proxy in front answers with its own status and JSON.
    if (!head.isSuccess()) {
        const Result<QByteArray> body = co_await stream->rest(64 * 1024, 5s, stop);
        co_return failure(envdError(head, body.value_or(QByteArray()), what));
    }
    if (!head.headers.value("Content-Type").startsWith("application/connect+json"))
        co_return failure(ErrorKind::Protocol,
                          what + QStringLiteral(" failed: no stream of events was answered"));
    co_return std::make_shared<EventStream>(stream, what, envd->pace.silence);
}

} // namespace

bool Envd::isAtLeast(int major, int minor, int micro) const
{
    // One that does not tell its version is taken for a new one.
    return access.envd.isNull() || access.envd >= QVersionNumber(major, minor, micro);
}

EventStream::EventStream(std::shared_ptr<net::WebStream> stream, QString what,
                         std::chrono::milliseconds silence)
    : m_stream(std::move(stream)), m_what(std::move(what)), m_silence(silence)
{}

Async<ProcessEvent> nextOf(EventStream *events, std::stop_token stop)
{
    for (;;) {
        while (const std::optional<net::Envelope> envelope = events->m_parser.next()) {
            if (envelope->isCompressed())
                co_return failure(ErrorKind::Protocol,
                                  QStringLiteral("The sandbox compresses what nobody asked for"));
            if (envelope->isEndStream()) {
                const Result<std::optional<ConnectProblem>> end = decodeEnd(envelope->payload);
                if (!end)
                    co_return failure(end.error());
                ProcessEvent over;
                over.kind = ProcessEvent::Kind::Over;
                over.problem = *end;
                co_return over;
            }
            const Result<ProcessEvent> event = decodeEvent(envelope->payload);
            if (!event)
                co_return failure(event.error());
            if (event->kind != ProcessEvent::Kind::KeepAlive
                && event->kind != ProcessEvent::Kind::Unknown)
                co_return event;
        }
        const Result<void> sound = events->m_parser.check();
        if (!sound)
            co_return failure(sound.error());
        const Result<QByteArray> bytes = co_await events->m_stream->next(events->m_silence, stop);
        if (!bytes) {
            Error error = bytes.error();
            if (error.kind == ErrorKind::Timeout)
                error.message = QStringLiteral("Nothing was heard of the command for %1 s")
                                    .arg(events->m_silence.count() / 1000);
            co_return failure(error);
        }
        if (bytes->isEmpty())
            co_return failure(ErrorKind::Unavailable,
                              QStringLiteral("The stream of the command was cut"));
        events->m_parser.feed(*bytes);
    }
}

Async<ProcessEvent> EventStream::next(std::stop_token stop)
{
    return nextOf(this, std::move(stop));
}

Async<EventStreamPtr> startProcess(EnvdPtr envd, StartRequest request,
                                   std::chrono::milliseconds limit, std::stop_token stop)
{
    WebRequest made = rpcRequest(*envd, "process.Process/Start", "application/connect+json",
                                 net::envelope(0, encodeStart(request)));
    if (limit.count() > 0)
        made.headers.append("Connect-Timeout-Ms",
                            QByteArray::number(std::min<qint64>(limit.count(), 9'999'999'999)));
    return openEvents(std::move(envd), std::move(made), QStringLiteral("Starting the command"),
                      std::move(stop));
}

Async<EventStreamPtr> followProcess(EnvdPtr envd, QByteArray process, std::stop_token stop)
{
    WebRequest made = rpcRequest(*envd, "process.Process/Connect", "application/connect+json",
                                 net::envelope(0, process));
    return openEvents(std::move(envd), std::move(made), QStringLiteral("Following the command"),
                      std::move(stop));
}

namespace {

Async<QByteArray> callNow(EnvdPtr envd, WebRequest request, QString what, std::stop_token stop)
{
    // Not send(): one that waits for a process to read its input would hold up the others.
    const Result<std::shared_ptr<net::WebStream>> opened = co_await envd->web->open(request, stop);
    if (!opened)
        co_return failure(lostOnTheWay(opened.error(), what));
    const std::shared_ptr<net::WebStream> stream = *opened;
    const net::HttpHead head = stream->head();
    const Result<QByteArray> body =
        co_await stream->rest(request.largestBody, request.deadlines.idle, stop);
    if (!body)
        co_return failure(lostOnTheWay(body.error(), what));
    if (!head.isSuccess())
        co_return failure(envdError(head, *body, what));
    co_return *body;
}

} // namespace

Async<bool> isRunning(EnvdPtr envd, std::stop_token stop)
{
    WebRequest request = envdRequest(*envd, "GET", "/health");
    request.deadlines.firstByte =
        std::min<std::chrono::milliseconds>(10s, envd->pace.deadlines.firstByte);
    for (int looks = 1;; ++looks) {
        const Result<HttpResponse> answer = co_await envd->web->send(request, stop);
        if (!answer)
            co_return failure(lostOnTheWay(answer.error(), QStringLiteral("Asking the sandbox")));
        if (answer->head.isSuccess())
            co_return true;
        if (saysNotRunning(answer->head.status, answer->body))
            co_return false;
        // On its way to a pause or out of one, which takes a moment.
        const bool changes = answer->head.status == 409 && looks < kLooksAtAChange;
        if (!changes)
            co_return failure(
                envdError(answer->head, answer->body, QStringLiteral("Asking the sandbox")));
        const bool elapsed = co_await async::sleepFor(kBetweenLooks, stop);
        if (!elapsed)
            co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    }
}

Async<QByteArray> readFile(EnvdPtr envd, QByteArray path, qint64 offset, qint64 length,
                           std::stop_token stop)
{
    if (length <= 0)
        co_return QByteArray();
    WebRequest request = envdRequest(*envd, "GET", fileTarget(*envd, path));
    // Anything else is compressed, and then has neither length nor ranges.
    request.headers.append("Accept-Encoding", "identity");
    request.headers.append("Range",
                           "bytes=" + QByteArray::number(offset) + '-'
                               + QByteArray::number(offset + length - 1));
    const QString what = QStringLiteral("Reading the file");
    const Result<std::shared_ptr<net::WebStream>> opened = co_await envd->web->open(request, stop);
    if (!opened)
        co_return failure(lostOnTheWay(opened.error(), what));
    const std::shared_ptr<net::WebStream> stream = *opened;
    const int status = stream->head().status;
    if (status == 416)
        co_return QByteArray();
    if (!stream->head().isSuccess()) {
        const Result<QByteArray> body = co_await stream->rest(64 * 1024, 5s, stop);
        Error error = envdError(stream->head(), body.value_or(QByteArray()), what);
        if (status == 404)
            error.kind = ErrorKind::NotFound;
        co_return failure(error);
    }
    // A server that knows no ranges sends the whole.
    qint64 skip = status == 206 ? 0 : offset;
    QByteArray content;
    while (content.size() < length) {
        const Result<QByteArray> bytes = co_await stream->next(request.deadlines.idle, stop);
        if (!bytes)
            co_return failure(lostOnTheWay(bytes.error(), what));
        if (bytes->isEmpty())
            break;
        const qint64 passed = std::min<qint64>(skip, bytes->size());
        skip -= passed;
        content += bytes->mid(passed, length - content.size());
    }
    const QByteArray result = content;
    co_return result;
}

Async<QByteArray> callEnvd(EnvdPtr envd, QByteArray method, QByteArray body, QString what,
                           std::stop_token stop)
{
    WebRequest request = rpcRequest(*envd, method, "application/json", body);
    // Answered once the process has read it, which may be never; to send it again would be to send
    // it twice.
    if (method == "process.Process/SendInput")
        request.deadlines.firstByte = 0ms;
    return callNow(std::move(envd), request, std::move(what), std::move(stop));
}

Async<void> writeFile(EnvdPtr envd, QByteArray path, QByteArray content, std::stop_token stop)
{
    WebRequest request = envdRequest(*envd, "POST", fileTarget(*envd, path));
    if (envd->isAtLeast(0, 5, 7)) {
        request.headers.append("Content-Type", "application/octet-stream");
        request.body = content;
    } else {
        const QByteArray boundary =
            "berth-" + QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
        request.headers.append("Content-Type", "multipart/form-data; boundary=" + boundary);
        request.body = "--" + boundary
            + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"file\"\r\n"
              "Content-Type: application/octet-stream\r\n\r\n"
            + content + "\r\n--" + boundary + "--\r\n";
    }
    const Result<QByteArray> answered =
        co_await callNow(envd, request, QStringLiteral("Writing the file"), stop);
    if (answered)
        co_return Result<void>{};
    Error error = answered.error();
    if (error.httpStatus == 507) {
        error.kind = ErrorKind::Storage;
        error.message = QStringLiteral("The sandbox's disk is full");
    }
    co_return failure(error);
}

} // namespace berth::e2b
