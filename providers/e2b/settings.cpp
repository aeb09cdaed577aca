// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/e2b/settings.h"

#include "domain/provider/layers.h"
#include "domain/provider/schema_fields.h"
#include "net/web/web_client.h"

#include <QtCore/QRegularExpression>
namespace berth::e2b {

using domain::advancedConnectionField;
using domain::checkValues;
using domain::ErrorKind;
using domain::failure;
using domain::FieldType;
using domain::oneOfTwoNames;
using domain::Result;
using domain::rowValues;
using domain::SchemaField;
using domain::schemaField;
using domain::SecretOrigin;
using domain::settingValue;

namespace {

const QString kDomain = QStringLiteral("e2b.app");
const QString kExample = QStringLiteral("https://api.example.com");
const QString kTemplate = QStringLiteral("base");
const QString kHome = QStringLiteral("/home/user");
constexpr qint64 kTimeout = 300;
//! A day, the most that the service lets anybody have; most plans have less, which it says itself.
constexpr qint64 kLongestTimeout = 86400;

domain::ProviderSchema makeSchema()
{
    domain::ProviderSchema made;
    made.facts.kind = QStringLiteral("e2b");
    made.facts.label = QStringLiteral("E2B");
    made.facts.mark = QStringLiteral("E");
    made.facts.isolation = QStringLiteral("Cloud");
    made.facts.cost = QStringLiteral("$0.15/hr");
    made.facts.bestFor = QStringLiteral("Ephemeral tasks, CI");
    made.facts.pauseKeeps =
        QStringLiteral("Everything: memory and files stay, processes go on after a resume");
    made.facts.consoleUrl = QStringLiteral("https://e2b.dev/dashboard");
    made.facts.proof = QStringLiteral("Tested against an imitation of the service only");

    // Not "required": one in the key store or the environment does as well.
    SchemaField key = advancedConnectionField("api_key", FieldType::Secret, "API key",
                                              "From the service's dashboard; it begins with e2b_");
    key.advanced = false;
    key.placeholder = QStringLiteral("${E2B_API_KEY}");
    key.environmentVariables = {QStringLiteral("E2B_API_KEY")};

    SchemaField name =
        schemaField("template", FieldType::Text, "Template",
                    "What a sandbox is made from: a name, team/name, name:tag or an id");
    name.defaultValue = kTemplate;
    name.required = true;
    name.pattern = QStringLiteral("[A-Za-z0-9][A-Za-z0-9._/:-]*");
    name.patternHint = QStringLiteral("a name such as base or my-team/my-template, without spaces");

    SchemaField home = schemaField("cwd", FieldType::Path, "Working directory",
                                   "Where commands start; made when the template does not have it");
    home.defaultValue = kHome;
    home.required = true;

    SchemaField timeout = schemaField(
        "timeout", FieldType::Integer, "Life of a sandbox",
        "How long it lives on when nothing runs in it and Berth does not extend it, e.g. "
        "because this computer sleeps. At its end E2B pauses it, or kills it where \"When "
        "Berth quits\" is \"Destroy\". It is no limit of a command");
    timeout.defaultValue = QString::number(kTimeout);
    // Berth extends at a third of it.
    timeout.minimum = 15;
    timeout.maximum = kLongestTimeout;
    timeout.unit = QStringLiteral("s");

    SchemaField user = schemaField("username", FieldType::Text, "User",
                                   "Who commands run as; empty: the template's own user");
    user.advanced = true;
    user.pattern = QStringLiteral("[A-Za-z_][A-Za-z0-9_.-]*");
    user.patternHint = QStringLiteral("a user name of the template such as user or root");

    SchemaField agentHome =
        schemaField("agent_home", FieldType::Path, "Home",
                    "Another name for the working directory, as sandbox rows call "
                    "it");
    agentHome.advanced = true;

    SchemaField milliseconds =
        schemaField("sandbox_timeout_ms", FieldType::Integer, "Life of a sandbox",
                    "Another name for it, as sandbox rows call it");
    milliseconds.advanced = true;
    milliseconds.minimum = 15'000;
    milliseconds.maximum = kLongestTimeout * 1000;
    milliseconds.unit = QStringLiteral("ms");

    SchemaField domainName = advancedConnectionField(
        "domain", FieldType::Text, "Domain",
        "Of an installation of your own; its API is at https://api.<domain>");
    domainName.placeholder = kDomain;
    domainName.environmentVariables = {QStringLiteral("E2B_DOMAIN")};
    domainName.pattern = QStringLiteral(
        "[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?|\\$\\{[A-Za-z0-9_]+\\}");
    domainName.patternHint = QStringLiteral("a name such as e2b.example.com, without https://");

    SchemaField api = advancedConnectionField("api_url", FieldType::Text, "API address",
                                              "Replaces https://api.<domain>");
    api.placeholder = QStringLiteral("https://api.e2b.app");
    api.environmentVariables = {QStringLiteral("E2B_API_URL")};

    SchemaField sandboxes = advancedConnectionField(
        "sandbox_url", FieldType::Text, "Address of sandboxes",
        "One address for all sandboxes, which are told apart by a header; empty: "
        "each at its own host below the domain");
    sandboxes.placeholder = QStringLiteral("https://sandbox.e2b.example.com");
    sandboxes.environmentVariables = {QStringLiteral("E2B_SANDBOX_URL")};

    SchemaField proxy = advancedConnectionField("proxy", FieldType::Text, "Proxy",
                                                "Empty: the system's; \"none\"; or an address");
    proxy.placeholder = QStringLiteral("http://proxy.example.com:3128");

    SchemaField ca = advancedConnectionField("ca_file", FieldType::Path, "Certificate authorities",
                                             "Further ones to trust beside the system's (PEM)");
    ca.placeholder = QStringLiteral("/etc/ssl/certs/company.pem");

    made.fields = {key,          name,       home, timeout,   user,  agentHome,
                   milliseconds, domainName, api,  sandboxes, proxy, ca};
    made.fields += domain::commonFields();
    return made;
}

QString withoutSlash(QString address)
{
    while (address.endsWith(QLatin1Char('/')))
        address.chop(1);
    return address;
}

//! Seconds of "timeout", or of "sandbox_timeout_ms" rounded up; one unit for the comparison.
Result<QString> timeoutOf(QMap<QString, QString> layer, bool isConfig)
{
    const QString key = QStringLiteral("sandbox_timeout_ms");
    const QString ms = layer.value(key).trimmed();
    if (!ms.isEmpty())
        layer.insert(key, QString::number((ms.toLongLong() + 999) / 1000));
    return oneOfTwoNames(layer, "timeout", "sandbox_timeout_ms",
                         isConfig ? QString::number(kTimeout) : QString());
}

} // namespace

const domain::ProviderSchema &schema()
{
    static const domain::ProviderSchema made = makeSchema();
    return made;
}

Result<SandboxSettings> sandboxSettings(const QMap<QString, QString> &config,
                                        const QMap<QString, QString> &row)
{
    const Result<QMap<QString, QString>> chosen =
        rowValues(schema(), row, QStringLiteral("A sandbox does not choose where a key is sent"));
    if (!chosen)
        return failure(chosen.error());
    const QMap<QString, QString> overrides = *chosen;
    QMap<QString, QString> values = config;
    for (auto it = chosen->cbegin(); it != chosen->cend(); ++it)
        values.insert(it.key(), it.value());
    const Result<void> checked = checkValues(schema(), values);
    if (!checked)
        return failure(checked.error());

    SandboxSettings made;
    made.templateName = settingValue(values, "template");
    if (made.templateName.isEmpty())
        made.templateName = kTemplate;
    made.user = settingValue(values, "username");

    // Within a layer two names must agree, else the upper layer counts.
    QString home;
    QString timeout;
    for (const QMap<QString, QString> *layer : {&overrides, &config}) {
        const Result<QString> directory =
            oneOfTwoNames(*layer, "cwd", "agent_home", layer == &config ? kHome : QString());
        if (!directory)
            return failure(directory.error());
        const Result<QString> seconds = timeoutOf(*layer, layer == &config);
        if (!seconds)
            return failure(seconds.error());
        if (home.isEmpty())
            home = *directory;
        if (timeout.isEmpty())
            timeout = *seconds;
    }
    if (home.isEmpty())
        home = kHome;
    if (home.contains(QLatin1String("/../")) || home.endsWith(QLatin1String("/..")))
        return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("%1 cannot be the working directory: name it without \"..\"").arg(home));
    made.home = home.toUtf8();
    if (!timeout.isEmpty())
        made.timeout = std::chrono::seconds(timeout.toLongLong());
    made.pauseAtTheEnd = settingValue(values, "on_exit") != QLatin1String("destroy");
    return made;
}

Result<Endpoints> endpoints(const QMap<QString, QString> &config)
{
    Endpoints made;
    made.domain = settingValue(config, "domain").toLower();
    if (made.domain.isEmpty())
        made.domain = kDomain;
    made.api = withoutSlash(settingValue(config, "api_url"));
    if (made.api.isEmpty())
        made.api = QStringLiteral("https://api.") + made.domain;
    made.sandboxes = withoutSlash(settingValue(config, "sandbox_url"));
    made.proxy = settingValue(config, "proxy");
    made.caFile = settingValue(config, "ca_file");
    std::optional<QString> problem =
        net::problemWithService(QStringLiteral("api_url"), made.api, kExample);
    if (!problem && !made.sandboxes.isEmpty())
        problem = net::problemWithService(QStringLiteral("sandbox_url"), made.sandboxes, kExample);
    const QString shared = QStringLiteral("https://sandbox.") + made.domain;
    if (!problem)
        problem = net::problemWithService(QStringLiteral("domain"), shared, kExample);
    if (!problem && net::originOf(QUrl(shared)) != shared)
        problem = QStringLiteral("domain must be a name such as e2b.example.com");
    if (!problem && !made.proxy.isEmpty())
        problem = net::problemWithProxy(made.proxy);
    if (problem)
        return failure(ErrorKind::InvalidInput, *problem);
    return made;
}

QList<SecretOrigin> secretOrigins(const QMap<QString, QString> &config)
{
    const Result<Endpoints> where = endpoints(config);
    if (!where)
        return {};
    const QString own = QStringLiteral("https://api.") + kDomain;
    const QString shared = QStringLiteral("https://sandbox.");
    const QString api = net::originOf(QUrl(where->api));
    // The key goes to the API alone; the sandboxes' tokens, which open what is in them, go to their
    // hosts. One name stands for all hosts below a domain.
    const QString sandboxes = where->sandboxes.isEmpty()
        ? net::originOf(QUrl(shared + where->domain))
        : net::originOf(QUrl(where->sandboxes));
    QList<SecretOrigin> origins{{api, api == own}};
    if (sandboxes != api)
        origins.append({sandboxes, sandboxes == shared + kDomain});
    return origins;
}

} // namespace berth::e2b
