// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/daytona/settings.h"

#include "domain/provider/layers.h"
#include "domain/provider/schema_fields.h"
#include "net/web/web_client.h"

#include <QtCore/QRegularExpression>
namespace berth::daytona {

using domain::checkValues;
using domain::connectionField;
using domain::ErrorKind;
using domain::failure;
using domain::FieldType;
using domain::numberField;
using domain::oneOfTwoNames;
using domain::Result;
using domain::rowValues;
using domain::SchemaField;
using domain::schemaField;
using domain::settingValue;

namespace {

const QString kHostedApi = QStringLiteral("https://app.daytona.io/api");
const QString kDefaultHome = QStringLiteral("/home/daytona");

QList<SchemaField> accessFields()
{
    SchemaField key = connectionField("api_key", FieldType::Secret, "API key",
                                      "From the Daytona dashboard, Keys; it needs the permissions "
                                      "to write and to delete sandboxes");
    key.required = true;
    key.placeholder = QStringLiteral("${DAYTONA_API_KEY}");
    key.environmentVariables = {QStringLiteral("DAYTONA_API_KEY")};

    SchemaField url = connectionField("api_url", FieldType::Text, "API URL",
                                      "Ends with /api. The key is sent there: https, or http to "
                                      "this machine");
    url.required = true;
    url.defaultValue = kHostedApi;
    url.environmentVariables = {QStringLiteral("DAYTONA_API_URL")};

    SchemaField target = connectionField("target", FieldType::Text, "Target",
                                         "Region of new sandboxes, such as us or eu; empty: the "
                                         "organization's own");
    target.environmentVariables = {QStringLiteral("DAYTONA_TARGET")};
    target.pattern = QStringLiteral("[A-Za-z0-9][A-Za-z0-9_.-]*");
    target.patternHint = QStringLiteral("the name of a region, such as us");

    SchemaField organization = connectionField(
        "organization_id", FieldType::Text, "Organization",
        "Only for a token (JWT) in the key's place; a key belongs to one organization");
    organization.environmentVariables = {QStringLiteral("DAYTONA_ORGANIZATION_ID")};
    SchemaField toolbox = connectionField(
        "toolbox_url", FieldType::Text, "Toolbox URL",
        "For a server of your own whose proxy is not reached under the name that it tells, such as "
        "http://localhost:4000/toolbox");
    SchemaField proxy = connectionField("proxy", FieldType::Text, "Proxy",
                                        "Empty: the system's; none; http://host:port; "
                                        "socks5://host:port");
    SchemaField ca = connectionField("ca_file", FieldType::Path, "Certificate authority",
                                     "PEM file, trusted beside the system's own");
    QList<SchemaField> made{key, url, target};
    for (SchemaField one : {organization, toolbox, proxy, ca}) {
        one.advanced = true;
        made.append(one);
    }
    return made;
}

QList<SchemaField> sandboxFields()
{
    SchemaField home = schemaField("cwd", FieldType::Path, "Working directory",
                                   "Where commands start; made when it is missing");
    home.defaultValue = kDefaultHome;
    home.required = true;
    SchemaField agentHome =
        schemaField("agent_home", FieldType::Path, "Home",
                    "Another name for the working directory, as sandbox rows call it");
    agentHome.advanced = true;

    SchemaField snapshot = schemaField("snapshot", FieldType::Text, "Snapshot",
                                       "What sandboxes start from; empty: the service's default. A "
                                       "snapshot or an image, not both");
    snapshot.placeholder = QStringLiteral("daytonaio/sandbox:0.5.0");
    snapshot.pattern = QStringLiteral("[A-Za-z0-9][A-Za-z0-9._/:@-]*");
    snapshot.patternHint = QStringLiteral("the name of a snapshot, without spaces");
    SchemaField image =
        schemaField("image", FieldType::Text, "Image",
                    "A container image in place of a snapshot; its first build takes "
                    "minutes");
    image.placeholder = QStringLiteral("ubuntu:24.04");
    image.pattern = QStringLiteral("[A-Za-z0-9][A-Za-z0-9._/:@-]*");
    image.patternHint = QStringLiteral("a name such as ubuntu:24.04, without spaces");
    SchemaField user = schemaField("username", FieldType::Text, "User",
                                   "Who commands run as; empty: the service's own, daytona");
    user.advanced = true;
    user.pattern = QStringLiteral("[A-Za-z_][A-Za-z0-9_.-]*");
    user.patternHint = QStringLiteral("a user name of the image");

    SchemaField stop = numberField(
        "auto_stop_interval_minutes", "Stop when idle",
        "Daytona stops a sandbox by itself after so long without use; 0: never. Berth's own idle "
        "time (agent, lifecycle) must be shorter than this, else Daytona stops it first",
        0, 525600, "min");
    stop.advanced = false;
    stop.defaultValue = QStringLiteral("15");
    SchemaField archive = numberField(
        "auto_archive_interval_minutes", "Archive when stopped",
        "Daytona moves a stopped sandbox to cheaper storage after so long; starting it again then "
        "takes minutes. 0: as late as the service allows",
        0, 525600, "min");
    archive.defaultValue = QStringLiteral("10080");
    SchemaField remove =
        numberField("auto_delete_interval_minutes", "Delete when stopped",
                    "Daytona deletes a stopped sandbox with its files after so long; empty: never",
                    1, 5256000, "min");
    const SchemaField cpus =
        numberField("cpu", "CPUs", "Of a sandbox made from an image; empty: the service's own", 1,
                    256, "cores");
    const SchemaField memory =
        numberField("memory_gib", "Memory",
                    "Of a sandbox made from an image; empty: the service's own", 1, 4096, "GiB");
    const SchemaField disk =
        numberField("disk_gib", "Disk", "Of a sandbox made from an image; empty: the service's own",
                    1, 65536, "GiB");
    return {home, snapshot, image, stop, archive, remove, user, agentHome, cpus, memory, disk};
}

domain::ProviderSchema makeSchema()
{
    domain::ProviderSchema made;
    made.facts = {QStringLiteral("daytona"),
                  QStringLiteral("Daytona"),
                  QStringLiteral("Da"),
                  QStringLiteral("Cloud or self-hosted"),
                  QStringLiteral("By use; free on a server of your own"),
                  QStringLiteral("Production, team environments"),
                  QStringLiteral("Files; it stops, so processes end"),
                  QStringLiteral("https://app.daytona.io/dashboard"),
                  QStringLiteral("Tested against an imitation of the service only")};
    made.fields = accessFields();
    made.fields += sandboxFields();
    made.fields += domain::commonFields();
    // The two examples of the sandbox document.
    made.examples = {
        {QStringLiteral("SaaS"),
         QStringLiteral("The service at app.daytona.io. Nothing is to be installed"),
         {{QStringLiteral("api_key"), QStringLiteral("${DAYTONA_API_KEY}")},
          {QStringLiteral("api_url"), kHostedApi},
          {QStringLiteral("target"), QString()},
          {QStringLiteral("cwd"), kDefaultHome}}},
        {QStringLiteral("Self-hosted"),
         QStringLiteral("A server of your own. It needs bash at /usr/bin/bash in the images of the "
                        "runner and of the workspace, the runner on a bridge network, and its "
                        "proxy reachable on port 4000"),
         {{QStringLiteral("api_key"), QStringLiteral("${DAYTONA_API_KEY}")},
          {QStringLiteral("api_url"), QStringLiteral("http://localhost:3986/api")},
          {QStringLiteral("target"), QStringLiteral("us")},
          {QStringLiteral("cwd"), QStringLiteral("/workspace")}}}};
    return made;
}

bool isBelow(const QString &host, const QString &domainName)
{
    return host == domainName || host.endsWith(QLatin1Char('.') + domainName);
}

bool isDaytonas(const QUrl &url)
{
    return url.scheme() == QLatin1String("https")
        && isBelow(url.host().toLower(), QStringLiteral("daytona.io"));
}

Result<QUrl> serviceUrl(const QString &text, const QString &what)
{
    if (const std::optional<QString> problem = net::problemWithService(what, text, kHostedApi))
        return failure(ErrorKind::InvalidInput, *problem);
    QUrl url(text, QUrl::StrictMode);
    QString path = url.path();
    while (path.endsWith(QLatin1Char('/')))
        path.chop(1);
    url.setPath(path);
    return url;
}

std::optional<QString> homeProblem(const QString &home)
{
    const QStringList parts = home.split(QLatin1Char('/'));
    if (parts.contains(QStringLiteral("..")) || parts.contains(QStringLiteral(".")))
        return QStringLiteral("%1 cannot be the working directory: name it without \"..\"")
            .arg(home);
    return std::nullopt;
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
    // What a row says of its source is said in the config's place, not beside it.
    const QList<std::pair<QString, QString>> eitherOr{
        {QStringLiteral("image"), QStringLiteral("snapshot")},
        {QStringLiteral("agent_home"), QStringLiteral("cwd")}};
    for (const auto &[one, other] : eitherOr) {
        if (chosen->contains(one))
            values.remove(other);
        if (chosen->contains(other))
            values.remove(one);
    }
    for (auto it = chosen->cbegin(); it != chosen->cend(); ++it)
        values.insert(it.key(), it.value());
    const Result<void> checked = checkValues(schema(), values);
    if (!checked)
        return failure(checked.error());

    SandboxSettings made;
    made.snapshot = settingValue(values, "snapshot");
    made.image = settingValue(values, "image");
    if (!made.snapshot.isEmpty() && !made.image.isEmpty())
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("snapshot and image exclude each other: set one of them"));
    const Result<QString> named = oneOfTwoNames(values, "cwd", "agent_home", kDefaultHome);
    if (!named)
        return failure(named.error());
    const QString home = named->isEmpty() ? kDefaultHome : *named;
    if (const std::optional<QString> problem = homeProblem(home))
        return failure(ErrorKind::InvalidInput, *problem);
    made.home = home.toUtf8();
    made.user = settingValue(values, "username");
    made.target = settingValue(values, "target");
    made.cpus = settingValue(values, "cpu").toInt();
    made.memoryGib = settingValue(values, "memory_gib").toInt();
    made.diskGib = settingValue(values, "disk_gib").toInt();
    if (made.image.isEmpty() && (made.cpus > 0 || made.memoryGib > 0 || made.diskGib > 0))
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("cpu, memory_gib and disk_gib need an image"),
                       QStringLiteral("A snapshot has its own sizes"));
    const auto minutes = [&values](const char *key, int fallback) {
        const QString text = settingValue(values, key);
        return text.isEmpty() ? fallback : text.toInt();
    };
    made.autoStopMinutes = minutes("auto_stop_interval_minutes", made.autoStopMinutes);
    made.autoArchiveMinutes = minutes("auto_archive_interval_minutes", made.autoArchiveMinutes);
    made.autoDeleteMinutes = minutes("auto_delete_interval_minutes", made.autoDeleteMinutes);
    return made;
}

QString Access::apiOrigin() const
{
    return net::originOf(api);
}

bool Access::isHosted() const
{
    return isDaytonas(api);
}

Result<Access> accessFrom(const QMap<QString, QString> &values, const QStringList &confirmedOrigins)
{
    Access made;
    const QString api = settingValue(values, "api_url");
    const Result<QUrl> url =
        serviceUrl(api.isEmpty() ? kHostedApi : api, QStringLiteral("api_url"));
    if (!url)
        return failure(url.error());
    made.api = *url;
    const QString toolbox = settingValue(values, "toolbox_url");
    if (!toolbox.isEmpty()) {
        const Result<QUrl> chosen = serviceUrl(toolbox, QStringLiteral("toolbox_url"));
        if (!chosen)
            return failure(chosen.error());
        made.toolbox = *chosen;
    }
    made.organization = settingValue(values, "organization_id");
    made.proxy = settingValue(values, "proxy");
    made.caFile = settingValue(values, "ca_file");
    if (const std::optional<QString> problem = net::problemWithProxy(made.proxy))
        return failure(ErrorKind::InvalidInput, *problem);
    made.origins = confirmedOrigins;
    for (const domain::SecretOrigin &one : secretOriginsOf(values)) {
        if (one.isKnown)
            made.origins.append(one.origin);
    }
    made.origins.removeDuplicates();
    return made;
}

QList<domain::SecretOrigin> secretOriginsOf(const QMap<QString, QString> &values)
{
    QList<domain::SecretOrigin> made;
    const QString api = settingValue(values, "api_url");
    const QUrl url(api.isEmpty() ? kHostedApi : api, QUrl::StrictMode);
    const QString origin = net::originOf(url);
    const bool known = origin == net::originOf(QUrl(kHostedApi));
    if (!origin.isEmpty())
        made.append({origin, known});
    const QUrl toolbox(settingValue(values, "toolbox_url"), QUrl::StrictMode);
    const QString toolboxOrigin = net::originOf(toolbox);
    if (!toolboxOrigin.isEmpty() && toolboxOrigin != origin)
        made.append({toolboxOrigin, known && isDaytonas(toolbox)});
    return made;
}

Result<void> mayAskToolbox(const Access &access, const QUrl &url)
{
    const QString origin = net::originOf(url);
    if (origin.isEmpty() || !url.userInfo().isEmpty())
        return failure(
            ErrorKind::Protocol,
            QStringLiteral("The service names no usable address of the sandbox's toolbox"),
            url.toString(QUrl::RemoveUserInfo | QUrl::RemoveQuery).left(200));
    const QString host = url.host().toLower();
    const bool encrypted = url.scheme() == QLatin1String("https");
    if (access.origins.contains(origin) || (access.isHosted() && isDaytonas(url))
        || (encrypted && isBelow(host, access.api.host().toLower()))
        || (net::isLoopbackHost(host) && net::isLoopbackHost(access.api.host())))
        return {};
    return failure(
        ErrorKind::Forbidden,
        QStringLiteral("The server at %1 wants the key to be sent to %2, which nobody confirmed")
            .arg(access.apiOrigin(), origin),
        QStringLiteral("When that is its proxy, set toolbox_url to %1/toolbox and confirm it")
            .arg(origin));
}

QUrl connectable(const QUrl &url)
{
    QUrl made = url;
    // With TLS the name is part of the certificate.
    if (url.scheme() == QLatin1String("http")
        && url.host().endsWith(QLatin1String(".localhost"), Qt::CaseInsensitive))
        made.setHost(QStringLiteral("127.0.0.1"));
    return made;
}

} // namespace berth::daytona
