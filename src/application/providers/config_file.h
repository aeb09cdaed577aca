// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"
#include "domain/provider/schema.h"
#include "domain/result.h"

#include <QtCore/QMap>

#include <functional>
#include <optional>

namespace berth::application {

//! A provider config file as read. Values as in a text box; keys flat (see SchemaField::key).
struct ProviderConfig
{
    domain::ConfigName name;
    QString kind;
    QString path;
    bool exists = false;
    QMap<QString, QString> values;
};

//! "docker" of "docker" and "docker-gpu"; empty when the stem names no known kind.
QString kindOfStem(const QString &stem, const QStringList &kinds);

//! Reads <directory>/<name>.json. A missing file is a config that does not exist, no error.
//! InvalidInput says what is wrong with a broken one; it is left untouched.
domain::Result<ProviderConfig> readProviderConfig(const QString &directory,
                                                  const domain::ConfigName &name,
                                                  const domain::ProviderSchema &schema);

enum class SecretText {
    AsWritten,
    //! Keys are replaced by "\u2026"; references stay. For everything that leaves the Engine.
    Masked,
};

//! The text that saving \a values would write: what the file holds, changed keys replaced, an empty
//! value's key removed, unknown keys kept in their order. In a new file the fields that are not
//! advanced get their defaults.
domain::Result<QByteArray> renderProviderConfig(const ProviderConfig &config,
                                                const domain::ProviderSchema &schema,
                                                const QMap<QString, QString> &values,
                                                SecretText secrets = SecretText::AsWritten);

//! Atomically; 0600 for a new file and, with \a isPrivate, for one that is there.
domain::Result<void> writeProviderConfig(const ProviderConfig &config, const QByteArray &text,
                                         bool isPrivate = false);

//! A key itself, not a reference to one, stands in \a values.
bool holdsKey(const domain::ProviderSchema &schema, const QMap<QString, QString> &values);

using VariableLookup = std::function<std::optional<QString>(const QString &)>;

//! First problem of \a values by the schema, with the field's key in Error::detail. A key that is
//! not there is none: it may come from elsewhere.
domain::Result<void> validateValues(const domain::ProviderSchema &schema,
                                    const QMap<QString, QString> &values);

} // namespace berth::application
