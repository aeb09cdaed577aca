// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sandbox/naming.h"
#include "providers/local/local_kind.h"
#include "support/command_run.h"

#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

namespace berth::test {

inline bool bubblewrapIsHere()
{
    return !QStandardPaths::findExecutable(QStringLiteral("bwrap")).isEmpty();
}

#define BERTH_NEEDS_BUBBLEWRAP()                                                                   \
    do {                                                                                           \
        if (!::berth::test::bubblewrapIsHere()) {                                                  \
            if (qEnvironmentVariable("BERTH_REQUIRE_ENGINE") == QLatin1String("1"))                \
                QFAIL("bubblewrap is not installed");                                              \
            QSKIP("bubblewrap is not installed");                                                  \
        }                                                                                          \
    } while (false)

//! Directories of a Berth, and the provider in them.
struct LocalBerth
{
    QTemporaryDir data;
    QTemporaryDir runtime;
    domain::InstallationId installation = domain::InstallationId::create();
    std::shared_ptr<const domain::ProviderKind> kind;
    std::unique_ptr<domain::Provider> provider;

    explicit LocalBerth(const QMap<QString, QString> &values = {},
                        const local::HostSystem &system = {})
        : kind(local::makeLocalKind(system))
    {
        restart(values);
    }
    //! As another start of Berth would find things.
    void restart(const QMap<QString, QString> &values = {}, const local::HostSystem &system = {})
    {
        provider.reset();
        kind = local::makeLocalKind(system);
        provider = kind->create({domain::ConfigName(QStringLiteral("local")), values}, installation,
                                {data.path(), runtime.path()});
    }
    [[nodiscard]] domain::CreateRequest request(const QString &alias) const
    {
        domain::CreateRequest request;
        request.labels.installation = installation;
        request.labels.sandbox = domain::SandboxId::create();
        request.labels.lease = domain::LeaseId::create();
        request.labels.instance = domain::InstanceId::create();
        request.labels.agent = domain::AgentId(QStringLiteral("default"));
        request.labels.alias = alias;
        request.name = domain::sandboxName(installation, request.labels.agent, alias);
        return request;
    }
    domain::Result<domain::Instance> create(const QString &alias = QStringLiteral("local-1"),
                                            const QMap<QString, QString> &overrides = {})
    {
        domain::CreateRequest wanted = request(alias);
        wanted.overrides = overrides;
        return await(provider->create(wanted, {}, {}));
    }
    [[nodiscard]] QString workspace(const domain::ExternalId &id) const
    {
        return data.path() + QStringLiteral("/local/") + id.toString()
            + QStringLiteral("/workspace");
    }
};

} // namespace berth::test
