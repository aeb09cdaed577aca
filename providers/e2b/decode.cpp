// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/e2b/decode.h"

#include "domain/text.h"
#include "net/json_fields.h"
#include "net/web/status_error.h"

#include <QtCore/QRegularExpression>

#include <nlohmann/json.hpp>

namespace berth::e2b {

using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::Instance;
using domain::ObservedState;
using domain::Result;
using net::dumped;
using net::integerIn;
using net::numberIn;
using net::parsed;
using net::stringOf;
using net::textIn;
using nlohmann::json;

namespace {

constexpr auto kNameMark = "berth.name";
constexpr auto kMadeAt = "berth.made_at";
constexpr auto kHomeMark = "berth.home";
constexpr auto kUserMark = "berth.user";
constexpr auto kLife = "berth.timeout";
constexpr auto kAtTheEnd = "berth.at_timeout";

tl::unexpected<Error> nonsense(const char *what)
{
    return failure(ErrorKind::Protocol,
                   QStringLiteral("E2B's answer makes no sense: %1").arg(QLatin1String(what)));
}

QDateTime timeIn(const json &object, const char *key)
{
    // RFC 3339 with up to nine digits of a second; Qt reads three.
    static const QRegularExpression beyond(QStringLiteral("(\\.[0-9]{3})[0-9]+"));
    QString text = textIn(object, key);
    text.replace(beyond, QStringLiteral("\\1"));
    return QDateTime::fromString(text, Qt::ISODateWithMs).toUTC();
}

QVersionNumber versionIn(const json &object)
{
    return QVersionNumber::fromString(textIn(object, "envdVersion"));
}

std::optional<SandboxSettings> settingsIn(const QMap<QString, QString> &metadata)
{
    SandboxSettings made;
    made.home = metadata.value(QLatin1String(kHomeMark)).toUtf8();
    made.user = metadata.value(QLatin1String(kUserMark));
    const qint64 life = metadata.value(QLatin1String(kLife)).toLongLong();
    made.pauseAtTheEnd = metadata.value(QLatin1String(kAtTheEnd)) != QLatin1String("kill");
    if (!made.home.startsWith('/') || life <= 0)
        return std::nullopt;
    made.timeout = std::chrono::seconds(life);
    return made;
}

std::optional<Record> recordOf(const json &object)
{
    Record made;
    const QString id = textIn(object, "sandboxID");
    if (id.isEmpty())
        return std::nullopt;
    Instance &instance = made.instance;
    instance.externalId = domain::ExternalId(id.section(QLatin1Char('-'), 0, 0));
    QMap<QString, QString> metadata;
    const auto marks = object.find("metadata");
    if (marks != object.end() && marks->is_object()) {
        for (auto it = marks->begin(); it != marks->end(); ++it) {
            if (it->is_string())
                metadata.insert(QString::fromStdString(it.key()), stringOf(*it));
        }
    }
    instance.labels = domain::InstanceLabels::fromMap(metadata);
    made.settings = settingsIn(metadata);
    instance.name = metadata.value(QLatin1String(kNameMark), id);
    instance.image = textIn(object, "alias");
    if (instance.image.isEmpty())
        instance.image = textIn(object, "templateID");
    if (made.settings)
        made.settings->templateName = instance.image;
    const QString state = textIn(object, "state");
    if (state == QLatin1String("running"))
        instance.state = ObservedState::Running;
    else if (state == QLatin1String("paused"))
        instance.state = ObservedState::Paused;
    else
        instance.stateDetail = state;
    instance.startedAt = timeIn(object, "startedAt");
    instance.createdAt = domain::fromWireTime(metadata.value(QLatin1String(kMadeAt)));
    if (!instance.createdAt.isValid())
        instance.createdAt = instance.startedAt;
    made.endAt = timeIn(object, "endAt");
    made.envd = versionIn(object);
    const auto lifecycle = object.find("lifecycle");
    if (lifecycle != object.end() && lifecycle->is_object()) {
        const QString end = textIn(*lifecycle, "onTimeout");
        if (end == QLatin1String("pause") || end == QLatin1String("kill"))
            made.pausesAtTheEnd = end == QLatin1String("pause");
    }
    constexpr qint64 kMiB = 1024 * 1024;
    made.cpus = numberIn(object, "cpuCount").value_or(0);
    made.memoryBytes = integerIn(object, "memoryMB").value_or(0) * kMiB;
    made.diskBytes = integerIn(object, "diskSizeMB").value_or(0) * kMiB;
    return made;
}

QByteArray encodedTimes(QByteArray text, int times)
{
    for (int i = 0; i < times; ++i)
        text = net::percentEncoded(text);
    return text;
}

} // namespace

QMap<QString, QString> metadataFor(const domain::InstanceLabels &labels, const QString &name,
                                   const SandboxSettings &settings, const QDateTime &now)
{
    QMap<QString, QString> made = labels.toMap();
    made.insert(QLatin1String(kNameMark), name);
    made.insert(QLatin1String(kMadeAt), domain::toWireTime(now));
    made.insert(QLatin1String(kHomeMark), QString::fromUtf8(settings.home));
    if (!settings.user.isEmpty())
        made.insert(QLatin1String(kUserMark), settings.user);
    made.insert(QLatin1String(kLife), QString::number(settings.timeout.count()));
    made.insert(QLatin1String(kAtTheEnd),
                settings.pauseAtTheEnd ? QStringLiteral("pause") : QStringLiteral("kill"));
    return made;
}

QByteArray encodeCreate(const SandboxSettings &settings, const QMap<QString, QString> &metadata,
                        bool isOld)
{
    json body = {{"templateID", settings.templateName.toStdString()},
                 {"timeout", settings.timeout.count()},
                 {"autoPause", settings.pauseAtTheEnd}};
    for (auto it = metadata.begin(); it != metadata.end(); ++it)
        body["metadata"][it.key().toStdString()] = it.value().toStdString();
    if (isOld)
        body["secure"] = true;
    return dumped(body);
}

QByteArray encodeTimeout(std::chrono::seconds timeout)
{
    return dumped({{"timeout", timeout.count()}});
}

QByteArray metadataFilter(const QMap<QString, QString> &pairs)
{
    // Each key and value once; as one form, which encodes them a second time; as one value of the
    // query, a third time with the form's own signs.
    QByteArrayList form;
    for (auto it = pairs.begin(); it != pairs.end(); ++it)
        form.append(encodedTimes(it.key().toUtf8(), 2) + '='
                    + encodedTimes(it.value().toUtf8(), 2));
    return net::percentEncoded(form.join('&'));
}

namespace {

Result<Access> accessIn(const json &object)
{
    Access made;
    made.id = textIn(object, "sandboxID").section(QLatin1Char('-'), 0, 0);
    if (made.id.isEmpty())
        return nonsense("a sandbox without an id");
    made.envd = versionIn(object);
    made.token = domain::Secret(textIn(object, "envdAccessToken").toUtf8());
    made.trafficToken = domain::Secret(textIn(object, "trafficAccessToken").toUtf8());
    made.domain = textIn(object, "domain");
    return made;
}

} // namespace

Result<Access> decodeAccess(const QByteArray &body)
{
    return accessIn(parsed(body));
}

Result<Access> decodeForked(const QByteArray &body)
{
    const json list = parsed(body);
    if (!list.is_array() || list.size() != 1 || !list[0].is_object())
        return nonsense("no copy");
    const json &first = list[0];
    if (first.contains("sandbox"))
        return accessIn(first["sandbox"]);
    const json error = first.contains("error") ? first["error"] : json();
    if (!error.is_object())
        return nonsense("neither a copy nor an error");
    // The service says that it made none.
    return domain::failure(ErrorKind::Conflict, QStringLiteral("E2B did not copy the sandbox"),
                           textIn(error, "message").simplified().left(500));
}

Result<Record> decodeRecord(const QByteArray &body)
{
    const std::optional<Record> record = recordOf(parsed(body));
    if (!record)
        return nonsense("a sandbox without an id");
    return *record;
}

Result<QList<Record>> decodeRecords(const QByteArray &body)
{
    const json list = parsed(body);
    if (!list.is_array())
        return nonsense("a list that is none");
    QList<Record> records;
    for (const json &entry : list) {
        const std::optional<Record> record = recordOf(entry);
        if (!record)
            return nonsense("an entry without an id");
        records.append(*record);
    }
    return records;
}

Result<std::optional<domain::ResourceSample>> decodeMetrics(const QByteArray &body)
{
    const json list = parsed(body);
    if (!list.is_array())
        return nonsense("a list of measurements that is none");
    std::optional<domain::ResourceSample> newest;
    for (const json &entry : list) {
        domain::ResourceSample sample;
        if (const auto seconds = integerIn(entry, "timestampUnix"))
            sample.at = QDateTime::fromSecsSinceEpoch(*seconds, Qt::UTC);
        else
            sample.at = timeIn(entry, "timestamp");
        if (!sample.at.isValid() || (newest && newest->at > sample.at))
            continue;
        const std::optional<double> cores = numberIn(entry, "cpuCount");
        const std::optional<double> percent = numberIn(entry, "cpuUsedPct");
        if (cores && *cores > 0)
            sample.cpuLimitCores = cores;
        // Of the whole machine: 100 are all cores.
        if (cores && percent && *percent >= 0)
            sample.cpuCores = *cores * *percent / 100;
        sample.memoryBytes = integerIn(entry, "memUsed");
        sample.memoryLimitBytes = integerIn(entry, "memTotal");
        // Templates before 0.2.4 measure no disk and say 0.
        if (integerIn(entry, "diskTotal").value_or(0) > 0) {
            sample.diskBytes = integerIn(entry, "diskUsed");
            sample.diskLimitBytes = integerIn(entry, "diskTotal");
        }
        newest = sample;
    }
    return newest;
}

ApiProblem apiProblem(const QByteArray &body)
{
    const json object = parsed(body);
    ApiProblem made;
    if (!object.is_object())
        return made;
    made.message = textIn(object, "message").simplified().left(500);
    made.code = textIn(object, "error_code");
    made.isOwn = object.contains("code") && object["code"].is_number() && !made.message.isEmpty();
    return made;
}

Error apiError(const net::HttpHead &head, const QByteArray &body, const QString &what)
{
    const ApiProblem problem = apiProblem(body);
    Error error = net::httpError(head, what + QStringLiteral(" failed"), problem.message);
    switch (head.status) {
    case 400:
        break;
    case 401:
        error.message = QStringLiteral("E2B does not accept the API key");
        error.detail += QStringLiteral(". Set another one in the provider's settings, or in "
                                       "E2B_API_KEY");
        break;
    case 403:
        error.message = QStringLiteral("E2B refuses: %1 is not allowed").arg(what);
        break;
    case 429:
        if (problem.message.contains(QLatin1String("maximum number of concurrent"))) {
            error.kind = ErrorKind::Quota;
            error.message = QStringLiteral("The E2B account has as many sandboxes as it may have");
            error.detail += QStringLiteral(". Pause or destroy one, or ask E2B for more");
        } else {
            error.message = QStringLiteral("E2B asks for fewer calls");
        }
        break;
    case 503:
        if (!problem.code.isEmpty()) {
            error.message = QStringLiteral("E2B has no room for it now (%1)").arg(problem.code);
        }
        break;
    default:
        break;
    }
    if (problem.message.isEmpty())
        error.detail = QStringLiteral("E2B answered %1 without a reason").arg(head.status);
    return error;
}

bool isUnknownCall(int status, const QByteArray &body)
{
    if (status == 405)
        return true;
    if (status != 404 && status != 400)
        return false;
    const ApiProblem problem = apiProblem(body);
    const QString text =
        (problem.message.isEmpty() ? QString::fromUtf8(body.left(500)) : problem.message).toLower();
    // The words of the server's router and of its check against the interface's description.
    for (const char *words : {"no matching operation", "method not allowed", "page not found",
                              "unknown operation", "unknown method", "no route"}) {
        if (text.contains(QLatin1String(words)))
            return true;
    }
    return status == 404 && text.trimmed().isEmpty();
}

bool saysSandboxIsMissing(int status, const QByteArray &body)
{
    const ApiProblem problem = apiProblem(body);
    return status == 404 && problem.isOwn
        && problem.message.contains(QLatin1String("sandbox"), Qt::CaseInsensitive)
        && !problem.message.startsWith(QLatin1String("template"), Qt::CaseInsensitive);
}

QString plainId(const domain::ExternalId &id)
{
    static const QRegularExpression shape(
        QStringLiteral("\\A([A-Za-z0-9]{1,64})(-[A-Za-z0-9-]{1,64})?\\z"));
    const QRegularExpressionMatch match = shape.match(id.toString());
    return match.hasMatch() ? match.captured(1) : QString();
}

} // namespace berth::e2b
