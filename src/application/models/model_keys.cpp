// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ModelService about keys: where they are, and where they may go.
#include "application/models/endpoint_keys.h"
#include "application/models/model_service.h"
#include "application/providers/references.h"
#include "domain/provider/trust_store.h"

#include <algorithm>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::ModelEndpointEntry;
using domain::Result;
using domain::Secret;

bool ModelService::isConfirmed(const ModelEndpointEntry &entry) const
{
    return !hasOwnKey(entry) || m_confirmed.value(entry.name).contains(originOf(entry.baseUrl));
}

Async<void> ModelService::confirm(ModelEndpointEntry entry)
{
    const QString origin = originOf(entry.baseUrl);
    if (m_confirmed.value(entry.name).contains(origin))
        co_return Result<void>();
    if (m_settings.trust) {
        const domain::Confirmations added{QStringList{origin}, {}};
        const Result<void> stored =
            co_await m_settings.trust->confirm(keyEntryOf(entry.name), added);
        if (!stored)
            co_return failure(stored.error());
    }
    m_confirmed[entry.name] << origin;
    co_return Result<void>();
}

bool ModelService::hasKeyStore() const
{
    return m_settings.keyStore && m_settings.keyStore->isPresent();
}

//! What the file says; else the key store; else the preset's own variable, at its own address only.
Async<ModelService::FoundKey> ModelService::keyOf(ModelEndpointEntry entry, std::stop_token stop)
{
    if (!isConfirmed(entry)) {
        FoundKey none;
        none.origin = QStringLiteral("missing");
        none.why = QStringLiteral("The key was given for %1. Give it again, so that it goes to %2")
                       .arg(m_confirmed.value(entry.name).join(QStringLiteral(", ")),
                            originOf(entry.baseUrl));
        co_return none;
    }
    if (!entry.literalKey.isEmpty())
        co_return FoundKey{entry.literalKey, QStringLiteral("file"), {}};
    const domain::ModelPreset *preset = domain::modelPreset(entry.preset);
    const bool fromStore = namesKeyring(entry.keyReference);
    if (!entry.keyReference.isEmpty() && !fromStore) {
        const std::optional<QString> value = expanded(entry.keyReference, m_settings.environment);
        if (!value || value->trimmed().isEmpty())
            co_return FoundKey{{}, QStringLiteral("missing"), {}};
        const QStringList names = variablesIn(entry.keyReference);
        co_return FoundKey{
            Secret(value->trimmed().toUtf8()), QStringLiteral("environment:") + names.value(0), {}};
    }
    if (fromStore) {
        if (!hasKeyStore())
            co_return FoundKey{{}, QStringLiteral("missing"), {}};
        const Result<std::optional<Secret>> read =
            co_await m_settings.keyStore->read(keyEntryOf(entry.name), kReadModelKey, stop);
        if (!read)
            co_return failure(read.error());
        if (!*read)
            co_return FoundKey{{}, QStringLiteral("missing"), {}};
        co_return FoundKey{**read, QStringLiteral("key_store"), {}};
    }
    if (preset && !preset->keyVariable.isEmpty()
        && originOf(preset->baseUrl) == originOf(entry.baseUrl)) {
        const QString value =
            m_settings.environment(preset->keyVariable).value_or(QString()).trimmed();
        if (!value.isEmpty())
            co_return FoundKey{
                Secret(value.toUtf8()), QStringLiteral("environment:") + preset->keyVariable, {}};
    }
    co_return FoundKey{
        {}, preset && preset->needsKey ? QStringLiteral("missing") : QStringLiteral("none"), {}};
}

Async<std::shared_ptr<domain::ModelClient>> ModelService::clientOf(ModelEndpointEntry entry,
                                                                   std::stop_token stop)
{
    if (!m_settings.models)
        co_return failure(noEndpoint());
    const std::shared_ptr<domain::ModelClient> known = m_known.value(entry.name).client;
    if (known)
        co_return known;
    const int generation = m_generation;
    const Result<FoundKey> key = co_await keyOf(entry, stop);
    if (!key)
        co_return failure(key.error());
    if (key->origin == QLatin1String("missing")) {
        co_return failure(ErrorKind::Unauthorized, QStringLiteral("%1 has no key").arg(entry.name),
                          !key->why.isEmpty() ? key->why + QLatin1Char('.')
                              : entry.keyReference.isEmpty()
                              ? QStringLiteral("Give it one in Settings, Models.")
                              : QStringLiteral("%1 has no value.").arg(entry.keyReference));
    }
    const std::shared_ptr<domain::ModelClient> client =
        m_settings.models->open(domain::modelEndpointSettings(entry, key->key));
    // Not one with a key that was replaced meanwhile.
    if (isStill(entry, generation))
        m_known[entry.name].client = client;
    co_return client;
}

Async<ModelEndpointView> ModelService::storeKey(StoreModelKey request, std::stop_token stop)
{
    const Result<void> read = co_await refresh();
    if (!read)
        co_return failure(read.error());
    const ModelEndpointEntry *found = find(request.name);
    if (!found)
        co_return failure(ErrorKind::NotFound,
                          QStringLiteral("There is no model \"%1\"").arg(request.name));
    ModelEndpointEntry entry = *found;
    const QString text = QString::fromUtf8(request.key.exposeForWire()).trimmed();
    const bool isPlain = std::all_of(text.cbegin(), text.cend(),
                                     [](QChar c) { return c.isPrint() && !c.isSpace(); });
    if (!isPlain || text.size() > 8 * 1024 || text.contains(QLatin1String("${")))
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("This is no key: it has spaces, or signs that no key has"),
                          QStringLiteral("key"));
    if (text.isEmpty()) {
        if (namesKeyring(entry.keyReference) && hasKeyStore()) {
            const Result<void> removed =
                co_await m_settings.keyStore->remove(keyEntryOf(entry.name), kStoreModelKey, stop);
            if (!removed)
                co_return failure(removed.error());
        }
        entry.keyReference.clear();
        entry.literalKey = {};
    } else if (request.inFile) {
        entry.keyReference.clear();
        entry.literalKey = Secret(text.toUtf8());
    } else {
        if (!hasKeyStore())
            co_return failure(ErrorKind::Unsupported,
                              QStringLiteral("There is no desktop key store here"),
                              QStringLiteral("Keep the key in %1, which only you can read, or name "
                                             "a variable of the environment.")
                                  .arg(m_path));
        const Result<void> stored = co_await m_settings.keyStore->store(
            keyEntryOf(entry.name), Secret(text.toUtf8()), kStoreModelKey, stop);
        if (!stored)
            co_return failure(stored.error());
        entry.keyReference = domain::modelKeyringReference(entry.name);
        entry.literalKey = {};
    }
    if (!text.isEmpty()) {
        const Result<void> confirmed = co_await confirm(entry);
        if (!confirmed)
            co_return failure(confirmed.error());
    }
    domain::ModelEndpointFile file = m_file;
    const auto place =
        std::find_if(file.endpoints.begin(), file.endpoints.end(),
                     [&entry](const ModelEndpointEntry &one) { return one.name == entry.name; });
    if (place != file.endpoints.end() && originOf(place->baseUrl) != originOf(entry.baseUrl))
        co_return failure(
            ErrorKind::Conflict,
            QStringLiteral("The address of \"%1\" was changed meanwhile").arg(entry.name),
            QStringLiteral("Give the key again."));
    if (place == file.endpoints.end())
        co_return failure(ErrorKind::Conflict,
                          QStringLiteral("\"%1\" was removed meanwhile").arg(entry.name));
    *place = entry;
    const Result<void> written = write(file);
    if (!written)
        co_return failure(written.error());
    // Also where the file is the same: the key in the store may be another.
    forget(entry.name);
    const Result<ModelEndpointView> view = co_await viewOf(entry, stop);
    co_return view;
}

} // namespace berth::application
