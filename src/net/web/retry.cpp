// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/web/retry.h"

#include "async/sleep.h"

#include <QtCore/QLocale>
#include <QtCore/QRandomGenerator>
#include <QtCore/QTimeZone>

#include <algorithm>

namespace berth::net {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using std::chrono::milliseconds;

namespace {

//! What is larger is a moment since 1970, not a number of seconds to go: ten years.
constexpr double kLongestReset = 10.0 * 366 * 24 * 3600;

std::optional<milliseconds> waitOf(double count, double unit)
{
    // A day is longer than anybody waits, and keeps the number fit for every type.
    constexpr double kMost = 24.0 * 3600 * 1000;
    return milliseconds{static_cast<qint64>(std::clamp(count * unit, 0.0, kMost))};
}

std::optional<double> numberIn(const QByteArray &text)
{
    bool fine = false;
    const double number = text.trimmed().toDouble(&fine);
    if (!fine || !(number >= 0)) // also refuses what is not a number
        return std::nullopt;
    return number;
}

//! The three spellings of RFC 9110, 5.6.7; all are UTC.
std::optional<QDateTime> httpDate(const QByteArray &text)
{
    // Without the day's name, which would not fit the year where that has two digits.
    const QString trimmed = QString::fromLatin1(text).simplified().section(QLatin1Char(' '), 1);
    const QLocale english = QLocale::c();
    static const QString spellings[] = {QStringLiteral("dd MMM yyyy HH:mm:ss 'GMT'"),
                                        QStringLiteral("dd-MMM-yy HH:mm:ss 'GMT'"),
                                        QStringLiteral("MMM d HH:mm:ss yyyy")};
    for (const QString &spelling : spellings) {
        QDateTime moment = english.toDateTime(trimmed, spelling);
        if (!moment.isValid())
            continue;
        moment.setTimeSpec(Qt::UTC);
        // Two digits of a year: Qt means the last century.
        if (moment.date().year() < 1970)
            moment = moment.addYears(100);
        return moment;
    }
    return std::nullopt;
}

std::optional<milliseconds> until(const QDateTime &moment, const QDateTime &now)
{
    return waitOf(static_cast<double>(now.msecsTo(moment)), 1);
}

std::optional<milliseconds> explicitWait(const HttpHeaders &headers, const QDateTime &now)
{
    if (const auto count = numberIn(headers.value("retry-after-ms")))
        return waitOf(*count, 1);
    const QByteArray after = headers.value("Retry-After");
    if (const auto count = numberIn(after))
        return waitOf(*count, 1000);
    if (const auto moment = httpDate(after))
        return until(*moment, now);
    return std::nullopt;
}

std::optional<milliseconds> untilReset(const HttpHeaders &headers, const QDateTime &now)
{
    for (const char *name : {"X-RateLimit-Reset", "RateLimit-Reset"}) {
        const auto count = numberIn(headers.value(name));
        if (!count)
            continue;
        if (*count <= kLongestReset)
            return waitOf(*count, 1000);
        // Some write milliseconds since 1970.
        const double seconds = *count > 1e11 ? *count / 1000 : *count;
        if (seconds > 1e11)
            return std::nullopt;
        return until(QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(seconds * 1000), Qt::UTC),
                     now);
    }
    return std::nullopt;
}

bool isWorthRepeating(int status)
{
    return status == 408 || status == 429 || status == 500 || status == 502 || status == 503
        || status == 504;
}

async::Task<bool> sleepOnTheClock(milliseconds duration, std::stop_token stop)
{
    return async::sleepFor(duration, std::move(stop));
}

} // namespace

std::optional<milliseconds> retryAfter(const HttpHeaders &headers, const QDateTime &now)
{
    const auto wait = explicitWait(headers, now);
    return wait ? wait : untilReset(headers, now);
}

std::optional<milliseconds> retryAfter(const HttpHead &head, const QDateTime &now)
{
    return head.status == 429 ? retryAfter(head.headers, now) : explicitWait(head.headers, now);
}

RetryClock systemRetryClock()
{
    return {[] { return QDateTime::currentDateTimeUtc(); },
            [](milliseconds duration, std::stop_token stop) {
                return sleepOnTheClock(duration, std::move(stop));
            },
            [] { return QRandomGenerator::global()->generateDouble(); }};
}

Async<HttpResponse> sendWithRetry(std::shared_ptr<WebClient> client, WebRequest request,
                                  RetryPolicy policy, RetryClock clock, bool idempotent,
                                  std::stop_token stop)
{
    const QDateTime begin = clock.now();
    milliseconds backoff = policy.first;
    for (int attempt = 1;; ++attempt) {
        const Result<HttpResponse> answer = co_await client->send(request, stop);
        const bool again = answer ? isWorthRepeating(answer->head.status)
                                  : answer.error().kind == ErrorKind::Timeout
                || answer.error().kind == ErrorKind::Unavailable;
        if (!again || !idempotent || attempt >= policy.attempts)
            co_return answer;
        const QDateTime now = clock.now();
        // Not all at once, when many were refused at once.
        const auto jittered = milliseconds{
            static_cast<qint64>(static_cast<double>(backoff.count()) * (1.0 - clock.random() / 4))};
        milliseconds wait = std::min(jittered, policy.cap);
        if (answer) {
            if (const auto asked = retryAfter(answer->head, now)) {
                if (*asked > policy.cap)
                    co_return answer;
                wait = std::max(wait, *asked);
            }
        }
        if (milliseconds{begin.msecsTo(now)} + wait > policy.total)
            co_return answer;
        backoff = std::min(backoff * 2, policy.cap);
        const bool slept = co_await clock.sleep(wait, stop);
        if (!slept)
            co_return failure(ErrorKind::Cancelled,
                              QStringLiteral("Cancelled while waiting for another attempt"));
    }
}

Async<HttpResponse> sendWithRetry(std::shared_ptr<WebClient> client, WebRequest request,
                                  RetryPolicy policy, std::stop_token stop)
{
    const bool idempotent = request.isIdempotent();
    return sendWithRetry(std::move(client), std::move(request), policy, systemRetryClock(),
                         idempotent, std::move(stop));
}

} // namespace berth::net
