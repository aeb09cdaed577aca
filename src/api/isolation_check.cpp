// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/isolation_check.h"

#include "domain/provider/isolation.h"

#include <nlohmann/json.hpp>

namespace berth::api {

using domain::ErrorKind;
using domain::Result;

namespace {

//! What the request says of where it works.
QStringList namedPlaces(const Request &request)
{
    QStringList places;
    const nlohmann::json arguments =
        nlohmann::json::parse(request.body.cbegin(), request.body.cend(), nullptr, false);
    if (!arguments.is_object())
        return places;
    for (const char *key : {"thread_id", "target", "config", "sandbox_id"}) {
        const auto found = arguments.find(key);
        if (found != arguments.end() && found->is_string())
            places.append(QString::fromStdString(found->get<std::string>()));
    }
    return places;
}

bool isOpen(const application::Snapshot &snapshot, const QString &place)
{
    domain::ConfigName config(place);
    domain::SandboxId sandbox(place);
    for (const application::ThreadView &thread : snapshot.threads) {
        if (thread.id.toString() == place)
            sandbox = thread.sandbox;
    }
    for (const application::SandboxView &view : snapshot.sandboxes) {
        if (view.id == sandbox || view.alias == place || view.lease.toString() == place)
            config = view.providerConfig;
    }
    for (const application::RuntimeView &runtime : snapshot.runtimes) {
        if (runtime.id == place)
            config = runtime.providerConfig;
    }
    for (const application::ProviderView &provider : snapshot.providers) {
        if (provider.config == config)
            return provider.isolation == domain::noIsolationText();
    }
    return false;
}

} // namespace

domain::Async<void> mayWorkThere(Call call)
{
    if (!call->route->worksInSandbox || call->request.scopes.testFlag(Scope::Approve))
        co_return Result<void>();
    const application::GetSnapshot question;
    const Result<application::Snapshot> snapshot = co_await ask(call->server, question);
    if (!snapshot)
        co_return domain::failure(snapshot.error());
    const QStringList places = namedPlaces(call->request);
    for (const QString &place : places) {
        if (isOpen(*snapshot, place))
            co_return domain::failure(
                ErrorKind::Forbidden,
                QStringLiteral("This sandbox has no isolation, and the token may not approve"),
                QStringLiteral("Do it in Berth's window or by berth-cli."));
    }
    co_return Result<void>();
}

} // namespace berth::api
