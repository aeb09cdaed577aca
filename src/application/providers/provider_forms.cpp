// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ProviderService that shows, tries and saves settings.
#include "application/providers/provider_service.h"
#include "application/providers/references.h"

#include <QtCore/QElapsedTimer>

namespace berth::application {

using domain::Async;
using domain::ConfigName;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

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

FieldView fieldView(const domain::SchemaField &field, const QMap<QString, QString> &values,
                    const ValueOrigin &origin)
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
    view.environmentVariables = field.environmentVariables;
    view.value = values.value(field.key);
    // A key itself stays here.
    if (field.type == domain::FieldType::Secret && !isReference(view.value))
        view.value.clear();
    view.origin = origin.origin;
    view.hint = origin.hint;
    return view;
}

// The second net: a service's own words could repeat what it was sent.
domain::Error withoutKeys(domain::Error error)
{
    error.message = domain::redacted(error.message);
    error.detail = domain::redacted(error.detail);
    return error;
}

domain::HealthStep withoutKeys(domain::HealthStep step)
{
    step.name = domain::redacted(step.name);
    step.detail = domain::redacted(step.detail);
    return step;
}

} // namespace

ProviderForm ProviderService::formOf(const Entry &entry, const QMap<QString, QString> &values) const
{
    const domain::ProviderSchema &schema = entry.kind->schema();
    const ResolvedConfig resolved = resolve(entry, values);
    ProviderForm form;
    form.provider = entry.view;
    for (const domain::SchemaField &field : schema.fields)
        form.fields << fieldView(field, values, resolved.origins.value(field.key));
    for (const domain::SettingsExample &example : schema.examples)
        form.examples << FormExample{example.name, example.help, example.values};
    form.hasKeyStore = hasKeyStore();
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
            renderProviderConfig(entry->config, entry->kind->schema(), {}, SecretText::Masked);
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
    const ResolvedConfig resolved = resolve(*entry, changed.values);
    // What the user has to confirm or give stands in the way of using it, not of saving it.
    if (resolved.obstacle && resolved.obstacle->kind == ErrorKind::InvalidInput)
        return failure(*resolved.obstacle);
    if (const std::optional<QString> problem = entry->kind->problemWith(resolved.values))
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
        renderProviderConfig(entry->config, entry->kind->schema(), values, SecretText::Masked);
    if (!text)
        return failure(text.error());
    ProviderForm form = formOf(*entry, changed->values);
    const ResolvedConfig resolved = resolve(*entry, changed->values);
    form.provider.unconfirmedOrigins = resolved.unconfirmedOrigins;
    form.provider.unconfirmedVariables = resolved.unconfirmedVariables;
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
    const Result<void> written =
        writeProviderConfig(entry->config, *text, holdsKey(entry->kind->schema(), changed->values));
    if (!written)
        return failure(written.error());
    this->changed(config);
    return entry->view;
}

Async<HealthView> ProviderService::test(ConfigName config, QMap<QString, QString> values,
                                        domain::StepSink step, std::stop_token stop)
{
    const Entry *entry = nullptr;
    const Result<ProviderConfig> changed = withValues(config, values, &entry);
    if (!changed)
        co_return failure(changed.error());
    if (asksKeyStore(*entry, changed->values)) {
        const bool differs = co_await readKey(config, stop);
        if (differs)
            this->changed(config);
    }
    const ResolvedConfig resolved = resolve(*entry, changed->values);
    if (resolved.obstacle) {
        domain::Error obstacle = *resolved.obstacle;
        if (obstacle.kind == ErrorKind::Forbidden && changed->values != entry->config.values)
            obstacle.detail = QStringLiteral("Nothing was sent. Save the settings; then you are "
                                             "asked to confirm.");
        co_return failure(obstacle);
    }
    const std::unique_ptr<domain::Provider> provider = make(*entry, resolved);
    QElapsedTimer timer;
    timer.start();
    const domain::StepSink tell = [step](const domain::HealthStep &done) {
        if (step)
            step(withoutKeys(done));
    };
    const Result<domain::HealthReport> report = co_await provider->check(tell, stop);
    if (!report)
        co_return failure(withoutKeys(report.error()));
    HealthView view;
    view.ok = report->ok;
    view.summary = domain::redacted(report->summary);
    for (const domain::HealthStep &done : report->steps)
        view.steps << withoutKeys(done);
    if (report->error)
        view.error = withoutKeys(*report->error);
    view.durationMs = timer.elapsed();
    co_return view;
}

} // namespace berth::application
