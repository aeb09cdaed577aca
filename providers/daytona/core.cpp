// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/daytona/core.h"

#include <QtCore/QRegularExpression>

namespace berth::daytona {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

Async<ServicePtr> readyToolbox(CorePtr core, Sandbox sandbox, std::stop_token stop)
{
    const Result<ServicePtr> api = readyApi(core);
    if (!api)
        co_return failure(api.error());
    QUrl url = core->access->toolbox;
    if (url.isEmpty()) {
        QString told = sandbox.toolbox;
        if (told.isEmpty()) {
            const QString id = sandbox.instance.externalId.toString();
            const Result<QString> asked = co_await getToolboxUrl(*api, id, stop);
            if (!asked)
                co_return failure(asked.error());
            told = *asked;
        }
        while (told.endsWith(QLatin1Char('/')))
            told.chop(1);
        url = QUrl(told, QUrl::StrictMode);
    }
    const Result<void> allowed = mayAskToolbox(*core->access, url);
    if (!allowed)
        co_return failure(allowed.error());
    url = connectable(url);
    const QString origin = net::originOf(url);
    std::shared_ptr<net::WebClient> &client = core->toolboxes[origin];
    if (!client) {
        net::WebSettings settings;
        settings.origins = QStringList{origin};
        settings.proxy = core->access->proxy;
        settings.caFile = core->access->caFile;
        client = std::make_shared<net::WebClient>(settings);
    }
    const auto made = std::make_shared<Service>(**api);
    made->http = client;
    made->base = QUrl::fromEncoded(
        url.toEncoded() + '/'
            + net::percentEncoded(sandbox.instance.externalId.toString().toUtf8()),
        QUrl::StrictMode);
    const ServicePtr toolbox = made;
    co_return toolbox;
}

Async<Sandbox> ownSandbox(CorePtr core, domain::ExternalId id, std::stop_token stop)
{
    const Result<void> shaped = plausible(id);
    if (!shaped)
        co_return failure(shaped.error());
    const Result<ServicePtr> api = readyApi(core);
    if (!api)
        co_return failure(api.error());
    const Result<Sandbox> sandbox = co_await getSandbox(*api, id.toString(), stop);
    if (!sandbox)
        co_return failure(sandbox.error());
    core->see(*sandbox);
    const domain::InstallationId owner = sandbox->instance.labels.installation;
    if (owner.isNull())
        co_return failure(ErrorKind::Forbidden,
                          QStringLiteral("This sandbox was not made by Berth"));
    if (owner != core->installation)
        co_return failure(ErrorKind::Forbidden,
                          QStringLiteral("This sandbox belongs to another Berth"));
    co_return *sandbox;
}

Core::Core(domain::ProviderSettings wanted)
    : settings(std::move(wanted)), access(accessFrom(settings.values, settings.confirmedOrigins))
{
    if (!access)
        return;
    const QUrl base = connectable(access->api);
    net::WebSettings web;
    if (access->origins.contains(access->apiOrigin()))
        web.origins = QStringList{net::originOf(base)};
    web.proxy = access->proxy;
    web.caFile = access->caFile;
    const auto service = std::make_shared<Service>();
    service->http = std::make_shared<net::WebClient>(web);
    service->base = base;
    service->key = settings.secrets.value(QStringLiteral("api_key"));
    service->organization = access->organization;
    api = service;
}

void Core::dropConnection(const QString &id, const QString &reason)
{
    if (const ConnectionPtr open = connections.take(id).lock())
        open->close(reason);
}

void Core::see(const Sandbox &sandbox)
{
    if (organization.isEmpty())
        organization = sandbox.organization;
}

QString Core::engineId() const
{
    return organization.isEmpty() ? QString() : QStringLiteral("daytona:") + organization;
}

Result<ServicePtr> readyApi(const CorePtr &core)
{
    if (!core->access)
        return failure(core->access.error());
    const Access &access = *core->access;
    if (!access.origins.contains(access.apiOrigin()))
        return failure(
            ErrorKind::Forbidden,
            QStringLiteral("Nobody has confirmed that the Daytona key may go to %1")
                .arg(access.apiOrigin()),
            QStringLiteral("Nothing was sent. Confirm it in the provider's settings, or with "
                           "\"berth-cli provider trust %1\"")
                .arg(core->settings.name.toString()));
    if (core->api->key.isEmpty())
        return failure(ErrorKind::Unauthorized, QStringLiteral("Daytona needs an API key"),
                       QStringLiteral("Set api_key in the provider's settings, or the variable "
                                      "DAYTONA_API_KEY"));
    if (isToken(core->api->key) && access.organization.isEmpty())
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("A token (JWT) needs organization_id beside it"),
                       QStringLiteral("An API key has its organization in itself"));
    if (!access.caFile.isEmpty()) {
        if (const std::optional<QString> problem = net::problemWithCaFile(access.caFile))
            return failure(ErrorKind::InvalidInput, *problem);
    }
    const ServicePtr api = core->api;
    return api;
}

Result<void> plausible(const domain::ExternalId &id)
{
    static const QRegularExpression shape(QStringLiteral("\\A[a-zA-Z0-9][a-zA-Z0-9_-]{0,127}\\z"));
    if (shape.match(id.toString()).hasMatch())
        return {};
    return failure(ErrorKind::NotFound, QStringLiteral("There is no such sandbox"));
}

} // namespace berth::daytona
