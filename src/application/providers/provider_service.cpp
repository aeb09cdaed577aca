// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/providers/provider_service.h"

#include "domain/provider/isolation.h"
#include "domain/provider/key_store.h"

#include <QtCore/QDir>
#include <QtCore/QTimer>
#include <QtCore/QUrl>

namespace berth::application {

using domain::Async;
using domain::ConfigName;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

ProviderService::ProviderService(domain::ProviderKinds kinds, EngineSettings settings,
                                 domain::InstallationId installation, EventBus &bus)
    : m_kinds(std::move(kinds)),
      m_settings(std::move(settings)),
      m_installation(std::move(installation)),
      m_bus(bus)
{}

ProviderService::~ProviderService() = default;

namespace {

//! The choice of kinds that can do without isolation.
bool canBeOpen(const domain::ProviderSchema &schema)
{
    return schema.field(QStringLiteral("isolation")) != nullptr;
}

} // namespace

void ProviderService::allowPassthrough(bool allowed)
{
    if (allowed == m_passthrough)
        return;
    m_passthrough = allowed;
    for (auto &[name, entry] : m_entries) {
        if (canBeOpen(entry.kind->schema()))
            changed(ConfigName(name));
    }
}

ResolvedConfig ProviderService::resolve(const Entry &entry,
                                        const QMap<QString, QString> &values) const
{
    ResolveContext context;
    context.environment = m_settings.environment;
    context.confirmed = m_confirmed.value(entry.config.name);
    context.stored = entry.stored;
    context.hasKeyStore = hasKeyStore();
    ResolvedConfig resolved = resolveConfig(*entry.kind, entry.config.name, values, context);
    // What this machine's Settings say, which no file, preset or row can: the schema has no such
    // field, so nobody else's word of it comes through.
    if (m_passthrough && canBeOpen(entry.kind->schema()))
        resolved.values.insert(QStringLiteral("passthrough_allowed"), QStringLiteral("true"));
    return resolved;
}

void ProviderService::start()
{
    QStringList kindNames;
    for (const auto &kind : std::as_const(m_kinds)) {
        kindNames << kind->schema().facts.kind;
        load(ConfigName(kindNames.last()), kind);
    }
    const QDir directory(m_settings.paths.sandboxes);
    const QStringList files =
        directory.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
    for (const QString &file : files) {
        const QString stem = file.chopped(5);
        const QString kindName = kindOfStem(stem, kindNames);
        if (kindName.isEmpty() || kindName == stem)
            continue;
        load(ConfigName(stem), kind(kindName));
    }
    m_scope.spawn(readKeys(m_scope.token()));
    for (const auto &[name, entry] : m_entries)
        m_scope.spawn(checkInBackground(ConfigName(name), m_scope.token()));
}

void ProviderService::stop()
{
    m_scope.requestStop();
}

Async<void> ProviderService::drained()
{
    co_await m_scope.drained();
    co_return Result<void>();
}

void ProviderService::load(const ConfigName &name,
                           const std::shared_ptr<const domain::ProviderKind> &kind)
{
    Entry &entry = m_entries[name.toString()];
    entry.kind = kind;
    entry.provider.reset();
    entry.broken.reset();
    const domain::ProviderSchema &schema = kind->schema();
    Result<ProviderConfig> config = readProviderConfig(m_settings.paths.sandboxes, name, schema);
    if (config) {
        entry.config = std::move(*config);
    } else {
        entry.broken = config.error();
        entry.config = ProviderConfig{name, schema.facts.kind, {}, true, {}};
        entry.config.path =
            QDir(m_settings.paths.sandboxes).filePath(name.toString() + QStringLiteral(".json"));
    }
    if (!entry.wasAsked)
        entry.stored.isKnown = entry.broken || !asksKeyStore(entry, entry.config.values);
    describe(entry);
}

namespace {

QString sentences(const domain::Error &error)
{
    return error.detail.isEmpty() ? error.message
                                  : error.message + QStringLiteral(". ") + error.detail;
}

//! The state of a config that cannot be used as it is.
void tellObstacle(ProviderView &view, const domain::Error &error)
{
    view.usable = false;
    view.state = ProviderState::NotSetUp;
    view.stateText = QStringLiteral("Not set up");
    view.stateDetail = sentences(error);
    if (error.kind == ErrorKind::Unauthorized) {
        view.state = ProviderState::NeedsKey;
        view.stateText = QStringLiteral("Needs an API key");
        view.stateDetail = error.detail;
    } else if (error.kind == ErrorKind::Forbidden) {
        view.stateText = QStringLiteral("Needs your confirmation");
    } else if (error.kind == ErrorKind::Unavailable) {
        view.state = ProviderState::Checking;
        view.stateText = QStringLiteral("Waiting for the key store");
    } else if (!error.detail.contains(QLatin1Char(' '))) {
        // The field's key, for forms.
        view.stateDetail = error.message;
    }
}

//! What a config file names is opened only as a web page, never as a program or a file.
QString webAddress(const QString &text, const QString &otherwise)
{
    const QUrl url(text, QUrl::StrictMode);
    const bool isWeb = url.isValid() && !url.host().isEmpty()
        && (url.scheme() == QLatin1String("https") || url.scheme() == QLatin1String("http"));
    return isWeb ? text : otherwise;
}

} // namespace

void ProviderService::describe(Entry &entry) const
{
    const domain::ProviderSchema &schema = entry.kind->schema();
    const ConfigName &name = entry.config.name;
    ProviderView &view = entry.view;
    view.config = name;
    view.kind = schema.facts.kind;
    view.label = name.toString() == view.kind ? schema.facts.label
                                              : schema.facts.label + QStringLiteral(" \u00b7 ")
            + name.toString().mid(view.kind.size() + 1);
    view.mark = schema.facts.mark;
    view.isolation = schema.facts.isolation;
    view.cost = schema.facts.cost;
    view.bestFor = schema.facts.bestFor;
    view.pauseKeeps = schema.facts.pauseKeeps;
    view.proof = schema.facts.proof;
    view.path = entry.config.path;
    view.saved = entry.config.exists;
    view.consoleUrl = schema.facts.consoleUrl;
    view.unconfirmedOrigins.clear();
    view.unconfirmedVariables.clear();
    if (entry.broken) {
        view.state = ProviderState::Broken;
        view.stateText = QStringLiteral("File is broken");
        view.stateDetail = sentences(*entry.broken);
        view.usable = false;
        return;
    }
    const ResolvedConfig resolved = resolve(entry, entry.config.values);
    view.summary = entry.kind->summary(resolved.values);
    view.consoleUrl =
        webAddress(resolved.values.value(QStringLiteral("console_url")), schema.facts.consoleUrl);
    view.unconfirmedOrigins = resolved.unconfirmedOrigins;
    view.unconfirmedVariables = resolved.unconfirmedVariables;
    if (canBeOpen(schema)
        && resolved.values.value(QStringLiteral("isolation")) == QLatin1String("none"))
        view.isolation = domain::noIsolationText();
    if (resolved.obstacle) {
        tellObstacle(view, *resolved.obstacle);
        return;
    }
    view.state = ProviderState::Checking;
    view.stateText = QStringLiteral("Checking\u2026");
    view.stateDetail.clear();
}

void ProviderService::changed(const ConfigName &config)
{
    const Entry *entry = find(config);
    if (!entry)
        return;
    load(config, entry->kind);
    publish(*find(config));
    Q_EMIT configChanged(config);
    if (!entry->stored.isKnown)
        m_scope.spawn(readKeys(m_scope.token()));
    m_scope.spawn(checkInBackground(config, m_scope.token()));
}

void ProviderService::publish(Entry &entry)
{
    m_bus.publish(ProviderChanged{entry.view});
}

ProviderService::Entry *ProviderService::find(const ConfigName &config)
{
    const auto found = m_entries.find(config.toString());
    return found == m_entries.end() ? nullptr : &found->second;
}

const ProviderService::Entry *ProviderService::find(const ConfigName &config) const
{
    const auto found = m_entries.find(config.toString());
    return found == m_entries.end() ? nullptr : &found->second;
}

QList<ProviderView> ProviderService::views() const
{
    // In the order of the registry, further configs of a kind after its first.
    QList<ProviderView> list;
    for (const auto &kind : m_kinds) {
        for (const auto &[name, entry] : m_entries) {
            if (entry.kind == kind)
                list << entry.view;
        }
    }
    return list;
}

std::optional<ProviderView> ProviderService::view(const ConfigName &config) const
{
    const Entry *entry = find(config);
    return entry ? std::optional(entry->view) : std::nullopt;
}

std::shared_ptr<const domain::ProviderKind> ProviderService::kind(const QString &id) const
{
    for (const auto &kind : m_kinds) {
        if (kind->schema().facts.kind == id)
            return kind;
    }
    return nullptr;
}

QList<ConfigName> ProviderService::configs() const
{
    QList<ConfigName> list;
    for (const auto &[name, entry] : m_entries) {
        if (!entry.broken)
            list << ConfigName(name);
    }
    return list;
}

std::unique_ptr<domain::Provider> ProviderService::make(const Entry &entry,
                                                        const ResolvedConfig &resolved) const
{
    domain::ProviderSettings settings;
    settings.name = entry.config.name;
    settings.values = resolved.values;
    settings.secrets = resolved.secrets;
    settings.confirmedOrigins = resolved.confirmedOrigins;
    return entry.kind->create(
        settings, m_installation,
        domain::ProviderPaths{m_settings.paths.data, m_settings.paths.runtime});
}

Result<ProviderService::Entry *> ProviderService::known(const ConfigName &config)
{
    Entry *entry = find(config);
    if (!entry) {
        QStringList names;
        for (const auto &[name, other] : m_entries)
            names << name;
        return failure(ErrorKind::NotFound,
                       QStringLiteral("There is no provider config \"%1\"").arg(config.toString()),
                       QStringLiteral("Known: %1").arg(names.join(QStringLiteral(", "))));
    }
    if (entry->broken)
        return failure(*entry->broken);
    return entry;
}

Result<std::shared_ptr<domain::Provider>> ProviderService::provider(const ConfigName &config)
{
    const Result<Entry *> found = known(config);
    if (!found)
        return failure(found.error());
    Entry &entry = **found;
    if (!entry.provider) {
        const Result<void> valid = validateValues(entry.kind->schema(), entry.config.values);
        if (!valid)
            return failure(valid.error());
        const ResolvedConfig resolved = resolve(entry, entry.config.values);
        if (resolved.obstacle)
            return failure(*resolved.obstacle);
        entry.provider = make(entry, resolved);
    }
    return entry.provider;
}

QMap<QString, QString> ProviderService::effective(const ConfigName &config) const
{
    const Entry *entry = find(config);
    if (!entry)
        return {};
    return resolve(*entry, entry->config.values).values;
}

QString ProviderService::label(const ConfigName &config,
                               const QMap<QString, QString> &overrides) const
{
    const Entry *entry = find(config);
    if (!entry)
        return config.toString();
    QMap<QString, QString> values = effective(config);
    values.insert(overrides);
    const QString summary = entry->kind->summary(values);
    const QString name = config.toString();
    return summary.isEmpty() ? name : name + QStringLiteral(" \u00b7 ") + summary;
}

async::Task<void> ProviderService::checkInBackground(ConfigName config, std::stop_token stop)
{
    const Result<std::shared_ptr<domain::Provider>> made = provider(config);
    Entry *entry = find(config);
    if (!made) {
        if (entry && !entry->broken) {
            tellObstacle(entry->view, made.error());
            publish(*entry);
        }
        co_return;
    }
    const std::shared_ptr<domain::Provider> checked = *made;
    const Result<domain::HealthReport> report = co_await checked->check({}, stop);
    entry = find(config);
    // Saved again meanwhile: that has its own check.
    if (!entry || entry->provider != checked || stop.stop_requested())
        co_return;
    ProviderView &view = entry->view;
    if (report && report->ok) {
        view.state = ProviderState::Ready;
        view.stateText = QStringLiteral("Ready");
        view.stateDetail = domain::redacted(report->summary);
        view.usable = true;
    } else {
        const domain::Error error =
            report ? report->error.value_or(domain::Error{}) : report.error();
        view.state = error.kind == ErrorKind::Unauthorized ? ProviderState::NeedsKey
                                                           : ProviderState::Unreachable;
        // It has one, or it would not have been asked.
        view.stateText = error.kind == ErrorKind::Unauthorized ? QStringLiteral("Key refused")
            : error.kind == ErrorKind::Unavailable             ? QStringLiteral("Unreachable")
                                                               : QStringLiteral("Not available");
        view.stateDetail = domain::redacted(sentences(error));
        view.usable = false;
    }
    publish(*entry);
}

Async<void> ProviderService::refresh(std::stop_token stop)
{
    co_await readKeys(stop);
    for (const auto &kind : std::as_const(m_kinds)) {
        for (const ConfigName &config : configs()) {
            const Entry *entry = find(config);
            if (entry && entry->kind == kind)
                co_await checkInBackground(config, stop);
        }
    }
    co_return Result<void>();
}

void ProviderService::noteReachable(const ConfigName &config,
                                    const std::optional<domain::Error> &error)
{
    Entry *entry = find(config);
    if (!entry || entry->broken)
        return;
    ProviderView &view = entry->view;
    const bool lost = error && error->kind == ErrorKind::Unavailable;
    if (lost && view.state == ProviderState::Ready) {
        view.state = ProviderState::Unreachable;
        view.stateText = QStringLiteral("Unreachable");
        view.stateDetail = domain::redacted(sentences(*error));
        view.usable = false;
        publish(*entry);
    } else if (!error && view.state == ProviderState::Unreachable) {
        m_scope.spawn(checkInBackground(config, m_scope.token()));
    }
}

} // namespace berth::application
