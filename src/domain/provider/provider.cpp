// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/provider/provider.h"

#include <array>

namespace berth::domain {

namespace {

constexpr std::array<std::pair<ObservedState, QLatin1String>, 9> kNames{{
    {ObservedState::Running, QLatin1String("running")},
    {ObservedState::Paused, QLatin1String("paused")},
    {ObservedState::Stopped, QLatin1String("stopped")},
    {ObservedState::Archived, QLatin1String("archived")},
    {ObservedState::Starting, QLatin1String("starting")},
    {ObservedState::Stopping, QLatin1String("stopping")},
    {ObservedState::Error, QLatin1String("error")},
    {ObservedState::Gone, QLatin1String("gone")},
    {ObservedState::Unknown, QLatin1String("unknown")},
}};

const QString kInstallation = QStringLiteral("berth.installation");
const QString kSandbox = QStringLiteral("berth.sandbox");
const QString kLease = QStringLiteral("berth.lease");
const QString kInstance = QStringLiteral("berth.instance");
const QString kAgent = QStringLiteral("berth.agent");
const QString kAlias = QStringLiteral("berth.alias");
const QString kConfigHash = QStringLiteral("berth.config_hash");

} // namespace

QString wireName(ObservedState state)
{
    for (const auto &[candidate, name] : kNames) {
        if (candidate == state)
            return QString(name);
    }
    return QStringLiteral("unknown");
}

std::optional<ObservedState> observedStateFromWire(QStringView wire)
{
    for (const auto &[state, name] : kNames) {
        if (wire == name)
            return state;
    }
    return std::nullopt;
}

QMap<QString, QString> InstanceLabels::toMap() const
{
    return {{kInstallation, installation.toString()},
            {kSandbox, sandbox.toString()},
            {kLease, lease.toString()},
            {kInstance, instance.toString()},
            {kAgent, agent.toString()},
            {kAlias, alias},
            {kConfigHash, configHash}};
}

InstanceLabels InstanceLabels::fromMap(const QMap<QString, QString> &map)
{
    InstanceLabels labels;
    labels.installation = InstallationId(map.value(kInstallation));
    labels.sandbox = SandboxId(map.value(kSandbox));
    labels.lease = LeaseId(map.value(kLease));
    labels.instance = InstanceId(map.value(kInstance));
    labels.agent = AgentId(map.value(kAgent));
    labels.alias = map.value(kAlias);
    labels.configHash = map.value(kConfigHash);
    return labels;
}

Provider::~Provider() = default;

ProviderKind::~ProviderKind() = default;

} // namespace berth::domain
