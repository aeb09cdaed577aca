// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "net/http_message.h"

#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QUrl>

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>

namespace berth::net {

class WebExchange;
class WebPool;
class WebUpload;

struct WebSettings
{
    //! The only origins that are asked, as originOf() writes them; any other is refused (Forbidden)
    //! before a byte goes out.
    QStringList origins;
    //! Empty: the system's, with http_proxy, https_proxy and no_proxy; "none";
    //! "http://user:password@host:port"; "socks5://host:port".
    QString proxy;
    //! PEM; whom it names is trusted beside whom the system trusts.
    QString caFile;
    //! http:// origins are spoken to in HTTP/2 with prior knowledge.
    bool http2Cleartext = false;
    //! As gRPC needs it: https:// asks for HTTP/2, and an answer over anything else is an error.
    //! Without it https:// stays at HTTP/1.1, where a slow reader holds up the sender; Qt's HTTP/2
    //! reads on without bound.
    bool http2Required = false;
};

struct WebRequest
{
    QByteArray method = QByteArrayLiteral("GET");
    QUrl url;
    HttpHeaders headers;
    QByteArray body;
    //! connect runs until the request is on its way, with a proxy and TLS; firstByte until the end
    //! of the answer's head, anew while the body goes up.
    HttpDeadlines deadlines;
    //! Of the answer, where it is collected.
    qint64 largestBody = 16 * 1024 * 1024;

    //! Asking twice does no harm.
    [[nodiscard]] bool isIdempotent() const;
};

//! One answer's body as it comes. At most 256 KiB are read ahead of next(), so that a slow reader
//! holds up the sender (HTTP/1.1). Dropping it gives the request up.
class WebStream
{
public:
    explicit WebStream(std::shared_ptr<WebExchange> exchange);
    ~WebStream();
    WebStream(const WebStream &) = delete;
    WebStream &operator=(const WebStream &) = delete;

    //! At the end of the body also with the trailers.
    [[nodiscard]] const HttpHead &head() const;
    //! HTTP/2's fields after the body; empty before its end. An answer of fields alone has them in
    //! head() only.
    [[nodiscard]] const HttpHeaders &trailers() const;
    [[nodiscard]] bool isHttp2() const;
    //! The next bytes; empty at the end. After Timeout it may be asked again, after another error
    //! not. One call at a time. \a idle 0: no limit.
    domain::Async<QByteArray> next(std::chrono::milliseconds idle, std::stop_token stop);
    //! The whole rest, refused (Protocol) beyond \a largest bytes.
    domain::Async<QByteArray> rest(qint64 largest, std::chrono::milliseconds idle,
                                   std::stop_token stop);

private:
    std::shared_ptr<WebExchange> m_exchange;
};

//! HTTP for services on the net. The errors of a dead or silent server are Unavailable and Timeout,
//! those of nonsense Protocol, those of a certificate Forbidden; a status of 400 and above is an
//! answer, not an error. A redirect is followed within its origin, for GET, three times at most;
//! any other is an error Protocol. What may do harm when made twice is not repeated, whatever
//! becomes of its connection. Dropping the client leaves what is under way as it is. On one thread,
//! with an event loop.
class WebClient
{
public:
    explicit WebClient(WebSettings settings);
    ~WebClient();
    WebClient(const WebClient &) = delete;
    WebClient &operator=(const WebClient &) = delete;

    [[nodiscard]] const WebSettings &settings() const;
    //! Requests under way, and answers that are not dropped yet; for tests.
    [[nodiscard]] int liveReplies() const;
    domain::Async<HttpResponse> send(WebRequest request, std::stop_token stop);
    //! Answers at the end of the head. Open streams take no connection from send().
    domain::Async<std::shared_ptr<WebStream>> open(WebRequest request, std::stop_token stop);
    //! Begins a request whose body goes on after WebRequest::body (web_upload.h). HTTP/2 only.
    domain::Async<std::shared_ptr<WebUpload>> upload(WebRequest request, std::stop_token stop);

private:
    std::shared_ptr<WebPool> m_pool;
};

//! "https://api.example.com", "http://localhost:3986": scheme, host and a port that is not the
//! scheme's own, in lower case; empty for what is not http or https.
QString originOf(const QUrl &url);
//! "localhost" and what lies below it, and the addresses that mean this machine.
bool isLoopbackHost(const QString &host);
//! nullopt: \a address is one of a service, and a key may be sent there: encrypted, or to this
//! machine. Else the sentence for \a what, the field's key.
std::optional<QString> problemWithService(const QString &what, const QString &address,
                                          const QString &example);

//! nullopt: fit for use as WebSettings::proxy; else what is wrong, in a sentence.
std::optional<QString> problemWithProxy(const QString &proxy);
//! Likewise for WebSettings::caFile: missing, or no certificate in it.
std::optional<QString> problemWithCaFile(const QString &path);

} // namespace berth::net
