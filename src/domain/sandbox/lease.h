// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/instance.h"

#include <optional>

namespace berth::domain {

enum class DesiredState { Running, Paused, Destroyed };
enum class OnExit { Pause, Destroy };

QString wireName(DesiredState state);
std::optional<DesiredState> desiredStateFromWire(QStringView name);
QString wireName(OnExit onExit);
std::optional<OnExit> onExitFromWire(QStringView name);

//! The local lifecycle record of one sandbox.
struct Lease
{
    LeaseId id;
    SandboxId sandbox;
    AgentId agent;
    QString alias;
    InstallationId installation;
    //! Provider kind.
    QString providerName;
    ConfigName providerConfig;
    QString engineId;
    DesiredState desired = DesiredState::Running;
    ObservedState observed = ObservedState::Unknown;
    //! Of the last observation.
    QDateTime observedAt;
    //! Undo of destroy: when it is due.
    QDateTime destroyDueAt;
    QString lastError;
    OnExit onExit = OnExit::Pause;
    //! Compare-and-swap: each change adds one.
    qint64 version = 0;
    QDateTime createdAt;
    QDateTime updatedAt;
};

enum class InstanceStatus { Creating, Live, Gone };

//! A provider-side runtime behind a lease; written before the create call.
struct InstanceRecord
{
    //! Also the client token that the instance carries as label.
    InstanceId id;
    LeaseId lease;
    //! Null while creating.
    ExternalId externalId;
    QString name;
    QString image;
    InstanceStatus status = InstanceStatus::Creating;
    //! Its set-up commands have all worked.
    bool initialised = false;
    QDateTime createdAt;
    QDateTime lastSeenAt;
};

//! Why a lease changed; kept with it in one transaction.
struct LeaseEvent
{
    LeaseId lease;
    //! "ensure", "created", "adopted", "paused", "resumed", "destroyed", "observed", "failed", …
    QString type;
    //! "window", "cli", "api", "reconciler", "policy", "engine".
    QString source;
    QString payload;
    QString error;
    QDateTime at;
};

//! Working directory and exported variables of a thread in its sandbox.
struct Terminal
{
    TerminalId id;
    ThreadId thread;
    LeaseId lease;
    QByteArray cwd;
    //! Variables that differ from the sandbox's own; names that look like keys are left out when
    //! stored.
    QList<std::pair<QByteArray, QByteArray>> environmentDelta;
    qint64 stateVersion = 0;
    //! Names that were left out when it was stored, for "not kept over a restart". Filled by the
    //! store.
    QList<QByteArray> withheld;
};

//! A span in one billable state.
struct UsageInterval
{
    LeaseId lease;
    ConfigName providerConfig;
    ObservedState state = ObservedState::Running;
    QDateTime startedAt;
    QDateTime endedAt;
};

} // namespace berth::domain
