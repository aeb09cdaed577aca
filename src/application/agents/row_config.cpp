// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agents/row_config.h"

#include "application/lifecycle/policy_store.h"
#include "application/providers/setting_json.h"

#include <nlohmann/json.hpp>

namespace berth::application {

using domain::ErrorKind;
using domain::failure;
using domain::Result;
using domain::SchemaField;
using domain::SettingValues;

namespace {

constexpr qsizetype kLargestRowConfig = 64 * 1024;
const QString kLifecycleKey = QStringLiteral("lifecycle");
const QString kWhyNot =
    QStringLiteral("Keys and addresses belong into the provider's own settings");

Result<SettingValues> lifecycleFrom(const SettingJson &block)
{
    if (!block.is_object())
        return failure(ErrorKind::InvalidInput, QStringLiteral("lifecycle is not a JSON object"));
    SettingValues values;
    for (const auto &[key, value] : block.items()) {
        const QString name = QString::fromStdString(key);
        const std::optional<QString> text = settingText({}, value);
        const QString path = kLifecycleKey + QLatin1Char('.') + name;
        domain::LifecycleOverride own;
        if (text)
            own = lifecycleOfSandbox({{path, *text}});
        // What does not fit counts there as not said; here it is a mistake.
        if (!text || !(own.start || own.stop || own.idleTimeoutMinutes)) {
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("%1 cannot be %2")
                               .arg(path, QString::fromStdString(value.dump()).left(80)),
                           QStringLiteral("start is ondemand or session, stop is idle or session, "
                                          "idle_timeout_minutes 0 to 10080."));
        }
        values.insert(path, *text);
    }
    return values;
}

} // namespace

Result<SettingValues> rowConfigFrom(const QString &json, const domain::ProviderSchema &schema)
{
    const QString text = json.trimmed();
    if (text.isEmpty())
        return SettingValues();
    if (text.size() > kLargestRowConfig)
        return failure(ErrorKind::InvalidInput, QStringLiteral("The config is larger than 64 KiB"));
    const SettingJson object = SettingJson::parse(text.toStdString(), nullptr, false);
    if (!object.is_object())
        return failure(ErrorKind::InvalidInput, QStringLiteral("The config is not a JSON object"));
    SettingValues values;
    SettingValues lifecycle;
    for (const auto &[key, value] : object.items()) {
        const QString name = QString::fromStdString(key);
        if (name == kLifecycleKey) {
            const Result<SettingValues> block = lifecycleFrom(value);
            if (!block)
                return failure(block.error());
            lifecycle = *block;
            continue;
        }
        if (value.is_null())
            continue;
        // What the schema does not have is refused by its name below.
        const SchemaField *field = schema.field(name);
        const std::optional<QString> setting = settingText(field ? *field : SchemaField(), value);
        if (!setting)
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("%1 has a value of the wrong type").arg(name));
        values.insert(name, *setting);
    }
    Result<SettingValues> row = domain::rowValues(schema, values, kWhyNot);
    if (!row)
        return row;
    if (const Result<void> checked = domain::checkValues(schema, *row); !checked)
        return failure(checked.error());
    row->insert(lifecycle);
    return row;
}

QString rowConfigText(const SettingValues &config, const domain::ProviderSchema &schema)
{
    SettingJson object = SettingJson::object();
    for (auto entry = config.begin(); entry != config.end(); ++entry) {
        const QString inner = entry.key().section(QLatin1Char('.'), 1);
        if (inner.isEmpty()) {
            const SchemaField *field = schema.field(entry.key());
            object[entry.key().toStdString()] =
                settingJson(field ? *field : SchemaField(), entry.value());
            continue;
        }
        bool isNumber = false;
        const int number = entry.value().toInt(&isNumber);
        SettingJson &block = object[entry.key().section(QLatin1Char('.'), 0, 0).toStdString()];
        block[inner.toStdString()] =
            isNumber ? SettingJson(number) : SettingJson(entry.value().toStdString());
    }
    return QString::fromStdString(
        object.dump(-1, ' ', false, SettingJson::error_handler_t::replace));
}

} // namespace berth::application
