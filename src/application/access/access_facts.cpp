// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/access/access_facts.h"

#include "domain/constant_time.h"

#include <QtCore/QRegularExpression>

#include <nlohmann/json.hpp>

namespace berth::application {

using domain::ErrorKind;
using domain::failure;
using domain::Result;
using nlohmann::json;

namespace {

constexpr const char *kMembers = "members";
constexpr std::size_t kMostMembers = 1000;

json unknownOf(const domain::SecurityPolicy &policy)
{
    const json parsed = json::parse(policy.unknown.toStdString(), nullptr, false);
    return parsed.is_object() ? parsed : json::object();
}

} // namespace

QString wireName(Role role)
{
    switch (role) {
    case Role::Guest:
        return QStringLiteral("guest");
    case Role::User:
        return QStringLiteral("user");
    case Role::Admin:
        return QStringLiteral("admin");
    case Role::Owner:
        return QStringLiteral("owner");
    }
    return {};
}

std::optional<Role> memberRoleFromWire(QStringView name)
{
    for (const Role role : {Role::Guest, Role::User, Role::Admin}) {
        if (name == wireName(role))
            return role;
    }
    return std::nullopt;
}

bool isUserName(const QString &name)
{
    static const QRegularExpression pattern(QStringLiteral("\\A[A-Za-z0-9._@+-]{1,64}\\z"));
    return pattern.match(name).hasMatch();
}

const KnownToken *AccessFacts::tokenOf(const QByteArray &hash) const
{
    const KnownToken *found = nullptr;
    for (const KnownToken &token : tokens) {
        if (domain::equalsInConstantTime(token.hash, hash))
            found = &token;
    }
    return found;
}

QStringList AccessFacts::scopesOf(const KnownToken &token) const
{
    QStringList scopes = token.scopes;
    if (!grantApprove)
        scopes.removeAll(QStringLiteral("approve"));
    if (!grantAdmin)
        scopes.removeAll(QStringLiteral("admin"));
    return scopes;
}

std::optional<Role> AccessFacts::roleOf(const QString &user, const domain::AgentId &agent) const
{
    const auto known = agents.constFind(agent);
    if (known == agents.cend())
        return std::nullopt;
    if (user.isEmpty())
        return Role::Owner;
    const auto member = known->members.constFind(user);
    if (member != known->members.cend())
        return *member;
    if (known->access == domain::Access::Public)
        return Role::Guest;
    return std::nullopt;
}

AccessTable::AccessTable() : m_facts(std::make_shared<AccessFacts>()) {}

std::shared_ptr<const AccessFacts> AccessTable::facts() const
{
    return std::atomic_load(&m_facts);
}

void AccessTable::publish(std::shared_ptr<const AccessFacts> facts)
{
    std::atomic_store(&m_facts, std::move(facts));
}

Result<QHash<QString, Role>> membersIn(const domain::SecurityPolicy &policy)
{
    QHash<QString, Role> members;
    const json unknown = unknownOf(policy);
    const auto found = unknown.find(kMembers);
    if (found == unknown.end() || found->is_null())
        return members;
    if (!found->is_object() || found->size() > kMostMembers)
        return failure(ErrorKind::InvalidInput, QStringLiteral("The security policy is not valid"),
                       QStringLiteral("members: must be an object of at most 1000 users"));
    for (const auto &[name, value] : found->items()) {
        const QString user = QString::fromStdString(name);
        const std::optional<Role> role = value.is_string()
            ? memberRoleFromWire(QString::fromStdString(value.get<std::string>()))
            : std::nullopt;
        if (!isUserName(user) || !role)
            return failure(
                ErrorKind::InvalidInput, QStringLiteral("The security policy is not valid"),
                isUserName(user)
                    ? QStringLiteral("members.%1: must be guest, user or admin").arg(user)
                    : QStringLiteral("members: a user's name has 1 to 64 letters, digits and "
                                     ". _ - @ +"));
        members.insert(user, *role);
    }
    return members;
}

void setMembers(domain::SecurityPolicy &policy, const QHash<QString, Role> &members)
{
    json unknown = unknownOf(policy);
    unknown.erase(kMembers);
    if (!members.isEmpty()) {
        json written = json::object();
        for (auto entry = members.cbegin(); entry != members.cend(); ++entry)
            written[entry.key().toStdString()] = wireName(entry.value()).toStdString();
        unknown[kMembers] = written;
    }
    policy.unknown = QString::fromStdString(unknown.dump());
}

bool namesMembers(const domain::SecurityPolicy &policy)
{
    return unknownOf(policy).contains(kMembers);
}

} // namespace berth::application
