// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"
#include "domain/provider/schema.h"
#include "domain/result.h"

#include <QtCore/QMap>

#include <functional>
#include <optional>

// ${NAME} and ${keyring:berth/<config>} in the text of a provider config.
namespace berth::application {

//! The names in \a text, each once.
QStringList variablesIn(const QString &text);
//! "${keyring:berth/e2b}", which stands in the field of a config whose key is in the key store.
QString keyringReference(const domain::ConfigName &config);
bool namesKeyring(const QString &text);
//! \a text is one reference and nothing else, so that it is no secret itself.
bool isReference(const QString &text);
//! \a text with its variables put in, once; nullopt when one of them has no value.
std::optional<QString> expanded(
    const QString &text, const std::function<std::optional<QString>(const QString &)> &lookup);
//! ${NAME} is expanded in it.
bool isExpandable(const domain::SchemaField &field);

//! InvalidInput, with the field in Error::detail, for a key store reference where none may stand or
//! to another entry than the config's own.
domain::Result<void> checkReferences(const domain::ProviderSchema &schema,
                                     const domain::ConfigName &config,
                                     const QMap<QString, QString> &values);

} // namespace berth::application
