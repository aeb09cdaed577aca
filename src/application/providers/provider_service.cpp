// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/providers/provider_service.h"

#include "domain/log.h"
#include "domain/provider/isolation.h"

#include <QtCore/QDir>
#include <QtCore/QElapsedTimer>

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
        if (!canBeOpen(entry.kind->schema()))
            continue;
        const ConfigName config(name);
        load(config, entry.kind);
        publish(entry);
        Q_EMIT configChanged(config);
        m_scope.spawn(checkInBackground(config, m_scope.token()));
    }
}

//! With what this machine's Settings say, which no file, preset or row can: the schema has no such
//! field, so nobody else's word of it comes through.
QMap<QString, QString> ProviderService::allowedValues(const Entry &entry,
                                                      const QMap<QString, QString> &values) const
{
    QMap<QString, QString> all =
        effectiveValues(entry.kind->schema(), values, m_settings.environment);
    if (m_passthrough && canBeOpen(entry.kind->schema()))
        all.insert(QStringLiteral("passthrough_allowed"), QStringLiteral("true"));
    return all;
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
    view.path = entry.config.path;
    view.saved = entry.config.exists;
    if (entry.broken) {
        view.state = ProviderState::Broken;
        view.stateText = QStringLiteral("File is broken");
        view.stateDetail = entry.broken->message + QStringLiteral(". ") + entry.broken->detail;
        view.usable = false;
    } else {
        const QMap<QString, QString> values =
            effectiveValues(schema, entry.config.values, m_settings.environment);
        view.summary = kind->summary(values);
        if (canBeOpen(schema) && values.value(QStringLiteral("isolation")) == QLatin1String("none"))
            view.isolation = domain::noIsolationText();
        view.state = ProviderState::Checking;
        view.stateText = QStringLiteral("Checking\u2026");
        view.stateDetail.clear();
    }
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
                                                        const QMap<QString, QString> &values) const
{
    domain::ProviderSettings settings;
    settings.name = entry.config.name;
    settings.values = allowedValues(entry, values);
    return entry.kind->create(
        settings, m_installation,
        domain::ProviderPaths{m_settings.paths.data, m_settings.paths.runtime});
}

Result<std::shared_ptr<domain::Provider>> ProviderService::provider(const ConfigName &config)
{
    Entry *entry = find(config);
    if (!entry) {
        QStringList names;
        for (const auto &[name, known] : m_entries)
            names << name;
        return failure(ErrorKind::NotFound,
                       QStringLiteral("There is no provider config \"%1\"").arg(config.toString()),
                       QStringLiteral("Known: %1").arg(names.join(QStringLiteral(", "))));
    }
    if (entry->broken)
        return failure(*entry->broken);
    if (!entry->provider) {
        const Result<void> valid = validateValues(entry->kind->schema(), entry->config.values);
        if (!valid)
            return failure(valid.error());
        entry->provider = make(*entry, entry->config.values);
    }
    return entry->provider;
}

QMap<QString, QString> ProviderService::effective(const ConfigName &config) const
{
    const Entry *entry = find(config);
    if (!entry)
        return {};
    return effectiveValues(entry->kind->schema(), entry->config.values, m_settings.environment);
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

namespace {

QString typeName(domain::FieldType type)
{
    switch (type) {
    case domain::FieldType::Text:
        return QStringLiteral("text");
    case domain::FieldType::Path:
        return QStringLiteral("path");
    case domain::FieldType::Integer:
        return QStringLiteral("integer");
    case domain::FieldType::Boolean:
        return QStringLiteral("boolean");
    case domain::FieldType::Choice:
        return QStringLiteral("choice");
    case domain::FieldType::StringList:
        return QStringLiteral("string_list");
    case domain::FieldType::Secret:
        return QStringLiteral("secret");
    }
    return {};
}

FieldView fieldView(const domain::SchemaField &field, const QMap<QString, QString> &values)
{
    FieldView view;
    view.key = field.key;
    view.type = typeName(field.type);
    view.label = field.label;
    view.help = field.help;
    view.placeholder = field.placeholder;
    view.defaultValue = field.defaultValue;
    view.required = field.required;
    view.advanced = field.advanced;
    view.minimum = field.minimum;
    view.maximum = field.maximum;
    view.unit = field.unit;
    view.pattern = field.pattern;
    view.patternHint = field.patternHint;
    for (const auto &[value, shown] : field.choices)
        view.choices << QPair<QString, QString>(value, shown);
    view.value = values.value(field.key);
    view.origin = view.value.isEmpty() ? QStringLiteral("default") : QStringLiteral("file");
    return view;
}

} // namespace

ProviderForm ProviderService::formOf(const Entry &entry, const QMap<QString, QString> &values) const
{
    ProviderForm form;
    form.provider = entry.view;
    for (const domain::SchemaField &field : entry.kind->schema().fields)
        form.fields << fieldView(field, values);
    return form;
}

Result<ProviderForm> ProviderService::form(ConfigName config) const
{
    const Entry *entry = find(config);
    if (!entry)
        return failure(ErrorKind::NotFound,
                       QStringLiteral("There is no provider config \"%1\"").arg(config.toString()));
    ProviderForm form = formOf(*entry, entry->config.values);
    if (!entry->broken) {
        const Result<QByteArray> text =
            renderProviderConfig(entry->config, entry->kind->schema(), {});
        if (text)
            form.json = QString::fromUtf8(*text);
    }
    return form;
}

//! The config as it would be with \a values on top; checks everything that can be without asking
//! anybody.
Result<ProviderConfig> ProviderService::withValues(const ConfigName &config,
                                                   const QMap<QString, QString> &values,
                                                   const Entry **found) const
{
    const Entry *entry = find(config);
    if (!entry)
        return failure(ErrorKind::NotFound,
                       QStringLiteral("There is no provider config \"%1\"").arg(config.toString()));
    if (entry->broken)
        return failure(*entry->broken);
    *found = entry;
    ProviderConfig changed = entry->config;
    for (auto it = values.begin(); it != values.end(); ++it) {
        if (!entry->kind->schema().field(it.key())) {
            return failure(
                ErrorKind::InvalidInput,
                QStringLiteral("%1 has no setting \"%2\"").arg(entry->view.label, it.key()),
                it.key());
        }
        changed.values.insert(it.key(), it.value());
    }
    const Result<void> valid = validateValues(entry->kind->schema(), changed.values);
    if (!valid)
        return failure(valid.error());
    const QMap<QString, QString> all = allowedValues(*entry, changed.values);
    if (const std::optional<QString> problem = entry->kind->problemWith(all))
        return failure(ErrorKind::InvalidInput, *problem);
    return changed;
}

Result<ProviderForm> ProviderService::preview(ConfigName config,
                                              QMap<QString, QString> values) const
{
    const Entry *entry = nullptr;
    const Result<ProviderConfig> changed = withValues(config, values, &entry);
    if (!changed)
        return failure(changed.error());
    const Result<QByteArray> text =
        renderProviderConfig(entry->config, entry->kind->schema(), values);
    if (!text)
        return failure(text.error());
    ProviderForm form = formOf(*entry, changed->values);
    form.json = QString::fromUtf8(*text);
    return form;
}

Result<ProviderView> ProviderService::save(ConfigName config, QMap<QString, QString> values)
{
    const Entry *entry = nullptr;
    const Result<ProviderConfig> changed = withValues(config, values, &entry);
    if (!changed)
        return failure(changed.error());
    const Result<QByteArray> text =
        renderProviderConfig(entry->config, entry->kind->schema(), values);
    if (!text)
        return failure(text.error());
    const Result<void> written = writeProviderConfig(entry->config, *text);
    if (!written)
        return failure(written.error());
    load(config, entry->kind);
    Entry *saved = find(config);
    publish(*saved);
    Q_EMIT configChanged(config);
    m_scope.spawn(checkInBackground(config, m_scope.token()));
    return saved->view;
}

Async<HealthView> ProviderService::test(ConfigName config, QMap<QString, QString> values,
                                        domain::StepSink step, std::stop_token stop)
{
    const Entry *entry = nullptr;
    const Result<ProviderConfig> changed = withValues(config, values, &entry);
    if (!changed)
        co_return failure(changed.error());
    const std::unique_ptr<domain::Provider> provider = make(*entry, changed->values);
    QElapsedTimer timer;
    timer.start();
    const Result<domain::HealthReport> report = co_await provider->check(step, stop);
    if (!report)
        co_return failure(report.error());
    HealthView view;
    view.ok = report->ok;
    view.summary = report->summary;
    view.steps = report->steps;
    view.error = report->error;
    view.durationMs = timer.elapsed();
    co_return view;
}

async::Task<void> ProviderService::checkInBackground(ConfigName config, std::stop_token stop)
{
    const Result<std::shared_ptr<domain::Provider>> made = provider(config);
    Entry *entry = find(config);
    if (!made) {
        if (entry && !entry->broken) {
            entry->view.state = ProviderState::NotSetUp;
            entry->view.stateText = QStringLiteral("Not set up");
            entry->view.stateDetail = made.error().message;
            entry->view.usable = false;
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
        view.stateDetail = report->summary;
        view.usable = true;
    } else {
        const domain::Error error =
            report ? report->error.value_or(domain::Error{}) : report.error();
        view.state = error.kind == ErrorKind::Unauthorized ? ProviderState::NeedsKey
                                                           : ProviderState::Unreachable;
        view.stateText = error.kind == ErrorKind::Unauthorized ? QStringLiteral("Needs an API key")
            : error.kind == ErrorKind::Unavailable             ? QStringLiteral("Unreachable")
                                                               : QStringLiteral("Not available");
        view.stateDetail = error.detail.isEmpty()
            ? error.message
            : error.message + QStringLiteral(". ") + error.detail;
        view.usable = false;
    }
    publish(*entry);
}

Async<void> ProviderService::refresh(std::stop_token stop)
{
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
        view.stateDetail = error->detail.isEmpty()
            ? error->message
            : error->message + QStringLiteral(". ") + error->detail;
        view.usable = false;
        publish(*entry);
    } else if (!error && view.state == ProviderState::Unreachable) {
        m_scope.spawn(checkInBackground(config, m_scope.token()));
    }
}

} // namespace berth::application
