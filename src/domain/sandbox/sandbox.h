// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"

#include <QtCore/QDateTime>
#include <QtCore/QMap>

namespace berth::domain {

enum class SandboxStatus { Pending, Provisioned, Deleted };

//! A row of an agent's sandboxes. Live state is not here: the provider has it.
struct Sandbox
{
    SandboxId id;
    AgentId agent;
    QString alias;
    //! Provider kind: "docker".
    QString type;
    //! The row's own settings, flat keys without the provider's prefix.
    QMap<QString, QString> config;
    SandboxStatus status = SandboxStatus::Pending;
    QString externalId;
    //! JSON text, private to the provider.
    QString runtimeState = QStringLiteral("{}");
    ConfigName providerConfig;
    //! Chosen host directory; empty: Berth's own workspace.
    QString workspace;
    QDateTime createdAt;
    QDateTime updatedAt;
    QDateTime lastSeenAt;
};

} // namespace berth::domain
