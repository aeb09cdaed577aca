// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ProviderService that asks the key store and the user about keys.
#include "application/providers/provider_service.h"
#include "application/providers/references.h"
#include "domain/log.h"
#include "domain/provider/key_store.h"

#include <QtCore/QTimer>

#include <algorithm>

namespace berth::application {

using domain::Async;
using domain::ConfigName;
using domain::Confirmations;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using domain::Secret;

namespace {

//! A locked store asks its user first.
constexpr std::chrono::milliseconds kReadKey{30'000};
constexpr std::chrono::milliseconds kStoreKey{120'000};
constexpr qsizetype kLongestKey = 8 * 1024;

bool containsAll(const QStringList &list, const QStringList &wanted)
{
    return std::all_of(wanted.cbegin(), wanted.cend(),
                       [&list](const QString &one) { return list.contains(one); });
}

//! The sentence why \a text is no key; nullopt: it may be one.
std::optional<QString> problemWithKey(const domain::SchemaField &field, const QString &text)
{
    const bool isPlain = std::all_of(text.cbegin(), text.cend(),
                                     [](QChar c) { return c.isPrint() && !c.isSpace(); });
    if (!isPlain || text.size() > kLongestKey || text.contains(QLatin1String("${")))
        return QStringLiteral("This is no key: it has spaces, or signs that no key has");
    return domain::validationProblem(field, text);
}

} // namespace

bool ProviderService::hasKeyStore() const
{
    return m_settings.keyStore && m_settings.keyStore->isPresent();
}

bool ProviderService::asksKeyStore(const Entry &entry, const QMap<QString, QString> &values) const
{
    return hasKeyStore()
        && application::asksKeyStore(entry.kind->schema(), values, m_settings.environment);
}

Async<void> ProviderService::prepare()
{
    if (!m_settings.trust)
        co_return Result<void>();
    const Result<QMap<ConfigName, Confirmations>> confirmed =
        co_await m_settings.trust->confirmations();
    if (!confirmed)
        co_return failure(confirmed.error());
    m_confirmed = *confirmed;
    co_return Result<void>();
}

async::Task<bool> ProviderService::readKey(ConfigName config, std::stop_token stop)
{
    StoredKey answer;
    if (hasKeyStore()) {
        const Result<std::optional<Secret>> read =
            co_await m_settings.keyStore->read(config, kReadKey, stop);
        if (read)
            answer.key = *read;
        else if (read.error().kind != ErrorKind::Unsupported)
            answer.error = read.error();
    }
    Entry *entry = find(config);
    if (!entry || stop.stop_requested())
        co_return false;
    // A store that was locked meanwhile takes no key away that is at work.
    if (answer.error && entry->stored.key)
        answer.key = entry->stored.key;
    entry->wasAsked = true;
    co_return !(std::exchange(entry->stored, answer) == answer);
}

async::Task<void> ProviderService::readKeys(std::stop_token stop)
{
    QList<ConfigName> asked;
    for (const auto &[name, entry] : m_entries) {
        if (!entry.broken && (!entry.stored.isKnown || asksKeyStore(entry, entry.config.values)))
            asked << ConfigName(name);
    }
    for (const ConfigName &config : asked) {
        // One after the other, and none behind a refusal: its user is asked once, not for each.
        const bool differs = co_await readKey(config, stop);
        if (stop.stop_requested())
            co_return;
        const std::optional<domain::Error> error = find(config)->stored.error;
        if (differs)
            changed(config);
        if (!error)
            continue;
        domain::log(domain::LogLevel::Warning, "providers", error->message);
        for (const ConfigName &other : asked) {
            Entry *entry = find(other);
            if (std::exchange(entry->stored.isKnown, true))
                continue;
            entry->wasAsked = true;
            entry->stored.error = error;
            changed(other);
        }
        break;
    }
    m_keysAsked.complete(true);
}

async::Task<void> ProviderService::keysAsked(std::chrono::milliseconds bound)
{
    const async::Completion<bool> done = m_keysAsked;
    QTimer timer;
    timer.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, &timer, [done] { done.complete(false); });
    timer.start(bound);
    co_await done;
}

Async<ProviderView> ProviderService::trust(ConfigName config, QStringList origins,
                                           QStringList variables)
{
    const Result<Entry *> found = known(config);
    if (!found)
        co_return failure(found.error());
    const ProviderView &shown = (*found)->view;
    const Confirmations before = m_confirmed.value(config);
    if (!containsAll(shown.unconfirmedOrigins + before.origins, origins)
        || !containsAll(shown.unconfirmedVariables + before.variables, variables)) {
        co_return failure(ErrorKind::Conflict,
                          QStringLiteral("What %1 asks for has changed").arg(config.toString()),
                          QStringLiteral("Nothing was confirmed. Look again at what it asks for."));
    }
    const Confirmations added{origins, variables};
    if (m_settings.trust) {
        const Result<void> stored = co_await m_settings.trust->confirm(config, added);
        if (!stored)
            co_return failure(stored.error());
    }
    Confirmations &now = m_confirmed[config];
    for (const QString &origin : origins) {
        if (!now.origins.contains(origin))
            now.origins << origin;
    }
    for (const QString &variable : variables) {
        if (!now.variables.contains(variable))
            now.variables << variable;
    }
    changed(config);
    const ProviderView view = find(config)->view;
    co_return view;
}

Async<ProviderView> ProviderService::storeKey(ConfigName config, QString field, Secret key,
                                              std::stop_token stop)
{
    const Result<Entry *> found = known(config);
    if (!found)
        co_return failure(found.error());
    const domain::ProviderSchema &schema = (*found)->kind->schema();
    const domain::SchemaField *target = keyField(schema);
    if (!target || target->key != field) {
        co_return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("%1 has no key \"%2\" for the key store").arg(schema.facts.label, field),
            target ? QStringLiteral("Its key is \"%1\".").arg(target->key) : QString());
    }
    if (!hasKeyStore()) {
        const QString set = target->environmentVariables.value(0);
        co_return failure(
            ErrorKind::Unsupported, QStringLiteral("There is no desktop key store here"),
            (set.isEmpty() ? QString()
                           : QStringLiteral("Set %1 where Berth is started, or keep").arg(set))
                + (set.isEmpty() ? QStringLiteral("Keep") : QString())
                + QStringLiteral(" the key in %1, which only you can read.")
                      .arg((*found)->config.path));
    }
    const QString text = QString::fromUtf8(key.exposeForWire()).trimmed();
    QMap<QString, QString> values;
    Result<void> done;
    if (text.isEmpty()) {
        done = co_await m_settings.keyStore->remove(config, kStoreKey, stop);
        if (namesKeyring((*found)->config.values.value(field)))
            values.insert(field, QString());
    } else {
        if (const std::optional<QString> problem = problemWithKey(*target, text))
            co_return failure(ErrorKind::InvalidInput, *problem, field);
        const Secret trimmed(text.toUtf8());
        done = co_await m_settings.keyStore->store(config, trimmed, kStoreKey, stop);
        values.insert(field, keyringReference(config));
    }
    if (!done)
        co_return failure(done.error());
    Entry *entry = find(config);
    entry->wasAsked = true;
    entry->stored = StoredKey{};
    if (!text.isEmpty())
        entry->stored.key = Secret(text.toUtf8());
    if (values.isEmpty()) {
        changed(config);
        const ProviderView view = entry->view;
        co_return view;
    }
    co_return save(config, values);
}

} // namespace berth::application
