// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/provider.h"
#include "net/http_message.h"

#include <QtCore/QByteArray>
#include <QtCore/QMap>
#include <QtCore/QUrl>

#include <chrono>

namespace berth::tenki {

//! What one sandbox shall be made of, after all layers.
struct SandboxSettings
{
    //! Empty: the key's own.
    QString workspaceId;
    //! Where commands start.
    QByteArray home;
    //! Of one command, enforced in the sandbox, where the caller names none.
    std::chrono::milliseconds timeout{300000};
    //! Of Tenki's registry; empty: Tenki's own image.
    QString image;
    QString snapshot;
    //! 0: Tenki's own default, for all that follow.
    int cpuCores = 0;
    int memoryMb = 0;
    int diskGb = 0;
    int idleMinutes = 0;
    std::chrono::seconds lifetime{0};
};

//! Where and how the service is spoken to.
struct Connection
{
    //! "https://api.tenki.cloud"
    QUrl endpoint;
    QString proxy;
    QString caFile;
    //! Who we say that we are.
    QByteArray clientFamily;
};

const domain::ProviderSchema &schema();

//! \a config and \a overrides carry keys without the prefix "tenki.". InvalidInput for values that
//! cannot be, also for keys of \a overrides that no sandbox row may set.
domain::Result<SandboxSettings> sandboxSettings(const QMap<QString, QString> &config,
                                                const QMap<QString, QString> &overrides);

//! InvalidInput for an address that no key may be sent to.
domain::Result<Connection> connection(const QMap<QString, QString> &config);

//! Where these settings would send the key.
QList<domain::SecretOrigin> secretOrigins(const QMap<QString, QString> &config);

//! nullopt: a credential may be sent there, which is https, or http to this machine.
std::optional<QString> addressProblem(const QString &what, const QUrl &url);

//! The fields of a call that carry \a token; what kind it is shows its beginning.
net::HttpHeaders tokenHeaders(const domain::Secret &token);

} // namespace berth::tenki
