// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/model/model_factory.h"

#include <optional>

// models.json, and the places to begin with.
namespace berth::domain {

struct ModelPreset
{
    //! "kind" in the file: "ollama"
    QString id;
    QString label;
    QString dialect;
    QString baseUrl;
    //! Where its users keep the key; empty: it needs none.
    QString keyVariable;
    bool needsKey = false;
    //! Its usual address is on this machine.
    bool isLocal = false;
};

//! Local servers first; the last one, "custom", is any other server of the OpenAI dialect.
const QList<ModelPreset> &modelPresets();
//! nullptr for an id of a newer version.
const ModelPreset *modelPreset(const QString &id);

//! Per million tokens, as the user entered them.
struct ModelPrices
{
    std::optional<double> input;
    std::optional<double> cached;
    std::optional<double> output;
    //! "USD"
    QString currency;
    bool operator==(const ModelPrices &) const = default;
};

//! What \a usage cost by \a prices, where the endpoint did not say it itself; nullopt when a count
//! or a price for it is missing. Cached tokens without a price of their own cost as others.
std::optional<double> modelCost(const ModelUsage &usage, const ModelPrices &prices);

//! One endpoint as it stands in the file.
struct ModelEndpointEntry
{
    //! [a-z0-9][a-z0-9_-]{0,31}
    QString name;
    //! Id of a preset.
    QString preset;
    //! Empty in the file: the preset's; here always set.
    QString dialect;
    QString baseUrl;
    //! "${NAME}" or "${keyring:berth/model-<name>}"; empty: literalKey counts.
    QString keyReference;
    //! One that stands in the file itself.
    Secret literalKey;
    //! Free text.
    QString model;
    qint64 contextTokens = 0;
    int maxTokens = 0;
    //! See ModelEndpointSettings; likewise the seconds below, of which 0 is the default.
    QString maxTokensField;
    QString proxy;
    QString caFile;
    int firstEventSeconds = 0;
    int idleSeconds = 0;
    ModelPrices prices;
    //! A JSON object with the keys that this version does not know; they are written back.
    QByteArray unknown;
    bool operator==(const ModelEndpointEntry &) const = default;
};

struct ModelEndpointFile
{
    QList<ModelEndpointEntry> endpoints;
    //! The one for agents that name none; empty, or of no endpoint: the first.
    QString defaultName;
    //! As in ModelEndpointEntry.
    QByteArray unknown;
    bool operator==(const ModelEndpointFile &) const = default;
};

inline constexpr int kModelFileVersion = 1;

//! Empty bytes are an empty file. InvalidInput with the place in the detail; Unsupported for a
//! schema_version that is newer.
Result<ModelEndpointFile> parseModelEndpoints(const QByteArray &bytes);
//! As text for people, keys in a fixed order; holds literalKey, so it is for a file of mode 0600.
QByteArray serialiseModelEndpoints(const ModelEndpointFile &file);

//! InvalidInput, with the field in the detail, unless \a entry can be saved.
Result<void> checkModelEndpoint(const ModelEndpointEntry &entry);
//! "${keyring:berth/model-<name>}"
QString modelKeyringReference(const QString &name);
//! \a text is one reference and nothing else.
bool isModelKeyReference(const QString &text);
//! With \a key, which is that of the reference or the literal one.
ModelEndpointSettings modelEndpointSettings(const ModelEndpointEntry &entry, const Secret &key);

} // namespace berth::domain
