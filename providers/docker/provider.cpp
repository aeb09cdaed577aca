// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/provider.h"

#include "providers/docker/link.h"

#include "providers/docker/docker_kind.h"

namespace berth::docker {

using domain::Async;
using domain::Capability;
using domain::ErrorKind;
using domain::ExternalId;
using domain::failure;
using domain::Instance;
using domain::ObservedState;
using domain::Result;

namespace {

Async<QList<Instance>> listNow(CorePtr core, std::stop_token stop)
{
    const Result<EnginePtr> engine = co_await readyEngine(core, stop);
    if (!engine)
        co_return failure(engine.error());
    const Result<QList<Instance>> all = co_await listContainers(*engine, stop);
    if (!all) {
        core->note(all.error());
        co_return failure(all.error());
    }
    // The engine filters by the label's name only; an empty one marks nothing.
    QList<Instance> marked;
    for (const Instance &one : *all) {
        if (!one.labels.installation.isNull())
            marked.append(one);
    }
    co_return marked;
}

Async<Instance> inspectNow(CorePtr core, ExternalId id, std::stop_token stop)
{
    const Result<void> shaped = plausible(id);
    if (!shaped)
        co_return failure(shaped.error());
    const Result<EnginePtr> engine = co_await readyEngine(core, stop);
    if (!engine)
        co_return failure(engine.error());
    const Result<Container> container =
        co_await inspectContainer(*engine, id.toString(), false, stop);
    if (!container) {
        core->note(container.error());
        co_return failure(container.error());
    }
    co_return container->instance;
}

Async<void> pauseNow(CorePtr core, ExternalId id, std::stop_token stop)
{
    const Result<EnginePtr> engine = co_await readyEngine(core, stop);
    if (!engine)
        co_return failure(engine.error());
    const Result<Container> container = co_await ownContainer(core, *engine, id, stop);
    if (!container)
        co_return failure(container.error());
    if (container->instance.state == ObservedState::Paused)
        co_return Result<void>{};
    const Result<void> paused = co_await pauseContainer(*engine, id.toString(), stop);
    if (paused)
        co_return Result<void>{};
    core->note(paused.error());
    if (paused.error().httpStatus) {
        // Somebody else may have paused it in between; a stopped one cannot be. podman answers 500
        // to both, so that only the container itself can tell.
        const Result<Container> now = co_await ownContainer(core, *engine, id, stop);
        if (now && now->instance.state == ObservedState::Paused)
            co_return Result<void>{};
        domain::Error error = paused.error();
        if (now && now->instance.state != ObservedState::Running)
            error.kind = ErrorKind::Conflict;
        co_return failure(error);
    }
    co_return failure(paused.error());
}

Async<void> resumeNow(CorePtr core, ExternalId id, std::stop_token stop)
{
    const Result<EnginePtr> engine = co_await readyEngine(core, stop);
    if (!engine)
        co_return failure(engine.error());
    const Result<Container> container = co_await ownContainer(core, *engine, id, stop);
    if (!container)
        co_return failure(container.error());
    switch (container->instance.state) {
    case ObservedState::Running:
    case ObservedState::Starting:
        co_return Result<void>{};
    case ObservedState::Paused: {
        const Result<void> resumed = co_await unpauseContainer(*engine, id.toString(), stop);
        if (resumed)
            co_return Result<void>{};
        core->note(resumed.error());
        // Engines answer 500 when it runs already.
        const Result<Container> now = co_await ownContainer(core, *engine, id, stop);
        if (now && now->instance.state == ObservedState::Running)
            co_return Result<void>{};
        co_return failure(resumed.error());
    }
    case ObservedState::Stopped: {
        const Result<void> started =
            co_await startSandbox(core, *engine, id.toString(), *container, stop);
        if (!started)
            core->note(started.error());
        co_return started;
    }
    case ObservedState::Archived:
    case ObservedState::Stopping:
    case ObservedState::Error:
    case ObservedState::Gone:
    case ObservedState::Unknown:
        break;
    }
    co_return failure(ErrorKind::Conflict,
                      QStringLiteral("The container cannot be started: it is %1")
                          .arg(container->instance.stateDetail.isEmpty()
                                   ? wireName(container->instance.state)
                                   : container->instance.stateDetail));
}

Async<void> destroyNow(CorePtr core, ExternalId id, std::stop_token stop)
{
    const Result<EnginePtr> engine = co_await readyEngine(core, stop);
    if (!engine)
        co_return failure(engine.error());
    const Result<Container> container = co_await ownContainer(core, *engine, id, stop);
    if (!container && container.error().kind == ErrorKind::NotFound) {
        core->dropConnection(id.toString(), QStringLiteral("the sandbox is gone"));
        co_return Result<void>{};
    }
    if (!container)
        co_return failure(container.error());
    const Result<void> removed =
        co_await removeSandbox(core, *engine, id.toString(), *container, stop);
    if (!removed)
        core->note(removed.error());
    co_return removed;
}

Async<ConnectionPtr> attachNow(CorePtr core, ExternalId id, std::stop_token stop)
{
    const Result<EnginePtr> engine = co_await readyEngine(core, stop);
    if (!engine)
        co_return failure(engine.error());
    const Result<Container> container = co_await ownContainer(core, *engine, id, stop);
    if (!container)
        co_return failure(container.error());
    if (container->instance.state != ObservedState::Running)
        co_return failure(ErrorKind::Conflict,
                          QStringLiteral("The container does not run: it is %1")
                              .arg(wireName(container->instance.state)),
                          QStringLiteral("Resume it first"));
    const Result<net::HijackedStream> attached =
        co_await attachContainer(*engine, id.toString(), stop);
    if (!attached) {
        core->note(attached.error());
        co_return failure(attached.error());
    }
    Result<ConnectionPtr> connection = co_await openConnection(
        *attached, container->workingDirectory, true, linkPlace(core, *container), stop);
    if (!connection && connection.error().kind == ErrorKind::Timeout && (*engine)->isPodman)
        connection.error().detail = QStringLiteral(
            "podman closes a container's input with its first connection; stop the sandbox and "
            "start it again");
    co_return connection;
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
    if (const ConnectionPtr open = core->fresh.take(key); open && open->isOpen()) {
        core->connections.insert(key, open);
        co_return std::shared_ptr<domain::SandboxConnection>(open);
    }
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

Async<domain::ResourceSample> metricsNow(CorePtr core, ExternalId id, std::stop_token stop)
{
    const Result<void> shaped = plausible(id);
    if (!shaped)
        co_return failure(shaped.error());
    const Result<EnginePtr> engine = co_await readyEngine(core, stop);
    if (!engine)
        co_return failure(engine.error());
    const QString key = id.toString();
    // Twice: a stream that ends before its first value means a stopped container, which the second
    // look sees, or one that was just started again.
    for (int attempt = 0;; ++attempt) {
        std::shared_ptr<StatsWatch> watch = core->watches.value(key);
        if (!watch || watch->isEnded()) {
            // The stream of a container that does not run stays silent.
            const Result<Container> container =
                co_await inspectContainer(*engine, key, false, stop);
            if (!container) {
                core->note(container.error());
                core->watches.remove(key);
                co_return failure(container.error());
            }
            if (container->instance.state != ObservedState::Running
                && container->instance.state != ObservedState::Paused)
                co_return sampleFrom(std::nullopt, StatsReading());
            const std::shared_ptr<StatsWatch> former = core->watches.value(key);
            watch = former;
            if (!former || former->isEnded()) {
                watch = std::make_shared<StatsWatch>(*engine, key, former.get());
                core->watches.insert(key, watch);
                watch->start(core->scope);
            }
        }
        const Result<domain::ResourceSample> sample = co_await watch->sample(stop);
        const bool empty = !sample && watch->isEnded()
            && sample.error().kind == ErrorKind::Unavailable && !sample.error().httpStatus;
        if (empty && attempt == 0)
            continue;
        if (!sample)
            core->note(sample.error());
        co_return sample;
    }
}

class DockerKind : public domain::ProviderKind
{
public:
    [[nodiscard]] const domain::ProviderSchema &schema() const override { return docker::schema(); }
    [[nodiscard]] std::optional<QString> problemWith(
        const QMap<QString, QString> &values) const override
    {
        const Result<SandboxSettings> settings = sandboxSettings(values, {});
        if (!settings)
            return settings.error().message;
        return docker::problemWith(engineWish(values));
    }
    [[nodiscard]] QList<domain::SecretOrigin> secretOrigins(
        const QMap<QString, QString> &) const override
    {
        return {};
    }
    [[nodiscard]] QString summary(const QMap<QString, QString> &values) const override
    {
        return values.value(QStringLiteral("image"));
    }
    [[nodiscard]] std::unique_ptr<domain::Provider> create(
        domain::ProviderSettings settings, domain::InstallationId installation,
        domain::ProviderPaths paths) const override
    {
        return std::make_unique<DockerProvider>(std::move(settings), std::move(installation),
                                                std::move(paths));
    }
};

} // namespace

std::shared_ptr<const domain::ProviderKind> makeDockerKind()
{
    return std::make_shared<DockerKind>();
}

DockerProvider::DockerProvider(domain::ProviderSettings settings,
                               domain::InstallationId installation, domain::ProviderPaths paths)
    : m_core(std::make_shared<Core>())
{
    m_core->settings = std::move(settings);
    m_core->installation = std::move(installation);
    m_core->paths = std::move(paths);
}

DockerProvider::~DockerProvider()
{
    m_core->scope.requestStop();
    m_core->fresh.clear();
}

domain::Capabilities DockerProvider::capabilities() const
{
    domain::Capabilities capabilities;
    for (const Capability one :
         {Capability::Pause, Capability::Resume, Capability::Execute, Capability::Terminal,
          Capability::SeparateStderr, Capability::Metrics, Capability::ProcessesSurvivePause,
          Capability::ProcessesSurviveRestart})
        capabilities.allow(one);
    return capabilities;
}

Async<domain::HealthReport> DockerProvider::check(domain::StepSink step, std::stop_token stop)
{
    return checkEngine(m_core, std::move(step), std::move(stop));
}

Async<Instance> DockerProvider::create(domain::CreateRequest request, domain::ProgressSink progress,
                                       std::stop_token stop)
{
    return createSandbox(m_core, std::move(request), std::move(progress), std::move(stop));
}

Async<QList<Instance>> DockerProvider::list(std::stop_token stop)
{
    return listNow(m_core, std::move(stop));
}

Async<Instance> DockerProvider::inspect(ExternalId id, std::stop_token stop)
{
    return inspectNow(m_core, std::move(id), std::move(stop));
}

Async<void> DockerProvider::pause(ExternalId id, std::stop_token stop)
{
    return pauseNow(m_core, std::move(id), std::move(stop));
}

Async<void> DockerProvider::resume(ExternalId id, std::stop_token stop)
{
    return resumeNow(m_core, std::move(id), std::move(stop));
}

Async<void> DockerProvider::destroy(ExternalId id, std::stop_token stop)
{
    return destroyNow(m_core, std::move(id), std::move(stop));
}

Async<std::shared_ptr<domain::SandboxConnection>> DockerProvider::connect(ExternalId id,
                                                                          std::stop_token stop)
{
    return connectNow(m_core, std::move(id), std::move(stop));
}

Async<domain::ResourceSample> DockerProvider::metrics(ExternalId id, std::stop_token stop)
{
    return metricsNow(m_core, std::move(id), std::move(stop));
}

Async<void> DockerProvider::watch(domain::ProviderEventSink sink, std::stop_token stop)
{
    return watchEngine(m_core, std::move(sink), std::move(stop));
}

} // namespace berth::docker
