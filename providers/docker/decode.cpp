// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/decode.h"

#include "net/json_fields.h"
#include "providers/docker/plan.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace berth::docker {

using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::Instance;
using domain::ObservedState;
using domain::Result;
using net::memberIn;
using net::parsed;
using net::textIn;
using nlohmann::json;

namespace {

constexpr int kLongestMessage = 1000;

tl::unexpected<Error> notUnderstood(const char *what)
{
    return failure(
        ErrorKind::Protocol,
        QStringLiteral("The engine's answer about %1 is not understood").arg(QLatin1String(what)));
}

//! Engines write counters as unsigned, signed or (podman) floating numbers.
std::optional<quint64> counter(const json &object, const char *key)
{
    const json &value = memberIn(object, key);
    if (value.is_number_unsigned())
        return value.get<quint64>();
    if (value.is_number_integer() && value.get<qint64>() >= 0)
        return static_cast<quint64>(value.get<qint64>());
    if (value.is_number_float() && value.get<double>() >= 0 && value.get<double>() < 1.8e19)
        return static_cast<quint64>(value.get<double>());
    return std::nullopt;
}

std::optional<qint64> amount(const json &object, const char *key)
{
    const std::optional<quint64> value = counter(object, key);
    // An unlimited cgroup shows a number near 2^63 or 2^64.
    if (!value || *value >= (quint64{1} << 60))
        return std::nullopt;
    return static_cast<qint64>(*value);
}

QMap<QString, QString> labelsOf(const json &object)
{
    QMap<QString, QString> labels;
    if (object.is_object()) {
        for (const auto &[key, value] : object.items()) {
            if (value.is_string())
                labels.insert(QString::fromStdString(key),
                              QString::fromStdString(value.get_ref<const std::string &>()));
        }
    }
    return labels;
}

//! "2026-11-29T17:39:36.105503865Z"; the engine's "never" is the year 1.
QDateTime timeFrom(const QString &text)
{
    const QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs).toUTC();
    return time.isValid() && time.date().year() > 1 ? time : QDateTime();
}

ObservedState stateFrom(const QString &status)
{
    if (status == QLatin1String("running"))
        return ObservedState::Running;
    if (status == QLatin1String("paused"))
        return ObservedState::Paused;
    if (status == QLatin1String("restarting"))
        return ObservedState::Starting;
    if (status == QLatin1String("removing") || status == QLatin1String("stopping"))
        return ObservedState::Stopping;
    if (status == QLatin1String("exited") || status == QLatin1String("stopped")
        || status == QLatin1String("created") || status == QLatin1String("initialized")
        || status == QLatin1String("configured"))
        return ObservedState::Stopped;
    if (status == QLatin1String("dead"))
        return ObservedState::Error;
    return ObservedState::Unknown;
}

QString withoutSlash(const QString &name)
{
    return name.startsWith(QLatin1Char('/')) ? name.mid(1) : name;
}

ErrorKind kindOf(int status)
{
    switch (status) {
    case 400:
    case 406:
    case 413:
    case 422:
        return ErrorKind::InvalidInput;
    case 401:
        return ErrorKind::Unauthorized;
    case 403:
        return ErrorKind::Forbidden;
    case 404:
        return ErrorKind::NotFound;
    case 409:
        return ErrorKind::Conflict;
    case 429:
        return ErrorKind::RateLimited;
    case 501:
        return ErrorKind::Unsupported;
    default:
        return status >= 500 ? ErrorKind::Unavailable : ErrorKind::Protocol;
    }
}

} // namespace

QString engineMessage(const QByteArray &body)
{
    const json answer = parsed(body);
    QString said = textIn(answer, "message");
    if (said.isEmpty() && !answer.is_object())
        said = QString::fromUtf8(body);
    return said.simplified().left(kLongestMessage);
}

Error engineError(int status, const QByteArray &body, const QString &what)
{
    const QString said = engineMessage(body);
    Error error{kindOf(status), what + QStringLiteral(" failed"), said, status, {}};
    if (said.isEmpty())
        error.detail = QStringLiteral("The engine answered %1 without a reason").arg(status);
    // A missing route, or a proxy's own page, says nothing about the container.
    if (status == 404
        && (textIn(parsed(body), "message").isEmpty() || said == QLatin1String("page not found")))
        error.kind = ErrorKind::Protocol;
    return error;
}

bool isNameTaken(int status, const QByteArray &body)
{
    return status == 409
        || (status == 500 && engineMessage(body).contains(QLatin1String("name"))
            && engineMessage(body).contains(QLatin1String("already in use")));
}

Result<EngineFacts> decodeFacts(const QByteArray &body)
{
    const json answer = parsed(body);
    EngineFacts facts;
    facts.id = textIn(answer, "ID");
    // podman makes an ID up for each answer.
    if (answer.is_object() && answer.contains("BuildahVersion"))
        facts.id = QStringLiteral("podman:%1:%2")
                       .arg(textIn(answer, "Name"), textIn(answer, "DockerRootDir"));
    facts.cpus = static_cast<int>(std::min<quint64>(counter(answer, "NCPU").value_or(0), 65536));
    facts.version = textIn(answer, "ServerVersion");
    facts.operatingSystem = textIn(answer, "OperatingSystem");
    facts.kind = textIn(answer, "OSType");
    facts.architecture = textIn(answer, "Architecture");
    if (facts.id.isEmpty() && facts.version.isEmpty())
        return notUnderstood("itself");
    return facts;
}

std::optional<std::pair<int, int>> apiVersion(const QByteArray &text)
{
    const qsizetype dot = text.indexOf('.');
    bool isMajor = false;
    bool isMinor = false;
    const int major = text.left(dot).toInt(&isMajor);
    const int minor = text.mid(dot + 1).toInt(&isMinor);
    if (dot <= 0 || !isMajor || !isMinor || major < 0 || minor < 0)
        return std::nullopt;
    return std::pair{major, minor};
}

Result<Container> decodeContainer(const QByteArray &body)
{
    const json answer = parsed(body);
    Container container;
    Instance &instance = container.instance;
    instance.externalId = domain::ExternalId(textIn(answer, "Id"));
    if (instance.externalId.isNull())
        return notUnderstood("a container");
    instance.name = withoutSlash(textIn(answer, "Name"));
    const json &config = memberIn(answer, "Config");
    instance.image = textIn(config, "Image");
    instance.labels = domain::InstanceLabels::fromMap(labelsOf(memberIn(config, "Labels")));
    instance.createdAt = timeFrom(textIn(answer, "Created"));
    const json &state = memberIn(answer, "State");
    instance.startedAt = timeFrom(textIn(state, "StartedAt"));
    const QString status = textIn(state, "Status");
    instance.state = stateFrom(status);
    container.pid = static_cast<qint64>(counter(state, "Pid").value_or(0));
    if (status == QLatin1String("exited"))
        instance.stateDetail = memberIn(state, "OOMKilled") == json(true)
            ? QStringLiteral("out of memory")
            : QStringLiteral("exit code %1").arg(counter(state, "ExitCode").value_or(0));
    else if (status == QLatin1String("created"))
        instance.stateDetail = QStringLiteral("never started");
    else if (instance.state == ObservedState::Unknown || instance.state == ObservedState::Error)
        instance.stateDetail = status;
    if (const QString problem = textIn(state, "Error"); !problem.isEmpty())
        instance.stateDetail = problem.left(kLongestMessage);

    container.workingDirectory = textIn(config, "WorkingDir").toUtf8();
    container.user = textIn(config, "User");
    const json &host = memberIn(answer, "HostConfig");
    // An engine without a bridge starts such containers all the same, silently without a network.
    const json &networks = memberIn(memberIn(answer, "NetworkSettings"), "Networks");
    if (instance.state == ObservedState::Running && networks.is_object()
        && textIn(host, "NetworkMode") != QLatin1String("none")
        && std::none_of(networks.begin(), networks.end(), [](const json &network) {
               return !textIn(network, "NetworkID").isEmpty();
           }))
        instance.stateDetail = QStringLiteral("no network: this engine has no bridge");
    const quint64 nanos = counter(host, "NanoCpus").value_or(0);
    const quint64 quota = counter(host, "CpuQuota").value_or(0);
    const quint64 period = counter(host, "CpuPeriod").value_or(0);
    if (nanos > 0)
        container.cpuLimitCores = static_cast<double>(nanos) / 1e9;
    else if (quota > 0)
        container.cpuLimitCores =
            static_cast<double>(quota) / static_cast<double>(period > 0 ? period : 100000);
    container.writtenBytes = amount(answer, "SizeRw");
    for (const json &mount : memberIn(answer, "Mounts")) {
        if (textIn(mount, "Type") == QLatin1String("volume") && !textIn(mount, "Name").isEmpty())
            container.volumes.append(textIn(mount, "Name"));
        else if (textIn(mount, "Type") == QLatin1String("bind")
                 && textIn(mount, "Destination").toUtf8() == container.workingDirectory)
            container.hostWorkspace = textIn(mount, "Source");
        else if (textIn(mount, "Type") == QLatin1String("bind")
                 && textIn(mount, "Destination") == QLatin1String(kLinkPath))
            container.linkDirectory = textIn(mount, "Source");
    }
    container.isRunnerMounted = textIn(answer, "Path") == QLatin1String(kMountedRunnerPath);
    return container;
}

Result<QList<Instance>> decodeList(const QByteArray &body)
{
    const json answer = parsed(body);
    if (!answer.is_array())
        return notUnderstood("its containers");
    QList<Instance> instances;
    for (const json &entry : answer) {
        Instance instance;
        instance.externalId = domain::ExternalId(textIn(entry, "Id"));
        if (instance.externalId.isNull())
            return notUnderstood("its containers");
        const json &names = memberIn(entry, "Names");
        if (names.is_array() && !names.empty() && names.front().is_string())
            instance.name = withoutSlash(QString::fromStdString(names.front().get<std::string>()));
        instance.image = textIn(entry, "Image");
        instance.state = stateFrom(textIn(entry, "State"));
        if (instance.state != ObservedState::Running)
            instance.stateDetail = textIn(entry, "Status");
        instance.labels = domain::InstanceLabels::fromMap(labelsOf(memberIn(entry, "Labels")));
        if (const std::optional<qint64> created = amount(entry, "Created"))
            instance.createdAt = QDateTime::fromSecsSinceEpoch(*created, Qt::UTC);
        instances.append(instance);
    }
    return instances;
}

Result<QString> decodeCreated(const QByteArray &body)
{
    const QString id = textIn(parsed(body), "Id");
    if (id.isEmpty())
        return notUnderstood("the new container");
    return id;
}

Result<Volume> decodeVolume(const QByteArray &body)
{
    const json answer = parsed(body);
    Volume volume{textIn(answer, "Name"),
                  domain::InstanceLabels::fromMap(labelsOf(memberIn(answer, "Labels")))};
    if (volume.name.isEmpty())
        return notUnderstood("a volume");
    return volume;
}

Result<Image> decodeImage(const QByteArray &body)
{
    const json answer = parsed(body);
    Image image{textIn(answer, "Id"), textIn(memberIn(answer, "Config"), "User"),
                textIn(answer, "Architecture")};
    if (image.id.isEmpty())
        return notUnderstood("an image");
    return image;
}

Result<StatsReading> decodeStats(const QByteArray &body)
{
    const json answer = parsed(body);
    if (!answer.is_object() || !memberIn(answer, "cpu_stats").is_object())
        return notUnderstood("a container's use");
    StatsReading reading;
    reading.at = timeFrom(textIn(answer, "read"));
    if (!reading.at.isValid())
        return reading;
    const json &cpu = memberIn(answer, "cpu_stats");
    const json &usage = memberIn(cpu, "cpu_usage");
    reading.cpuNanoseconds = counter(usage, "total_usage").value_or(0);
    reading.systemNanoseconds = counter(cpu, "system_cpu_usage");
    reading.cpus =
        static_cast<int>(std::min<quint64>(counter(cpu, "online_cpus").value_or(0), 65536));
    if (reading.cpus == 0 && memberIn(usage, "percpu_usage").is_array())
        reading.cpus = static_cast<int>(memberIn(usage, "percpu_usage").size());

    const json &memory = memberIn(answer, "memory_stats");
    if (const std::optional<qint64> used = amount(memory, "usage")) {
        // Page cache that the kernel would give back first; cgroup v1 and v2 name it differently.
        const json &detail = memberIn(memory, "stats");
        const std::optional<qint64> inactive =
            detail.is_object() && detail.contains("total_inactive_file")
            ? amount(detail, "total_inactive_file")
            : amount(detail, "inactive_file");
        reading.memoryBytes = inactive && *inactive < *used ? *used - *inactive : *used;
    }
    reading.memoryLimitBytes = amount(memory, "limit");
    if (reading.memoryLimitBytes && *reading.memoryLimitBytes == 0)
        reading.memoryLimitBytes.reset();

    const json &networks = memberIn(answer, "networks");
    if (networks.is_object() && !networks.empty()) {
        quint64 received = 0;
        quint64 sent = 0;
        for (const json &network : networks) {
            received += counter(network, "rx_bytes").value_or(0);
            sent += counter(network, "tx_bytes").value_or(0);
        }
        reading.receivedBytes = received;
        reading.sentBytes = sent;
    }
    if (const std::optional<qint64> processes = amount(memberIn(answer, "pids_stats"), "current"))
        reading.processes = static_cast<int>(std::min<qint64>(*processes, 1 << 22));
    return reading;
}

namespace {

//! nullopt when the counter went backwards: another container behind the name, or a restart.
std::optional<double> perSecond(std::optional<quint64> before, std::optional<quint64> now,
                                double seconds)
{
    if (!before || !now || *now < *before)
        return std::nullopt;
    return static_cast<double>(*now - *before) / seconds;
}

} // namespace

domain::ResourceSample sampleFrom(const std::optional<StatsReading> &before,
                                  const StatsReading &now)
{
    domain::ResourceSample sample;
    sample.at = now.at.isValid() ? now.at : QDateTime::currentDateTimeUtc();
    if (!now.at.isValid())
        return sample;
    sample.memoryBytes = now.memoryBytes;
    sample.memoryLimitBytes = now.memoryLimitBytes;
    sample.processes = now.processes;
    if (now.cpus > 0)
        sample.cpuLimitCores = now.cpus;
    if (!before || !before->at.isValid() || before->at >= now.at
        || now.cpuNanoseconds < before->cpuNanoseconds)
        return sample;

    const double seconds = static_cast<double>(before->at.msecsTo(now.at)) / 1000.0;
    if (seconds <= 0)
        return sample;
    const auto used = static_cast<double>(now.cpuNanoseconds - before->cpuNanoseconds);
    std::optional<double> cores;
    if (now.systemNanoseconds && before->systemNanoseconds && now.cpus > 0) {
        if (*now.systemNanoseconds > *before->systemNanoseconds)
            cores = used / static_cast<double>(*now.systemNanoseconds - *before->systemNanoseconds)
                * now.cpus;
    } else {
        cores = used / (seconds * 1e9);
    }
    // The counters are not read at the same instant, so a little more than all processors is
    // rounding.
    if (cores && std::isfinite(*cores) && (now.cpus == 0 || *cores <= now.cpus * 1.25))
        sample.cpuCores = now.cpus > 0 ? std::min(*cores, static_cast<double>(now.cpus)) : *cores;
    sample.networkReceiveBytesPerSecond =
        perSecond(before->receivedBytes, now.receivedBytes, seconds);
    sample.networkSendBytesPerSecond = perSecond(before->sentBytes, now.sentBytes, seconds);
    return sample;
}

Result<PullLine> decodePullLine(const QByteArray &line)
{
    const json answer = parsed(line);
    if (!answer.is_object())
        return notUnderstood("a pull");
    PullLine decoded;
    decoded.layer = textIn(answer, "id");
    decoded.status = textIn(answer, "status");
    const json &detail = memberIn(answer, "progressDetail");
    decoded.current = amount(detail, "current").value_or(0);
    decoded.total = amount(detail, "total").value_or(0);
    decoded.error = textIn(answer, "error");
    if (decoded.error.isEmpty())
        decoded.error = textIn(memberIn(answer, "errorDetail"), "message");
    decoded.error = decoded.error.simplified().left(kLongestMessage);
    return decoded;
}

std::optional<std::pair<int, int>> userIds(const QByteArray &passwd, const QString &user)
{
    const QList<QByteArray> numbers = user.toUtf8().split(':');
    bool isNumber = false;
    const int uid = numbers.front().toInt(&isNumber);
    const QByteArray name = numbers.front();
    for (const QByteArray &line : passwd.split('\n')) {
        const QList<QByteArray> fields = line.split(':');
        if (fields.size() < 4 || !(isNumber ? fields[2] == name : fields[0] == name))
            continue;
        bool hasUid = false;
        bool hasGid = false;
        const std::pair ids{fields[2].toInt(&hasUid), fields[3].toInt(&hasGid)};
        if (hasUid && hasGid && numbers.size() == 1)
            return ids;
    }
    if (!isNumber)
        return std::nullopt;
    // As the engine does it: a number without an entry has group 0.
    return std::pair{uid, numbers.size() > 1 ? numbers[1].toInt() : 0};
}

} // namespace berth::docker
