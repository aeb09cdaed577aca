// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/providers/config_file.h"
#include "domain/provider/provider.h"
#include "domain/provider/trust_store.h"

namespace berth::application {

//! What the key store has for a config, as far as is known.
struct StoredKey
{
    //! It was not asked, or has answered.
    bool isKnown = true;
    std::optional<domain::Secret> key;
    //! Why it did not answer with a key or with having none.
    std::optional<domain::Error> error;
    bool operator==(const StoredKey &) const = default;
};

//! Where a field's value comes from, as in FieldView.
struct ValueOrigin
{
    QString origin;
    QString hint;
};

//! What stands around a config.
struct ResolveContext
{
    VariableLookup environment;
    domain::Confirmations confirmed;
    StoredKey stored;
    bool hasKeyStore = false;
};

//! What a config's values come to, and what stands in the way of using them.
struct ResolvedConfig
{
    //! Without keys; defaults filled in, variables expanded as far as they may be.
    QMap<QString, QString> values;
    QMap<QString, domain::Secret> secrets;
    //! Of every field.
    QMap<QString, ValueOrigin> origins;
    //! Those of the present values, for ProviderSettings.
    QStringList confirmedOrigins;
    QStringList unconfirmedOrigins;
    QStringList unconfirmedVariables;
    //! InvalidInput: something is wrong with the values; Forbidden: the user has not confirmed;
    //! Unavailable: the key store has not answered yet; Unauthorized: a key is missing.
    std::optional<domain::Error> obstacle;
};

//! Nothing that is not confirmed is expanded, and with an obstacle nothing may be sent.
ResolvedConfig resolveConfig(const domain::ProviderKind &kind, const domain::ConfigName &name,
                             const QMap<QString, QString> &values, const ResolveContext &context);

//! The field whose key is in the key store; null for a kind that needs no key.
const domain::SchemaField *keyField(const domain::ProviderSchema &schema);
//! The key store's answer decides which key it is.
bool asksKeyStore(const domain::ProviderSchema &schema, const QMap<QString, QString> &values,
                  const VariableLookup &environment);
//! https, or http to this machine, so that no key goes over a network in the clear.
bool isSafeOrigin(const QString &origin);

} // namespace berth::application
