// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/provider.h"

#include <QtCore/QByteArray>
#include <QtCore/QMap>

namespace berth::agentbay {

//! What one sandbox shall be made of, after all layers.
struct SandboxSettings
{
    //! Empty: the service's own default.
    QString image;
    //! Where commands start, and where a context is mounted.
    QByteArray home;
    //! Name of a context whose files outlive the sandbox; empty: none.
    QString context;
};

struct Endpoint
{
    //! "https://wuyingai.ap-southeast-1.aliyuncs.com", without a slash at its end.
    QString gateway;
    //! Where machines are placed.
    QString region;
    QString proxy;
    QString caFile;
};

const domain::ProviderSchema &schema();

//! \a config and \a overrides carry keys without the prefix "agentbay.".
domain::Result<SandboxSettings> sandboxSettings(const QMap<QString, QString> &config,
                                                const QMap<QString, QString> &overrides);
//! InvalidInput for addresses that no key may be sent to.
domain::Result<Endpoint> endpoint(const QMap<QString, QString> &config);
QList<domain::SecretOrigin> secretOrigins(const QMap<QString, QString> &config);
//! The config's word on "supports_pause" and "supports_resume"; true when it says nothing.
bool isSupported(const QMap<QString, QString> &config, const char *key);

} // namespace berth::agentbay
