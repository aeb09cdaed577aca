// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "contract/contract_suite.h"
#include "providers/local/local_kind.h"
#include "providers/local/process_metrics.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>

#include <csignal>

namespace {

using namespace berth;

class LocalFixture : public contract::Fixture
{
public:
    [[nodiscard]] contract::Traits traits() const override
    {
        contract::Traits traits;
        traits.provider = QStringLiteral("local");
        return traits;
    }
    QString unavailable() override
    {
        return QStandardPaths::findExecutable(QStringLiteral("bwrap")).isEmpty()
            ? QStringLiteral("bubblewrap is not installed")
            : QString();
    }
    std::unique_ptr<domain::Provider> makeProvider(domain::InstallationId installation) override
    {
        domain::ProviderSettings settings;
        settings.name = domain::ConfigName(QStringLiteral("local"));
        return m_kind->create(settings, installation, {m_data.path(), m_runtime.path()});
    }
    //! Kills the outer bubblewrap, whose arguments name the workspace.
    bool cutConnection(const domain::ExternalId &id) override
    {
        for (const qint64 pid : local::childProcesses(QCoreApplication::applicationPid())) {
            QFile commandLine(QStringLiteral("/proc/%1/cmdline").arg(pid));
            if (commandLine.open(QIODevice::ReadOnly)
                && commandLine.readAll().contains(id.toString().toUtf8()))
                return ::kill(static_cast<pid_t>(pid), SIGKILL) == 0;
        }
        return false;
    }

private:
    QTemporaryDir m_data;
    QTemporaryDir m_runtime;
    std::shared_ptr<const domain::ProviderKind> m_kind = local::makeLocalKind();
};

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    LocalFixture fixture;
    return contract::runContractSuite(fixture, argc, argv);
}
