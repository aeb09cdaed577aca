// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/reply_stream.h"

#include "models/answer_error.h"
#include "net/web/retry.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QLocale>
#include <QtCore/QRandomGenerator>
#include <QtCore/QTimer>

#include <algorithm>

namespace berth::models {

using async::Task;
using domain::Error;
using domain::ErrorKind;
using domain::ModelReply;
using domain::Result;
using std::chrono::milliseconds;
using namespace std::chrono_literals;

namespace {

//! What a server may ask to wait; beyond it the user decides.
constexpr milliseconds kLongestWait = 5min;
constexpr milliseconds kFirstWait = 500ms;
constexpr milliseconds kLongestBackoff = 8s;
//! For the usage, when the server has said how the reply ended.
constexpr milliseconds kAfterStop = 5s;
//! Comments and pings keep a silent server alive for so many times its limit.
constexpr int kSignsOfLife = 5;
//! For the end of the body behind the end mark, so that the connection can be used again.
constexpr milliseconds kAfterEnd = 100ms;
constexpr qint64 kLargestError = 1024 * 1024;
constexpr qint64 kLargestReply = 64 * 1024 * 1024;

//! One request and what became of it.
struct ReplyAttempt
{
    std::unique_ptr<ReplyReader> reader;
    std::optional<Error> error;
    bool isWorthAnother = false;
    //! The connection failed before an answer, as one does that the server had closed meanwhile.
    bool isLost = false;
    std::optional<milliseconds> askedWait;
};

using ReplyAttemptPtr = std::shared_ptr<ReplyAttempt>;

void tellGrowth(const ReplyRunPtr &run, const ReplyGrowth &growth)
{
    // Whoever hears of it may delete the stream.
    if (run->stream && !growth.reasoning.isEmpty())
        Q_EMIT run->stream->reasoningGrew(growth.reasoning);
    if (run->stream && !growth.text.isEmpty())
        Q_EMIT run->stream->textGrew(growth.text);
    for (const ReplyGrowth::Call &call : growth.calls) {
        if (run->stream)
            Q_EMIT run->stream->callGrew(call.index, call.name, call.argumentBytes);
    }
}

bool isPassing(ErrorKind kind)
{
    return kind == ErrorKind::Unavailable || kind == ErrorKind::Timeout
        || kind == ErrorKind::RateLimited;
}

Task<void> readRefusal(ReplyRunPtr run, std::shared_ptr<net::WebStream> stream,
                       ReplyAttemptPtr attempt)
{
    const net::HttpHead head = stream->head();
    const Result<QByteArray> body =
        co_await stream->rest(kLargestError, 30s, run->stop.get_token());
    if (!body && body.error().kind == ErrorKind::Cancelled) {
        attempt->error = body.error();
        co_return;
    }
    attempt->error = errorOfAnswer(head, body.value_or(QByteArray()), run->link->shownName());
    attempt->isWorthAnother = isWorthAsking(head, *attempt->error);
    attempt->askedWait = net::retryAfter(head, QDateTime::currentDateTimeUtc());
}

//! Of servers that do not stream, and of proxies that answer for them.
Task<void> readWhole(ReplyRunPtr run, std::shared_ptr<net::WebStream> stream,
                     ReplyAttemptPtr attempt, bool isPage)
{
    const Result<QByteArray> body =
        co_await stream->rest(kLargestReply, run->link->firstEvent(), run->stop.get_token());
    if (!body) {
        attempt->error = body.error();
        co_return;
    }
    if (isPage) {
        attempt->error =
            Error{ErrorKind::Protocol,
                  QStringLiteral("%1 answered with a page").arg(run->link->shownName()),
                  shownLine(*body),
                  stream->head().status,
                  {}};
        co_return;
    }
    attempt->reader->takeWhole(*body);
    tellGrowth(run, attempt->reader->takeGrowth());
}

//! How long the next bytes may take, by what came before.
class StreamClock
{
public:
    StreamClock() { m_lastEvent.start(); }

    //! \a usual: of bytes; 0 or less: its time is over.
    milliseconds next(const ReplyReader &reader, milliseconds usual)
    {
        if (reader.eventCount() != m_events) {
            m_events = reader.eventCount();
            m_lastEvent.start();
        }
        if (!reader.hasStop())
            return std::min(usual, usual * kSignsOfLife - milliseconds(m_lastEvent.elapsed()));
        if (!m_sinceStop.isValid())
            m_sinceStop.start();
        return std::min(usual, kAfterStop - milliseconds(m_sinceStop.elapsed()));
    }

private:
    QElapsedTimer m_lastEvent;
    QElapsedTimer m_sinceStop;
    qint64 m_events = 0;
};

Error silent(const QString &where)
{
    return {ErrorKind::Timeout,
            QStringLiteral("%1 sent nothing of the reply for too long").arg(where),
            QStringLiteral("Only signs came that it lives"),
            {},
            {}};
}

Task<void> readStream(ReplyRunPtr run, std::shared_ptr<net::WebStream> stream,
                      ReplyAttemptPtr attempt)
{
    ReplyReader &reader = *attempt->reader;
    StreamClock clock;
    while (!reader.isOver()) {
        const milliseconds limit =
            clock.next(reader, reader.hasBegun() ? run->link->idle() : run->link->firstEvent());
        // All of it is there but the usage.
        if (limit <= 0ms && reader.hasStop())
            break;
        if (limit <= 0ms) {
            attempt->error = silent(run->link->shownName());
            break;
        }
        const Result<QByteArray> bytes = co_await stream->next(limit, run->stop.get_token());
        if (!bytes || bytes->isEmpty()) {
            reader.finishBytes();
            tellGrowth(run, reader.takeGrowth());
            if (!bytes)
                attempt->error = bytes.error();
            break;
        }
        reader.feed(*bytes);
        tellGrowth(run, reader.takeGrowth());
    }
    if (reader.isOver() && !reader.error()) {
        const Result<QByteArray> end = co_await stream->next(kAfterEnd, run->stop.get_token());
        Q_UNUSED(end) // the reply is there, whatever follows
    }
    if (reader.hasBegun())
        co_return;
    // Nothing has been shown yet.
    if (reader.error())
        attempt->isWorthAnother = isPassing(reader.error()->kind);
    else
        attempt->isWorthAnother = !attempt->error || isPassing(attempt->error->kind);
}

Task<void> attemptReply(ReplyRunPtr run, ReplyAttemptPtr attempt)
{
    attempt->reader = run->link->reader(run->request);
    const net::WebRequest request = run->link->replyRequest(run->request);
    const Result<std::shared_ptr<net::WebStream>> opened =
        co_await run->link->web()->open(request, run->stop.get_token());
    if (!opened) {
        attempt->error = opened.error();
        attempt->isLost = opened.error().kind == ErrorKind::Unavailable;
        attempt->isWorthAnother = isPassing(opened.error().kind);
        co_return;
    }
    const net::HttpHead &head = (*opened)->head();
    const QByteArray type = head.headers.value("Content-Type").toLower();
    const bool isPage = type.startsWith("text/html");
    if (!head.isSuccess())
        co_await readRefusal(run, *opened, attempt);
    else if (isPage || type.startsWith("application/json"))
        co_await readWhole(run, *opened, attempt, isPage);
    else
        co_await readStream(run, *opened, attempt);
}

Task<void> pauseRun(ReplyRunPtr run, milliseconds wait)
{
    const async::Completion<bool> over;
    run->pause = over;
    QTimer timer;
    timer.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, &timer, [over] { over.complete(true); });
    timer.start(wait);
    const std::stop_callback onStop(run->stop.get_token(), [over] { over.complete(true); });
    co_await over;
    run->pause.reset();
}

//! Not all at once, when many were refused at once.
milliseconds jitteredBackoff(int attempt)
{
    const milliseconds whole =
        std::min(kFirstWait * (1 << std::min(attempt - 1, 10)), kLongestBackoff);
    const double part = 1.0 - QRandomGenerator::global()->generateDouble() / 4;
    return milliseconds{static_cast<qint64>(static_cast<double>(whole.count()) * part)};
}

void tellWhen(Error &error, milliseconds wait)
{
    const QDateTime moment = QDateTime::currentDateTime().addMSecs(wait.count());
    const QString when =
        QStringLiteral("It asks for no request before %1")
            .arg(QLocale::c().toString(moment, QStringLiteral("yyyy-MM-dd HH:mm")));
    error.detail = error.detail.isEmpty() ? when : error.detail + QStringLiteral(". ") + when;
    error.retryAfter = std::chrono::ceil<std::chrono::seconds>(wait);
}

Error cancelledRun()
{
    return {ErrorKind::Cancelled, QStringLiteral("The reply was stopped"), {}, {}, {}};
}

Task<void> converse(ReplyRunPtr run)
{
    const ModelReply reply = co_await fetchReply(run);
    if (run->stream)
        Q_EMIT run->stream->finished(reply);
}

} // namespace

Task<ModelReply> fetchReply(ReplyRunPtr run)
{
    if (run->link->problem()) {
        const ModelReply unusable = run->link->reader(run->request)->reply(run->link->problem());
        co_return unusable;
    }
    bool wasResent = false;
    int timeouts = 0;
    for (int count = 1;;) {
        const ReplyAttemptPtr attempt = std::make_shared<ReplyAttempt>();
        co_await attemptReply(run, attempt);
        if (run->stop.stop_requested() && !attempt->error)
            attempt->error = cancelledRun();
        const ModelReply reply = attempt->reader->reply(attempt->error);
        if (!reply.error || run->stop.stop_requested() || !attempt->isWorthAnother)
            co_return reply;
        if (attempt->isLost && !wasResent) {
            wasResent = true;
            continue;
        }
        // A deadline is long; another two of it help nobody.
        if (reply.error->kind == ErrorKind::Timeout && ++timeouts > 1)
            co_return reply;
        const milliseconds asked = attempt->askedWait.value_or(0ms);
        if (asked > kLongestWait) {
            ModelReply later = reply;
            tellWhen(*later.error, asked);
            co_return later;
        }
        if (count >= run->attempts)
            co_return reply;
        const milliseconds wait = std::max(jitteredBackoff(count), asked);
        ++count;
        if (run->stream)
            Q_EMIT run->stream->waiting(wait, *reply.error);
        co_await pauseRun(run, wait);
        if (run->stop.stop_requested()) {
            const ModelReply stopped = run->link->reader(run->request)->reply(cancelledRun());
            co_return stopped;
        }
    }
}

EndpointStream::EndpointStream(ReplyRunPtr run) : m_run(std::move(run))
{
    m_run->stream = this;
    // Nobody has connected to it yet.
    async::postHere([started = m_run] { started->scope->spawn(converse(started)); });
}

EndpointStream::~EndpointStream()
{
    m_run->stream.clear();
    m_run->stop.request_stop();
}

void EndpointStream::stop()
{
    m_run->stop.request_stop();
}

void EndpointStream::retryNow()
{
    if (m_run->pause)
        m_run->pause->complete(true);
}

} // namespace berth::models
