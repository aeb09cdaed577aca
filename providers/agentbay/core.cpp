// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/agentbay/core.h"

#include <QtCore/QCryptographicHash>

namespace berth::agentbay {

using domain::ErrorKind;
using domain::failure;
using domain::Result;

LinkPtr Core::link(const QString &id) const
{
    const ConnectionPtr connection = connections.value(id).lock();
    return connection && connection->isOpen() ? connection->link() : nullptr;
}

void Core::dropConnection(const QString &id, const QString &reason)
{
    labels.remove(id);
    if (const ConnectionPtr open = connections.take(id).lock())
        open->link()->lose(reason);
}

Result<ApiPtr> readyApi(const CorePtr &core)
{
    if (core->api)
        return core->api;
    const Result<Endpoint> where = endpoint(core->settings.values);
    if (!where)
        return failure(where.error());
    const domain::Secret key = core->settings.secrets.value(QStringLiteral("api_key"));
    if (key.isEmpty())
        return failure(ErrorKind::Unauthorized, QStringLiteral("There is no API key for AgentBay"),
                       QStringLiteral("Set \"api_key\" in the provider's settings, store a key, or "
                                      "set the variable AGENTBAY_API_KEY"));
    for (const domain::SecretOrigin &one : secretOrigins(core->settings.values)) {
        if (!one.isKnown && !core->settings.confirmedOrigins.contains(one.origin))
            return failure(
                ErrorKind::Forbidden,
                QStringLiteral("Nobody has confirmed yet that a key may go to %1").arg(one.origin),
                QStringLiteral("Confirm the address in the provider's settings, or with "
                               "\"berth-cli provider trust\""));
    }
    auto api = std::make_shared<Api>();
    net::WebSettings web;
    web.origins = {net::originOf(QUrl(where->gateway))};
    web.proxy = where->proxy;
    web.caFile = where->caFile;
    api->web = std::make_shared<net::WebClient>(web);
    api->where = *where;
    api->key = key;
    api->retries = core->retries;
    api->slow = core->slow;
    core->api = api;
    return core->api;
}

QString accountId(const Core &core)
{
    const domain::Secret key = core.settings.secrets.value(QStringLiteral("api_key"));
    const Result<Endpoint> where = endpoint(core.settings.values);
    if (key.isEmpty() || !where)
        return {};
    // A key is long and random: nobody finds it from a part of its hash.
    const QByteArray hash = QCryptographicHash::hash(
        "berth agentbay account\n" + where->gateway.toUtf8() + '\n' + key.exposeForWire(),
        QCryptographicHash::Sha256);
    return QStringLiteral("agentbay:%1:%2")
        .arg(QUrl(where->gateway).host(), QString::fromLatin1(hash.toHex().left(12)));
}

} // namespace berth::agentbay
