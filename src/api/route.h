// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/request.h"

#include <QtCore/QStringList>

#include <optional>

namespace berth::api {

struct CallContext;
//! A request under way; shared by its coroutines.
using Call = std::shared_ptr<CallContext>;
using RouteFunction = domain::Async<Reply> (*)(Call);

enum class FieldType { Text, Integer, Boolean, TextList, TextMap, Object };

//! A key of a body or a parameter of a query.
struct Field
{
    const char *name = "";
    FieldType type = FieldType::Text;
    bool required = false;
    const char *help = "";
    qint64 minimum = 0;
    qint64 maximum = 1'000'000'000'000'000;
    //! Of a text: the only ones, separated by "|"; empty: any.
    const char *choices = "";
    //! null says something, too: it is kept; else it is as if left out.
    bool nullable = false;
};

enum class BodyKind {
    None,
    //! A JSON object, at most 1 MiB.
    Json,
    //! The same; may be missing.
    OptionalJson,
    //! Bytes of any length, handled as they come.
    Stream,
};

//! One row of the table that the server, the OpenAPI document and the tests go by.
struct Route
{
    QByteArray method;
    //! "/api/threads/{thread_id}". {name} stands for one part of a path.
    QByteArray path;
    QString name;
    QString summary;
    //! Null: for everybody, without a token.
    std::optional<Scope> scope = Scope::Read;
    RouteFunction run = nullptr;
    QList<Field> query;
    QList<Field> body;
    BodyKind bodyKind = BodyKind::None;
    //! The successful answers.
    QList<int> statuses{200};
    //! A component of the document; empty: bytes of \a replyType.
    QString replySchema;
    QByteArray replyType = QByteArrayLiteral("application/json");
    //! The body is a document of its own: any keys; the argument "document".
    bool freeBody = false;

    //! An Idempotency-Key makes a repeated request answer as the first one did.
    [[nodiscard]] bool takesKey() const { return method != "GET" && bodyKind != BodyKind::Stream; }
};

} // namespace berth::api
