// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "providers/daytona/core.h"

namespace berth::daytona {

class DaytonaProvider : public domain::Provider
{
public:
    DaytonaProvider(domain::ProviderSettings settings, domain::InstallationId installation);
    //! With a pace and a patience of its own, for tests.
    explicit DaytonaProvider(CorePtr core) : m_core(std::move(core)) {}
    ~DaytonaProvider() override;

    [[nodiscard]] domain::Capabilities capabilities() const override;
    [[nodiscard]] QString engineId() const override { return m_core->engineId(); }
    domain::Async<domain::HealthReport> check(domain::StepSink step, std::stop_token stop) override;
    domain::Async<domain::Instance> create(domain::CreateRequest request,
                                           domain::ProgressSink progress,
                                           std::stop_token stop) override;
    domain::Async<QList<domain::Instance>> list(std::stop_token stop) override;
    domain::Async<domain::Instance> inspect(domain::ExternalId id, std::stop_token stop) override;
    domain::Async<void> pause(domain::ExternalId id, std::stop_token stop) override;
    domain::Async<void> resume(domain::ExternalId id, std::stop_token stop) override;
    domain::Async<void> destroy(domain::ExternalId id, std::stop_token stop) override;
    domain::Async<std::shared_ptr<domain::SandboxConnection>> connect(
        domain::ExternalId id, std::stop_token stop) override;
    domain::Async<void> watch(domain::ProviderEventSink sink, std::stop_token stop) override;
    domain::Async<domain::ResourceSample> metrics(domain::ExternalId id,
                                                  std::stop_token stop) override;

private:
    CorePtr m_core;
};

//! Test connection.
domain::Async<domain::HealthReport> checkService(CorePtr core, domain::StepSink step,
                                                 std::stop_token stop);

} // namespace berth::daytona
