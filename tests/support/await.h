// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QEventLoop>
#include <QtCore/QTimer>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

// Waiting in tests. The programs themselves never wait like this.
namespace berth::test {

using namespace std::chrono_literals;

namespace detail {

template <typename T>
struct Landing
{
    std::optional<T> value;
    QEventLoop *loop = nullptr;
};

template <typename T>
async::Task<void> land(async::Task<T> task, std::shared_ptr<Landing<T>> landing)
{
    T value = co_await task;
    landing->value.emplace(std::move(value));
    if (landing->loop)
        landing->loop->quit();
}

} // namespace detail

//! What \a task answers; nullopt when it takes longer than \a limit.
template <typename T>
std::optional<T> landed(async::Task<T> task, std::chrono::milliseconds limit = 30s)
{
    const auto landing = std::make_shared<detail::Landing<T>>();
    detail::land<T>(std::move(task), landing);
    if (!landing->value) {
        QEventLoop loop;
        QTimer timer;
        timer.setSingleShot(true);
        QObject::connect(&timer, &QTimer::timeout, &loop, &QEventLoop::quit);
        timer.start(limit);
        landing->loop = &loop;
        loop.exec();
        landing->loop = nullptr;
    }
    return std::move(landing->value);
}

//! The same for what can fail: too late is a failure, too.
template <typename T>
domain::Result<T> await(domain::Async<T> task, std::chrono::milliseconds limit = 30s)
{
    std::optional<domain::Result<T>> result = landed(std::move(task), limit);
    if (result)
        return std::move(*result);
    return domain::failure(domain::ErrorKind::Timeout,
                           QStringLiteral("the test waited %1 ms in vain").arg(limit.count()));
}

//! Runs the event loop until \a condition holds; false when it does not within \a limit. Looks
//! after each event, so it costs no fixed sleep where signals change the condition.
inline bool waitUntil(const std::function<bool()> &condition, std::chrono::milliseconds limit = 30s)
{
    QEventLoop loop;
    QTimer timer;
    timer.setSingleShot(true);
    timer.start(limit);
    QTimer nudge;
    nudge.start(5ms);
    while (!condition()) {
        if (!timer.isActive())
            return false;
        loop.processEvents(QEventLoop::WaitForMoreEvents);
    }
    return true;
}

//! Lets the event loop run for a while.
inline void spin(std::chrono::milliseconds duration)
{
    waitUntil([] { return false; }, duration);
}

//! "not_found: message (detail)", for the messages of failed checks.
template <typename T>
QByteArray told(const domain::Result<T> &result)
{
    if (result.has_value())
        return QByteArrayLiteral("success");
    const domain::Error &error = result.error();
    return (domain::wireName(error.kind) + QStringLiteral(": ") + error.message
            + QStringLiteral(" (") + error.detail + QLatin1Char(')'))
        .toUtf8();
}

} // namespace berth::test

//! Fails the running test function with the error's words unless \a result holds a value.
#define BERTH_OK(result)                                                                           \
    do {                                                                                           \
        const auto &berthResult = (result);                                                        \
        if (!berthResult.has_value())                                                              \
            QFAIL(::berth::test::told(berthResult).constData());                                   \
    } while (false)

//! Fails it unless \a result is an error of \a errorKind.
#define BERTH_FAILS(result, errorKind)                                                             \
    do {                                                                                           \
        const auto &berthResult = (result);                                                        \
        if (berthResult.has_value() || berthResult.error().kind != (errorKind))                    \
            QFAIL(::berth::test::told(berthResult).constData());                                   \
    } while (false)
