// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"
#include "domain/policy/security_policy.h"
#include "domain/result.h"
#include "domain/secret.h"

#include <QtCore/QHash>
#include <QtCore/QList>
#include <QtCore/QStringList>

#include <functional>
#include <memory>
#include <optional>

// Who may use the HTTP API, and whom the agents know: all of it as one immutable value.
namespace berth::application {

//! What somebody is to an agent; each one may do what those before it may.
enum class Role { Guest, User, Admin, Owner };

QString wireName(Role role);
//! Not "owner": that is whoever sits at the window.
std::optional<Role> memberRoleFromWire(QStringView name);

struct KnownToken
{
    QString id;
    //! Empty: the owner.
    QString user;
    QStringList scopes;
    //! Null: all agents.
    domain::AgentId agent;
    QByteArray hash;
};

struct AgentAccess
{
    domain::Access access = domain::Access::Private;
    QHash<QString, Role> members;
};

struct AccessFacts
{
    QList<KnownToken> tokens;
    bool grantApprove = false;
    bool grantAdmin = false;
    QHash<domain::AgentId, AgentAccess> agents;
    //! Threads that others than the owner began.
    QHash<domain::ThreadId, QString> threadUsers;

    //! By the hash of a token; null: nobody's. Takes as long for a wrong one as for a right one.
    [[nodiscard]] const KnownToken *tokenOf(const QByteArray &hash) const;
    //! What a token may do now: its scopes without those that are not granted.
    [[nodiscard]] QStringList scopesOf(const KnownToken &token) const;
    //! Nothing: the agent does not exist for this user.
    [[nodiscard]] std::optional<Role> roleOf(const QString &user,
                                             const domain::AgentId &agent) const;
};

//! The facts of now for those who serve others: any thread may read; the Engine's thread writes.
//! Read once and used for a whole decision.
class AccessTable
{
public:
    AccessTable();

    [[nodiscard]] std::shared_ptr<const AccessFacts> facts() const;
    void publish(std::shared_ptr<const AccessFacts> facts);

    // Given by the Engine, for its own thread; empty in a test.
    std::function<void(const QString &token)> noteUse;
    std::function<domain::Async<void>(domain::ThreadId thread, QString user)> noteThread;
    //! What the user is to the agent then; NotFound when he may not join.
    std::function<domain::Async<Role>(domain::AgentId agent, QString user, domain::Secret token)>
        join;

private:
    std::shared_ptr<const AccessFacts> m_facts;
};

//! Of the document's "members": {"<user>": "guest" | "user" | "admin"}. InvalidInput names what is
//! wrong; absent: none.
domain::Result<QHash<QString, Role>> membersIn(const domain::SecurityPolicy &policy);
//! The same back into what is stored.
void setMembers(domain::SecurityPolicy &policy, const QHash<QString, Role> &members);
//! The document speaks of members, also of none.
[[nodiscard]] bool namesMembers(const domain::SecurityPolicy &policy);
//! 1 to 64 letters, digits and . _ - @ +.
[[nodiscard]] bool isUserName(const QString &name);

} // namespace berth::application
