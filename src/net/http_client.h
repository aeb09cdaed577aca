// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/byte_stream.h"
#include "net/http_message.h"

#include <memory>
#include <stop_token>

namespace berth::net {

struct HttpExchange;

//! The body of an answer as it comes. Nothing is read from the connection but by next(), so a slow
//! reader holds up the sender. Dropping it closes the connection unless the body was read to its
//! end.
class HttpBodyStream
{
public:
    explicit HttpBodyStream(std::shared_ptr<HttpExchange> exchange);
    ~HttpBodyStream();
    HttpBodyStream(const HttpBodyStream &) = delete;
    HttpBodyStream &operator=(const HttpBodyStream &) = delete;

    [[nodiscard]] const HttpHead &head() const;
    //! The next bytes; empty at the end. After Timeout it may be asked again, after another error
    //! not. One call at a time. \a idle 0: no limit.
    domain::Async<QByteArray> next(std::chrono::milliseconds idle, std::stop_token stop);
    //! The whole rest, refused beyond \a largest bytes.
    domain::Async<QByteArray> rest(qint64 largest, std::chrono::milliseconds idle,
                                   std::stop_token stop);

private:
    std::shared_ptr<HttpExchange> m_exchange;
};

//! A connection that is not HTTP any more; stream is null when the server answered with an error
//! instead.
struct HijackedStream
{
    HttpHead head;
    ByteStream stream;
    //! Bytes that came together with the head, to be read before the stream's.
    QByteArray first;
    //! Of the error.
    QByteArray body;
};

//! HTTP/1.1 over any stream: one request at a time on a connection, idle connections are used
//! again. The errors of a dead or silent server are Unavailable and Timeout, those of nonsense
//! Protocol; a status of 400 and above is an answer, not an error.
class StreamHttpClient
{
public:
    explicit StreamHttpClient(std::shared_ptr<Dialer> dialer);
    ~StreamHttpClient();

    domain::Async<HttpResponse> send(HttpRequest request, std::stop_token stop);
    //! Answers at the end of the head.
    domain::Async<std::shared_ptr<HttpBodyStream>> open(HttpRequest request, std::stop_token stop);
    //! Adds the fields that ask for the bare connection.
    domain::Async<HijackedStream> hijack(HttpRequest request, std::stop_token stop);

    struct Pool;

private:
    std::shared_ptr<Pool> m_pool;
};

//! Over a unix socket.
std::unique_ptr<StreamHttpClient> localHttpClient(const QString &socketPath);

} // namespace berth::net
