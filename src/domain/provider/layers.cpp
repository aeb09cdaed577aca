// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/provider/layers.h"

namespace berth::domain {

Result<SettingValues> rowValues(const ProviderSchema &schema, const SettingValues &row,
                                const QString &why)
{
    SettingValues chosen;
    for (auto it = row.begin(); it != row.end(); ++it) {
        const SchemaField *known = schema.field(it.key());
        if (!known)
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("%1 sandboxes have no setting \"%2\"")
                               .arg(schema.facts.label, it.key()));
        if (known->scope == FieldScope::Connection)
            return failure(
                ErrorKind::InvalidInput,
                QStringLiteral("\"%1\" can be set in a provider config only").arg(it.key()), why);
        if (!it.value().trimmed().isEmpty())
            chosen.insert(it.key(), it.value());
    }
    return chosen;
}

Result<void> checkValues(const ProviderSchema &schema, const SettingValues &values)
{
    for (auto it = values.begin(); it != values.end(); ++it) {
        const SchemaField *known = schema.field(it.key());
        const std::optional<QString> problem =
            known ? validationProblem(*known, it.value()) : std::nullopt;
        if (problem)
            return failure(ErrorKind::InvalidInput, *problem);
    }
    return {};
}

QString settingValue(const SettingValues &values, const char *key)
{
    return values.value(QLatin1String(key)).trimmed();
}

Result<QString> oneOfTwoNames(const SettingValues &layer, const char *first, const char *second,
                              const QString &filledIn)
{
    const QString left = settingValue(layer, first);
    const QString right = settingValue(layer, second);
    if (!left.isEmpty() && !right.isEmpty() && left != right && left != filledIn)
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("%1 is %2, but %3 is %4")
                           .arg(QLatin1String(first), left, QLatin1String(second), right),
                       QStringLiteral("They are two names for one thing: keep one of them"));
    return right.isEmpty() ? left : right;
}

} // namespace berth::domain
