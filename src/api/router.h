// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/route.h"

namespace berth::api {

struct Match
{
    const Route *route = nullptr;
    QMap<QString, QString> parameters;
    //! The methods that the path has; empty: there is no such path.
    QList<QByteArray> allowed;
};

//! Finds the row of the table. Immutable: used by both threads.
class Router
{
public:
    explicit Router(QList<Route> routes);

    [[nodiscard]] const QList<Route> &routes() const { return m_routes; }
    [[nodiscard]] Match match(const QByteArray &method, const QByteArray &path) const;

private:
    struct Pattern
    {
        QList<QByteArray> parts;
    };
    QList<Route> m_routes;
    QList<Pattern> m_patterns;
};

//! Whether \a bytes are text: valid UTF-8 without NUL.
[[nodiscard]] bool isText(const QByteArray &bytes);

} // namespace berth::api
