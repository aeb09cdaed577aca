// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/call.h"

#include "api/event_feed.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QDateTime>
#include <QtCore/QFile>
#include <QtCore/QSaveFile>
#include <QtCore/QUuid>

namespace berth::api {

BodyPieces::~BodyPieces() = default;

domain::RequestId CallContext::requestId() const
{
    if (request.idempotencyKey.isEmpty())
        return domain::RequestId::create();
    static const QUuid space(QStringLiteral("{5a0c4b1e-7f0e-4b53-9a6b-8f5f3b7f9c11}"));
    // The same key of another user is another key.
    const QByteArray name =
        request.user.toUtf8() + '\n' + request.line + '\n' + request.idempotencyKey;
    return domain::RequestId(QUuid::createUuidV5(space, name).toString(QUuid::WithoutBraces));
}

KeyMemory::KeyMemory(QString path) : m_path(std::move(path))
{
    load();
}

void KeyMemory::forgetOld(qint64 now)
{
    constexpr qint64 kDay = 24LL * 3600;
    while (!m_oldestFirst.empty()
           && (m_oldestFirst.size() >= kMost || now - m_oldestFirst.front().at > kDay)) {
        m_marks.remove(m_oldestFirst.front().id);
        m_oldestFirst.pop_front();
    }
}

bool KeyMemory::admit(const domain::RequestId &id, const QByteArray &arguments)
{
    const qint64 now = QDateTime::currentSecsSinceEpoch();
    forgetOld(now);
    const QByteArray mark = QCryptographicHash::hash(arguments, QCryptographicHash::Sha256).toHex();
    const auto known = m_marks.constFind(id);
    if (known != m_marks.cend())
        return *known == mark;
    m_marks.insert(id, mark);
    m_oldestFirst.push_back({id, now});
    append(id, mark, now);
    return true;
}

//! A line each: seconds, id, hash. What does not fit is left out.
void KeyMemory::load()
{
    QFile file(m_path);
    if (!file.open(QIODevice::ReadOnly))
        return;
    while (!file.atEnd() && m_lines < 2 * kMost) {
        const QList<QByteArray> parts = file.readLine(256).trimmed().split(' ');
        ++m_lines;
        bool ok = false;
        const qint64 at = parts.value(0).toLongLong(&ok);
        const domain::RequestId id(QString::fromLatin1(parts.value(1)));
        if (!ok || parts.size() != 3 || m_marks.contains(id))
            continue;
        m_marks.insert(id, parts[2]);
        m_oldestFirst.push_back({id, at});
    }
    file.close();
    forgetOld(QDateTime::currentSecsSinceEpoch());
    if (m_lines > m_oldestFirst.size())
        rewrite();
}

void KeyMemory::rewrite()
{
    QSaveFile file(m_path);
    if (!file.open(QIODevice::WriteOnly))
        return;
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    for (const Use &use : m_oldestFirst)
        file.write(QByteArray::number(use.at) + ' ' + use.id.toString().toLatin1() + ' '
                   + m_marks.value(use.id) + '\n');
    if (file.commit())
        m_lines = m_oldestFirst.size();
}

void KeyMemory::append(const domain::RequestId &id, const QByteArray &mark, qint64 at)
{
    if (m_path.isEmpty())
        return;
    if (m_lines >= 2 * kMost)
        return rewrite();
    QFile file(m_path);
    // Without it a restart forgets the key, and only the answer is kept.
    if (!file.open(QIODevice::WriteOnly | QIODevice::Append))
        return;
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    file.write(QByteArray::number(at) + ' ' + id.toString().toLatin1() + ' ' + mark + '\n');
    ++m_lines;
}

domain::Error endingError()
{
    return {domain::ErrorKind::Unavailable, QStringLiteral("Berth is ending"), {}, {}, {}};
}

} // namespace berth::api
