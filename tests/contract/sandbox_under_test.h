// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "contract/contract_suite.h"
#include "support/command_run.h"

#include <QtTest/QTest>

namespace berth::contract {

//! What the groups share: a provider of an installation of its own, and running instances in it.
class SandboxUnderTest
{
public:
    explicit SandboxUnderTest(Fixture &fixture);

    [[nodiscard]] Fixture &fixture() const { return m_fixture; }
    [[nodiscard]] domain::Provider &provider() const { return *m_provider; }
    [[nodiscard]] const domain::InstallationId &installation() const { return m_installation; }

    //! Makes the provider; the reason when the suite cannot run here.
    QString open();
    //! A request with fresh ids.
    [[nodiscard]] domain::CreateRequest request(const QString &alias) const;
    domain::Result<domain::Instance> create(const QString &alias);
    domain::Result<std::shared_ptr<domain::SandboxConnection>> connect(
        const domain::ExternalId &id);
    //! Destroys all instances of this installation.
    void close();

private:
    Fixture &m_fixture;
    domain::InstallationId m_installation = domain::InstallationId::create();
    std::unique_ptr<domain::Provider> m_provider;
};

//! A group's initTestCase: skips or fails when the suite cannot run here.
#define BERTH_OPEN(sandbox)                                                                        \
    do {                                                                                           \
        const QString reason = (sandbox).open();                                                   \
        if (!reason.isEmpty()) {                                                                   \
            if (qEnvironmentVariable("BERTH_REQUIRE_ENGINE") == QLatin1String("1"))                \
                QFAIL(qPrintable(reason));                                                         \
            QSKIP(qPrintable(reason));                                                             \
        }                                                                                          \
    } while (false)

int runLifecycleGroup(Fixture &fixture, const QStringList &arguments);
int runCommandsGroup(Fixture &fixture, const QStringList &arguments);
int runStreamsGroup(Fixture &fixture, const QStringList &arguments);
int runJobsGroup(Fixture &fixture, const QStringList &arguments);
int runFilesGroup(Fixture &fixture, const QStringList &arguments);
int runSearchGroup(Fixture &fixture, const QStringList &arguments);

} // namespace berth::contract
