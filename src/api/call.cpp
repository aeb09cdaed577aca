// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/call.h"

#include "api/event_feed.h"
#include "api/exchange.h"

#include <QtCore/QCryptographicHash>
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

bool KeyMemory::admit(const domain::RequestId &id, const QByteArray &arguments)
{
    constexpr qint64 kDayMs = 24LL * 3600 * 1000;
    const qint64 now = steadyMs();
    while (!m_oldestFirst.empty()
           && (m_oldestFirst.size() >= kMost || now - m_oldestFirst.front().at > kDayMs)) {
        m_marks.remove(m_oldestFirst.front().id);
        m_oldestFirst.pop_front();
    }
    const QByteArray mark = QCryptographicHash::hash(arguments, QCryptographicHash::Sha256);
    const auto known = m_marks.constFind(id);
    if (known != m_marks.cend())
        return *known == mark;
    m_marks.insert(id, mark);
    m_oldestFirst.push_back({id, now});
    return true;
}

domain::Error endingError()
{
    return {domain::ErrorKind::Unavailable, QStringLiteral("Berth is ending"), {}, {}, {}};
}

} // namespace berth::api
