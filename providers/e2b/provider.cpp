// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/e2b/provider.h"

#include "providers/e2b/e2b_kind.h"

namespace berth::e2b {

using domain::Async;
using domain::Capability;
using domain::ErrorKind;
using domain::ExternalId;
using domain::failure;
using domain::Result;

namespace {

Async<void> cannotWatch()
{
    co_return failure(ErrorKind::Unsupported, QStringLiteral("E2B does not tell of changes"));
}

class E2bKind : public domain::ProviderKind
{
public:
    [[nodiscard]] const domain::ProviderSchema &schema() const override { return e2b::schema(); }
    [[nodiscard]] std::optional<QString> problemWith(
        const QMap<QString, QString> &values) const override
    {
        const Result<SandboxSettings> settings = sandboxSettings(values, {});
        if (!settings)
            return settings.error().message;
        const Result<Endpoints> where = endpoints(values);
        if (!where)
            return where.error().message;
        return std::nullopt;
    }
    [[nodiscard]] QList<domain::SecretOrigin> secretOrigins(
        const QMap<QString, QString> &values) const override
    {
        return e2b::secretOrigins(values);
    }
    [[nodiscard]] QString summary(const QMap<QString, QString> &values) const override
    {
        return values.value(QStringLiteral("template"));
    }
    [[nodiscard]] std::unique_ptr<domain::Provider> create(domain::ProviderSettings settings,
                                                           domain::InstallationId installation,
                                                           domain::ProviderPaths) const override
    {
        return std::make_unique<E2bProvider>(std::move(settings), std::move(installation));
    }
};

} // namespace

std::shared_ptr<const domain::ProviderKind> makeE2bKind()
{
    return std::make_shared<E2bKind>();
}

E2bProvider::E2bProvider(domain::ProviderSettings settings, domain::InstallationId installation)
    : m_core(std::make_shared<Core>())
{
    m_core->settings = std::move(settings);
    m_core->installation = std::move(installation);
}

E2bProvider::~E2bProvider() = default;

domain::Capabilities E2bProvider::capabilities() const
{
    domain::Capabilities capabilities;
    for (const Capability one :
         {Capability::Pause, Capability::Resume, Capability::Execute, Capability::Terminal,
          Capability::SeparateStderr, Capability::Metrics, Capability::ProcessesSurvivePause,
          Capability::ProcessesSurviveRestart})
        capabilities.allow(one);
    return capabilities;
}

Async<domain::HealthReport> E2bProvider::check(domain::StepSink step, std::stop_token stop)
{
    return checkAccount(m_core, std::move(step), std::move(stop));
}

Async<domain::Instance> E2bProvider::create(domain::CreateRequest request, domain::ProgressSink,
                                            std::stop_token stop)
{
    return createNew(m_core, std::move(request), std::move(stop));
}

Async<QList<domain::Instance>> E2bProvider::list(std::stop_token stop)
{
    return listAll(m_core, std::move(stop));
}

Async<domain::Instance> E2bProvider::inspect(ExternalId id, std::stop_token stop)
{
    return inspectOne(m_core, std::move(id), std::move(stop));
}

Async<void> E2bProvider::pause(ExternalId id, std::stop_token stop)
{
    return pauseOne(m_core, std::move(id), std::move(stop));
}

Async<void> E2bProvider::resume(ExternalId id, std::stop_token stop)
{
    return resumeOne(m_core, std::move(id), std::move(stop));
}

Async<domain::Instance> E2bProvider::fork(ExternalId original, std::stop_token stop)
{
    return forkOne(m_core, std::move(original), std::move(stop));
}

Async<void> E2bProvider::destroy(ExternalId id, std::stop_token stop)
{
    return destroyOne(m_core, std::move(id), std::move(stop));
}

Async<std::shared_ptr<domain::SandboxConnection>> E2bProvider::connect(ExternalId id,
                                                                       std::stop_token stop)
{
    return connectOne(m_core, std::move(id), std::move(stop));
}

Async<void> E2bProvider::watch(domain::ProviderEventSink, std::stop_token)
{
    return cannotWatch();
}

Async<domain::ResourceSample> E2bProvider::metrics(ExternalId id, std::stop_token stop)
{
    return measureOne(m_core, std::move(id), std::move(stop));
}

} // namespace berth::e2b
