// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"
#include "domain/secret.h"

#include <QtCore/QDateTime>
#include <QtCore/QList>
#include <QtCore/QStringList>

// Who may use the HTTP API, and for what. All of it is the owner's alone.
namespace berth::application {

struct Nothing;

struct ApiView
{
    //! The window serves it, too; `berth-cli serve` always does.
    bool enabled = false;
    //! "127.0.0.1:8770"; empty: nobody serves it now.
    QString address;
    QString tokenPath;
    //! Why it does not run although it should.
    QString problem;
    //! Tokens may be given the scopes approve and admin.
    bool grantApprove = false;
    bool grantAdmin = false;
    bool operator==(const ApiView &) const = default;
};

struct GetApi
{
    using Reply = ApiView;
    static constexpr const char *kName = "api.get";
};

//! Only a window may grant; anybody else is Forbidden.
struct SetApi
{
    using Reply = ApiView;
    static constexpr const char *kName = "api.set";
    bool enabled = false;
    bool grantApprove = false;
    bool grantAdmin = false;
};

struct ApiChanged
{
    static constexpr const char *kName = "api_changed";
    ApiView api;
    bool operator==(const ApiChanged &) const = default;
};

//! A token besides the owner's own in the file. Only its hash is kept.
struct TokenView
{
    QString id;
    QString name;
    //! Whom the security document of an agent knows by this name; empty: the owner.
    QString user;
    //! "read", "run", "approve", "admin"
    QStringList scopes;
    //! Null: all that the user may see.
    domain::AgentId agent;
    QDateTime createdAt;
    QDateTime lastUsedAt;
    bool operator==(const TokenView &) const = default;
};

struct TokenList
{
    QList<TokenView> tokens;
    bool operator==(const TokenList &) const = default;
};

struct ListTokens
{
    using Reply = TokenList;
    static constexpr const char *kName = "token.list";
};

//! The token itself is told this once.
struct MintedToken
{
    TokenView token;
    domain::Secret secret;
};

//! Forbidden for scopes that were not granted in the window.
struct NewToken
{
    using Reply = MintedToken;
    static constexpr const char *kName = "token.new";
    QString name;
    QString user;
    QStringList scopes;
    domain::AgentId agent;
};

//! Ends at once, also what is under way with it.
struct RevokeToken
{
    using Reply = TokenList;
    static constexpr const char *kName = "token.revoke";
    QString id;
};

//! Whose token this is; NotFound when it is nobody's.
struct CheckToken
{
    using Reply = TokenView;
    static constexpr const char *kName = "token.check";
    domain::Secret secret;
};

} // namespace berth::application
