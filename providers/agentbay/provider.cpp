// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/agentbay/provider.h"

#include "providers/agentbay/agentbay_kind.h"

namespace berth::agentbay {

using domain::Async;
using domain::Capability;
using domain::ErrorKind;
using domain::ExternalId;
using domain::failure;
using domain::Result;

namespace {

Async<void> cannotWatch()
{
    co_return failure(ErrorKind::Unsupported, QStringLiteral("AgentBay does not tell of changes"));
}

Async<void> cannot(QString why)
{
    co_return failure(ErrorKind::Unsupported, why);
}

class AgentBayKind : public domain::ProviderKind
{
public:
    [[nodiscard]] const domain::ProviderSchema &schema() const override
    {
        return agentbay::schema();
    }
    [[nodiscard]] std::optional<QString> problemWith(
        const QMap<QString, QString> &values) const override
    {
        const Result<SandboxSettings> settings = sandboxSettings(values, {});
        if (!settings)
            return settings.error().message;
        const Result<Endpoint> where = endpoint(values);
        if (!where)
            return where.error().message;
        return std::nullopt;
    }
    [[nodiscard]] QList<domain::SecretOrigin> secretOrigins(
        const QMap<QString, QString> &values) const override
    {
        return agentbay::secretOrigins(values);
    }
    [[nodiscard]] QString summary(const QMap<QString, QString> &values) const override
    {
        const QString image = values.value(QStringLiteral("image_id"));
        return image.isEmpty() ? values.value(QStringLiteral("region_id")) : image;
    }
    [[nodiscard]] std::unique_ptr<domain::Provider> create(domain::ProviderSettings settings,
                                                           domain::InstallationId installation,
                                                           domain::ProviderPaths) const override
    {
        return std::make_unique<AgentBayProvider>(std::move(settings), std::move(installation));
    }
};

} // namespace

std::shared_ptr<const domain::ProviderKind> makeAgentBayKind()
{
    return std::make_shared<AgentBayKind>();
}

AgentBayProvider::AgentBayProvider(domain::ProviderSettings settings,
                                   domain::InstallationId installation)
    : m_core(std::make_shared<Core>())
{
    m_core->settings = std::move(settings);
    m_core->installation = std::move(installation);
}

AgentBayProvider::~AgentBayProvider() = default;

domain::Capabilities AgentBayProvider::capabilities() const
{
    domain::Capabilities capabilities;
    for (const Capability one : {Capability::Pause, Capability::Resume}) {
        const bool pause = one == Capability::Pause;
        if (!m_core->noPause.isEmpty())
            capabilities.deny(one, m_core->noPause);
        else if (!isSupported(m_core->settings.values,
                              pause ? "supports_pause" : "supports_resume"))
            capabilities.deny(one, QStringLiteral("Switched off in the provider's settings"));
        else
            capabilities.allow(one);
    }
    for (const Capability one :
         {Capability::Execute, Capability::SeparateStderr, Capability::ProcessesSurvivePause})
        capabilities.allow(one);
    capabilities.deny(Capability::Metrics,
                      QStringLiteral("AgentBay measures only from within a sandbox, which may keep "
                                     "it from being released when nobody uses it"));
    capabilities.deny(Capability::Terminal,
                      QStringLiteral("AgentBay runs commands without a terminal"));
    capabilities.deny(Capability::ProcessesSurviveRestart,
                      QStringLiteral("Berth does not find a command at AgentBay again"));
    return capabilities;
}

Async<domain::HealthReport> AgentBayProvider::check(domain::StepSink step, std::stop_token stop)
{
    return checkAccount(m_core, std::move(step), std::move(stop));
}

Async<domain::Instance> AgentBayProvider::create(domain::CreateRequest request,
                                                 domain::ProgressSink, std::stop_token stop)
{
    return createNew(m_core, std::move(request), std::move(stop));
}

Async<QList<domain::Instance>> AgentBayProvider::list(std::stop_token stop)
{
    return listAll(m_core, std::move(stop));
}

Async<domain::Instance> AgentBayProvider::inspect(ExternalId id, std::stop_token stop)
{
    return inspectOne(m_core, std::move(id), std::move(stop));
}

Async<void> AgentBayProvider::pause(ExternalId id, std::stop_token stop)
{
    const QString why = capabilities().reasonAgainst(Capability::Pause);
    if (!why.isEmpty())
        return cannot(why);
    return pauseOne(m_core, std::move(id), std::move(stop));
}

Async<void> AgentBayProvider::resume(ExternalId id, std::stop_token stop)
{
    return resumeOne(m_core, std::move(id), std::move(stop));
}

Async<void> AgentBayProvider::destroy(ExternalId id, std::stop_token stop)
{
    return destroyOne(m_core, std::move(id), std::move(stop));
}

Async<std::shared_ptr<domain::SandboxConnection>> AgentBayProvider::connect(ExternalId id,
                                                                            std::stop_token stop)
{
    return connectOne(m_core, std::move(id), std::move(stop));
}

Async<void> AgentBayProvider::watch(domain::ProviderEventSink, std::stop_token)
{
    return cannotWatch();
}

Async<domain::ResourceSample> AgentBayProvider::metrics(ExternalId id, std::stop_token stop)
{
    return measureOne(m_core, std::move(id), std::move(stop));
}

} // namespace berth::agentbay
