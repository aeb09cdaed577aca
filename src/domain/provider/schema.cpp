// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/provider/schema.h"

#include <QtCore/QRegularExpression>

#include <algorithm>

namespace berth::domain {

const SchemaField *ProviderSchema::field(const QString &key) const
{
    const auto it = std::find_if(fields.begin(), fields.end(),
                                 [&key](const SchemaField &field) { return field.key == key; });
    return it == fields.end() ? nullptr : &*it;
}

std::optional<QString> validationProblem(const SchemaField &field, const QString &text)
{
    if (text.trimmed().isEmpty()) {
        if (field.required && field.defaultValue.isEmpty())
            return QStringLiteral("%1 is required").arg(field.label);
        return std::nullopt;
    }
    // What a variable holds is known only when it is used.
    if (field.expandable && text.contains(QLatin1String("${")))
        return std::nullopt;
    switch (field.type) {
    case FieldType::Integer: {
        bool isNumber = false;
        const qint64 number = text.trimmed().toLongLong(&isNumber);
        if (!isNumber)
            return QStringLiteral("%1 must be a whole number").arg(field.label);
        if (field.minimum && number < *field.minimum)
            return QStringLiteral("%1 must be at least %2").arg(field.label).arg(*field.minimum);
        if (field.maximum && number > *field.maximum)
            return QStringLiteral("%1 must be at most %2").arg(field.label).arg(*field.maximum);
        break;
    }
    case FieldType::Boolean:
        if (text != QLatin1String("true") && text != QLatin1String("false"))
            return QStringLiteral("%1 must be true or false").arg(field.label);
        break;
    case FieldType::Choice: {
        QStringList values;
        for (const auto &[value, shown] : field.choices)
            values << value;
        if (!values.contains(text))
            return QStringLiteral("%1 must be one of: %2")
                .arg(field.label, values.join(QStringLiteral(", ")));
        break;
    }
    case FieldType::Path:
        if (!text.startsWith(QLatin1Char('/')))
            return QStringLiteral("%1 must be an absolute path, such as /workspace")
                .arg(field.label);
        break;
    case FieldType::Text:
    case FieldType::StringList:
    case FieldType::Secret:
        break;
    }
    if (!field.pattern.isEmpty()) {
        const QRegularExpression pattern(QRegularExpression::anchoredPattern(field.pattern));
        if (!pattern.match(text).hasMatch())
            return QStringLiteral("%1: %2").arg(field.label, field.patternHint);
    }
    return std::nullopt;
}

QList<SchemaField> commonFields()
{
    SchemaField onExit;
    onExit.key = QStringLiteral("on_exit");
    onExit.type = FieldType::Choice;
    onExit.label = QStringLiteral("When Berth quits");
    onExit.defaultValue = QStringLiteral("pause");
    onExit.choices = {{QStringLiteral("pause"), QStringLiteral("Pause, keep everything")},
                      {QStringLiteral("destroy"), QStringLiteral("Destroy, clean slate")}};
    SchemaField init;
    init.key = QStringLiteral("init_commands");
    init.type = FieldType::StringList;
    init.label = QStringLiteral("Set-up commands");
    init.help =
        QStringLiteral("Run once in a new sandbox, one per line; a failing one stops the start");
    init.advanced = true;
    SchemaField console;
    console.key = QStringLiteral("console_url");
    console.label = QStringLiteral("Console address");
    console.help = QStringLiteral("Opened from Resources; empty: the provider's own");
    console.scope = FieldScope::Connection;
    console.advanced = true;
    return {onExit, init, console};
}

} // namespace berth::domain
