// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "providers/agentbay/core.h"

namespace berth::agentbay {

class AgentBayProvider : public domain::Provider
{
public:
    AgentBayProvider(domain::ProviderSettings settings, domain::InstallationId installation);
    ~AgentBayProvider() override;

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

} // namespace berth::agentbay
