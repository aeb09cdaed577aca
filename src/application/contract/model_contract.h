// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/health.h"
#include "domain/secret.h"

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <optional>

// Endpoints of language models, as Settings shows them.
namespace berth::application {

struct Nothing;
struct HealthView;

//! A place to begin with: "Ollama on this machine", "OpenAI", …
struct ModelPresetView
{
    //! "ollama"
    QString id;
    QString label;
    //! "openai", "anthropic", "anthropic-bearer"
    QString dialect;
    QString baseUrl;
    QString keyVariable;
    bool needsKey = false;
    //! One that answers on its usual port of this machine now; offered, never used unasked.
    bool found = false;
    bool operator==(const ModelPresetView &) const = default;
};

struct ModelEndpointView
{
    //! Names it in agents and threads; [a-z0-9][a-z0-9_-]{0,31}.
    QString name;
    QString preset;
    QString dialect;
    QString baseUrl;
    //! The model that is asked for; free text.
    QString model;
    //! What the server offers, as last heard.
    QStringList models;
    //! As in the file: a reference such as "${OPENAI_API_KEY}", or "…" for one that stands there.
    QString keyReference;
    //! "file", "key_store", "environment:OPENAI_API_KEY", "missing", "none"
    QString keyOrigin;
    //! "…7f3a"
    QString keyHint;
    //! 0: as the server says.
    qint64 contextTokens = 0;
    int maxTokens = 0;
    //! Per million tokens, as the user entered them.
    std::optional<double> inputPrice;
    std::optional<double> cachedPrice;
    std::optional<double> outputPrice;
    QString currency;
    //! The one for agents that name none.
    bool isDefault = false;
    //! "ready", "not_tested", "needs_key", "unreachable", "broken"
    QString state;
    QString stateText;
    QString stateDetail;
    bool operator==(const ModelEndpointView &) const = default;
};

struct ModelList
{
    QList<ModelEndpointView> endpoints;
    QList<ModelPresetView> presets;
    bool hasKeyStore = false;
    //! Why models.json could not be read; it is left as it is and nothing is saved.
    QString problem;
    bool operator==(const ModelList &) const = default;
};

struct ListModels
{
    using Reply = ModelList;
    static constexpr const char *kName = "model.list";
    //! Ask which servers answer on their usual ports of this machine, and what each endpoint
    //! offers.
    bool refresh = false;
};

//! Adds or changes one by its name; unknown keys in the file survive. The key is not changed here
//! except by keyReference, which must be a reference or empty.
struct SaveModel
{
    using Reply = ModelEndpointView;
    static constexpr const char *kName = "model.save";
    ModelEndpointView endpoint;
};

struct RemoveModel
{
    using Reply = Nothing;
    static constexpr const char *kName = "model.remove";
    QString name;
};

//! Puts a key into the key store, or with \a inFile into the 0600 file; empty: removes it.
struct StoreModelKey
{
    using Reply = ModelEndpointView;
    static constexpr const char *kName = "model.store_key";
    QString name;
    domain::Secret key;
    bool inFile = false;
};

//! Tries it as saved; each step comes as HealthStepDone with this command's request id.
struct TestModel
{
    using Reply = HealthView;
    static constexpr const char *kName = "model.test";
    QString name;
};

//! An endpoint was added, changed or removed: take the list again.
struct ModelsChanged
{
    static constexpr const char *kName = "models_changed";
    bool hasModel = false;
    bool operator==(const ModelsChanged &) const = default;
};

} // namespace berth::application
