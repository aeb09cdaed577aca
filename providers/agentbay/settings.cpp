// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/agentbay/settings.h"

#include "domain/provider/layers.h"
#include "domain/provider/schema_fields.h"
#include "net/web/web_client.h"

namespace berth::agentbay {

using domain::advancedConnectionField;
using domain::checkValues;
using domain::ErrorKind;
using domain::failure;
using domain::FieldType;
using domain::Result;
using domain::rowValues;
using domain::SchemaField;
using domain::schemaField;
using domain::settingValue;

namespace {

const QString kRegion = QStringLiteral("ap-southeast-1");
const QString kHome = QStringLiteral("/home/wuying");
const QString kShanghai = QStringLiteral("https://wuyingai.cn-shanghai.aliyuncs.com");
const QString kSingapore = QStringLiteral("https://wuyingai.ap-southeast-1.aliyuncs.com");

SchemaField supportField(const char *key, const char *label)
{
    SchemaField made =
        advancedConnectionField(key, FieldType::Choice, label,
                                "Some plans of the service lack it; Berth notices that at "
                                "the first refusal, too");
    made.expandable = false;
    made.choices = {{QString(), QStringLiteral("As the service says")},
                    {QStringLiteral("true"), QStringLiteral("Yes")},
                    {QStringLiteral("false"), QStringLiteral("No")}};
    return made;
}

domain::ProviderSchema makeSchema()
{
    domain::ProviderSchema made;
    made.facts.kind = QStringLiteral("agentbay");
    made.facts.label = QStringLiteral("AgentBay");
    made.facts.mark = QStringLiteral("A");
    made.facts.isolation = QStringLiteral("Alibaba Cloud");
    made.facts.cost = QStringLiteral("¥1/hr");
    made.facts.bestFor = QStringLiteral("China region");
    made.facts.pauseKeeps =
        QStringLiteral("Everything, where the plan has it: memory and files stay");
    made.facts.consoleUrl = QStringLiteral("https://agentbay.console.aliyun.com/overview");
    made.facts.proof = QStringLiteral("Tested against an imitation of the service only");

    SchemaField key =
        advancedConnectionField("api_key", FieldType::Secret, "API key",
                                "From the service's console; it belongs to one gateway");
    key.advanced = false;
    key.placeholder = QStringLiteral("${AGENTBAY_API_KEY}");
    key.environmentVariables = {QStringLiteral("AGENTBAY_API_KEY")};

    SchemaField region =
        advancedConnectionField("region_id", FieldType::Text, "Region",
                                "Where the cloud machines are; it also chooses the "
                                "gateway, unless that is given");
    region.advanced = false;
    region.defaultValue = kRegion;
    region.pattern = QStringLiteral("[a-z0-9-]+");
    region.patternHint = QStringLiteral("a region such as ap-southeast-1 or cn-hangzhou");
    region.environmentVariables = {QStringLiteral("AGENTBAY_REGION_ID")};

    SchemaField home = schemaField("context_path", FieldType::Path, "Working directory",
                                   "Where commands start, and where a context is mounted");
    home.defaultValue = kHome;
    home.required = true;

    SchemaField image = schemaField("image_id", FieldType::Text, "Image",
                                    "linux_latest, code_latest or an image of your own; empty: the "
                                    "service's default");
    image.placeholder = QStringLiteral("linux_latest");
    image.pattern = QStringLiteral("[A-Za-z0-9][A-Za-z0-9._-]*");
    image.patternHint = QStringLiteral("an image id without spaces");

    SchemaField context =
        schemaField("context", FieldType::Text, "Context",
                    "Name of a store of the service whose files outlive the sandbox; "
                    "made when there is none; empty: nothing outlives it");
    context.advanced = true;
    context.pattern = QStringLiteral("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    context.patternHint = QStringLiteral("letters, digits, dots, dashes");

    SchemaField gateway = advancedConnectionField("endpoint", FieldType::Text, "Gateway",
                                                  "Replaces the one that belongs to the region");
    gateway.placeholder = QStringLiteral("wuyingai.cn-shanghai.aliyuncs.com");
    gateway.environmentVariables = {QStringLiteral("AGENTBAY_ENDPOINT")};

    SchemaField proxy = advancedConnectionField("proxy", FieldType::Text, "Proxy",
                                                "Empty: the system's; \"none\"; or an address");
    proxy.placeholder = QStringLiteral("http://proxy.example.com:3128");
    SchemaField ca = advancedConnectionField("ca_file", FieldType::Path, "Certificate authorities",
                                             "Further ones to trust beside the system's (PEM)");
    ca.placeholder = QStringLiteral("/etc/ssl/certs/company.pem");

    made.fields = {key,
                   region,
                   home,
                   image,
                   context,
                   gateway,
                   supportField("supports_pause", "Pause"),
                   supportField("supports_resume", "Resume"),
                   proxy,
                   ca};
    made.fields += domain::commonFields();
    return made;
}

std::optional<QString> gatewayProblem(const QString &address)
{
    if (QUrl(address).path().size() > 1)
        return QStringLiteral("endpoint must be a host such as wuyingai.cn-shanghai.aliyuncs.com");
    return net::problemWithService(QStringLiteral("endpoint"), address, kShanghai);
}

} // namespace

const domain::ProviderSchema &schema()
{
    static const domain::ProviderSchema made = makeSchema();
    return made;
}

Result<SandboxSettings> sandboxSettings(const QMap<QString, QString> &config,
                                        const QMap<QString, QString> &overrides)
{
    const Result<QMap<QString, QString>> chosen = rowValues(
        schema(), overrides, QStringLiteral("A sandbox does not choose where a key is sent"));
    if (!chosen)
        return failure(chosen.error());
    QMap<QString, QString> values = config;
    for (auto it = chosen->cbegin(); it != chosen->cend(); ++it)
        values.insert(it.key(), it.value());
    const Result<void> checked = checkValues(schema(), values);
    if (!checked)
        return failure(checked.error());
    SandboxSettings made;
    made.image = settingValue(values, "image_id");
    made.context = settingValue(values, "context");
    QString home = settingValue(values, "context_path");
    if (home.isEmpty())
        home = kHome;
    if (!home.startsWith(QLatin1Char('/')) || home.contains(QLatin1String("/../"))
        || home.endsWith(QLatin1String("/..")))
        return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("%1 cannot be the working directory: name it from / on, without \"..\"")
                .arg(home));
    made.home = home.toUtf8();
    return made;
}

Result<Endpoint> endpoint(const QMap<QString, QString> &config)
{
    Endpoint made;
    made.region = settingValue(config, "region_id");
    if (made.region.isEmpty())
        made.region = kRegion;
    made.gateway = settingValue(config, "endpoint");
    if (made.gateway.isEmpty())
        made.gateway = made.region == kRegion ? kSingapore : kShanghai;
    // The SDK's variable holds a bare host.
    if (!made.gateway.contains(QLatin1String("://")))
        made.gateway.prepend(QLatin1String("https://"));
    while (made.gateway.endsWith(QLatin1Char('/')))
        made.gateway.chop(1);
    made.proxy = settingValue(config, "proxy");
    made.caFile = settingValue(config, "ca_file");
    std::optional<QString> problem = gatewayProblem(made.gateway);
    if (!problem && !made.proxy.isEmpty())
        problem = net::problemWithProxy(made.proxy);
    if (problem)
        return failure(ErrorKind::InvalidInput, *problem);
    return made;
}

QList<domain::SecretOrigin> secretOrigins(const QMap<QString, QString> &config)
{
    const Result<Endpoint> where = endpoint(config);
    if (!where)
        return {};
    const QString origin = net::originOf(QUrl(where->gateway));
    return {{origin, origin == kShanghai || origin == kSingapore}};
}

bool isSupported(const QMap<QString, QString> &config, const char *key)
{
    return settingValue(config, key) != QLatin1String("false");
}

} // namespace berth::agentbay
