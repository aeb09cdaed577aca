// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/provider/schema_fields.h"

namespace berth::domain {

SchemaField schemaField(const char *key, FieldType type, const char *label, const char *help)
{
    SchemaField made;
    made.key = QLatin1String(key);
    made.type = type;
    made.label = QString::fromUtf8(label);
    made.help = QString::fromUtf8(help);
    return made;
}

SchemaField connectionField(const char *key, FieldType type, const char *label, const char *help)
{
    SchemaField made = schemaField(key, type, label, help);
    made.scope = FieldScope::Connection;
    made.expandable = type != FieldType::Boolean;
    return made;
}

SchemaField advancedConnectionField(const char *key, FieldType type, const char *label,
                                    const char *help)
{
    SchemaField made = connectionField(key, type, label, help);
    made.advanced = true;
    return made;
}

SchemaField numberField(const char *key, const char *label, const char *help, qint64 least,
                        qint64 most, const char *unit)
{
    SchemaField made = schemaField(key, FieldType::Integer, label, help);
    made.minimum = least;
    made.maximum = most;
    made.unit = QLatin1String(unit);
    made.advanced = true;
    return made;
}

} // namespace berth::domain
