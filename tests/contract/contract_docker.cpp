// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "contract/contract_suite.h"
#include "docker/engine_proxy.h"
#include "providers/docker/docker_kind.h"

#include <QtCore/QCoreApplication>

namespace {

using namespace berth;

class DockerFixture : public contract::Fixture
{
public:
    [[nodiscard]] contract::Traits traits() const override
    {
        contract::Traits traits;
        traits.provider = QStringLiteral("docker");
        traits.processesSurvivePause = true;
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
        settings.values = {{QStringLiteral("docker_host"), m_proxy.host()},
                           {QStringLiteral("image"), QStringLiteral("berth-test:latest")},
                           {QStringLiteral("mount_path"), QStringLiteral("/workspace")},
                           {QStringLiteral("network"), QStringLiteral("none")},
                           {QStringLiteral("pull"), QStringLiteral("never")}};
        return m_kind->create(settings, installation, {});
    }
    bool cutConnection(const domain::ExternalId &) override
    {
        m_proxy.cut();
        return true;
    }

private:
    test::EngineProxy m_proxy;
    std::shared_ptr<const domain::ProviderKind> m_kind = docker::makeDockerKind();
};

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    DockerFixture fixture;
    return contract::runContractSuite(fixture, argc, argv);
}
