// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/daytona/decode.h"

#include "net/json_fields.h"
#include "net/web/status_error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace berth::daytona {

using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::ObservedState;
using domain::ResourceSample;
using domain::Result;
using net::memberIn;
using net::numberIn;
using net::parsed;
using net::textIn;
using nlohmann::json;

namespace {

constexpr int kLongestReason = 1000;
constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;

tl::unexpected<Error> notUnderstood(const char *what)
{
    return failure(
        ErrorKind::Protocol,
        QStringLiteral("Daytona's answer about %1 is not understood").arg(QLatin1String(what)));
}

QString textOf(const json &value)
{
    return value.is_string() ? QString::fromStdString(value.get_ref<const std::string &>())
                             : QString();
}

std::optional<int> integer(const json &object, const char *key)
{
    const std::optional<double> value = numberIn(object, key);
    if (!value || std::abs(*value) > 2e9)
        return std::nullopt;
    return static_cast<int>(*value);
}

bool flag(const json &object, const char *key)
{
    const json &value = memberIn(object, key);
    return value.is_boolean() && value.get<bool>();
}

std::optional<qint64> bytesOf(std::optional<double> gib)
{
    if (!gib || *gib <= 0 || *gib > 1e6)
        return std::nullopt;
    return static_cast<qint64>(*gib * kGiB);
}

QDateTime timeFrom(const QString &text)
{
    const QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    return time.isValid() && time.date().year() > 1 ? time.toUTC() : QDateTime();
}

QMap<QString, QString> labelsOf(const json &object)
{
    QMap<QString, QString> labels;
    if (!object.is_object())
        return labels;
    for (const auto &[key, value] : object.items()) {
        if (value.is_string())
            labels.insert(QString::fromStdString(key), textOf(value));
    }
    return labels;
}

struct StateName
{
    const char *name;
    Phase phase;
    ObservedState observed;
    //! For people; nullptr: nothing to add.
    const char *words;
};

// What "stop" leaves is what Berth calls paused: files stay, start brings it back.
constexpr StateName kStates[] = {
    {"started", Phase::Running, ObservedState::Running, nullptr},
    {"stopped", Phase::Stopped, ObservedState::Paused, "stopped: files are kept"},
    {"paused", Phase::Paused, ObservedState::Paused, nullptr},
    {"archived", Phase::Archived, ObservedState::Archived, "archived: starting takes minutes"},
    {"creating", Phase::Starting, ObservedState::Starting, "Creating"},
    {"pending_build", Phase::Starting, ObservedState::Starting, "Waiting for the build"},
    {"building_snapshot", Phase::Starting, ObservedState::Starting, "Building the image"},
    {"pulling_snapshot", Phase::Starting, ObservedState::Starting, "Pulling the snapshot"},
    {"restoring", Phase::Starting, ObservedState::Starting, "Restoring from the archive"},
    {"starting", Phase::Starting, ObservedState::Starting, "Starting"},
    {"resuming", Phase::Starting, ObservedState::Starting, "Resuming"},
    {"stopping", Phase::Changing, ObservedState::Stopping, "Stopping"},
    {"pausing", Phase::Changing, ObservedState::Stopping, "Pausing"},
    {"archiving", Phase::Changing, ObservedState::Stopping, "Archiving"},
    {"destroying", Phase::Changing, ObservedState::Stopping, "Deleting"},
    {"resizing", Phase::Changing, ObservedState::Unknown, "Resizing"},
    {"snapshotting", Phase::Changing, ObservedState::Unknown, "Making a snapshot"},
    {"forking", Phase::Changing, ObservedState::Unknown, "Forking"},
    {"error", Phase::Failed, ObservedState::Error, nullptr},
    {"build_failed", Phase::Failed, ObservedState::Error, "The image could not be built"},
    {"destroyed", Phase::Destroyed, ObservedState::Gone, nullptr},
};

Result<Sandbox> sandboxFrom(const json &object)
{
    Sandbox made;
    domain::Instance &instance = made.instance;
    instance.externalId = domain::ExternalId(textIn(object, "id"));
    if (instance.externalId.isNull())
        return notUnderstood("a sandbox");
    instance.name = textIn(object, "name");
    const QMap<QString, QString> labels = labelsOf(memberIn(object, "labels"));
    instance.labels = domain::InstanceLabels::fromMap(labels);
    made.home = labels.value(QLatin1String(kHomeLabel)).toUtf8();
    instance.createdAt = timeFrom(textIn(object, "createdAt"));
    instance.image = textIn(object, "snapshot");
    // "FROM image" is how an image is wrapped.
    const QString recipe = textIn(memberIn(object, "buildInfo"), "dockerfileContent");
    if (instance.image.isEmpty() && recipe.startsWith(QLatin1String("FROM ")))
        instance.image = recipe.section(QLatin1Char('\n'), 0, 0).mid(5).trimmed();

    made.state = textIn(object, "state");
    made.reason = textIn(object, "errorReason").simplified().left(kLongestReason);
    made.recoverable = flag(object, "recoverable");
    const auto known =
        std::find_if(std::begin(kStates), std::end(kStates),
                     [&made](const auto &one) { return made.state == QLatin1String(one.name); });
    if (known != std::end(kStates)) {
        made.phase = known->phase;
        instance.state = known->observed;
        instance.stateDetail = QString::fromUtf8(known->words);
    } else {
        instance.stateDetail = made.state.left(100);
    }
    if (made.phase == Phase::Failed) {
        if (!made.reason.isEmpty())
            instance.stateDetail = made.reason;
        if (made.recoverable)
            instance.stateDetail +=
                QStringLiteral("%1it can be recovered by starting it")
                    .arg(instance.stateDetail.isEmpty() ? QString() : QStringLiteral("; "));
    }
    made.isEphemeral = integer(object, "autoDeleteInterval") == 0;
    made.organization = textIn(object, "organizationId");
    made.toolbox = textIn(object, "toolboxProxyUrl");
    made.cpus = numberIn(object, "cpu");
    if (made.cpus && *made.cpus <= 0)
        made.cpus.reset();
    made.memoryBytes = bytesOf(numberIn(object, "memory"));
    made.diskBytes = bytesOf(numberIn(object, "disk"));
    return made;
}

//! A proxy's page or a missing route says nothing about a sandbox; the service itself names it.
bool isAboutASandbox(const json &answer)
{
    const QString said = textIn(answer, "message");
    return integer(answer, "statusCode") == 404
        && said.startsWith(QLatin1String("Sandbox"), Qt::CaseInsensitive)
        && said.contains(QLatin1String("not found"), Qt::CaseInsensitive);
}

bool isAboutAQuota(const QString &said)
{
    return said.contains(QLatin1String("limit exceeded"), Qt::CaseInsensitive)
        || said.contains(QLatin1String("exceeds maximum allowed"), Qt::CaseInsensitive);
}

SessionCommand commandFrom(const json &object)
{
    return {textIn(object, "id"), textIn(object, "command").toUtf8(), integer(object, "exitCode")};
}

} // namespace

QString reasonIn(const QByteArray &body)
{
    const json answer = parsed(body);
    QString said;
    const json &message = memberIn(answer, "message");
    if (message.is_array()) {
        QStringList parts;
        for (const json &one : message)
            parts << textOf(one);
        said = parts.join(QStringLiteral(", "));
    } else {
        said = textOf(message);
    }
    if (said.isEmpty())
        said = textIn(answer, "error");
    if (said.isEmpty() && memberIn(answer, "errors").is_array()) {
        QStringList parts;
        for (const json &one : memberIn(answer, "errors"))
            parts << (one.is_string() ? textOf(one) : textIn(one, "message"));
        said = parts.join(QStringLiteral(", "));
    }
    // A page of a proxy in between is not worth reading.
    if (said.isEmpty() && !answer.is_object() && !body.trimmed().startsWith('<'))
        said = QString::fromUtf8(body.left(4 * kLongestReason));
    return said.simplified().left(kLongestReason);
}

Error apiError(const net::HttpHead &head, const QByteArray &body, const QString &what)
{
    net::HttpHead plain = head;
    plain.headers = withPlainRetryAfter(head.headers);
    const QString said = reasonIn(body);
    Error error = net::httpError(plain, what + QStringLiteral(" failed"), said);
    switch (head.status) {
    case 400:
    case 422:
        if (isAboutAQuota(said))
            error.kind = ErrorKind::Quota;
        break;
    case 401:
        error.detail =
            QStringLiteral("Daytona does not accept the API key%1. Make one in its dashboard, Keys")
                .arg(said.isEmpty() ? QString() : QStringLiteral(": ") + said);
        break;
    case 403:
        error.detail =
            QStringLiteral(
                "%1The key needs the permissions write:sandboxes and delete:sandboxes, and its "
                "organization must be active")
                .arg(said.isEmpty() ? QString() : said + QStringLiteral(". "));
        break;
    case 404:
        if (!isAboutASandbox(parsed(body)))
            error.kind = ErrorKind::Protocol;
        break;
    case 410:
        error.kind = ErrorKind::Protocol;
        break;
    default:
        break;
    }
    if (error.detail.isEmpty())
        error.detail = QStringLiteral("Daytona answered %1 without a reason").arg(head.status);
    return error;
}

Error toolboxError(const net::HttpHead &head, const QByteArray &body, const QString &what)
{
    net::HttpHead plain = head;
    plain.headers = withPlainRetryAfter(head.headers);
    const QString said = reasonIn(body);
    Error error = net::httpError(plain, what + QStringLiteral(" failed"),
                                 said.isEmpty()
                                     ? QStringLiteral("The sandbox's toolbox answered %1 without a "
                                                      "reason")
                                           .arg(head.status)
                                     : said);
    if (saysNotRunning(head.status, body))
        error.kind = ErrorKind::Unavailable;
    // The toolbox cannot tell that there is no such sandbox: the proxy answers 401 then.
    else if (error.kind == ErrorKind::NotFound)
        error.kind = ErrorKind::Protocol;
    return error;
}

bool saysNotRunning(int status, const QByteArray &body)
{
    const QString said = reasonIn(body);
    return (status == 400
            && said.contains(QLatin1String("no IP address found"), Qt::CaseInsensitive))
        || (status == 404
            && said.contains(QLatin1String("container not found"), Qt::CaseInsensitive));
}

net::HttpHeaders withPlainRetryAfter(const net::HttpHeaders &headers)
{
    if (headers.contains("Retry-After"))
        return headers;
    net::HttpHeaders made = headers;
    std::optional<double> longest;
    for (const char *prefix : {"retry-after-", "x-ratelimit-reset-"}) {
        for (const auto &[name, value] : headers.fields()) {
            bool fine = false;
            const double seconds = value.trimmed().toDouble(&fine);
            if (name.toLower().startsWith(prefix) && name.toLower() != "retry-after-ms" && fine
                && seconds >= 0)
                longest = std::max(longest.value_or(0), seconds);
        }
        if (longest)
            break;
    }
    if (longest)
        made.append(QByteArrayLiteral("Retry-After"), QByteArray::number(*longest, 'f', 0));
    return made;
}

Result<Sandbox> decodeSandbox(const QByteArray &body)
{
    return sandboxFrom(parsed(body));
}

Result<SandboxPage> decodePage(const QByteArray &body)
{
    const json answer = parsed(body);
    SandboxPage page;
    // Older servers answer all of them as an array.
    const json &items = answer.is_array() ? answer : memberIn(answer, "items");
    if (!items.is_array())
        return notUnderstood("the list of sandboxes");
    for (const json &one : items) {
        const Result<Sandbox> sandbox = sandboxFrom(one);
        // One that cannot be read may be one of ours: its absence would be taken for its end.
        if (!sandbox)
            return failure(sandbox.error());
        page.items.append(*sandbox);
    }
    page.next = textIn(answer, "nextCursor").toUtf8();
    if (page.next.isEmpty())
        page.pages = integer(answer, "totalPages").value_or(0);
    return page;
}

Result<ServerFacts> decodeFacts(const QByteArray &body)
{
    const json answer = parsed(body);
    if (!answer.is_object())
        return notUnderstood("itself");
    ServerFacts facts;
    facts.version = textIn(answer, "version");
    facts.toolbox = textIn(answer, "proxyToolboxUrl");
    facts.analytics = textIn(answer, "analyticsApiUrl");
    facts.defaultSnapshot = textIn(answer, "defaultSnapshot");
    facts.inMaintenance = flag(answer, "maintananceMode");
    if (facts.version.isEmpty() && facts.toolbox.isEmpty() && facts.defaultSnapshot.isEmpty())
        return notUnderstood("itself");
    return facts;
}

Result<QString> decodeUrl(const QByteArray &body)
{
    const QString url = textIn(parsed(body), "url");
    if (url.isEmpty())
        return notUnderstood("the toolbox");
    return url;
}

ResourceSample limitsOf(const Sandbox &sandbox)
{
    ResourceSample sample;
    sample.at = QDateTime::currentDateTimeUtc();
    sample.cpuLimitCores = sandbox.cpus;
    sample.memoryLimitBytes = sandbox.memoryBytes;
    sample.diskLimitBytes = sandbox.diskBytes;
    return sample;
}

Result<ResourceSample> decodeTelemetry(const QByteArray &body, const Sandbox &sandbox)
{
    const json answer = parsed(body);
    const json &series = memberIn(answer, "series");
    if (!series.is_array())
        return notUnderstood("the use of resources");
    ResourceSample sample = limitsOf(sandbox);
    QDateTime newest;
    std::optional<double> used;
    std::optional<double> limit;
    for (const json &one : series) {
        const json &points = memberIn(one, "dataPoints");
        if (!points.is_array() || points.empty())
            continue;
        std::optional<double> value;
        QDateTime at;
        for (const json &point : points) {
            const QDateTime time = timeFrom(textIn(point, "timestamp"));
            if (time.isValid() && (!at.isValid() || time >= at) && numberIn(point, "value")) {
                at = time;
                value = numberIn(point, "value");
            }
        }
        if (!value || *value < 0)
            continue;
        const QString name = textIn(one, "metricName");
        const auto bytes = [&value] {
            return *value < 9e18 ? std::optional(static_cast<qint64>(*value)) : std::nullopt;
        };
        if (name == QLatin1String("daytona.sandbox.cpu.utilization"))
            used = value;
        else if (name == QLatin1String("daytona.sandbox.cpu.limit"))
            limit = value;
        else if (name == QLatin1String("daytona.sandbox.memory.usage"))
            sample.memoryBytes = bytes();
        else if (name == QLatin1String("daytona.sandbox.filesystem.usage"))
            sample.diskBytes = bytes();
        else
            continue;
        if (!newest.isValid() || at > newest)
            newest = at;
    }
    // Percent of the limit, as the dashboard shows it. What is far beyond is no measurement.
    if (!limit || *limit <= 0)
        limit = sandbox.cpus;
    if (used && limit && *used <= 200)
        sample.cpuCores = *used / 100 * *limit;
    if (newest.isValid())
        sample.at = newest;
    return sample;
}

Result<Executed> decodeExecuted(const QByteArray &body)
{
    const json answer = parsed(body);
    const std::optional<int> code = integer(answer, "exitCode");
    if (!code || !memberIn(answer, "result").is_string())
        return notUnderstood("a command");
    return Executed{*code, textIn(answer, "result").toUtf8()};
}

Result<QString> decodeCommandId(const QByteArray &body)
{
    const QString id = textIn(parsed(body), "cmdId");
    if (id.isEmpty())
        return notUnderstood("a command");
    return id;
}

Result<SessionCommand> decodeCommand(const QByteArray &body)
{
    const json answer = parsed(body);
    SessionCommand command = commandFrom(answer);
    if (command.id.isEmpty())
        return notUnderstood("a command");
    return command;
}

Result<QList<Session>> decodeSessions(const QByteArray &body)
{
    const json answer = parsed(body);
    // No session at all is null in older ones.
    if (answer.is_null())
        return QList<Session>();
    if (!answer.is_array())
        return notUnderstood("its sessions");
    QList<Session> sessions;
    for (const json &one : answer) {
        Session session{textIn(one, "sessionId"), {}};
        const json &commands = memberIn(one, "commands");
        if (commands.is_array()) {
            for (const json &command : commands)
                session.commands.append(commandFrom(command));
        }
        sessions.append(session);
    }
    return sessions;
}

std::optional<QByteArray> logIn(const QByteArray &body)
{
    const json answer = parsed(body);
    if (!memberIn(answer, "output").is_string())
        return std::nullopt;
    return textIn(answer, "output").toUtf8();
}

Result<QList<TerminalFacts>> decodeTerminals(const QByteArray &body)
{
    const json &sessions = parsed(body);
    const json &list = memberIn(sessions, "sessions");
    QList<TerminalFacts> made;
    if (list.is_null() && sessions.is_object())
        return made;
    if (!list.is_array())
        return notUnderstood("its terminals");
    for (const json &one : list) {
        const json &active = memberIn(one, "active");
        made.append({textIn(one, "id"), !active.is_boolean() || active.get<bool>()});
    }
    return made;
}

} // namespace berth::daytona
