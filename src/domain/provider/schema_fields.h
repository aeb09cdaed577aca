// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/schema.h"

// How the schemas of providers are written down. Texts are UTF-8.
namespace berth::domain {

SchemaField schemaField(const char *key, FieldType type, const char *label, const char *help);

//! Of the provider config only, with ${NAME} expanded; a switch has nothing to expand.
SchemaField connectionField(const char *key, FieldType type, const char *label, const char *help);
SchemaField advancedConnectionField(const char *key, FieldType type, const char *label,
                                    const char *help);

//! A whole number among the advanced fields.
SchemaField numberField(const char *key, const char *label, const char *help, qint64 least,
                        qint64 most, const char *unit);

} // namespace berth::domain
