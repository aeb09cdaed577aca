// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/web/web_upload.h"

#include "net/web/web_pool.h"

#include <QtCore/QPointer>

namespace berth::net {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

//! What may wait to be sent before write() does.
constexpr qsizetype kSendAhead = 256 * 1024;

} // namespace

class WebUploadState
{
public:
    WebExchangePtr exchange;
    QPointer<WebBody> body;
    HttpDeadlines deadlines;
    QString where;
    std::chrono::steady_clock::time_point begun;
    bool closed = false;
};

namespace {

Async<void> writeWeb(std::shared_ptr<WebUploadState> state, QByteArray bytes, std::stop_token stop)
{
    if (state->closed)
        co_return failure(ErrorKind::InvalidInput, QStringLiteral("The upload is closed"));
    while (!state->exchange->isEnded() && state->body && state->body->waiting() >= kSendAhead) {
        const WebExchange::Event event =
            co_await WebExchange::moved(state->exchange, std::chrono::milliseconds{0}, stop);
        if (event == WebExchange::Event::Stopped)
            co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled while sending"));
    }
    if (state->exchange->isEnded() || !state->body)
        co_return failure(state->exchange->problem().value_or(
            domain::Error{ErrorKind::Unavailable,
                          QStringLiteral("%1 ended the request").arg(state->where),
                          {},
                          {},
                          {}}));
    state->body->give(bytes);
    co_return Result<void>{};
}

Async<std::shared_ptr<WebStream>> answerOf(std::shared_ptr<WebUploadState> state,
                                           std::stop_token stop)
{
    const Result<void> head =
        co_await awaitWebHead(state->exchange, state->deadlines, state->where, state->begun, stop);
    if (!head)
        co_return failure(head.error());
    co_return std::make_shared<WebStream>(state->exchange);
}

Async<std::shared_ptr<WebUpload>> beginUpload(std::shared_ptr<WebPool> pool, WebRequest request,
                                              std::stop_token stop)
{
    const std::optional<domain::Error> objection = pool->objection(request);
    if (objection)
        co_return failure(*objection);
    const auto state = std::make_shared<WebUploadState>();
    state->begun = std::chrono::steady_clock::now();
    state->deadlines = request.deadlines;
    state->where = originOf(request.url);
    const Result<std::shared_ptr<WebLane>> lane =
        co_await WebPool::lane(pool, WebPool::Kind::Stream, request.deadlines.connect, stop);
    if (!lane)
        co_return failure(lane.error());
    WebBody *body = nullptr;
    state->exchange = pool->begin(*lane, request, true, &body);
    if (!body)
        co_return failure(ErrorKind::InvalidInput, QStringLiteral("A body does not go with GET"));
    state->body = body;
    state->exchange->follow(*body);
    co_return std::make_shared<WebUpload>(state);
}

} // namespace

WebUpload::WebUpload(std::shared_ptr<WebUploadState> state) : m_state(std::move(state)) {}

WebUpload::~WebUpload() = default;

Async<std::shared_ptr<WebUpload>> WebUpload::begin(std::shared_ptr<WebPool> pool,
                                                   WebRequest request, std::stop_token stop)
{
    return beginUpload(std::move(pool), std::move(request), std::move(stop));
}

Async<void> WebUpload::write(QByteArray bytes, std::stop_token stop)
{
    return writeWeb(m_state, std::move(bytes), std::move(stop));
}

void WebUpload::closeWriting()
{
    m_state->closed = true;
}

Async<std::shared_ptr<WebStream>> WebUpload::answer(std::stop_token stop)
{
    return answerOf(m_state, std::move(stop));
}

} // namespace berth::net
