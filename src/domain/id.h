// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QHashFunctions>
#include <QtCore/QString>
#include <QtCore/QUuid>

#include <compare>
#include <utility>

namespace berth::domain {

//! An identifier that cannot be mistaken for another kind's.
template <typename Tag>
class Id
{
public:
    Id() = default;
    explicit Id(QString value) : m_value(std::move(value)) {}

    //! A fresh random one (UUID v4, lower case, no braces).
    static Id create() { return Id(QUuid::createUuid().toString(QUuid::WithoutBraces)); }

    [[nodiscard]] const QString &toString() const { return m_value; }
    [[nodiscard]] bool isNull() const { return m_value.isEmpty(); }

    bool operator==(const Id &other) const { return m_value == other.m_value; }
    bool operator<(const Id &other) const { return m_value < other.m_value; }

    friend size_t qHash(const Id &id, size_t seed = 0) { return ::qHash(id.m_value, seed); }

private:
    QString m_value;
};

using AgentId = Id<struct AgentTag>;
using SandboxId = Id<struct SandboxTag>;
using LeaseId = Id<struct LeaseTag>;
using InstanceId = Id<struct InstanceTag>;
using ThreadId = Id<struct ThreadTag>;
using TerminalId = Id<struct TerminalTag>;
using RunId = Id<struct RunTag>;
using ToolCallId = Id<struct ToolCallTag>;
//! A background command or terminal.
using ProcessId = Id<struct ProcessTag>;
using RequestId = Id<struct RequestTag>;
//! What a provider calls an instance: a container's id, a cloud sandbox's id.
using ExternalId = Id<struct ExternalTag>;
//! Stem of a provider config file: "docker", "docker-gpu".
using ConfigName = Id<struct ConfigTag>;
//! The UUID of one Berth database.
using InstallationId = Id<struct InstallationTag>;

} // namespace berth::domain
