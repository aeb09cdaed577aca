// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/daytona/provider.h"

#include "providers/daytona/daytona_kind.h"

#include <QtCore/QSet>

namespace berth::daytona {

using domain::Async;
using domain::Capability;
using domain::ErrorKind;
using domain::ExternalId;
using domain::failure;
using domain::Instance;
using domain::Result;

namespace {

//! So long may the service's list lag behind what was done.
constexpr qint64 kListLags = 60;
//! A service that records no use of resources is asked again after so long.
constexpr qint64 kTelemetryPause = 600;

//! Names of what changed so lately that the list may not have it.
QStringList recent(QHash<QString, QDateTime> &changes)
{
    const QDateTime since = QDateTime::currentDateTimeUtc().addSecs(-kListLags);
    changes.removeIf([&since](const auto &one) { return one.value() < since; });
    return changes.keys();
}

Async<QList<Instance>> listNow(CorePtr core, std::stop_token stop)
{
    const Result<ServicePtr> api = readyApi(core);
    if (!api)
        co_return failure(api.error());
    const Result<QList<Sandbox>> all = co_await listSandboxes(*api, stop);
    if (!all)
        co_return failure(all.error());
    QList<Instance> marked;
    QSet<QString> seen;
    const QStringList removed = recent(core->removed);
    for (const Sandbox &one : *all) {
        core->see(one);
        const QString id = one.instance.externalId.toString();
        if (one.instance.labels.installation.isNull() || one.phase == Phase::Destroyed
            || removed.contains(id) || seen.contains(id))
            continue;
        seen.insert(id);
        marked.append(one.instance);
    }
    for (const QString &id : recent(core->made)) {
        if (seen.contains(id))
            continue;
        const Result<Sandbox> late = co_await getSandbox(*api, id, stop);
        if (late)
            marked.append(late->instance);
        else if (late.error().kind != ErrorKind::NotFound)
            co_return failure(late.error());
    }
    const QList<Instance> list = marked;
    co_return list;
}

Async<Instance> inspectNow(CorePtr core, ExternalId id, std::stop_token stop)
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
    co_return sandbox->instance;
}

//! Something at the toolbox went wrong: the control plane knows whether the sandbox still runs.
async::Task<void> lookAfter(std::weak_ptr<Core> weak, ExternalId id)
{
    const CorePtr core = weak.lock();
    if (!core)
        co_return;
    const Result<Sandbox> sandbox = co_await ownSandbox(core, id, core->scope.token());
    if (sandbox && sandbox->phase == Phase::Running)
        co_return;
    if (sandbox)
        core->dropConnection(
            id.toString(),
            QStringLiteral("the sandbox does not run any more (%1)").arg(sandbox->state));
    else if (sandbox.error().kind == ErrorKind::NotFound)
        core->dropConnection(id.toString(), QStringLiteral("the sandbox is gone"));
}

Async<ConnectionPtr> attachNow(CorePtr core, ExternalId id, std::stop_token stop)
{
    const Result<Sandbox> sandbox = co_await ownSandbox(core, id, stop);
    if (!sandbox)
        co_return failure(sandbox.error());
    if (sandbox->phase != Phase::Running)
        co_return failure(ErrorKind::Conflict,
                          QStringLiteral("The sandbox does not run: it is in the state \"%1\"")
                              .arg(sandbox->state),
                          QStringLiteral("Resume it first"));
    const Result<ServicePtr> toolbox = co_await readyToolbox(core, *sandbox, stop);
    if (!toolbox)
        co_return failure(toolbox.error());
    QByteArray home = sandbox->home;
    if (home.isEmpty()) {
        const Result<SandboxSettings> settings = sandboxSettings(core->settings.values, {});
        if (!settings)
            co_return failure(settings.error());
        home = settings->home;
    }
    const Result<ConnectionPtr> connection = co_await openConnection(*toolbox, home, stop);
    if (!connection)
        co_return failure(connection.error());
    const std::weak_ptr<Core> weak = core;
    (*connection)->setSuspect([weak, id] {
        const CorePtr alive = weak.lock();
        if (alive)
            alive->scope.spawn(lookAfter(weak, id));
    });
    co_return *connection;
}

Async<std::shared_ptr<domain::SandboxConnection>> connectNow(CorePtr core, ExternalId id,
                                                             std::stop_token stop)
{
    const QString key = id.toString();
    while (core->connecting.contains(key)) {
        const async::Completion<bool> other = core->connecting.value(key);
        const bool done = co_await other;
        Q_UNUSED(done)
    }
    if (const ConnectionPtr open = core->connections.value(key).lock(); open && open->isOpen())
        co_return std::shared_ptr<domain::SandboxConnection>(open);
    const async::Completion<bool> done;
    core->connecting.insert(key, done);
    const Result<ConnectionPtr> connection = co_await attachNow(core, id, stop);
    core->connecting.remove(key);
    done.complete(true);
    if (!connection)
        co_return failure(connection.error());
    core->connections.insert(key, *connection);
    co_return std::shared_ptr<domain::SandboxConnection>(*connection);
}

//! Of the control plane alone: the sandbox itself is not asked, which would count as use of it.
Async<domain::ResourceSample> metricsNow(CorePtr core, ExternalId id, std::stop_token stop)
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
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const bool asks = !core->noTelemetryUntil.isValid() || now >= core->noTelemetryUntil;
    if (sandbox->phase != Phase::Running || !asks)
        co_return limitsOf(*sandbox);
    const QDateTime from = now.addSecs(-300);
    const Result<QByteArray> body = co_await getTelemetry(*api, id.toString(), from, now, stop);
    if (body) {
        const Result<domain::ResourceSample> sample = decodeTelemetry(*body, *sandbox);
        co_return sample;
    }
    if (body.error().kind != ErrorKind::Unsupported)
        co_return failure(body.error());
    core->noTelemetryUntil = now.addSecs(kTelemetryPause);
    co_return limitsOf(*sandbox);
}

Async<void> watchNow()
{
    co_return failure(ErrorKind::Unsupported,
                      QStringLiteral("Daytona is asked now and then; it does not tell by itself"));
}

class DaytonaKind : public domain::ProviderKind
{
public:
    [[nodiscard]] const domain::ProviderSchema &schema() const override
    {
        return daytona::schema();
    }
    [[nodiscard]] std::optional<QString> problemWith(
        const QMap<QString, QString> &values) const override
    {
        const Result<SandboxSettings> settings = sandboxSettings(values, {});
        if (!settings)
            return settings.error().message;
        const Result<Access> access = accessFrom(values, {});
        return access ? std::nullopt : std::optional(access.error().message);
    }
    [[nodiscard]] QList<domain::SecretOrigin> secretOrigins(
        const QMap<QString, QString> &values) const override
    {
        return secretOriginsOf(values);
    }
    [[nodiscard]] QString summary(const QMap<QString, QString> &values) const override
    {
        const QString image = values.value(QStringLiteral("image"));
        return image.isEmpty() ? values.value(QStringLiteral("snapshot")) : image;
    }
    [[nodiscard]] std::unique_ptr<domain::Provider> create(domain::ProviderSettings settings,
                                                           domain::InstallationId installation,
                                                           domain::ProviderPaths) const override
    {
        return std::make_unique<DaytonaProvider>(std::move(settings), std::move(installation));
    }
};

} // namespace

std::shared_ptr<const domain::ProviderKind> makeDaytonaKind()
{
    return std::make_shared<DaytonaKind>();
}

DaytonaProvider::DaytonaProvider(domain::ProviderSettings settings,
                                 domain::InstallationId installation)
    : m_core(std::make_shared<Core>(std::move(settings)))
{
    m_core->installation = std::move(installation);
}

DaytonaProvider::~DaytonaProvider()
{
    m_core->scope.requestStop();
}

domain::Capabilities DaytonaProvider::capabilities() const
{
    domain::Capabilities capabilities;
    for (const Capability one :
         {Capability::Pause, Capability::Resume, Capability::Execute, Capability::SeparateStderr,
          Capability::Metrics, Capability::Terminal, Capability::ProcessesSurviveRestart})
        capabilities.allow(one);
    capabilities.deny(Capability::ProcessesSurvivePause,
                      QStringLiteral("Daytona stops a paused sandbox: its processes end, its files "
                                     "stay"));
    return capabilities;
}

Async<domain::HealthReport> DaytonaProvider::check(domain::StepSink step, std::stop_token stop)
{
    return checkService(m_core, std::move(step), std::move(stop));
}

Async<Instance> DaytonaProvider::create(domain::CreateRequest request,
                                        domain::ProgressSink progress, std::stop_token stop)
{
    return createSandbox(m_core, std::move(request), std::move(progress), std::move(stop));
}

Async<QList<Instance>> DaytonaProvider::list(std::stop_token stop)
{
    return listNow(m_core, std::move(stop));
}

Async<Instance> DaytonaProvider::inspect(ExternalId id, std::stop_token stop)
{
    return inspectNow(m_core, std::move(id), std::move(stop));
}

Async<void> DaytonaProvider::pause(ExternalId id, std::stop_token stop)
{
    return stopSandbox(m_core, std::move(id), std::move(stop));
}

Async<void> DaytonaProvider::resume(ExternalId id, std::stop_token stop)
{
    return startSandbox(m_core, std::move(id), std::move(stop));
}

Async<void> DaytonaProvider::destroy(ExternalId id, std::stop_token stop)
{
    return removeSandbox(m_core, std::move(id), std::move(stop));
}

Async<std::shared_ptr<domain::SandboxConnection>> DaytonaProvider::connect(ExternalId id,
                                                                           std::stop_token stop)
{
    return connectNow(m_core, std::move(id), std::move(stop));
}

Async<domain::ResourceSample> DaytonaProvider::metrics(ExternalId id, std::stop_token stop)
{
    return metricsNow(m_core, std::move(id), std::move(stop));
}

Async<void> DaytonaProvider::watch(domain::ProviderEventSink, std::stop_token)
{
    return watchNow();
}

} // namespace berth::daytona
