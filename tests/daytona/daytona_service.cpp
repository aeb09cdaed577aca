// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "daytona/daytona_service.h"

#include "domain/sandbox/naming.h"

#include <nlohmann/json.hpp>

using namespace std::chrono_literals;

namespace berth::test {

using daytona::Core;
using daytona::DaytonaProvider;
using nlohmann::json;

QString DaytonaService::start()
{
    if (!m_fake.start(QStringLiteral("daytona")))
        return m_fake.why();
    knobs({{"stateMs", 60}});
    return {};
}

void DaytonaService::heal()
{
    knobs({{"faults", json::array()},
           {"clearRequests", true},
           {"createFails", ""},
           {"recoverable", false},
           {"listStyle", "cursor"},
           {"listLagMs", 0},
           {"newRoutes", true},
           {"minuteMs", 60000},
           {"shell", "/usr/bin/bash"}});
}

std::shared_ptr<Core> DaytonaService::makeCore(const domain::InstallationId &owner,
                                               const QMap<QString, QString> &more)
{
    const QString origin = m_fake.url(QStringLiteral("api"));
    domain::ProviderSettings settings;
    settings.name = domain::ConfigName(QStringLiteral("daytona"));
    settings.values = {{QStringLiteral("api_url"), origin + QStringLiteral("/api")},
                       {QStringLiteral("proxy"), QStringLiteral("none")}};
    settings.values.insert(more);
    settings.secrets.insert(QStringLiteral("api_key"), domain::Secret(QByteArray(kDaytonaKey)));
    settings.confirmedOrigins = QStringList{origin};
    auto core = std::make_shared<Core>(settings);
    core->installation = owner;
    core->api->retry.attempts = 2;
    core->api->retry.first = 10ms;
    core->pace.firstPoll = 20ms;
    return core;
}

std::unique_ptr<DaytonaProvider> DaytonaService::makeProvider(const QMap<QString, QString> &more)
{
    return std::make_unique<DaytonaProvider>(makeCore(installation, more));
}

domain::CreateRequest DaytonaService::request(const char *alias) const
{
    domain::CreateRequest made;
    made.labels.installation = installation;
    made.labels.sandbox = domain::SandboxId::create();
    made.labels.lease = domain::LeaseId::create();
    made.labels.instance = domain::InstanceId::create();
    made.labels.agent = domain::AgentId(QStringLiteral("default"));
    made.labels.alias = QLatin1String(alias);
    made.labels.configHash = QStringLiteral("0123456789abcdef");
    made.name = domain::sandboxName(installation, made.labels.agent, made.labels.alias);
    return made;
}

domain::ExternalId DaytonaService::shared()
{
    if (m_shared.isNull()) {
        // Kept over the tests in which time goes faster.
        const auto keeper =
            makeProvider({{QStringLiteral("auto_stop_interval_minutes"), QStringLiteral("0")}});
        const auto made = await(keeper->create(request("shared"), {}, {}), 60s);
        if (made)
            m_shared = made->externalId;
        else
            qWarning("%s", told(made).constData());
    }
    return m_shared;
}

void DaytonaService::knobs(const json &told)
{
    if (!m_fake.setKnobs(QByteArray::fromStdString(told.dump())))
        qFatal("%s", qPrintable(m_fake.why()));
}

void DaytonaService::fault(const json &told)
{
    knobs({{"faults", json::array({told})}});
}

json DaytonaService::requests()
{
    return m_fake.requests();
}

int DaytonaService::asked(const char *method, const char *target, const char *surface)
{
    const json all = requests();
    int count = 0;
    for (const json &one : all) {
        if (one["method"] == method && one["surface"] == surface
            && QByteArray::fromStdString(one["target"].get<std::string>()).contains(target))
            ++count;
    }
    return count;
}

} // namespace berth::test
