// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/providers/config_file.h"

#include "application/providers/references.h"
#include "application/providers/setting_json.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QRegularExpression>
#include <QtCore/QSaveFile>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace berth::application {

using domain::ErrorKind;
using domain::failure;
using domain::FieldType;
using domain::ProviderSchema;
using domain::Result;
using domain::SchemaField;
// Keeps the order of a file that a person wrote.
using Json = nlohmann::ordered_json;

namespace {

constexpr qint64 kLargestConfig = 1024 * 1024;

bool isCommon(const QString &key)
{
    static const QStringList keys = [] {
        QStringList list;
        for (const SchemaField &field : domain::commonFields())
            list << field.key;
        return list;
    }();
    return keys.contains(key);
}

Result<Json> parseFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return failure(ErrorKind::Storage, QStringLiteral("%1 cannot be read").arg(path),
                       file.errorString());
    }
    if (file.size() > kLargestConfig)
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("%1 is larger than 1 MiB").arg(path));
    const QByteArray text = file.readAll();
    Json json = Json::parse(text.begin(), text.end(), nullptr, false);
    if (json.is_discarded() || !json.is_object()) {
        return failure(ErrorKind::InvalidInput, QStringLiteral("%1 is not a JSON object").arg(path),
                       QStringLiteral("Mend it in an editor; Berth leaves it as it is."));
    }
    return json;
}

} // namespace

QString kindOfStem(const QString &stem, const QStringList &kinds)
{
    static const QRegularExpression pattern(
        QStringLiteral("^([a-z0-9]+)(-[a-z0-9][a-z0-9_-]{0,31})?$"));
    const QRegularExpressionMatch match = pattern.match(stem);
    return match.hasMatch() && kinds.contains(match.captured(1)) ? match.captured(1) : QString();
}

Result<ProviderConfig> readProviderConfig(const QString &directory, const domain::ConfigName &name,
                                          const ProviderSchema &schema)
{
    ProviderConfig config;
    config.name = name;
    config.kind = schema.facts.kind;
    config.path = QDir(directory).filePath(name.toString() + QStringLiteral(".json"));
    config.exists = QFile::exists(config.path);
    if (!config.exists)
        return config;

    const Result<Json> json = parseFile(config.path);
    if (!json)
        return failure(json.error());
    const std::string kind = config.kind.toStdString();
    const auto provider = json->find("provider");
    if (provider == json->end() || !provider->is_string() || provider->get<std::string>() != kind) {
        return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("%1 does not say \"provider\": \"%2\"").arg(config.path, config.kind),
            QStringLiteral("The file's name and its \"provider\" must agree."));
    }
    const auto section = json->find(kind);
    if (section != json->end() && !section->is_object()) {
        return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("\"%1\" in %2 must be an object").arg(config.kind, config.path));
    }
    for (const SchemaField &field : schema.fields) {
        const Json &from = isCommon(field.key) ? *json
            : section == json->end()           ? Json::object()
                                               : *section;
        const auto found = from.find(field.key.toStdString());
        if (found == from.end() || found->is_null())
            continue;
        const std::optional<QString> text = settingText(field, *found);
        if (!text) {
            return failure(
                ErrorKind::InvalidInput,
                QStringLiteral("\"%1\" in %2 has the wrong type").arg(field.key, config.path));
        }
        config.values.insert(field.key, *text);
    }
    return config;
}

Result<QByteArray> renderProviderConfig(const ProviderConfig &config, const ProviderSchema &schema,
                                        const QMap<QString, QString> &values, SecretText secrets)
{
    Json json = Json::object();
    const std::string kind = config.kind.toStdString();
    if (config.exists) {
        Result<Json> existing = parseFile(config.path);
        if (!existing)
            return failure(existing.error());
        json = std::move(*existing);
    } else {
        json["provider"] = kind;
    }
    if (!json.contains(kind) || !json[kind].is_object())
        json[kind] = Json::object();
    for (const SchemaField &field : schema.fields) {
        Json &into = isCommon(field.key) ? json : json[kind];
        const std::string key = field.key.toStdString();
        if (values.contains(field.key)) {
            const QString text = values.value(field.key);
            if (text.trimmed().isEmpty())
                into.erase(key);
            else
                into[key] = settingJson(field, text);
        } else if (!config.exists && !field.advanced && !field.defaultValue.isEmpty()) {
            into[key] = settingJson(field, field.defaultValue);
        }
        if (secrets == SecretText::Masked && field.type == FieldType::Secret && into.contains(key)
            && !(into[key].is_string()
                 && isReference(QString::fromStdString(into[key].get<std::string>()))))
            into[key] = "\u2026";
    }
    for (auto it = values.begin(); it != values.end(); ++it) {
        if (!schema.field(it.key())) {
            return failure(
                ErrorKind::InvalidInput,
                QStringLiteral("%1 has no setting \"%2\"").arg(schema.facts.label, it.key()));
        }
    }
    return QByteArray::fromStdString(json.dump(2, ' ', false, Json::error_handler_t::replace))
        + '\n';
}

Result<void> writeProviderConfig(const ProviderConfig &config, const QByteArray &text,
                                 bool isPrivate)
{
    QSaveFile file(config.path);
    const bool keepsMode = config.exists && !isPrivate;
    const bool written = file.open(QIODevice::WriteOnly)
        && (keepsMode || file.setPermissions(QFile::ReadOwner | QFile::WriteOwner))
        && file.write(text) == text.size() && file.commit();
    if (!written) {
        return failure(ErrorKind::Storage, QStringLiteral("%1 cannot be written").arg(config.path),
                       file.errorString());
    }
    return {};
}

bool holdsKey(const ProviderSchema &schema, const QMap<QString, QString> &values)
{
    return std::any_of(schema.fields.cbegin(), schema.fields.cend(), [&](const SchemaField &field) {
        const QString text = values.value(field.key);
        return field.type == FieldType::Secret && !text.trimmed().isEmpty() && !isReference(text);
    });
}

Result<void> validateValues(const ProviderSchema &schema, const QMap<QString, QString> &values)
{
    for (const SchemaField &field : schema.fields) {
        const QString text = values.value(field.key);
        if (field.type == FieldType::Secret && (text.trimmed().isEmpty() || isReference(text)))
            continue;
        const std::optional<QString> problem = domain::validationProblem(field, text);
        if (problem)
            return failure(ErrorKind::InvalidInput, *problem, field.key);
    }
    return {};
}

} // namespace berth::application
