// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/tenki/settings.h"

#include "domain/provider/layers.h"
#include "domain/provider/schema_fields.h"
#include "net/web/web_client.h"

namespace berth::tenki {

using domain::advancedConnectionField;
using domain::checkValues;
using domain::ErrorKind;
using domain::failure;
using domain::FieldType;
using domain::numberField;
using domain::Result;
using domain::rowValues;
using domain::SchemaField;
using domain::schemaField;
using domain::SecretOrigin;
using domain::settingValue;

namespace {

const QString kEndpoint = QStringLiteral("https://api.tenki.cloud");
const QString kHome = QStringLiteral("/home/tenki");
constexpr qint64 kTimeout = 300'000;

domain::ProviderSchema makeSchema()
{
    domain::ProviderSchema made;
    made.facts.kind = QStringLiteral("tenki");
    made.facts.label = QStringLiteral("Tenki");
    made.facts.mark = QStringLiteral("T");
    made.facts.isolation = QStringLiteral("Cloud");
    made.facts.cost = QStringLiteral("As Tenki bills it");
    made.facts.bestFor = QStringLiteral("Longer work in a cloud machine of its own");
    made.facts.pauseKeeps =
        QStringLiteral("Files; Tenki keeps a snapshot and does not say whether processes live on");
    made.facts.consoleUrl = QStringLiteral("https://app.tenki.cloud");
    made.facts.proof = QStringLiteral("Tested against an imitation of the service only");

    // Not "required": one in the key store or the environment does as well.
    SchemaField key =
        advancedConnectionField("api_key", FieldType::Secret, "API key",
                                "Begins with tk_; a session's token (ory_st_…) works as well");
    key.advanced = false;
    key.placeholder = QStringLiteral("${TENKI_API_KEY}");
    key.environmentVariables = {QStringLiteral("TENKI_API_KEY"),
                                QStringLiteral("TENKI_AUTH_TOKEN")};

    SchemaField workspace = schemaField("workspace_id", FieldType::Text, "Workspace",
                                        "Its id (a UUID); empty: the one that the key belongs to");
    workspace.expandable = true;
    workspace.pattern =
        QStringLiteral("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|\\$\\{[A-Za-z0-9_]+\\}");
    workspace.patternHint = QStringLiteral("an id such as 0190aaaa-0000-7000-8000-000000000001");

    SchemaField timeout = schemaField(
        "timeout_ms", FieldType::Integer, "Time for a command",
        "Enforced in the sandbox: a command that takes longer is killed, ends with 137 and "
        "keeps its output. It is no limit of the sandbox's life");
    timeout.defaultValue = QString::number(kTimeout);
    timeout.minimum = 100;
    timeout.maximum = 86'400'000;
    timeout.unit = QStringLiteral("ms");

    SchemaField home = schemaField("agent_home", FieldType::Path, "Working directory",
                                   "Where commands start; made when the sandbox does not have it");
    home.defaultValue = kHome;
    home.advanced = true;

    SchemaField image = schemaField("image", FieldType::Text, "Image",
                                    "A reference of Tenki's registry; empty: Tenki's own image");
    image.advanced = true;
    image.pattern = QStringLiteral("[A-Za-z0-9][A-Za-z0-9._/:@-]*");
    image.patternHint = QStringLiteral("a reference without spaces");
    SchemaField snapshot = schemaField("snapshot", FieldType::Text, "Snapshot",
                                       "Id of a snapshot to start from, in place of an image");
    snapshot.advanced = true;
    snapshot.pattern = QStringLiteral("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");
    snapshot.patternHint = QStringLiteral("an id (a UUID)");

    const SchemaField cpus =
        numberField("cpu_cores", "CPUs", "Empty: Tenki's default", 1, 16, "cores");
    const SchemaField memory = numberField(
        "memory_mb", "Memory", "An even number; empty: Tenki's default", 128, 65'536, "MB");
    const SchemaField disk =
        numberField("disk_size_gb", "Disk", "Empty: Tenki's default", 5, 100, "GB");
    const SchemaField life = numberField(
        "max_duration", "Life of a sandbox",
        "After so long Tenki ends it, whatever runs; Berth extends it for a command that "
        "needs longer. Empty: Tenki's default",
        60, 30 * 86'400, "s");
    const SchemaField idle = numberField(
        "idle_timeout_minutes", "Idle time at Tenki",
        "After so long without use Tenki acts by itself. Empty: Tenki's default", 1, 43'200, "min");

    SchemaField endpoint = advancedConnectionField(
        "endpoint", FieldType::Text, "Endpoint",
        "Of Tenki's API; empty: TENKI_API_ENDPOINT, TENKI_API_URL, then the service's own");
    endpoint.placeholder = kEndpoint;
    endpoint.environmentVariables = {QStringLiteral("TENKI_API_ENDPOINT"),
                                     QStringLiteral("TENKI_API_URL")};
    SchemaField proxy = advancedConnectionField(
        "proxy", FieldType::Text, "Proxy",
        "Empty: the system's; \"none\"; or an address. It must let HTTP/2 through");
    proxy.placeholder = QStringLiteral("http://proxy.example.com:3128");
    SchemaField authorities =
        advancedConnectionField("ca_file", FieldType::Path, "Certificate authorities",
                                "Further ones to trust beside the system's (PEM)");
    authorities.placeholder = QStringLiteral("/etc/ssl/certs/company.pem");
    SchemaField family = advancedConnectionField("client_family", FieldType::Text, "Client's name",
                                                 "What Berth calls itself towards Tenki");
    family.placeholder = QStringLiteral("berth");
    family.expandable = false;
    family.pattern = QStringLiteral("[A-Za-z0-9_.-]{1,64}");
    family.patternHint = QStringLiteral("letters, digits, \"_\", \".\" and \"-\"");

    made.fields = {key,  workspace, timeout, cpus,     memory, disk,        image, snapshot,
                   life, idle,      home,    endpoint, proxy,  authorities, family};
    made.fields += domain::commonFields();
    return made;
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
    QMap<QString, QString> values = config;
    for (auto it = chosen->cbegin(); it != chosen->cend(); ++it)
        values.insert(it.key(), it.value());
    // Of one layer; the upper one may choose the other.
    if (!settingValue(*chosen, "image").isEmpty() && settingValue(*chosen, "snapshot").isEmpty())
        values.remove(QStringLiteral("snapshot"));
    if (!settingValue(*chosen, "snapshot").isEmpty() && settingValue(*chosen, "image").isEmpty())
        values.remove(QStringLiteral("image"));
    const Result<void> checked = checkValues(schema(), values);
    if (!checked)
        return failure(checked.error());

    SandboxSettings made;
    made.workspaceId = settingValue(values, "workspace_id");
    made.image = settingValue(values, "image");
    made.snapshot = settingValue(values, "snapshot");
    if (!made.image.isEmpty() && !made.snapshot.isEmpty())
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("A sandbox starts from an image or from a snapshot, not from "
                                      "both: keep one of them"));
    const QString home = settingValue(values, "agent_home");
    if (home.contains(QLatin1String("/../")) || home.endsWith(QLatin1String("/..")))
        return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("%1 cannot be the working directory: name it without \"..\"").arg(home));
    made.home = (home.isEmpty() ? kHome : home).toUtf8();
    while (made.home.size() > 1 && made.home.endsWith('/'))
        made.home.chop(1);
    if (const QString timeout = settingValue(values, "timeout_ms"); !timeout.isEmpty())
        made.timeout = std::chrono::milliseconds(timeout.toLongLong());
    made.cpuCores = settingValue(values, "cpu_cores").toInt();
    made.memoryMb = settingValue(values, "memory_mb").toInt();
    if (made.memoryMb % 2 != 0)
        return failure(ErrorKind::InvalidInput, QStringLiteral("Memory must be an even number"));
    made.diskGb = settingValue(values, "disk_size_gb").toInt();
    made.idleMinutes = settingValue(values, "idle_timeout_minutes").toInt();
    made.lifetime = std::chrono::seconds(settingValue(values, "max_duration").toLongLong());
    return made;
}

Result<Connection> connection(const QMap<QString, QString> &config)
{
    Connection made;
    QString endpoint = settingValue(config, "endpoint");
    for (const char *variable : {"TENKI_API_ENDPOINT", "TENKI_API_URL"}) {
        if (endpoint.isEmpty())
            endpoint = qEnvironmentVariable(variable).trimmed();
    }
    made.endpoint = QUrl(endpoint.isEmpty() ? kEndpoint : endpoint, QUrl::StrictMode);
    made.proxy = settingValue(config, "proxy");
    made.caFile = settingValue(config, "ca_file");
    made.clientFamily = settingValue(config, "client_family").toLatin1();
    if (made.clientFamily.isEmpty())
        made.clientFamily = QByteArrayLiteral("berth");
    std::optional<QString> problem = addressProblem(QStringLiteral("endpoint"), made.endpoint);
    if (!problem && !made.proxy.isEmpty())
        problem = net::problemWithProxy(made.proxy);
    if (problem)
        return failure(ErrorKind::InvalidInput, *problem);
    return made;
}

QList<SecretOrigin> secretOrigins(const QMap<QString, QString> &config)
{
    const Result<Connection> where = connection(config);
    if (!where)
        return {};
    const QString origin = net::originOf(where->endpoint);
    return {{origin, origin == kEndpoint}};
}

std::optional<QString> addressProblem(const QString &what, const QUrl &url)
{
    return net::problemWithService(what, url.toString(QUrl::FullyEncoded), kEndpoint);
}

net::HttpHeaders tokenHeaders(const domain::Secret &token)
{
    const QByteArray bytes = token.exposeForWire().trimmed();
    if (bytes.startsWith("tk_"))
        return {{QByteArrayLiteral("Authorization"), QByteArrayLiteral("Bearer ") + bytes}};
    if (bytes.startsWith("ory_st_"))
        return {{QByteArrayLiteral("X-Session-Token"), bytes}};
    return {{QByteArrayLiteral("Cookie"), QByteArrayLiteral("tenki_session=") + bytes}};
}

} // namespace berth::tenki
