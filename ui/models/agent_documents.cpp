// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/agent_documents.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace berth::ui {

using application::FieldView;

namespace {

// Keeps the order that a person wrote.
using DocumentJson = nlohmann::ordered_json;

constexpr const char *kAutonomy = "autonomy_level";
constexpr const char *kAccess = "access";
constexpr const char *kUnattended = "on_unattended";
constexpr const char *kRequire = "require_approval_for";
constexpr const char *kToken = "access_token";
constexpr const char *kTokenSet = "access_token_set";
constexpr int kDeepest = 32;
constexpr qsizetype kSummaryKeys = 3;

DocumentJson objectFrom(const QString &text)
{
    bool tooDeep = false;
    const std::string bytes = text.toStdString();
    DocumentJson json = DocumentJson::parse(
        bytes.cbegin(), bytes.cend(),
        [&tooDeep](int depth, DocumentJson::parse_event_t, DocumentJson &) {
            tooDeep = tooDeep || depth > kDeepest;
            return !tooDeep;
        },
        false);
    return tooDeep || !json.is_object() ? DocumentJson(DocumentJson::value_t::discarded) : json;
}

QString dumped(const DocumentJson &json, int indent)
{
    return QString::fromStdString(
        json.dump(indent, ' ', false, DocumentJson::error_handler_t::replace));
}

QString stringAt(const DocumentJson &object, const char *key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string()
        ? QString::fromStdString(found->get<std::string>())
        : QString();
}

//! As in a text box: an array has one line per entry.
QString boxText(const DocumentJson &value)
{
    if (value.is_string())
        return QString::fromStdString(value.get<std::string>());
    if (value.is_null())
        return {};
    if (!value.is_array())
        return dumped(value, -1);
    QStringList lines;
    for (const auto &entry : value)
        lines.append(boxText(entry));
    return lines.join(QLatin1Char('\n'));
}

DocumentJson typed(const FieldView &field, const QString &text)
{
    if (field.type == QLatin1String("boolean"))
        return text == QLatin1String("true");
    if (field.type == QLatin1String("integer")) {
        bool isNumber = false;
        const qint64 number = text.toLongLong(&isNumber);
        if (isNumber)
            return number;
    }
    if (field.type == QLatin1String("string_list")) {
        DocumentJson list = DocumentJson::array();
        for (const QString &line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            list.push_back(line.toStdString());
        return list;
    }
    return text.toStdString();
}

} // namespace

std::optional<SecurityFields> securityFieldsOf(const QString &document)
{
    const DocumentJson json = objectFrom(document);
    if (!json.is_object())
        return std::nullopt;
    SecurityFields fields{
        stringAt(json, kAutonomy), stringAt(json, kAccess), stringAt(json, kUnattended), {}};
    if (const auto names = json.find(kRequire); names != json.end() && names->is_array()) {
        for (const auto &name : *names) {
            if (name.is_string())
                fields.requireApprovalFor.append(QString::fromStdString(name.get<std::string>()));
        }
    }
    return fields;
}

QString withSecurityFields(const QString &document, const SecurityFields &fields,
                           const std::optional<QString> &token)
{
    DocumentJson json = objectFrom(document);
    if (!json.is_object())
        json = DocumentJson::object();
    const auto put = [&json](const char *key, const QString &value) {
        if (!value.isEmpty())
            json[key] = value.toStdString();
    };
    put(kAutonomy, fields.autonomy);
    put(kAccess, fields.access);
    put(kUnattended, fields.unattended);
    DocumentJson names = DocumentJson::array();
    for (const QString &name : fields.requireApprovalFor)
        names.push_back(name.toStdString());
    json[kRequire] = names;
    json.erase(kTokenSet);
    if (token && token->isEmpty())
        json[kToken] = nullptr;
    else if (token)
        json[kToken] = token->toStdString();
    return dumped(json, -1);
}

QString prettyDocument(const QString &document)
{
    DocumentJson json = objectFrom(document);
    if (!json.is_object())
        return document;
    json.erase(kTokenSet);
    return dumped(json, 2);
}

bool isJsonObject(const QString &text)
{
    return objectFrom(text).is_object();
}

QMap<QString, QString> configValues(const QString &config)
{
    QMap<QString, QString> values;
    const DocumentJson json = objectFrom(config);
    if (!json.is_object())
        return values;
    for (const auto &[key, value] : json.items())
        values.insert(QString::fromStdString(key), boxText(value));
    return values;
}

QString withConfigValues(const QString &config, const QList<FieldView> &fields,
                         const QMap<QString, QString> &values)
{
    DocumentJson json = objectFrom(config);
    if (!json.is_object())
        json = DocumentJson::object();
    for (const FieldView &field : fields) {
        const std::string key = field.key.toStdString();
        const QString value = values.value(field.key).trimmed();
        if (value.isEmpty())
            json.erase(key);
        else
            json[key] = typed(field, value);
    }
    return dumped(json, -1);
}

QList<FieldView> rowFields(const QList<FieldView> &fields)
{
    // What widens a sandbox, or says where its provider is, belongs to the provider's own file.
    static const QStringList kOwn{QStringLiteral("hardened"),    QStringLiteral("workspace"),
                                  QStringLiteral("isolation"),   QStringLiteral("console_url"),
                                  QStringLiteral("docker_host"), QStringLiteral("api_url"),
                                  QStringLiteral("proxy"),       QStringLiteral("ca_file")};
    QList<FieldView> list;
    std::copy_if(fields.cbegin(), fields.cend(), std::back_inserter(list),
                 [](const FieldView &field) {
                     return field.type != QLatin1String("secret")
                         && field.environmentVariables.isEmpty() && !kOwn.contains(field.key);
                 });
    for (FieldView &field : list) {
        // What the provider's file says holds where the row says nothing.
        if (!field.value.isEmpty())
            field.defaultValue = field.value;
        field.value.clear();
        field.required = false;
    }
    return list;
}

QString configSummary(const QString &config)
{
    static const QStringList kSpeaking{QStringLiteral("image"), QStringLiteral("template"),
                                       QStringLiteral("snapshot"), QStringLiteral("image_id")};
    QStringList parts;
    const QMap<QString, QString> values = configValues(config);
    for (auto it = values.cbegin(); it != values.cend() && parts.size() < kSummaryKeys; ++it) {
        const QString key = it.key().section(QLatin1Char('.'), -1);
        const QString value = QString(it.value()).replace(QLatin1Char('\n'), QLatin1String("; "));
        // What it is made from speaks for itself.
        parts.append(kSpeaking.contains(key) ? value : QStringLiteral("%1 %2").arg(key, value));
    }
    if (values.size() > kSummaryKeys)
        parts.append(QStringLiteral("…"));
    return parts.join(QStringLiteral(" · "));
}

} // namespace berth::ui
