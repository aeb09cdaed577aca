// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of SandboxService that listens to what providers tell of changes made elsewhere.
#include "application/lifecycle/backoff.h"
#include "application/sandboxes/sandbox_service.h"
#include "domain/log.h"

#include <QtCore/QPointer>

namespace berth::application {

using domain::ConfigName;
using domain::ErrorKind;
using domain::ExternalId;
using domain::InstanceStatus;
using domain::Result;

namespace {

//! One act of somebody is several events.
constexpr std::chrono::milliseconds kSettle{150};
constexpr BackoffLimits kReconnect{std::chrono::milliseconds(500), std::chrono::seconds(15), 0,
                                   std::chrono::minutes(5)};
//! A stream that held this long was a good one: what follows is a new trouble.
constexpr std::chrono::seconds kHeldLong{60};

} // namespace

void SandboxService::watchAll()
{
    const QList<ConfigName> configs = m_providers.configs();
    for (const ConfigName &config : configs) {
        if (m_scope.token().stop_requested() || m_watches.count(config.toString()) > 0)
            continue;
        std::stop_source stop;
        m_watches[config.toString()] = stop;
        m_scope.spawn(watchConfig(config, stop.get_token()));
    }
}

async::Task<void> SandboxService::watchConfig(ConfigName config, std::stop_token stop)
{
    Backoff backoff(kReconnect);
    const QPointer<SandboxService> self(this);
    const domain::ProviderEventSink sink = [self, config](const ExternalId &id) {
        if (self)
            self->somethingHappened(config, id);
    };
    for (bool first = true; !stop.stop_requested(); first = false) {
        const Result<std::shared_ptr<domain::Provider>> found = m_providers.provider(config);
        if (!found)
            co_return; // a broken file; saving it begins anew
        const std::shared_ptr<domain::Provider> provider = *found;
        if (!first) {
            // What happened while nobody listened.
            const Result<void> listed = co_await refreshConfig(config, stop);
            if (listed)
                backoff.reset();
        }
        const std::chrono::milliseconds since = m_clock->now();
        const Result<void> ended = co_await provider->watch(sink, stop);
        if (stop.stop_requested())
            co_return;
        if (!ended && ended.error().kind == ErrorKind::Unsupported)
            co_return; // the round every few minutes has to do
        if (m_clock->now() - since >= kHeldLong)
            backoff.reset();
        const std::chrono::milliseconds wait =
            backoff.next(ended ? std::nullopt : ended.error().retryAfter).value_or(kSettle);
        const bool elapsed = co_await m_clock->sleepFor(wait, stop);
        if (!elapsed)
            co_return;
    }
}

void SandboxService::somethingHappened(const ConfigName &config, const ExternalId &id)
{
    const QString key = config.toString() + QLatin1Char(':') + id.toString();
    if (m_toLookAt.contains(key) || m_scope.token().stop_requested())
        return;
    m_toLookAt.insert(key);
    m_scope.spawn(lookAt(config, id, m_scope.token()));
}

LeaseController *SandboxService::controllerOf(const ConfigName &config, const ExternalId &id) const
{
    for (const auto &[lease, controller] : m_controllers) {
        if (controller->lease().providerConfig == config && controller->instance()
            && controller->instance()->externalId == id)
            return controller.get();
    }
    return nullptr;
}

async::Task<void> SandboxService::lookAt(ConfigName config, ExternalId id, std::stop_token stop)
{
    const bool settled = co_await m_clock->sleepFor(kSettle, stop);
    m_toLookAt.remove(config.toString() + QLatin1Char(':') + id.toString());
    if (!settled)
        co_return;
    Result<void> done;
    LeaseController *controller = controllerOf(config, id);
    if (controller) {
        if (controller->hasLiveInstance())
            done = co_await controller->probe(QStringLiteral("outside"), stop);
    } else {
        // An orphan, or one that is just being made: the list tells which.
        done = co_await refreshConfig(config, stop);
    }
    if (!done)
        domain::log(domain::LogLevel::Info, "reconciler", done.error().message);
}

} // namespace berth::application
