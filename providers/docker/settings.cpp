// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/settings.h"

#include "domain/provider/layers.h"
#include "domain/provider/schema_fields.h"
#include "providers/docker/endpoint.h"

#include <QtCore/QRegularExpression>

#include <limits>

namespace berth::docker {

using domain::checkValues;
using domain::ErrorKind;
using domain::failure;
using domain::FieldScope;
using domain::FieldType;
using domain::oneOfTwoNames;
using domain::Result;
using domain::rowValues;
using domain::SchemaField;
using domain::schemaField;

namespace {

const QString kDefaultImage = QStringLiteral("python:3.12-slim");
const QString kDefaultHome = QStringLiteral("/workspace");
//! The engine refuses less.
constexpr qint64 kLeastMemory = 6 * 1024 * 1024;

domain::ProviderSchema makeSchema()
{
    domain::ProviderSchema made;
    made.facts = {QStringLiteral("docker"),
                  QStringLiteral("Docker"),
                  QStringLiteral("D"),
                  QStringLiteral("Container"),
                  QStringLiteral("Free"),
                  QStringLiteral("Testing, reproducible environments"),
                  QStringLiteral("Everything: processes are frozen, memory and files stay")};

    SchemaField image =
        schemaField("image", FieldType::Text, "Image", "Pulled when the engine does not have it");
    image.defaultValue = kDefaultImage;
    image.required = true;
    image.pattern = QStringLiteral("[A-Za-z0-9][A-Za-z0-9._/:@-]*");
    image.patternHint = QStringLiteral("a name such as python:3.12-slim, without spaces");

    SchemaField home =
        schemaField("mount_path", FieldType::Path, "Mount path",
                    "Working directory inside the container; the workspace volume is mounted here");
    home.defaultValue = kDefaultHome;
    home.required = true;

    SchemaField agentHome = schemaField("agent_home", FieldType::Path, "Home",
                                        "Another name for the mount path, as sandbox rows call it");
    agentHome.advanced = true;

    SchemaField user = schemaField("username", FieldType::Text, "User",
                                   "Who commands run as; empty: the image's own user");
    user.advanced = true;
    user.pattern = QStringLiteral("[A-Za-z_][A-Za-z0-9_.-]*|[0-9]+(:[0-9]+)?");
    user.patternHint = QStringLiteral("a user name of the image, or numbers such as 1000:1000");

    SchemaField host =
        schemaField("docker_host", FieldType::Text, "Engine address",
                    "Empty: DOCKER_HOST, the current context, then the usual sockets");
    host.scope = FieldScope::Connection;
    host.advanced = true;
    host.expandable = true;
    host.placeholder = QStringLiteral("unix:///var/run/docker.sock");
    host.environmentVariables = {QStringLiteral("DOCKER_HOST")};

    SchemaField memory = schemaField("memory_limit", FieldType::Text, "Memory limit",
                                     "Empty: no limit; swap is never used beyond it");
    memory.placeholder = QStringLiteral("2g");
    memory.pattern = QStringLiteral("[0-9]+[bkmgBKMG]?");
    memory.patternHint = QStringLiteral("a number with k, m or g, such as 512m");

    SchemaField cpus = schemaField("cpus", FieldType::Text, "CPUs",
                                   "How many processors at most; empty: all of the engine's");
    cpus.placeholder = QStringLiteral("1.5");
    cpus.pattern = QStringLiteral("[0-9]{1,5}([.][0-9]{1,3})?");
    cpus.patternHint = QStringLiteral("a number such as 2 or 0.5");

    SchemaField shares =
        schemaField("cpu_shares", FieldType::Integer, "CPU shares",
                    "Weight against other containers when the processor is busy; 1024 is usual");
    shares.minimum = 2;
    shares.maximum = 262144;
    shares.advanced = true;

    SchemaField processes =
        schemaField("pids_limit", FieldType::Integer, "Process limit",
                    "Processes and threads at once; a runaway loop of forks ends "
                    "here. Empty: 1024 when hardened");
    // Fewer leave no room for the runner and one shell.
    processes.minimum = 16;
    processes.maximum = 4194304;
    processes.advanced = true;
    processes.placeholder = QString::number(kHardenedProcesses);

    SchemaField network =
        schemaField("network", FieldType::Choice, "Network", "What the sandbox can reach");
    network.defaultValue = QStringLiteral("auto");
    network.choices = {
        {QStringLiteral("auto"), QStringLiteral("Internet and LAN, where the engine has a bridge")},
        {QStringLiteral("bridge"), QStringLiteral("The engine's bridge, or an error")},
        {QStringLiteral("none"), QStringLiteral("Off")},
        {QStringLiteral("named"), QStringLiteral("A network of the engine, by name")}};

    SchemaField networkName = schemaField("network_name", FieldType::Text, "Network's name",
                                          "For a network by name; it must exist at the engine");
    networkName.advanced = true;
    networkName.pattern = QStringLiteral("[A-Za-z0-9][A-Za-z0-9_.-]*");
    networkName.patternHint = QStringLiteral("a name such as my-network");

    SchemaField pull = schemaField(
        "pull_policy", FieldType::Choice, "Pull the image",
        "\"Before each new sandbox\" does not start with an older copy when the registry is "
        "out of reach");
    pull.defaultValue = QStringLiteral("missing");
    pull.advanced = true;
    pull.choices = {{QStringLiteral("missing"), QStringLiteral("When it is missing")},
                    {QStringLiteral("always"), QStringLiteral("Before each new sandbox")},
                    {QStringLiteral("never"), QStringLiteral("Never")}};

    SchemaField hardened = schemaField(
        "hardened", FieldType::Boolean, "Hardened",
        "No new privileges (sudo does not work), only the capabilities that package managers "
        "need as root and none for other users, and a process limit. Off: what the engine "
        "gives every container");
    hardened.defaultValue = QStringLiteral("true");
    hardened.advanced = true;
    // What a sandbox may do is not for its row to widen.
    hardened.scope = FieldScope::Connection;

    SchemaField workspace = schemaField(
        "workspace_dir", FieldType::Path, "Workspace directory",
        "A directory of this machine instead of a volume; it must exist, is written to by the "
        "sandbox as its user, and is never removed by Berth");
    workspace.advanced = true;
    workspace.scope = FieldScope::Connection;
    workspace.placeholder = QStringLiteral("/home/me/project");

    made.fields = {image,     home,        memory, cpus,      network, host,     user,
                   agentHome, networkName, shares, processes, pull,    hardened, workspace};
    made.fields += connectionFields();
    made.fields += domain::commonFields();
    return made;
}

//! What a workspace must not cover.
std::optional<QString> homeProblem(const QString &home)
{
    static const QRegularExpression taken(
        QStringLiteral("^/*$|^/+(proc|sys|dev|etc|usr|bin|sbin|lib|lib64|\\.berth)(/|$)"));
    if (taken.match(home).hasMatch())
        return QStringLiteral("%1 cannot be the workspace: the system of the container is there")
            .arg(home);
    if (home.contains(QLatin1String("/../")) || home.endsWith(QLatin1String("/.."))
        || home.contains(QLatin1Char(':')))
        return QStringLiteral("%1 cannot be the workspace: name it without \"..\" and \":\"")
            .arg(home);
    return std::nullopt;
}

std::optional<QString> networkProblem(const SandboxSettings &settings)
{
    const QString &name = settings.networkName;
    if (settings.network != Network::Named)
        return name.isEmpty()
            ? std::nullopt
            : std::optional(QStringLiteral("network_name is %1, but network is not "
                                           "\"named\": set one of them")
                                .arg(name));
    if (name.isEmpty())
        return QStringLiteral("network is \"named\", but network_name is empty");
    // The engine takes these for modes; "host" would be this machine's own network.
    for (const char *mode : {"host", "default", "bridge", "none", "container", "private", "ns",
                             "slirp4netns", "pasta"}) {
        if (name.compare(QLatin1String(mode), Qt::CaseInsensitive) == 0)
            return QStringLiteral("\"%1\" is no network of its own that a sandbox can be put into")
                .arg(name);
    }
    return std::nullopt;
}

bool isUbuntu(const QString &image)
{
    const QString name = imageReference(image).name;
    return name == QLatin1String("ubuntu") || name.endsWith(QLatin1String("/ubuntu"));
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
        rowValues(schema(), row,
                  QStringLiteral("A sandbox chooses neither its engine nor its own confinement"));
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
    made.image = values.value(QStringLiteral("image")).trimmed();
    if (made.image.isEmpty())
        made.image = kDefaultImage;

    // Two names for one thing: within a layer they must agree, else the upper layer counts. The
    // default that was filled in for mount_path is nobody's wish.
    QString home;
    for (const QMap<QString, QString> *layer : {&overrides, &config}) {
        const Result<QString> named = oneOfTwoNames(*layer, "mount_path", "agent_home",
                                                    layer == &config ? kDefaultHome : QString());
        if (!named)
            return failure(named.error());
        if (home.isEmpty())
            home = *named;
    }
    made.user = values.value(QStringLiteral("username")).trimmed();
    // A row that names an Ubuntu image and nothing else gets what such images are used with.
    if (overrides.contains(QStringLiteral("image")) && isUbuntu(made.image)) {
        if (made.user.isEmpty())
            made.user = QStringLiteral("root");
        if (home.isEmpty()
            || (home == kDefaultHome && !overrides.contains(QStringLiteral("mount_path"))
                && !overrides.contains(QStringLiteral("agent_home"))))
            home = QStringLiteral("/root");
    }
    if (home.isEmpty())
        home = kDefaultHome;
    if (const std::optional<QString> problem = homeProblem(home))
        return failure(ErrorKind::InvalidInput, *problem);
    made.home = home.toUtf8();

    const QString memory = values.value(QStringLiteral("memory_limit")).trimmed();
    if (!memory.isEmpty()) {
        const std::optional<qint64> bytes = bytesFrom(memory);
        if (!bytes || *bytes < kLeastMemory)
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("Memory limit %1 is too small").arg(memory),
                           QStringLiteral("The engine takes 6m and more"));
        made.memoryBytes = *bytes;
    }
    made.cpuShares = values.value(QStringLiteral("cpu_shares")).toInt();
    made.processes = values.value(QStringLiteral("pids_limit")).toInt();
    made.hardened = values.value(QStringLiteral("hardened")) != QLatin1String("false");
    made.workspaceDir = values.value(QStringLiteral("workspace_dir")).trimmed();

    const QString cpus = values.value(QStringLiteral("cpus")).trimmed();
    if (!cpus.isEmpty()) {
        const std::optional<int> milli = milliCpusFrom(cpus);
        if (!milli)
            return failure(ErrorKind::InvalidInput, QStringLiteral("%1 CPUs are too few").arg(cpus),
                           QStringLiteral("At least 0.01"));
        made.milliCpus = *milli;
    }

    const QString network = values.value(QStringLiteral("network"));
    made.networkName = values.value(QStringLiteral("network_name")).trimmed();
    if (network == QLatin1String("none"))
        made.network = Network::None;
    else if (network == QLatin1String("bridge"))
        made.network = Network::Bridge;
    else if (network == QLatin1String("named"))
        made.network = Network::Named;
    if (const std::optional<QString> problem = networkProblem(made))
        return failure(ErrorKind::InvalidInput, *problem);

    const QString pull = values.value(QStringLiteral("pull_policy"));
    if (pull == QLatin1String("always"))
        made.pull = PullPolicy::Always;
    else if (pull == QLatin1String("never"))
        made.pull = PullPolicy::Never;
    return made;
}

std::optional<int> milliCpusFrom(const QString &text)
{
    static const QRegularExpression shape(QStringLiteral("\\A[0-9]{1,5}([.][0-9]{1,3})?\\z"));
    if (!shape.match(text).hasMatch())
        return std::nullopt;
    const int milli = qRound(text.toDouble() * 1000);
    return milli >= 10 ? std::optional(milli) : std::nullopt;
}

std::optional<qint64> bytesFrom(const QString &text)
{
    static const QRegularExpression shape(QStringLiteral("^([0-9]{1,15})([bkmgBKMG]?)$"));
    const QRegularExpressionMatch match = shape.match(text.trimmed());
    if (!match.hasMatch())
        return std::nullopt;
    const qint64 number = match.captured(1).toLongLong();
    const QString unit = match.captured(2).toLower();
    const int shift = unit == QLatin1String("k") ? 10
        : unit == QLatin1String("m")             ? 20
        : unit == QLatin1String("g")             ? 30
                                                 : 0;
    if (number <= 0 || number > (std::numeric_limits<qint64>::max() >> shift))
        return std::nullopt;
    return number << shift;
}

ImageReference imageReference(const QString &image)
{
    const qsizetype digest = image.indexOf(QLatin1Char('@'));
    if (digest > 0)
        return {image.left(digest), image.mid(digest + 1)};
    // A colon before the last slash belongs to the registry's port.
    const qsizetype colon = image.lastIndexOf(QLatin1Char(':'));
    if (colon > image.lastIndexOf(QLatin1Char('/')))
        return {image.left(colon), image.mid(colon + 1)};
    return {image, QStringLiteral("latest")};
}

} // namespace berth::docker
