// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/call.h"

#include "api/event_feed.h"

#include <QtCore/QUuid>

namespace berth::api {

BodyPieces::~BodyPieces() = default;

domain::RequestId CallContext::requestId() const
{
    if (request.idempotencyKey.isEmpty())
        return domain::RequestId::create();
    static const QUuid space(QStringLiteral("{5a0c4b1e-7f0e-4b53-9a6b-8f5f3b7f9c11}"));
    const QByteArray name = request.line + '\n' + request.idempotencyKey;
    return domain::RequestId(QUuid::createUuidV5(space, name).toString(QUuid::WithoutBraces));
}

domain::Error endingError()
{
    return {domain::ErrorKind::Unavailable, QStringLiteral("Berth is ending"), {}, {}, {}};
}

} // namespace berth::api
