// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "docker/engine_proxy.h"
#include "net/http_client.h"
#include "providers/docker/docker_kind.h"
#include "support/command_run.h"

#include <QtTest/QTest>

#include <memory>

namespace berth::test {

//! A provider on the real engine, and the engine itself past it, as a person with the docker
//! command would use it.
class EngineFixture
{
public:
    using Values = QMap<QString, QString>;

    //! Why no engine can be used; empty: it can.
    QString open()
    {
        const QString socket = engineSocket();
        if (socket.isEmpty())
            return QStringLiteral("no Docker engine: run ./dev test, or set DOCKER_HOST");
        m_http = net::localHttpClient(socket);
        provider = makeProvider();
        return {};
    }

    std::unique_ptr<domain::Provider> makeProvider(Values more = {}) const
    {
        Values values{{QStringLiteral("image"), QStringLiteral("berth-test:latest")},
                      {QStringLiteral("mount_path"), QStringLiteral("/workspace")},
                      {QStringLiteral("network"), QStringLiteral("none")},
                      {QStringLiteral("docker_host"), QStringLiteral("unix://") + engineSocket()}};
        for (auto it = more.begin(); it != more.end(); ++it)
            values.insert(it.key(), it.value());
        return docker::makeDockerKind()->create(
            {domain::ConfigName(QStringLiteral("docker")), values}, installation, paths);
    }

    domain::CreateRequest request(const char *alias, Values overrides = {}) const
    {
        domain::CreateRequest made;
        made.labels = {installation,
                       domain::SandboxId::create(),
                       domain::LeaseId::create(),
                       domain::InstanceId::create(),
                       domain::AgentId(QStringLiteral("default")),
                       QLatin1String(alias),
                       QStringLiteral("0123456789abcdef")};
        made.name = QStringLiteral("berth-%1-default-%2")
                        .arg(installation.toString().left(8), QLatin1String(alias));
        made.overrides = std::move(overrides);
        return made;
    }

    domain::Result<domain::Instance> create(const char *alias, Values overrides = {}) const
    {
        return await(provider->create(request(alias, std::move(overrides)), {}, {}), 90s);
    }

    Finished run(const domain::ExternalId &id, const QByteArray &text) const
    {
        const auto connection = await(provider->connect(id, {}));
        if (!connection) {
            Finished failed;
            failed.outcome.detail = QString::fromUtf8(told(connection));
            return failed;
        }
        return test::run((*connection)->shell(), text);
    }

    //! The status; 0 when the engine did not answer.
    int engine(const char *method, const QByteArray &target, QByteArray *answer = nullptr,
               const QByteArray &body = {}, const QByteArray &type = "application/json",
               const QByteArray &registryAuth = {}) const
    {
        net::HttpRequest request;
        request.method = method;
        request.target = target;
        request.deadlines.firstByte = 60s;
        if (!body.isEmpty()) {
            request.headers.append("Content-Type", type);
            request.body = body;
        }
        if (!registryAuth.isEmpty())
            request.headers.append("X-Registry-Auth", registryAuth);
        const auto response = await(m_http->send(request, {}), 90s);
        if (answer && response)
            *answer = response->body;
        return response ? response->head.status : 0;
    }

    //! Destroys what this installation made.
    void close() const
    {
        if (!provider)
            return;
        const auto all = await(provider->list({}));
        BERTH_OK(all);
        for (const domain::Instance &one : *all) {
            if (one.labels.installation == installation)
                BERTH_OK(await(provider->destroy(one.externalId, {})));
        }
        QByteArray volumes;
        engine("GET", "/volumes", &volumes);
        QVERIFY2(!volumes.contains(installation.toString().toUtf8()), volumes.constData());
    }

    domain::InstallationId installation = domain::InstallationId::create();
    domain::ProviderPaths paths;
    std::unique_ptr<domain::Provider> provider;

private:
    std::unique_ptr<net::StreamHttpClient> m_http;
};

//! A test's initTestCase: skips, or fails where an engine is demanded.
#define BERTH_NEEDS_ENGINE(fixture)                                                                \
    do {                                                                                           \
        const QString reason = (fixture).open();                                                   \
        if (!reason.isEmpty()) {                                                                   \
            if (qEnvironmentVariable("BERTH_REQUIRE_ENGINE") == QLatin1String("1"))                \
                QFAIL(qPrintable(reason));                                                         \
            QSKIP(qPrintable(reason));                                                             \
        }                                                                                          \
    } while (false)

} // namespace berth::test
