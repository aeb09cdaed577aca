// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/engine_session.h"

namespace berth::application {

QString wireName(ClientKind kind)
{
    switch (kind) {
    case ClientKind::Window:
        return QStringLiteral("window");
    case ClientKind::Cli:
        return QStringLiteral("cli");
    case ClientKind::Api:
        return QStringLiteral("api");
    }
    return {};
}

EngineSession::EngineSession(QObject *parent) : QObject(parent) {}

EngineSession::~EngineSession() = default;

EngineHost::~EngineHost() = default;

} // namespace berth::application
