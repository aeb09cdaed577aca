// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/endpoint.h"

namespace berth::test {

inline domain::Error gone()
{
    return {domain::ErrorKind::Unavailable, QStringLiteral("gone"), {}, {}, {}};
}

inline domain::ModelRequest requestOf(QList<domain::ModelTurn> turns)
{
    domain::ModelRequest request;
    request.model = QStringLiteral("m");
    request.system = QStringLiteral("You are here.");
    request.turns = std::move(turns);
    return request;
}

inline models::Link linkOf(const QString &dialect, const QString &url)
{
    models::ModelEndpoint settings;
    settings.name = QStringLiteral("e");
    settings.dialect = dialect;
    settings.baseUrl = url;
    return models::Link(settings);
}

inline domain::ModelTurn turnOf(domain::ModelRole role, const QString &text)
{
    domain::ModelTurn turn;
    turn.role = role;
    turn.text = text;
    return turn;
}

} // namespace berth::test
