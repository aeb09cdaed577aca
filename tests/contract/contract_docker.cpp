// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "contract/contract_suite.h"
#include "docker/engine_proxy.h"
#include "providers/docker/docker_kind.h"

#include <QtCore/QCoreApplication>

namespace {

using namespace berth;

//! Containers of the small busybox image, on the engine that DOCKER_HOST names.
class DockerFixture : public contract::Fixture
{
public:
    [[nodiscard]] contract::Traits traits() const override
    {
        contract::Traits traits;
        traits.provider = QStringLiteral("docker");
        traits.processesSurvivePause = true;
        traits.commandsSurviveConnection = true;
        return traits;
    }
    QString unavailable() override
    {
        return test::engineSocket().isEmpty()
            ? QStringLiteral("no Docker engine: run ./dev test, or set DOCKER_HOST")
            : QString();
    }
    std::unique_ptr<domain::Provider> makeProvider(domain::InstallationId installation) override
    {
        domain::ProviderSettings settings;
        settings.name = domain::ConfigName(QStringLiteral("docker"));
        settings.values = {{QStringLiteral("image"), QStringLiteral("bb:latest")},
                           {QStringLiteral("network"), QStringLiteral("none")},
                           {QStringLiteral("pull_policy"), QStringLiteral("never")},
                           {QStringLiteral("docker_host"), m_proxy.host()}};
        return m_kind->create(settings, installation, {m_data.path(), m_runtime.path()});
    }
    bool cutConnection(const domain::ExternalId &) override
    {
        m_proxy.cut();
        return test::cutLinks(m_data.path()) > 0;
    }

private:
    test::EngineProxy m_proxy;
    QTemporaryDir m_data;
    QTemporaryDir m_runtime;
    std::shared_ptr<const domain::ProviderKind> m_kind = docker::makeDockerKind();
};

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    DockerFixture fixture;
    return contract::runContractSuite(fixture, argc, argv);
}
