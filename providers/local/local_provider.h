// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/provider.h"
#include "providers/local/runtimes.h"

namespace berth::local {

//! Sandboxes on this machine, isolated by bubblewrap. They run as long as Berth does; files stay.
class LocalProvider : public domain::Provider
{
public:
    LocalProvider(domain::ProviderSettings settings, std::shared_ptr<Runtimes> runtimes);

    [[nodiscard]] domain::Capabilities capabilities() const override;
    [[nodiscard]] QString engineId() const override;
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
    domain::ProviderSettings m_settings;
    std::shared_ptr<Runtimes> m_runtimes;
};

} // namespace berth::local
