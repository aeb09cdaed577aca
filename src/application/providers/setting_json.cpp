// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/providers/setting_json.h"

#include <nlohmann/json.hpp>

namespace berth::application {

using domain::FieldType;
using domain::SchemaField;

std::optional<QString> settingText(const SchemaField &field, const SettingJson &value)
{
    if (value.is_string())
        return QString::fromStdString(value.get<std::string>());
    if (value.is_number_integer())
        return QString::number(value.get<std::int64_t>());
    if (value.is_boolean())
        return value.get<bool>() ? QStringLiteral("true") : QStringLiteral("false");
    if (value.is_array() && field.type == FieldType::StringList) {
        QStringList lines;
        for (const SettingJson &entry : value) {
            if (!entry.is_string())
                return std::nullopt;
            lines << QString::fromStdString(entry.get<std::string>());
        }
        return lines.join(QLatin1Char('\n'));
    }
    return std::nullopt;
}

SettingJson settingJson(const SchemaField &field, const QString &text)
{
    switch (field.type) {
    case FieldType::Integer: {
        bool isNumber = false;
        const qint64 number = text.trimmed().toLongLong(&isNumber);
        if (isNumber)
            return SettingJson(static_cast<std::int64_t>(number));
        break;
    }
    case FieldType::Boolean:
        return SettingJson(text == QLatin1String("true"));
    case FieldType::StringList: {
        SettingJson list = SettingJson::array();
        for (const QString &line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            list.push_back(line.toStdString());
        return list;
    }
    case FieldType::Text:
    case FieldType::Path:
    case FieldType::Choice:
    case FieldType::Secret:
        break;
    }
    return SettingJson(text.toStdString());
}

} // namespace berth::application
