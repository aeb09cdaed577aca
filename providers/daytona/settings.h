// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/provider.h"
#include "domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QMap>
#include <QtCore/QUrl>

namespace berth::daytona {

//! What one sandbox shall be made of, after all layers.
struct SandboxSettings
{
    //! Where commands start.
    QByteArray home;
    //! Empty: the service's own.
    QString user;
    //! Both empty: the service's default snapshot.
    QString snapshot;
    QString image;
    //! Region; empty: not sent, because a wrong one is refused.
    QString target;
    //! Of an image only; 0: the service's own.
    int cpus = 0;
    int memoryGib = 0;
    int diskGib = 0;
    //! 0: never.
    int autoStopMinutes = 15;
    //! 0: as late as the service allows.
    int autoArchiveMinutes = 10080;
    //! -1: never.
    int autoDeleteMinutes = -1;
};

const domain::ProviderSchema &schema();

//! \a config and \a row carry keys without the prefix "daytona.". InvalidInput for values that
//! cannot be, also for keys of \a row that no sandbox row may set.
domain::Result<SandboxSettings> sandboxSettings(const QMap<QString, QString> &config,
                                                const QMap<QString, QString> &row);

//! How the service is reached.
struct Access
{
    //! "https://app.daytona.io/api", without a slash at the end.
    QUrl api;
    //! In place of what the service says of each sandbox; mostly empty.
    QUrl toolbox;
    //! Sent with a token that is no API key.
    QString organization;
    QString proxy;
    QString caFile;
    //! To which the key may go, as net::originOf() writes them.
    QStringList origins;

    [[nodiscard]] QString apiOrigin() const;
    //! Of Daytona itself, not of a server of one's own.
    [[nodiscard]] bool isHosted() const;
};

domain::Result<Access> accessFrom(const QMap<QString, QString> &values,
                                  const QStringList &confirmedOrigins);
QList<domain::SecretOrigin> secretOriginsOf(const QMap<QString, QString> &values);

//! Whether the key may go to the toolbox at \a url, which the service named: to a place of
//! Daytona's own, below the API's own host, on this machine like the API, or confirmed by the user.
domain::Result<void> mayAskToolbox(const Access &access, const QUrl &url);

//! Names below "localhost" are this machine (RFC 6761), but many systems do not find them; a
//! self-hosted proxy is called "proxy.localhost". The same with an address in such a name's place;
//! the proxy goes by the path then.
QUrl connectable(const QUrl &url);

} // namespace berth::daytona
