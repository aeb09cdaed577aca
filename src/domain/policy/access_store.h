// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"
#include "domain/result.h"

#include <QtCore/QDateTime>
#include <QtCore/QMap>
#include <QtCore/QStringList>

namespace berth::domain {

//! A token of the HTTP API besides the owner's own in the file.
struct ApiToken
{
    QString id;
    QString name;
    //! Empty: the owner.
    QString user;
    QStringList scopes;
    //! Null: of all agents.
    AgentId agent;
    //! SHA-256 of the token, which is 256 random bits: no salt is needed.
    QByteArray hash;
    QDateTime createdAt;
    QDateTime lastUsedAt;
};

//! What the user said of the HTTP API in the window.
struct ApiGrants
{
    bool enabled = false;
    bool approve = false;
    bool admin = false;
    bool operator==(const ApiGrants &) const = default;
};

//! Who may use the HTTP API, in berth.db. What is written is on the disk when it answers.
class AccessStore
{
public:
    virtual ~AccessStore() = default;

    virtual Async<QList<ApiToken>> tokens() = 0;
    virtual Async<void> addToken(ApiToken token) = 0;
    //! NotFound when there is none.
    virtual Async<void> removeToken(QString id) = 0;
    virtual Async<void> noteTokenUsed(QString id, QDateTime at) = 0;
    virtual Async<ApiGrants> grants() = 0;
    virtual Async<void> setGrants(ApiGrants grants) = 0;
    //! Threads that users other than the owner began.
    virtual Async<QMap<ThreadId, QString>> threadUsers() = 0;
    virtual Async<void> setThreadUser(ThreadId thread, QString user) = 0;
};

} // namespace berth::domain
