// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/token_file.h"
#include "domain/id.h"
#include "domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QMap>
#include <QtCore/QPair>

#include <memory>

// What goes in and out of a route, as plain values.
namespace berth::api {

using Headers = QList<QPair<QByteArray, QByteArray>>;

//! The head of a request as it came, before anything is believed.
struct Head
{
    QByteArray method;
    QByteArray path;
    //! Names in lower case.
    Headers headers;
    //! Decoded; a null value for a name without "=".
    Headers query;
    //! Of all names and values together.
    qsizetype size = 0;

    //! Null without it.
    [[nodiscard]] QByteArray header(const char *name) const;
    [[nodiscard]] qsizetype count(const char *name) const;
};

//! One that was let through.
struct Request
{
    QMap<QString, QString> parameters;
    QMap<QString, QString> query;
    Scopes scopes;
    //! Tells the token that it came with from a later one.
    QByteArray tokenMark;
    //! Of the token: empty for the owner, and only this agent's things when it is not null.
    QString user;
    domain::AgentId agent;
    //! Empty: the one of the file.
    QString tokenId;
    QByteArray idempotencyKey;
    QByteArray lastEventId;
    //! A JSON body, whole.
    QByteArray body;
    //! -1: not said.
    qint64 declaredLength = -1;
    //! For the request id of an Idempotency-Key: "POST /api/threads".
    QByteArray line;
};

//! The body of an answer that comes in pieces; used on the Engine's thread.
class Source
{
public:
    virtual ~Source();
    //! Empty at the end. An error cuts the connection, so that nobody takes it for the end.
    virtual domain::Async<QByteArray> next() = 0;
    //! The client has gone or the server ends: a next() under way has to answer soon.
    virtual void close() = 0;
};

struct Reply
{
    int status = 200;
    QByteArray type = QByteArrayLiteral("application/json");
    QByteArray body;
    Headers headers;
    //! Instead of body.
    std::shared_ptr<Source> source;
    //! Of the source; -1: not known.
    qint64 length = -1;
};

[[nodiscard]] Reply jsonReply(QByteArray body, int status = 200);
[[nodiscard]] Reply errorReply(const domain::Error &error);

} // namespace berth::api
