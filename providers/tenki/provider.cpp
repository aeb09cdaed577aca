// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/tenki/provider.h"

#include "providers/tenki/connection.h"
#include "providers/tenki/data_plane.h"
#include "providers/tenki/shell.h"
#include "providers/tenki/tenki_kind.h"

namespace berth::tenki {

using domain::Async;
using domain::Capability;
using domain::ErrorKind;
using domain::ExternalId;
using domain::failure;
using domain::Instance;
using domain::Result;

namespace {

QString noMetricsReason()
{
    return QStringLiteral("Tenki tells the size of a sandbox, but not what it uses of it");
}

Async<QList<Instance>> listNow(CorePtr core, std::stop_token stop)
{
    const Result<QList<Session>> all = co_await allSessions(core, stop);
    if (!all)
        co_return failure(all.error());
    QList<Instance> marked;
    for (const Session &one : *all) {
        const Instance instance = instanceFrom(one);
        if (!instance.labels.installation.isNull() && instance.state != domain::ObservedState::Gone)
            marked.append(instance);
    }
    co_return marked;
}

Async<Instance> inspectNow(CorePtr core, ExternalId id, std::stop_token stop)
{
    const Result<Session> session = co_await lookAt(core, id, stop);
    if (!session)
        co_return failure(session.error());
    co_return instanceFrom(*session);
}

Async<domain::ResourceSample> metricsNow(CorePtr core, ExternalId id, std::stop_token stop)
{
    const Result<Session> session = co_await lookAt(core, id, stop);
    if (!session)
        co_return failure(session.error());
    domain::ResourceSample sample;
    sample.at = QDateTime::currentDateTimeUtc();
    if (session->cpuCores > 0)
        sample.cpuLimitCores = session->cpuCores;
    if (session->memoryMb > 0)
        sample.memoryLimitBytes = qint64(session->memoryMb) * 1024 * 1024;
    if (session->diskGb > 0)
        sample.diskLimitBytes = qint64(session->diskGb) * 1024 * 1024 * 1024;
    co_return sample;
}

Async<void> watchNow()
{
    co_return failure(ErrorKind::Unsupported,
                      QStringLiteral("Tenki does not tell of changes by itself"));
}

class TenkiKind : public domain::ProviderKind
{
public:
    [[nodiscard]] const domain::ProviderSchema &schema() const override { return tenki::schema(); }
    [[nodiscard]] std::optional<QString> problemWith(
        const QMap<QString, QString> &values) const override
    {
        const Result<SandboxSettings> settings = sandboxSettings(values, {});
        if (!settings)
            return settings.error().message;
        const Result<Connection> where = connection(values);
        if (!where)
            return where.error().message;
        return std::nullopt;
    }
    [[nodiscard]] QList<domain::SecretOrigin> secretOrigins(
        const QMap<QString, QString> &values) const override
    {
        return tenki::secretOrigins(values);
    }
    [[nodiscard]] QString summary(const QMap<QString, QString> &values) const override
    {
        const QString image = values.value(QStringLiteral("image")).trimmed();
        return image.isEmpty() ? QStringLiteral("Tenki's image") : image;
    }
    [[nodiscard]] std::unique_ptr<domain::Provider> create(domain::ProviderSettings settings,
                                                           domain::InstallationId installation,
                                                           domain::ProviderPaths) const override
    {
        return std::make_unique<TenkiProvider>(std::move(settings), std::move(installation));
    }
};

} // namespace

std::shared_ptr<const domain::ProviderKind> makeTenkiKind()
{
    return std::make_shared<TenkiKind>();
}

TenkiProvider::TenkiProvider(domain::ProviderSettings settings, domain::InstallationId installation)
    : TenkiProvider(std::move(settings), std::move(installation), Patience())
{}

TenkiProvider::TenkiProvider(domain::ProviderSettings settings, domain::InstallationId installation,
                             Patience patience)
    : m_core(std::make_shared<Core>())
{
    m_core->settings = std::move(settings);
    m_core->installation = std::move(installation);
    m_core->patience = patience;
}

TenkiProvider::~TenkiProvider()
{
    m_core->scope.requestStop();
    m_core->fresh.clear();
}

domain::Capabilities TenkiProvider::capabilities() const
{
    domain::Capabilities capabilities;
    for (const Capability one :
         {Capability::Pause, Capability::Resume, Capability::Execute, Capability::SeparateStderr})
        capabilities.allow(one);
    capabilities.deny(Capability::Metrics, noMetricsReason());
    capabilities.deny(Capability::Terminal, noLiveInputReason());
    capabilities.deny(Capability::ProcessesSurvivePause,
                      QStringLiteral("Tenki does not say whether processes live on over a pause"));
    capabilities.deny(Capability::ProcessesSurviveRestart, noBackgroundReason());
    return capabilities;
}

Async<domain::HealthReport> TenkiProvider::check(domain::StepSink step, std::stop_token stop)
{
    return checkService(m_core, std::move(step), std::move(stop));
}

Async<Instance> TenkiProvider::create(domain::CreateRequest request, domain::ProgressSink progress,
                                      std::stop_token stop)
{
    return createSandbox(m_core, std::move(request), std::move(progress), std::move(stop));
}

Async<QList<Instance>> TenkiProvider::list(std::stop_token stop)
{
    return listNow(m_core, std::move(stop));
}

Async<Instance> TenkiProvider::inspect(ExternalId id, std::stop_token stop)
{
    return inspectNow(m_core, std::move(id), std::move(stop));
}

Async<void> TenkiProvider::pause(ExternalId id, std::stop_token stop)
{
    return pauseSandbox(m_core, std::move(id), std::move(stop));
}

Async<void> TenkiProvider::resume(ExternalId id, std::stop_token stop)
{
    return resumeSandbox(m_core, std::move(id), std::move(stop));
}

Async<void> TenkiProvider::destroy(ExternalId id, std::stop_token stop)
{
    return destroySandbox(m_core, std::move(id), std::move(stop));
}

Async<std::shared_ptr<domain::SandboxConnection>> TenkiProvider::connect(ExternalId id,
                                                                         std::stop_token stop)
{
    return connectSandbox(m_core, std::move(id), std::move(stop));
}

Async<void> TenkiProvider::watch(domain::ProviderEventSink, std::stop_token)
{
    return watchNow();
}

Async<domain::ResourceSample> TenkiProvider::metrics(ExternalId id, std::stop_token stop)
{
    return metricsNow(m_core, std::move(id), std::move(stop));
}

} // namespace berth::tenki
