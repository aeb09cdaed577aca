// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "domain/secret.h"

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <optional>

namespace berth::domain {

//! Who may talk to the agent.
enum class Access { Public, Protected, Private };
//! What the agent may do by itself.
enum class Autonomy { ReadOnly, Supervised, Full };
//! What becomes of a call that asks in a run where nobody can answer. Never: it is carried out.
enum class Unattended { Deny, Wait };

QString wireName(Access access);
QString wireName(Autonomy autonomy);
QString wireName(Unattended unattended);
std::optional<Access> accessFromWire(QStringView name);
std::optional<Autonomy> autonomyFromWire(QStringView name);
std::optional<Unattended> unattendedFromWire(QStringView name);

//! The document of agents.security_json. As constructed: that of a new agent.
struct SecurityPolicy
{
    Access access = Access::Private;
    Autonomy autonomy = Autonomy::Supervised;
    //! Kinds ("read", "write", "exec") and names of tools ("write_file"): they ask when supervised.
    QStringList requireApprovalFor{QStringLiteral("exec")};
    //! Of "on_unattended", a key of Berth's own.
    Unattended unattended = Unattended::Deny;
    //! "pbkdf2-sha256$rounds$salt$hash"; empty: none is set. Never leaves the database.
    QString accessTokenHash;
    //! JSON text of keys that this version does not know; kept.
    QString unknown = QStringLiteral("{}");

    [[nodiscard]] bool hasAccessToken() const { return !accessTokenHash.isEmpty(); }
    bool operator==(const SecurityPolicy &) const = default;
};

//! One thing that is wrong with a document.
struct PolicyProblem
{
    //! "require_approval_for[2]"; empty: the document itself.
    QString path;
    QString text;
    bool operator==(const PolicyProblem &) const = default;
};

//! What is stored. An empty text and "{}" are the policy of a new agent. InvalidInput names the
//! first problem; whoever gets it refuses the agent's calls and does not guess.
Result<SecurityPolicy> readStoredPolicy(const QString &json);
//! For the database.
QString storedPolicyText(const SecurityPolicy &policy);

//! The whole document of a client, which replaces \a current. A missing access_token keeps the one
//! there is, null removes it, access_token_set is ignored. Nothing is taken unless all of it is
//! right: else InvalidInput, and every problem in \a problems.
Result<SecurityPolicy> replacedPolicy(const SecurityPolicy &current, const QByteArray &document,
                                      QList<PolicyProblem> *problems = nullptr);
//! For clients: without the token, with "access_token_set".
QString shownPolicyText(const SecurityPolicy &policy);

//! Whether \a token is the one of the policy; false when none is set. Takes as long for a wrong one
//! as for the right one.
bool isAccessToken(const SecurityPolicy &policy, const Secret &token);

} // namespace berth::domain
