// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "domain/secret.h"

#include <QtCore/QFlags>
#include <QtCore/QStringList>

// The owner's token: a file that only this user can read. It may read and run; to approve or to
// administer is never in it, so that what runs as this user without isolation cannot approve
// itself.
namespace berth::api {

enum class Scope { Read = 1, Run = 2, Approve = 4, Admin = 8 };
Q_DECLARE_FLAGS(Scopes, Scope)
Q_DECLARE_OPERATORS_FOR_FLAGS(Scopes)

[[nodiscard]] QString wireName(Scope scope);
[[nodiscard]] QStringList wireNames(Scopes scopes);
//! Names that are no scope are left out.
[[nodiscard]] Scopes scopesFrom(const QStringList &names);

inline constexpr Scopes kOwnerScopes{static_cast<int>(Scope::Read) | static_cast<int>(Scope::Run)};

class TokenFile
{
public:
    //! \a granted: what the token may do; more than kOwnerScopes only where the user said so.
    explicit TokenFile(const QString &dataDirectory, Scopes granted = kOwnerScopes);

    [[nodiscard]] const QString &path() const { return m_path; }
    //! NotFound without a file; Forbidden when others could read it or it is not ours.
    [[nodiscard]] domain::Result<domain::Secret> read() const;
    //! Conflict when there is one.
    domain::Result<domain::Secret> make() const;
    //! A new one in place of the old one, which ends at once, also at a server that runs.
    domain::Result<domain::Secret> rotate() const;
    //! The one that is there, else a new one.
    domain::Result<domain::Secret> readOrMake() const;
    //! What \a token may do; nothing when it is not the one of the file. Constant time. Reads the
    //! file anew.
    [[nodiscard]] Scopes scopesOf(const QByteArray &token) const;
    //! A fingerprint of \a token.
    [[nodiscard]] static QByteArray markOf(const QByteArray &token);
    //! Of the one in the file now; null when there is none that can be used.
    [[nodiscard]] QByteArray mark() const;

private:
    QString m_path;
    Scopes m_granted;
};

} // namespace berth::api
