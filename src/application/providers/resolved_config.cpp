// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/providers/resolved_config.h"

#include "application/providers/references.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QUrl>

#include <algorithm>

namespace berth::application {

using domain::ConfigName;
using domain::Error;
using domain::ErrorKind;
using domain::FieldScope;
using domain::FieldType;
using domain::ProviderSchema;
using domain::SchemaField;
using domain::Secret;

namespace {

//! The first variable of \a field that is set.
std::optional<std::pair<QString, QString>> ownVariable(const SchemaField &field,
                                                       const VariableLookup &environment)
{
    for (const QString &name : field.environmentVariables) {
        const QString value = environment(name).value_or(QString()).trimmed();
        if (!value.isEmpty())
            return std::pair(name, value);
    }
    return std::nullopt;
}

QString environmentOrigin(const QString &name)
{
    return QStringLiteral("environment:") + name;
}

VariableLookup lookupFor(const SchemaField &field, const ResolveContext &context)
{
    return [&field, &context](const QString &name) -> std::optional<QString> {
        if (!field.environmentVariables.contains(name)
            && !context.confirmed.variables.contains(name))
            return std::nullopt;
        return context.environment(name);
    };
}

struct FoundKey
{
    Secret key;
    QString origin;
};

//! The order: what the file says, the key store's entry of this config, the field's variables.
FoundKey findKey(const SchemaField &field, bool hasEntry, const QString &text,
                 const ResolveContext &context)
{
    const std::optional<Secret> &stored = context.stored.key;
    if (namesKeyring(text)) {
        if (stored)
            return {*stored, QStringLiteral("key_store")};
    } else if (!text.trimmed().isEmpty()) {
        const std::optional<QString> value = expanded(text, lookupFor(field, context));
        if (value && !value->trimmed().isEmpty()) {
            const QStringList names = variablesIn(text);
            return {Secret(value->trimmed().toUtf8()),
                    isReference(text) && !names.isEmpty() ? environmentOrigin(names.constFirst())
                                                          : QStringLiteral("file")};
        }
    }
    if (hasEntry && stored)
        return {*stored, QStringLiteral("key_store")};
    if (const auto variable = ownVariable(field, context.environment))
        return {Secret(variable->second.toUtf8()), environmentOrigin(variable->first)};
    return {{}, QStringLiteral("missing")};
}

void resolveValue(const SchemaField &field, bool kindHasKeys, const QString &text,
                  const ResolveContext &context, ResolvedConfig &into)
{
    QString value = text;
    QString origin = QStringLiteral("file");
    if (isExpandable(field))
        value = expanded(text, lookupFor(field, context)).value_or(QString());
    if (value.trimmed().isEmpty() && kindHasKeys && field.scope == FieldScope::Connection) {
        // The variables that the service's own tools know: another host of theirs.
        if (const auto variable = ownVariable(field, context.environment)) {
            value = variable->second;
            origin = environmentOrigin(variable->first);
        }
    }
    if (value.trimmed().isEmpty()) {
        value = field.defaultValue;
        // What the file names is shown as the file's, also while it comes to nothing.
        if (text.isEmpty())
            origin = QStringLiteral("default");
    }
    if (!value.isEmpty())
        into.values.insert(field.key, value);
    into.origins.insert(field.key, {origin, {}});
}

QString quotedList(const QStringList &names)
{
    return names.join(QStringLiteral(", "));
}

Error missingKey(const ProviderSchema &schema, const SchemaField &field,
                 const ResolveContext &context)
{
    QString set = field.environmentVariables.join(QStringLiteral(" or "));
    if (!set.isEmpty())
        set =
            QStringLiteral("Set %1%2 or ")
                .arg(set, field.environmentVariables.size() > 1 ? QStringLiteral(",") : QString());
    const QString give = context.hasKeyStore ? QStringLiteral("store one in Settings")
                                             : QStringLiteral("give one in Settings");
    QString detail = set + (set.isEmpty() ? give.left(1).toUpper() + give.mid(1) : give);
    if (context.stored.error)
        detail += QStringLiteral(". ") + context.stored.error->message;
    return {ErrorKind::Unauthorized,
            QStringLiteral("%1 needs a key").arg(schema.facts.label),
            detail,
            {},
            {}};
}

Error unconfirmed(const ConfigName &name, const ResolvedConfig &resolved)
{
    QStringList asks;
    if (!resolved.unconfirmedOrigins.isEmpty())
        asks << QStringLiteral("its key would go to %1")
                    .arg(quotedList(resolved.unconfirmedOrigins));
    if (!resolved.unconfirmedVariables.isEmpty())
        asks << QStringLiteral("it would read %1 from the environment")
                    .arg(quotedList(resolved.unconfirmedVariables));
    return {ErrorKind::Forbidden,
            QStringLiteral("%1 waits for your confirmation: %2")
                .arg(name.toString(), asks.join(QStringLiteral(", and "))),
            QStringLiteral("Nothing was sent. Confirm it in Settings or by `berth-cli provider "
                           "trust %1`.")
                .arg(name.toString()),
            {},
            {}};
}

Error unsafe(const QString &origin)
{
    return {ErrorKind::InvalidInput,
            QStringLiteral("A key is not sent to %1").arg(origin),
            QStringLiteral("Use https; http is for this machine only (localhost)."),
            {},
            {}};
}

} // namespace

const SchemaField *keyField(const ProviderSchema &schema)
{
    const auto found =
        std::find_if(schema.fields.cbegin(), schema.fields.cend(),
                     [](const SchemaField &field) { return field.type == FieldType::Secret; });
    return found == schema.fields.cend() ? nullptr : &*found;
}

bool asksKeyStore(const ProviderSchema &schema, const QMap<QString, QString> &values,
                  const VariableLookup &environment)
{
    for (const SchemaField &field : schema.fields) {
        if (field.type == FieldType::Secret && namesKeyring(values.value(field.key)))
            return true;
    }
    const SchemaField *key = keyField(schema);
    if (!key)
        return false;
    const QString text = values.value(key->key);
    return text.trimmed().isEmpty() || !expanded(text, environment);
}

bool isSafeOrigin(const QString &origin)
{
    static const QRegularExpression loopback(
        QStringLiteral("^(localhost|.+\\.localhost|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|::1)$"));
    const QUrl url(origin, QUrl::StrictMode);
    if (!url.isValid() || url.host().isEmpty() || !url.userInfo().isEmpty())
        return false;
    if (url.scheme() == QLatin1String("https"))
        return true;
    return url.scheme() == QLatin1String("http") && loopback.match(url.host()).hasMatch();
}

ResolvedConfig resolveConfig(const domain::ProviderKind &kind, const ConfigName &name,
                             const QMap<QString, QString> &values, const ResolveContext &context)
{
    const ProviderSchema &schema = kind.schema();
    const SchemaField *primary = keyField(schema);
    ResolvedConfig resolved;
    std::optional<Error> missing;
    for (const SchemaField &field : schema.fields) {
        const QString text = values.value(field.key);
        if (isExpandable(field)) {
            for (const QString &variable : variablesIn(text)) {
                if (!field.environmentVariables.contains(variable)
                    && !context.confirmed.variables.contains(variable)
                    && !resolved.unconfirmedVariables.contains(variable))
                    resolved.unconfirmedVariables << variable;
            }
        }
        if (field.type != FieldType::Secret) {
            resolveValue(field, primary != nullptr, text, context, resolved);
            continue;
        }
        const FoundKey found = findKey(field, &field == primary, text, context);
        resolved.origins.insert(field.key,
                                {found.origin, found.key.isEmpty() ? QString() : found.key.hint()});
        if (!found.key.isEmpty())
            resolved.secrets.insert(field.key, found.key);
        else if ((field.required || &field == primary) && !missing)
            // Not by the schema alone: the file need not name what the environment has.
            missing = missingKey(schema, field, context);
    }

    QStringList unsafeOrigins;
    for (const domain::SecretOrigin &place : kind.secretOrigins(resolved.values)) {
        if (!isSafeOrigin(place.origin))
            unsafeOrigins << place.origin;
        else if (context.confirmed.origins.contains(place.origin))
            resolved.confirmedOrigins << place.origin;
        else if (!place.isKnown && !resolved.unconfirmedOrigins.contains(place.origin))
            resolved.unconfirmedOrigins << place.origin;
    }
    if (const auto fits = checkReferences(schema, name, values); !fits)
        resolved.obstacle = fits.error();
    else if (!unsafeOrigins.isEmpty())
        resolved.obstacle = unsafe(unsafeOrigins.constFirst());
    else if (!resolved.unconfirmedOrigins.isEmpty() || !resolved.unconfirmedVariables.isEmpty())
        resolved.obstacle = unconfirmed(name, resolved);
    else if (!context.stored.isKnown)
        resolved.obstacle = Error{ErrorKind::Unavailable,
                                  QStringLiteral("The desktop's key store has not answered yet"),
                                  QStringLiteral("Unlock it when it asks, then try again."),
                                  {},
                                  {}};
    else if (missing)
        resolved.obstacle = missing;
    return resolved;
}

} // namespace berth::application
