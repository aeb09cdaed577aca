// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>

#include <chrono>
#include <utility>

namespace berth::net {

//! Header fields in the order given; names are compared without regard to case.
class HttpHeaders
{
public:
    HttpHeaders() = default;
    HttpHeaders(std::initializer_list<std::pair<QByteArray, QByteArray>> fields) : m_fields(fields)
    {}

    void append(QByteArray name, QByteArray value);
    //! The first field of that name; empty when there is none.
    [[nodiscard]] QByteArray value(QByteArrayView name) const;
    [[nodiscard]] QList<QByteArray> values(QByteArrayView name) const;
    [[nodiscard]] bool contains(QByteArrayView name) const;
    [[nodiscard]] const QList<std::pair<QByteArray, QByteArray>> &fields() const
    {
        return m_fields;
    }

private:
    QList<std::pair<QByteArray, QByteArray>> m_fields;
};

//! How long each step may take; 0: no limit.
struct HttpDeadlines
{
    std::chrono::milliseconds connect{5000};
    //! From the request to the end of the answer's head.
    std::chrono::milliseconds firstByte{30000};
    //! Between two pieces of the body.
    std::chrono::milliseconds idle{30000};
};

struct HttpRequest
{
    QByteArray method = QByteArrayLiteral("GET");
    //! Path and query, percent-encoded.
    QByteArray target = QByteArrayLiteral("/");
    HttpHeaders headers;
    QByteArray body;
    HttpDeadlines deadlines;
    //! Of the whole body, where it is collected.
    qint64 largestBody = 16 * 1024 * 1024;

    //! As it goes over the wire.
    [[nodiscard]] QByteArray serialized() const;
    //! Asking twice does no harm, so a connection that was closed meanwhile may be tried again.
    [[nodiscard]] bool isRepeatable() const;
};

struct HttpHead
{
    int status = 0;
    QByteArray reason;
    HttpHeaders headers;

    [[nodiscard]] bool isSuccess() const { return status >= 200 && status < 300; }
};

struct HttpResponse
{
    HttpHead head;
    QByteArray body;
};

//! Unreserved characters as they are, all else as %XX: for one segment or one value of a query.
QByteArray percentEncoded(QByteArrayView bytes);

} // namespace berth::net
