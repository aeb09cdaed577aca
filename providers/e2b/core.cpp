// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/e2b/core.h"

#include <QtCore/QCryptographicHash>

namespace berth::e2b {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

const QString kKey = QStringLiteral("api_key");

//! The service's own, or confirmed by the user.
bool mayAsk(const Core &core, const QString &origin)
{
    for (const domain::SecretOrigin &one : secretOrigins(core.settings.values)) {
        if (one.origin == origin && one.isKnown)
            return true;
    }
    return core.settings.confirmedOrigins.contains(origin);
}

tl::unexpected<Error> unconfirmed(const QString &origin)
{
    return failure(ErrorKind::Forbidden,
                   QStringLiteral("Nobody has confirmed yet that a key may go to %1").arg(origin),
                   QStringLiteral("Confirm the address in the provider's settings, or with "
                                  "\"berth-cli provider trust\""));
}

} // namespace

LinkPtr Core::link(const QString &id) const
{
    const ConnectionPtr connection = connections.value(id).lock();
    return connection && connection->isOpen() ? connection->link() : nullptr;
}

void Core::dropConnection(const QString &id, const QString &reason)
{
    if (const ConnectionPtr open = connections.take(id).lock())
        open->link()->lose(reason);
}

Result<ApiPtr> readyApi(const CorePtr &core)
{
    if (core->api)
        return core->api;
    const Result<Endpoints> where = endpoints(core->settings.values);
    if (!where)
        return failure(where.error());
    const domain::Secret key = core->settings.secrets.value(kKey);
    if (key.isEmpty())
        return failure(ErrorKind::Unauthorized, QStringLiteral("There is no API key for E2B"),
                       QStringLiteral("Set \"api_key\" in the provider's settings, store a key, or "
                                      "set the variable E2B_API_KEY"));
    const QString origin = net::originOf(QUrl(where->api));
    if (!mayAsk(*core, origin))
        return unconfirmed(origin);
    auto api = std::make_shared<Api>();
    net::WebSettings web;
    web.origins = {origin};
    web.proxy = where->proxy;
    web.caFile = where->caFile;
    api->web = std::make_shared<net::WebClient>(web);
    api->base = where->api;
    api->key = key;
    api->retries = core->retries;
    api->slow = core->slow;
    api->pageSize = core->pageSize;
    api->deadlines = core->pace.deadlines;
    core->api = api;
    return core->api;
}

QString accountId(const Core &core)
{
    const domain::Secret key = core.settings.secrets.value(kKey);
    const Result<Endpoints> where = endpoints(core.settings.values);
    if (key.isEmpty() || !where)
        return {};
    // A key has 160 random bits: nobody finds it from a part of its hash.
    const QByteArray hash = QCryptographicHash::hash("berth e2b account\n" + where->api.toUtf8()
                                                         + '\n' + key.exposeForWire(),
                                                     QCryptographicHash::Sha256);
    return QStringLiteral("e2b:") + QUrl(where->api).host() + QLatin1Char(':')
        + QString::fromLatin1(hash.toHex().left(12));
}

Result<EnvdPtr> reachEnvd(const Core &core, const Access &access, const QString &user)
{
    const Result<Endpoints> where = endpoints(core.settings.values);
    if (!where)
        return failure(where.error());
    auto envd = std::make_shared<Envd>();
    QString trusted;
    if (where->sandboxes.isEmpty()) {
        // At its own host: streams to one sandbox do not stand in the way of another's.
        const QString domainName = access.domain.isEmpty() ? where->domain : access.domain;
        envd->base = QStringLiteral("https://49983-%1.%2").arg(access.id, domainName);
        trusted = net::originOf(QUrl(QStringLiteral("https://sandbox.") + domainName));
    } else {
        envd->base = where->sandboxes;
        trusted = net::originOf(QUrl(where->sandboxes));
    }
    if (!mayAsk(core, trusted))
        return unconfirmed(trusted);
    net::WebSettings web;
    web.origins = {net::originOf(QUrl(envd->base))};
    web.proxy = where->proxy;
    web.caFile = where->caFile;
    envd->web = std::make_shared<net::WebClient>(web);
    envd->access = access;
    envd->user = user;
    envd->pace = core.pace;
    return EnvdPtr(envd);
}

Async<Error> judged(CorePtr core, QString id, Error error, std::stop_token stop)
{
    if (error.kind != ErrorKind::NotFound)
        co_return error;
    const Result<ApiPtr> api = readyApi(core);
    if (!api)
        co_return api.error();
    // The API says the same of a sandbox that the key must not see, and has been seen to say so of
    // one that it lists.
    const QMap<QString, QString> ours{
        {QStringLiteral("berth.installation"), core->installation.toString()}};
    const Result<QList<Record>> all = co_await listSandboxes(*api, ours, stop);
    if (!all)
        co_return failure(all.error());
    for (const Record &record : *all) {
        if (record.instance.externalId.toString() != id)
            continue;
        error.kind = ErrorKind::Unavailable;
        error.message = QStringLiteral("E2B says that the sandbox does not exist, and lists it");
        error.detail = QStringLiteral("Nothing is concluded from that; try again in a moment");
        co_return error;
    }
    core->dropConnection(id, QStringLiteral("the sandbox is gone"));
    co_return error;
}

Async<Record> ownSandbox(CorePtr core, domain::ExternalId external, std::stop_token stop)
{
    const QString id = plainId(external);
    if (id.isEmpty())
        co_return failure(ErrorKind::NotFound, QStringLiteral("There is no such sandbox"));
    const Result<ApiPtr> api = readyApi(core);
    if (!api)
        co_return failure(api.error());
    const Result<Record> record = co_await lookAtSandbox(*api, id, stop);
    if (!record) {
        const Result<Error> error = co_await judged(core, id, record.error(), stop);
        co_return failure(error ? *error : error.error());
    }
    const domain::InstallationId owner = record->instance.labels.installation;
    if (owner.isNull())
        co_return failure(ErrorKind::Forbidden,
                          QStringLiteral("This sandbox was not made by Berth"));
    if (owner != core->installation)
        co_return failure(ErrorKind::Forbidden,
                          QStringLiteral("This sandbox belongs to another Berth"));
    co_return record;
}

Result<SandboxSettings> settingsOf(const Core &core, const Record &record)
{
    if (record.settings)
        return *record.settings;
    return sandboxSettings(core.settings.values, {});
}

} // namespace berth::e2b
