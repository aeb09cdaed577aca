// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/forking_provider.h"
#include "providers/e2b/core.h"

namespace berth::e2b {

class E2bProvider : public domain::Provider, public domain::ForkingProvider
{
public:
    E2bProvider(domain::ProviderSettings settings, domain::InstallationId installation);
    ~E2bProvider() override;

    [[nodiscard]] domain::Capabilities capabilities() const override;
    [[nodiscard]] QString engineId() const override { return accountId(*m_core); }
    domain::Async<domain::HealthReport> check(domain::StepSink step, std::stop_token stop) override;
    domain::Async<domain::Instance> create(domain::CreateRequest request,
                                           domain::ProgressSink progress,
                                           std::stop_token stop) override;
    domain::Async<QList<domain::Instance>> list(std::stop_token stop) override;
    domain::Async<domain::Instance> inspect(domain::ExternalId id, std::stop_token stop) override;
    domain::Async<void> pause(domain::ExternalId id, std::stop_token stop) override;
    domain::Async<void> resume(domain::ExternalId id, std::stop_token stop) override;
    domain::Async<domain::Instance> fork(domain::ExternalId original,
                                         std::stop_token stop) override;
    domain::Async<void> destroy(domain::ExternalId id, std::stop_token stop) override;
    domain::Async<std::shared_ptr<domain::SandboxConnection>> connect(
        domain::ExternalId id, std::stop_token stop) override;
    domain::Async<void> watch(domain::ProviderEventSink sink, std::stop_token stop) override;
    domain::Async<domain::ResourceSample> metrics(domain::ExternalId id,
                                                  std::stop_token stop) override;

    //! For tests: its patience.
    [[nodiscard]] Core &core() const { return *m_core; }

private:
    CorePtr m_core;
};

} // namespace berth::e2b
