// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/local/local_settings.h"

#include "domain/provider/isolation.h"

#include <QtCore/QDir>

#include <QtCore/QRegularExpression>

#include <algorithm>
#include <limits>

namespace berth::local {

using domain::FieldType;
using domain::SchemaField;

namespace {

const QString kIsolation = QStringLiteral("isolation");
const QString kNetwork = QStringLiteral("network");
const QString kCwd = QStringLiteral("cwd");
const QString kMemory = QStringLiteral("memory_limit");
const QString kCpus = QStringLiteral("cpus");
const QString kPids = QStringLiteral("pids_limit");
const QString kAgentHome = QStringLiteral("agent_home");
const QString kPassthroughAllowed = QStringLiteral("passthrough_allowed");

domain::ProviderSchema makeSchema()
{
    domain::ProviderSchema schema;
    schema.facts.kind = QStringLiteral("local");
    schema.facts.label = QStringLiteral("Local");
    schema.facts.mark = QStringLiteral("L");
    schema.facts.isolation = QStringLiteral("bubblewrap");
    schema.facts.cost = QStringLiteral("Free");
    schema.facts.bestFor = QStringLiteral("Development, trusted code");
    schema.facts.pauseKeeps = QStringLiteral("Files are kept; processes and /tmp end");

    SchemaField isolation;
    isolation.key = kIsolation;
    isolation.type = FieldType::Choice;
    isolation.label = QStringLiteral("Isolation");
    isolation.help =
        QStringLiteral("bubblewrap: commands see this machine's programs read-only and "
                       "nothing else but their workspace");
    isolation.defaultValue = QStringLiteral("bubblewrap");
    isolation.choices = {{QStringLiteral("bubblewrap"), QStringLiteral("bubblewrap")},
                         {QStringLiteral("none"), noIsolationWords()}};
    isolation.scope = domain::FieldScope::Connection;

    SchemaField network;
    network.key = kNetwork;
    network.type = FieldType::Boolean;
    network.label = QStringLiteral("Network");
    network.help = QStringLiteral(
        "When on, commands reach the Internet, but also the services of this machine and of the "
        "local network (LAN)");
    network.defaultValue = QStringLiteral("false");

    SchemaField cwd;
    cwd.key = kCwd;
    cwd.type = FieldType::Path;
    cwd.label = QStringLiteral("Working directory");
    cwd.help = QStringLiteral("Where the workspace is inside the sandbox");
    cwd.defaultValue = QStringLiteral("/workspace");
    cwd.placeholder = cwd.defaultValue;
    cwd.advanced = true;

    // Which of the two it is depends on this machine; Test connection says so.
    SchemaField memory;
    memory.key = kMemory;
    memory.type = FieldType::Text;
    memory.label = QStringLiteral("Memory limit");
    memory.help = QStringLiteral(
        "Empty: no limit. For all processes together where this machine lets Berth make control "
        "groups, else for each process alone; Test connection says which");
    memory.placeholder = QStringLiteral("2g");
    memory.pattern = QStringLiteral("[0-9]+[bkmgBKMG]?");
    memory.patternHint = QStringLiteral("a number with k, m or g, such as 512m");

    SchemaField cpus;
    cpus.key = kCpus;
    cpus.type = FieldType::Text;
    cpus.label = QStringLiteral("CPUs");
    cpus.help = QStringLiteral("How many processors at most, such as 1.5; empty: no limit. Holds "
                               "where this machine lets Berth make control groups only");
    cpus.placeholder = QStringLiteral("1.5");
    cpus.pattern = QStringLiteral("[0-9]{1,4}(\\.[0-9]{1,3})?");
    cpus.patternHint = QStringLiteral("a number such as 2 or 1.5");
    cpus.advanced = true;

    SchemaField pids;
    pids.key = kPids;
    pids.type = FieldType::Integer;
    pids.label = QStringLiteral("Process limit");
    pids.help = QStringLiteral("Processes and threads at most; empty: no limit. Holds where this "
                               "machine lets Berth make control groups or counts them itself");
    pids.minimum = 16;
    pids.maximum = 4194304;
    pids.advanced = true;

    schema.fields = {isolation, network, memory, cwd, cpus, pids};
    schema.fields += domain::commonFields();
    return schema;
}

constexpr qint64 kLeastMemory = 16LL * 1024 * 1024;

std::optional<qint64> bytesFrom(const QString &text)
{
    static const QRegularExpression shape(QStringLiteral("\\A([0-9]{1,15})([bkmgBKMG]?)\\z"));
    const QRegularExpressionMatch match = shape.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const qint64 number = match.captured(1).toLongLong();
    const qsizetype power = QStringLiteral("bkmg").indexOf(match.captured(2).toLower());
    const int shift = match.captured(2).isEmpty() ? 0 : static_cast<int>(power) * 10;
    if (number > (std::numeric_limits<qint64>::max() >> shift))
        return std::nullopt;
    return number << shift;
}

std::optional<QString> limitProblem(const QMap<QString, QString> &values)
{
    for (const QString &key : {kMemory, kCpus, kPids}) {
        const SchemaField *field = localSchema().field(key);
        if (const auto problem = domain::validationProblem(*field, values.value(key)))
            return problem;
    }
    const QString memory = values.value(kMemory).trimmed();
    if (!memory.isEmpty() && bytesFrom(memory).value_or(0) < kLeastMemory)
        return QStringLiteral("Memory limit %1 is too small; 16m and more will do").arg(memory);
    const QString cpus = values.value(kCpus).trimmed();
    if (!cpus.isEmpty() && cpus.toDouble() < 0.01)
        return QStringLiteral("CPUs must be 0.01 or more");
    return std::nullopt;
}

std::optional<QString> homeProblem(const QString &path)
{
    static const QStringList kTaken{
        QStringLiteral("/usr"),    QStringLiteral("/bin"),   QStringLiteral("/sbin"),
        QStringLiteral("/lib"),    QStringLiteral("/lib32"), QStringLiteral("/lib64"),
        QStringLiteral("/libx32"), QStringLiteral("/etc"),   QStringLiteral("/proc"),
        QStringLiteral("/dev"),    QStringLiteral("/sys"),   QStringLiteral("/tmp"),
        QStringLiteral("/var"),    QStringLiteral("/run"),   QStringLiteral("/.berth")};
    const bool plain = path.startsWith(QLatin1Char('/')) && path == QDir::cleanPath(path)
        && path != QLatin1String("/") && path.size() < 1024
        && std::none_of(path.begin(), path.end(), [](QChar c) { return c < QLatin1Char(' '); });
    if (!plain)
        return QStringLiteral(
            "Working directory must be a plain absolute path, such as /workspace");
    for (const QString &taken : kTaken) {
        if (path == taken || path.startsWith(taken + QLatin1Char('/')))
            return QStringLiteral(
                       "Working directory cannot be below %1, which the sandbox has of its own")
                .arg(taken);
    }
    return std::nullopt;
}

//! Row before file, and within one layer the row's own name first.
QString home(const QMap<QString, QString> &values, const QMap<QString, QString> &overrides)
{
    for (const auto *layer : {&overrides, &values}) {
        for (const QString &key : {kAgentHome, kCwd}) {
            if (!layer->value(key).isEmpty())
                return layer->value(key);
        }
    }
    return LocalSettings().home;
}

std::optional<QString> twoNamesProblem(const QMap<QString, QString> &values)
{
    const QString agentHome = values.value(kAgentHome);
    const QString cwd = values.value(kCwd);
    if (!agentHome.isEmpty() && !cwd.isEmpty() && agentHome != cwd)
        return QStringLiteral("agent_home (%1) and cwd (%2) name the same thing; keep one of them")
            .arg(agentHome, cwd);
    return std::nullopt;
}

} // namespace

QString noIsolationWords()
{
    return domain::noIsolationText();
}

bool passthroughAllowed(const QMap<QString, QString> &values)
{
    return values.value(kPassthroughAllowed) == QLatin1String("true");
}

domain::Error passthroughIsOff()
{
    return {domain::ErrorKind::Forbidden,
            QStringLiteral("Passthrough is off; only \"Allow sandboxes without isolation\" in "
                           "Settings, in Berth's window on this machine, switches it on"),
            QStringLiteral("Nothing was run, and nothing runs isolated in its place."),
            {},
            {}};
}

const domain::ProviderSchema &localSchema()
{
    static const domain::ProviderSchema schema = makeSchema();
    return schema;
}

std::optional<QString> localProblem(const QMap<QString, QString> &values)
{
    const QString isolation = values.value(kIsolation, QStringLiteral("bubblewrap"));
    if (isolation == QLatin1String("none")) {
        if (!passthroughAllowed(values))
            return passthroughIsOff().message;
    } else if (!isolation.isEmpty() && isolation != QLatin1String("bubblewrap")) {
        return QStringLiteral("Isolation cannot be \"%1\"; choose bubblewrap, or none where "
                              "passthrough was switched on in Settings on this machine")
            .arg(isolation);
    }
    const QString network = values.value(kNetwork);
    if (!network.isEmpty() && network != QLatin1String("true") && network != QLatin1String("false"))
        return QStringLiteral("Network must be true or false");
    if (const std::optional<QString> problem = limitProblem(values))
        return problem;
    if (const std::optional<QString> problem = twoNamesProblem(values))
        return problem;
    return homeProblem(home(values, {}));
}

domain::Result<LocalSettings> localSettings(const QMap<QString, QString> &values,
                                            const QMap<QString, QString> &overrides)
{
    QMap<QString, QString> merged = values;
    for (auto it = overrides.begin(); it != overrides.end(); ++it) {
        if (it.key() == kAgentHome)
            continue;
        // Said as what it is before it is refused as a setting that a row does not have.
        if (it.key() == kIsolation && it.value() == QLatin1String("none")
            && !passthroughAllowed(values))
            return tl::unexpected(passthroughIsOff());
        const SchemaField *field = localSchema().field(it.key());
        if (!field)
            return domain::failure(
                domain::ErrorKind::InvalidInput,
                QStringLiteral("A Local sandbox has no setting \"%1\"").arg(it.key()));
        // A row can neither switch isolation off nor say that it may be.
        if (field->scope == domain::FieldScope::Connection)
            return domain::failure(
                domain::ErrorKind::InvalidInput,
                QStringLiteral("\"%1\" can be set in a provider config only").arg(it.key()),
                QStringLiteral("A sandbox cannot choose its isolation; a config has bubblewrap, or "
                               "none where passthrough was switched on in Settings"));
        merged.insert(it.key(), it.value());
    }
    std::optional<QString> problem = twoNamesProblem(values);
    if (!problem)
        problem = twoNamesProblem(overrides);
    LocalSettings settings;
    settings.home = home(values, overrides);
    merged.remove(kAgentHome);
    merged.insert(kCwd, settings.home);
    if (!problem)
        problem = localProblem(merged);
    settings.isolated = merged.value(kIsolation) != QLatin1String("none");
    if (!settings.isolated && !passthroughAllowed(merged))
        return tl::unexpected(passthroughIsOff());
    if (problem)
        return domain::failure(domain::ErrorKind::InvalidInput, *problem);
    settings.memoryBytes = bytesFrom(merged.value(kMemory).trimmed()).value_or(0);
    settings.cpus = merged.value(kCpus).trimmed().toDouble();
    settings.pids = merged.value(kPids).trimmed().toInt();
    settings.network = merged.value(kNetwork) == QLatin1String("true");
    return settings;
}

} // namespace berth::local
