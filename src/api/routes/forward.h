// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/call.h"

// Routes that are a command each, and what makes rows of the table readable.
namespace berth::api {

//! The command that the checked arguments spell.
template <typename Command>
domain::Result<Command> commandOf(const Call &call)
{
    const domain::Result<Command> command = application::fromJson<Command>(call->request.body);
    if (!command)
        return domain::failure(domain::ErrorKind::InvalidInput, command.error().message);
    return command;
}

template <typename Answer>
Reply replyOf(const Call &call, const Answer &answer)
{
    const int status = call->route->statuses.constFirst();
    if constexpr (std::is_same_v<Answer, application::Nothing>)
        return jsonReply(QByteArrayLiteral("{\"ok\":true}"), status);
    else
        return jsonReply(application::toJson(answer), status);
}

//! {"<key>": [...]}: one list of a view alone.
template <typename T>
Reply listReply(const char *key, const QList<T> &list)
{
    QByteArray body = QByteArray("{\"") + key + "\":[";
    for (const T &entry : list)
        body += (body.endsWith('[') ? "" : ",") + application::toJson(entry);
    return jsonReply(body + "]}");
}

//! The command whose fields are the arguments; its answer is the reply.
template <typename Command>
domain::Async<Reply> forward(Call call)
{
    const domain::Result<Command> command = commandOf<Command>(call);
    if (!command)
        co_return domain::failure(command.error());
    const Command asked = *command;
    const domain::RequestId id = call->requestId();
    const domain::Result<typename Command::Reply> answer = co_await ask(call, asked, id);
    if (!answer)
        co_return domain::failure(answer.error());
    const Reply reply = replyOf(call, *answer);
    co_return reply;
}

inline Route route(const char *method, const char *path, const char *name, const char *summary,
                   Scope scope, RouteFunction run, const char *replySchema)
{
    Route made;
    made.method = method;
    made.path = path;
    made.name = QString::fromLatin1(name);
    made.summary = QString::fromUtf8(summary);
    made.scope = scope;
    made.run = run;
    made.replySchema = QString::fromLatin1(replySchema);
    return made;
}

inline Route withQuery(Route route, const QList<Field> &query)
{
    route.query = query;
    return route;
}

inline Route withBody(Route route, const QList<Field> &body, BodyKind kind = BodyKind::Json)
{
    route.body = body;
    route.bodyKind = kind;
    return route;
}

inline Route answering(Route route, const QList<int> &statuses)
{
    route.statuses = statuses;
    return route;
}

inline Route freeBody(Route route)
{
    route.bodyKind = BodyKind::Json;
    route.freeBody = true;
    return route;
}

} // namespace berth::api
