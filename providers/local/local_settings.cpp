// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/local/local_settings.h"

#include <QtCore/QDir>

#include <algorithm>

namespace berth::local {

using domain::FieldType;
using domain::SchemaField;

namespace {

const QString kIsolation = QStringLiteral("isolation");
const QString kNetwork = QStringLiteral("network");
const QString kCwd = QStringLiteral("cwd");
const QString kAgentHome = QStringLiteral("agent_home");
//! Put in by this machine's own Settings only; no file, preset or row can hold it.
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
    isolation.choices = {
        {QStringLiteral("bubblewrap"), QStringLiteral("bubblewrap")},
        {QStringLiteral("none"),
         QStringLiteral("No isolation: everything that you can do, Berth's own files included")}};
    isolation.scope = domain::FieldScope::Connection;

    SchemaField network;
    network.key = kNetwork;
    network.type = FieldType::Boolean;
    network.label = QStringLiteral("Network");
    network.help =
        QStringLiteral("When on, commands reach the Internet, but also the services of this "
                       "machine and of the local network");
    network.defaultValue = QStringLiteral("false");

    SchemaField cwd;
    cwd.key = kCwd;
    cwd.type = FieldType::Path;
    cwd.label = QStringLiteral("Working directory");
    cwd.help = QStringLiteral("Where the workspace is inside the sandbox");
    cwd.defaultValue = QStringLiteral("/workspace");
    cwd.placeholder = cwd.defaultValue;
    cwd.advanced = true;

    schema.fields = {isolation, network, cwd};
    schema.fields += domain::commonFields();
    return schema;
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

const domain::ProviderSchema &localSchema()
{
    static const domain::ProviderSchema schema = makeSchema();
    return schema;
}

std::optional<QString> localProblem(const QMap<QString, QString> &values)
{
    const QString isolation = values.value(kIsolation, QStringLiteral("bubblewrap"));
    if (isolation == QLatin1String("none")) {
        if (values.value(kPassthroughAllowed) != QLatin1String("true"))
            return QStringLiteral(
                "Passthrough is off; it can be switched on in Settings on this machine");
        return QStringLiteral("This version of Berth runs Local sandboxes with bubblewrap only");
    }
    if (isolation == QLatin1String("host"))
        return QStringLiteral("Isolation cannot be host; choose bubblewrap");
    if (!isolation.isEmpty() && isolation != QLatin1String("bubblewrap"))
        return QStringLiteral("Isolation must be bubblewrap or none");
    const QString network = values.value(kNetwork);
    if (!network.isEmpty() && network != QLatin1String("true") && network != QLatin1String("false"))
        return QStringLiteral("Network must be true or false");
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
                QStringLiteral("A sandbox cannot choose its isolation"));
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
    if (problem)
        return domain::failure(domain::ErrorKind::InvalidInput, *problem);
    settings.network = merged.value(kNetwork) == QLatin1String("true");
    return settings;
}

} // namespace berth::local
