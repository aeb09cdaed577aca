// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/http_message.h"

namespace berth::net {

void HttpHeaders::append(QByteArray name, QByteArray value)
{
    m_fields.append({std::move(name), std::move(value)});
}

QByteArray HttpHeaders::value(QByteArrayView name) const
{
    for (const auto &[candidate, value] : m_fields) {
        if (candidate.compare(name, Qt::CaseInsensitive) == 0)
            return value;
    }
    return {};
}

QList<QByteArray> HttpHeaders::values(QByteArrayView name) const
{
    QList<QByteArray> found;
    for (const auto &[candidate, value] : m_fields) {
        if (candidate.compare(name, Qt::CaseInsensitive) == 0)
            found.append(value);
    }
    return found;
}

bool HttpHeaders::contains(QByteArrayView name) const
{
    for (const auto &[candidate, value] : m_fields) {
        if (candidate.compare(name, Qt::CaseInsensitive) == 0)
            return true;
    }
    return false;
}

QByteArray HttpRequest::serialized() const
{
    QByteArray wire = method + ' ' + target + QByteArrayLiteral(" HTTP/1.1\r\n");
    if (!headers.contains("Host"))
        wire += QByteArrayLiteral("Host: localhost\r\n");
    for (const auto &[name, value] : headers.fields()) {
        // A line break would begin a field, or a request, of somebody else's making.
        Q_ASSERT(!value.contains('\r') && !value.contains('\n'));
        wire += name + QByteArrayLiteral(": ") + value + QByteArrayLiteral("\r\n");
    }
    if (!body.isEmpty() || (method != "GET" && method != "HEAD" && method != "DELETE"))
        wire += QByteArrayLiteral("Content-Length: ") + QByteArray::number(body.size())
            + QByteArrayLiteral("\r\n");
    return wire + QByteArrayLiteral("\r\n") + body;
}

bool HttpRequest::isRepeatable() const
{
    return method == "GET" || method == "HEAD";
}

QByteArray percentEncoded(QByteArrayView bytes)
{
    return bytes.toByteArray().toPercentEncoding();
}

} // namespace berth::net
