// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/tiny_web_server.h"
#include "net/web/web_client.h"
#include "support/await.h"

namespace berth::test {

inline const QByteArray kHello =
    QByteArrayLiteral("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
inline const QByteArray kKey = QByteArrayLiteral("canary-8d1f");

inline net::WebRequest ask(const TinyWebServer &server, const QString &path = QStringLiteral("/a"),
                           const QByteArray &method = "GET")
{
    net::WebRequest request;
    request.method = method;
    request.url = QUrl(server.origin() + path);
    request.headers.append("X-Api-Key", kKey);
    return request;
}

inline net::WebSettings only(const QString &origin, const QString &proxy = QStringLiteral("none"))
{
    net::WebSettings settings;
    settings.origins = {origin};
    settings.proxy = proxy;
    return settings;
}

//! Must not be, in any error.
template <typename T>
bool tellsKey(const domain::Result<T> &result)
{
    return told(result).contains(kKey);
}

} // namespace berth::test
