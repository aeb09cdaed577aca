// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"

#include <QtCore/QDateTime>
#include <QtCore/QMap>
#include <QtCore/QMetaType>

#include <nlohmann/json_fwd.hpp>

#include <memory>

namespace berth::domain {

//! What a provider last said of a sandbox. A dated cache, never a ground to skip asking before
//! acting.
enum class ObservedState {
    Running,
    Paused,
    Stopped,
    Archived,
    Starting,
    Stopping,
    Error,
    Gone,
    Unknown
};

QString wireName(ObservedState state);
std::optional<ObservedState> observedStateFromWire(QStringView name);

//! The marks on everything that Berth makes, as labels or metadata; keys carry the prefix "berth.".
struct InstanceLabels
{
    InstallationId installation;
    SandboxId sandbox;
    LeaseId lease;
    //! The client token: random, written before the create call, no secret.
    InstanceId instance;
    AgentId agent;
    QString alias;
    //! First 16 hex digits of SHA-256 over the effective config.
    QString configHash;

    [[nodiscard]] QMap<QString, QString> toMap() const;
    //! Missing keys leave null ids.
    static InstanceLabels fromMap(const QMap<QString, QString> &map);
    bool operator==(const InstanceLabels &) const = default;
};

struct Instance
{
    ExternalId externalId;
    //! Human name at the provider, e.g. the container's.
    QString name;
    //! "python:3.12-slim": what it runs, for display.
    QString image;
    ObservedState state = ObservedState::Unknown;
    QString stateDetail;
    InstanceLabels labels;
    QDateTime createdAt;
    QDateTime startedAt;
};

} // namespace berth::domain
