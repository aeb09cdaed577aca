// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/router.h"

#include <QtCore/QStringDecoder>

namespace berth::api {

namespace {

constexpr qsizetype kLongestParameter = 512;

bool fits(const QList<QByteArray> &pattern, const QList<QByteArray> &parts,
          QMap<QString, QString> &parameters)
{
    if (pattern.size() != parts.size())
        return false;
    for (qsizetype at = 0; at < parts.size(); ++at) {
        const QByteArray &wanted = pattern[at];
        if (!wanted.startsWith('{')) {
            if (wanted != parts[at])
                return false;
            continue;
        }
        if (parts[at].isEmpty() || parts[at].size() > kLongestParameter)
            return false;
        parameters.insert(QString::fromLatin1(wanted.mid(1, wanted.size() - 2)),
                          QString::fromUtf8(parts[at]));
    }
    return true;
}

} // namespace

bool isText(const QByteArray &bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString decoded = decoder(bytes);
    return !decoder.hasError() && !bytes.contains('\0');
}

Router::Router(QList<Route> routes) : m_routes(std::move(routes))
{
    for (const Route &route : std::as_const(m_routes))
        m_patterns.append({route.path.split('/')});
}

Match Router::match(const QByteArray &method, const QByteArray &path) const
{
    Match match;
    if (!isText(path))
        return match;
    const QList<QByteArray> parts = path.split('/');
    for (qsizetype at = 0; at < m_routes.size(); ++at) {
        QMap<QString, QString> parameters;
        if (!fits(m_patterns[at].parts, parts, parameters))
            continue;
        match.allowed.append(m_routes[at].method);
        if (!match.route && m_routes[at].method == method) {
            match.route = &m_routes[at];
            match.parameters = parameters;
        }
    }
    return match;
}

} // namespace berth::api
