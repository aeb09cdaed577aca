// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/provider.h"

#include <QtCore/QByteArray>
#include <QtCore/QMap>
#include <QtCore/QUrl>

#include <chrono>

namespace berth::e2b {

//! What one sandbox shall be made of, after all layers.
struct SandboxSettings
{
    QString templateName;
    //! Who commands run as; empty: the template's own user.
    QString user;
    //! Where commands start.
    QByteArray home;
    //! How long the sandbox lives on when nobody extends it; not a limit of requests or commands.
    std::chrono::seconds timeout{300};
    //! At the end of that time it is paused, else killed.
    bool pauseAtTheEnd = true;
};

//! Where the service is.
struct Endpoints
{
    //! "https://api.e2b.app", without a slash at its end.
    QString api;
    //! "e2b.app": sandboxes are at https://<port>-<id>.<domain>.
    QString domain;
    //! Where all sandboxes are asked instead, told apart by a header; empty: at their own hosts.
    QString sandboxes;
    QString proxy;
    QString caFile;
};

const domain::ProviderSchema &schema();

//! \a config and \a overrides carry keys without the prefix "e2b.". InvalidInput for values that
//! cannot be, also for keys of \a overrides that no sandbox row may set.
domain::Result<SandboxSettings> sandboxSettings(const QMap<QString, QString> &config,
                                                const QMap<QString, QString> &overrides);

//! InvalidInput for addresses that no key may be sent to.
domain::Result<Endpoints> endpoints(const QMap<QString, QString> &config);

//! Where these settings would send the key, and the tokens of sandboxes.
QList<domain::SecretOrigin> secretOrigins(const QMap<QString, QString> &config);

} // namespace berth::e2b
