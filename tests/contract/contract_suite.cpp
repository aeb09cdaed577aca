// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "contract/contract_suite.h"

#include "contract/sandbox_under_test.h"
#include "domain/sandbox/naming.h"

#include <QtCore/QStringList>

#include <array>

namespace berth::contract {

Fixture::~Fixture() = default;

SandboxUnderTest::SandboxUnderTest(Fixture &fixture) : m_fixture(fixture) {}

QString SandboxUnderTest::open()
{
    const QString reason = m_fixture.unavailable();
    if (reason.isEmpty())
        m_provider = m_fixture.makeProvider(m_installation);
    return reason;
}

domain::CreateRequest SandboxUnderTest::request(const QString &alias) const
{
    domain::CreateRequest request;
    request.labels.installation = m_installation;
    request.labels.sandbox = domain::SandboxId::create();
    request.labels.lease = domain::LeaseId::create();
    request.labels.instance = domain::InstanceId::create();
    request.labels.agent = domain::AgentId(QStringLiteral("default"));
    request.labels.alias = alias;
    request.labels.configHash = QStringLiteral("0123456789abcdef");
    request.name = domain::sandboxName(m_installation, request.labels.agent, alias);
    return request;
}

domain::Result<domain::Instance> SandboxUnderTest::create(const QString &alias)
{
    return test::await(m_provider->create(request(alias), {}, {}), std::chrono::seconds(90));
}

domain::Result<std::shared_ptr<domain::SandboxConnection>> SandboxUnderTest::connect(
    const domain::ExternalId &id)
{
    return test::await(m_provider->connect(id, {}));
}

void SandboxUnderTest::close()
{
    if (!m_provider)
        return;
    const domain::Result<QList<domain::Instance>> instances = test::await(m_provider->list({}));
    if (!instances) {
        qWarning("could not list for the clean-up: %s", test::told(instances).constData());
        return;
    }
    for (const domain::Instance &instance : *instances) {
        if (instance.labels.installation != m_installation)
            continue;
        const domain::Result<void> gone = test::await(m_provider->destroy(instance.externalId, {}));
        if (!gone)
            qWarning("could not destroy %s: %s", qPrintable(instance.name),
                     test::told(gone).constData());
    }
    m_provider.reset();
}

int runContractSuite(Fixture &fixture, int argc, char **argv)
{
    using Group = int (*)(Fixture &, const QStringList &);
    static constexpr std::array<std::pair<QLatin1String, Group>, 6> kGroups{{
        {QLatin1String("lifecycle"), runLifecycleGroup},
        {QLatin1String("commands"), runCommandsGroup},
        {QLatin1String("streams"), runStreamsGroup},
        {QLatin1String("jobs"), runJobsGroup},
        {QLatin1String("files"), runFilesGroup},
        {QLatin1String("search"), runSearchGroup},
    }};
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    for (const auto &[name, run] : kGroups) {
        if (arguments.size() > 1 && arguments.at(1) == name) {
            arguments.removeAt(1);
            return run(fixture, arguments);
        }
    }
    int failures = 0;
    for (const auto &[name, run] : kGroups)
        failures += run(fixture, arguments);
    return failures;
}

} // namespace berth::contract
