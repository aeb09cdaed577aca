// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/sandbox/lease.h"

namespace berth::domain {

QString wireName(DesiredState state)
{
    switch (state) {
    case DesiredState::Running:
        return QStringLiteral("running");
    case DesiredState::Paused:
        return QStringLiteral("paused");
    case DesiredState::Destroyed:
        return QStringLiteral("destroyed");
    }
    return {};
}

std::optional<DesiredState> desiredStateFromWire(QStringView name)
{
    for (const DesiredState state :
         {DesiredState::Running, DesiredState::Paused, DesiredState::Destroyed}) {
        if (wireName(state) == name)
            return state;
    }
    return std::nullopt;
}

QString wireName(OnExit onExit)
{
    return onExit == OnExit::Pause ? QStringLiteral("pause") : QStringLiteral("destroy");
}

std::optional<OnExit> onExitFromWire(QStringView name)
{
    for (const OnExit onExit : {OnExit::Pause, OnExit::Destroy}) {
        if (wireName(onExit) == name)
            return onExit;
    }
    return std::nullopt;
}

} // namespace berth::domain
