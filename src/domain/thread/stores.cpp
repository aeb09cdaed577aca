// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/thread/stores.h"

#include "domain/sandbox/stores.h"

#include <array>

namespace berth::domain {

namespace {

template <typename Enum, size_t Size>
using Names = std::array<std::pair<Enum, QLatin1String>, Size>;

template <typename Enum, size_t Size>
QString nameIn(const Names<Enum, Size> &names, Enum value)
{
    for (const auto &[candidate, name] : names) {
        if (candidate == value)
            return QString(name);
    }
    return {};
}

template <typename Enum, size_t Size>
std::optional<Enum> valueIn(const Names<Enum, Size> &names, QStringView wire)
{
    for (const auto &[value, name] : names) {
        if (wire == name)
            return value;
    }
    return std::nullopt;
}

constexpr Names<RunState, 7> kRunStates{{
    {RunState::Queued, QLatin1String("queued")},
    {RunState::Running, QLatin1String("running")},
    {RunState::AwaitingApproval, QLatin1String("awaiting_approval")},
    {RunState::Done, QLatin1String("done")},
    {RunState::Failed, QLatin1String("failed")},
    {RunState::Cancelled, QLatin1String("cancelled")},
    {RunState::Interrupted, QLatin1String("interrupted")},
}};

constexpr Names<MessageRole, 3> kRoles{{
    {MessageRole::User, QLatin1String("user")},
    {MessageRole::Agent, QLatin1String("agent")},
    {MessageRole::Note, QLatin1String("note")},
}};

constexpr Names<ToolCallState, 4> kToolCallStates{{
    {ToolCallState::Pending, QLatin1String("pending")},
    {ToolCallState::Preparing, QLatin1String("preparing")},
    {ToolCallState::Running, QLatin1String("running")},
    {ToolCallState::Done, QLatin1String("done")},
}};

constexpr Names<SandboxStatus, 3> kSandboxStatuses{{
    {SandboxStatus::Pending, QLatin1String("pending")},
    {SandboxStatus::Provisioned, QLatin1String("provisioned")},
    {SandboxStatus::Deleted, QLatin1String("deleted")},
}};

} // namespace

QString wireName(RunState state)
{
    return nameIn(kRunStates, state);
}

std::optional<RunState> runStateFromWire(QStringView name)
{
    return valueIn(kRunStates, name);
}

QString wireName(MessageRole role)
{
    return nameIn(kRoles, role);
}

std::optional<MessageRole> messageRoleFromWire(QStringView name)
{
    return valueIn(kRoles, name);
}

QString wireName(ToolCallState state)
{
    return nameIn(kToolCallStates, state);
}

std::optional<ToolCallState> toolCallStateFromWire(QStringView name)
{
    return valueIn(kToolCallStates, name);
}

QString wireName(SandboxStatus status)
{
    return nameIn(kSandboxStatuses, status);
}

std::optional<SandboxStatus> sandboxStatusFromWire(QStringView name)
{
    return valueIn(kSandboxStatuses, name);
}

BerthStore::~BerthStore() = default;

LeaseStore::~LeaseStore() = default;

} // namespace berth::domain
