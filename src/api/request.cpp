// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/request.h"

#include "api/status.h"

namespace berth::api {

Source::~Source() = default;

QByteArray Head::header(const char *name) const
{
    for (const auto &[candidate, value] : headers) {
        if (candidate == name)
            return value;
    }
    return {};
}

qsizetype Head::count(const char *name) const
{
    qsizetype found = 0;
    for (const auto &[candidate, value] : headers)
        found += candidate == name ? 1 : 0;
    return found;
}

Reply jsonReply(QByteArray body, int status)
{
    Reply reply;
    reply.status = status;
    reply.body = std::move(body);
    return reply;
}

Reply errorReply(const domain::Error &error)
{
    Reply reply = jsonReply(errorBody(error), httpStatus(error.kind));
    if (error.retryAfter)
        reply.headers.append({QByteArrayLiteral("Retry-After"),
                              QByteArray::number(qint64(error.retryAfter->count()))});
    return reply;
}

} // namespace berth::api
