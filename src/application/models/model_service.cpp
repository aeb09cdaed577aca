// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/models/model_service.h"

#include "application/models/endpoint_keys.h"
#include "application/providers/references.h"
#include "domain/log.h"
#include "domain/provider/trust_store.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QSaveFile>

#include <algorithm>

namespace berth::application {

using domain::Async;
using domain::ConfigName;
using domain::ErrorKind;
using domain::failure;
using domain::ModelEndpointEntry;
using domain::Result;

namespace {

constexpr qint64 kLargestModelFile = 1024 * 1024;
const QString kHiddenKey = QStringLiteral("…");

ModelPresetView presetView(const domain::ModelPreset &preset, bool found)
{
    ModelPresetView view;
    view.id = preset.id;
    view.label = preset.label;
    view.dialect = preset.dialect;
    view.baseUrl = preset.baseUrl;
    view.keyVariable = preset.keyVariable;
    view.needsKey = preset.needsKey;
    view.found = found;
    return view;
}

} // namespace

ModelService::ModelService(EngineSettings settings, EventBus &bus)
    : m_settings(std::move(settings)),
      m_bus(bus),
      m_path(QDir(m_settings.paths.config).filePath(QStringLiteral("models.json")))
{}

ModelService::~ModelService() = default;

Async<void> ModelService::start()
{
    if (m_settings.trust) {
        const Result<QMap<ConfigName, domain::Confirmations>> known =
            co_await m_settings.trust->confirmations();
        if (!known)
            co_return failure(known.error());
        const QString prefix = keyEntryOf(QString()).toString();
        for (auto one = known->cbegin(); one != known->cend(); ++one) {
            const QString name = one.key().toString();
            if (name.startsWith(prefix))
                m_confirmed.insert(name.mid(prefix.size()), one->origins);
        }
    }
    const Result<void> read = co_await refresh();
    co_return read;
}

// ---- The file

void ModelService::reload()
{
    const QFileInfo info(m_path);
    const QDateTime modified = info.exists() ? info.lastModified() : QDateTime();
    const qint64 size = info.exists() ? info.size() : 0;
    if (m_readSize == size && m_readAt == modified)
        return;
    m_readSize = size;
    m_readAt = modified;
    const bool had = hasModel();
    m_problem.clear();
    domain::ModelEndpointFile next;
    if (info.exists()) {
        QFile file(m_path);
        if (size > kLargestModelFile || !file.open(QIODevice::ReadOnly)) {
            m_problem = size > kLargestModelFile
                ? QStringLiteral("%1 is larger than 1 MiB").arg(m_path)
                : QStringLiteral("%1 cannot be read: %2").arg(m_path, file.errorString());
        } else {
            const Result<domain::ModelEndpointFile> parsed =
                domain::parseModelEndpoints(file.readAll());
            if (parsed)
                next = *parsed;
            else
                m_problem = QStringLiteral("%1: %2. %3")
                                .arg(m_path, parsed.error().message, parsed.error().detail);
        }
    }
    if (!m_problem.isEmpty())
        domain::log(domain::LogLevel::Warning, "models", m_problem);
    // An endpoint that is another now is known from scratch.
    for (const ModelEndpointEntry &entry : std::as_const(m_file.endpoints)) {
        if (!next.endpoints.contains(entry))
            forget(entry.name);
    }
    m_file = next;
    // Who writes a new one by hand gives the key and the address together.
    m_new.clear();
    for (const ModelEndpointEntry &entry : std::as_const(m_file.endpoints)) {
        if (hasOwnKey(entry) && !m_confirmed.contains(entry.name))
            m_new << entry;
    }
    if (had != hasModel())
        publish();
}

Async<void> ModelService::refresh()
{
    reload();
    for (const ModelEndpointEntry &entry : std::exchange(m_new, {})) {
        const Result<void> noted = co_await confirm(entry);
        if (!noted)
            co_return failure(noted.error());
    }
    co_return Result<void>();
}

bool ModelService::isStill(const ModelEndpointEntry &entry, int generation) const
{
    const ModelEndpointEntry *now = find(entry.name);
    return generation == m_generation && now && *now == entry;
}

void ModelService::forget(const QString &name)
{
    m_known.remove(name);
    ++m_generation;
}

Result<void> ModelService::write(const domain::ModelEndpointFile &file)
{
    if (!m_problem.isEmpty())
        return failure(ErrorKind::Conflict,
                       QStringLiteral("models.json is broken; it is left as it is"), m_problem);
    QDir().mkpath(QFileInfo(m_path).path());
    const QByteArray text = domain::serialiseModelEndpoints(file);
    QSaveFile out(m_path);
    const bool written = out.open(QIODevice::WriteOnly)
        && out.setPermissions(QFile::ReadOwner | QFile::WriteOwner)
        && out.write(text) == text.size() && out.commit();
    if (!written)
        return failure(ErrorKind::Storage, QStringLiteral("%1 cannot be written").arg(m_path),
                       out.errorString());
    m_readSize = -1;
    reload();
    publish();
    return {};
}

const ModelEndpointEntry *ModelService::find(const QString &name) const
{
    for (const ModelEndpointEntry &entry : m_file.endpoints) {
        if (entry.name == name)
            return &entry;
    }
    return nullptr;
}

const ModelEndpointEntry *ModelService::defaultEntry() const
{
    if (const ModelEndpointEntry *named = find(m_file.defaultName))
        return named;
    return m_file.endpoints.isEmpty() ? nullptr : &m_file.endpoints.constFirst();
}

bool ModelService::hasModel(const QString &name) const
{
    const ModelEndpointEntry *entry = name.isEmpty() ? defaultEntry() : find(name);
    return m_settings.models && entry && !entry->model.isEmpty();
}

void ModelService::publish()
{
    m_bus.publish(ModelsChanged{hasModel()});
    Q_EMIT changed();
}

Async<ReadyModel> ModelService::ready(QString name, std::stop_token stop)
{
    const Result<void> read = co_await refresh();
    if (!read)
        co_return failure(read.error());
    if (!m_problem.isEmpty())
        co_return failure(ErrorKind::InvalidInput, QStringLiteral("models.json is broken"),
                          m_problem);
    const ModelEndpointEntry *found = name.isEmpty() ? defaultEntry() : find(name);
    if (!found && !name.isEmpty())
        co_return failure(ErrorKind::NotFound, QStringLiteral("There is no model \"%1\"").arg(name),
                          QStringLiteral("Choose another for the agent, or add it in Settings, "
                                         "Models."));
    if (!found)
        co_return failure(noEndpoint());
    const ModelEndpointEntry entry = *found;
    if (entry.model.isEmpty())
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("%1 names no model to ask").arg(entry.name),
                          QStringLiteral("Choose one in Settings, Models."));
    const Result<std::shared_ptr<domain::ModelClient>> client = co_await clientOf(entry, stop);
    if (!client)
        co_return failure(client.error());
    ReadyModel ready;
    ready.client = *client;
    ready.endpoint = entry.name;
    ready.model = entry.model;
    ready.maxTokens = entry.maxTokens;
    ready.prices = entry.prices;
    ready.contextTokens = entry.contextTokens;
    if (ready.contextTokens == 0) {
        if (m_known.value(entry.name).contextTokens < 0) {
            const Result<qint64> told = co_await (*client)->contextTokens(entry.model, stop);
            // One that does not answer now is asked again the next time.
            if (told)
                m_known[entry.name].contextTokens = *told;
        }
        ready.contextTokens = std::max<qint64>(0, m_known.value(entry.name).contextTokens);
    }
    const ReadyModel whole = ready;
    co_return whole;
}

// ---- Views

void ModelService::note(const QString &name, const std::optional<domain::Error> &error)
{
    Known &known = m_known[name];
    known.stateText.clear();
    known.stateDetail.clear();
    if (!error) {
        known.state = QStringLiteral("ready");
        return;
    }
    known.state = error->kind == ErrorKind::Unauthorized ? QStringLiteral("needs_key")
        : error->kind == ErrorKind::Unavailable || error->kind == ErrorKind::Timeout
        ? QStringLiteral("unreachable")
        : QStringLiteral("broken");
    known.stateText = error->message;
    known.stateDetail = error->detail;
}

Async<ModelEndpointView> ModelService::viewOf(ModelEndpointEntry entry, std::stop_token stop)
{
    ModelEndpointView view;
    view.name = entry.name;
    view.preset = entry.preset;
    view.dialect = entry.dialect;
    view.baseUrl = entry.baseUrl;
    view.model = entry.model;
    view.keyReference = entry.literalKey.isEmpty() ? entry.keyReference : kHiddenKey;
    view.contextTokens = entry.contextTokens;
    view.maxTokens = entry.maxTokens;
    view.inputPrice = entry.prices.input;
    view.cachedPrice = entry.prices.cached;
    view.outputPrice = entry.prices.output;
    view.currency = entry.prices.currency;
    const ModelEndpointEntry *standard = defaultEntry();
    view.isDefault = standard && standard->name == entry.name;
    const Result<FoundKey> key = co_await keyOf(entry, stop);
    view.keyOrigin = key ? key->origin : QStringLiteral("missing");
    if (key && !key->key.isEmpty())
        view.keyHint = key->key.hint();
    const Known known = m_known.value(entry.name);
    view.models = known.models;
    view.state = known.state.isEmpty() ? QStringLiteral("not_tested") : known.state;
    view.stateText = known.stateText;
    view.stateDetail = known.stateDetail;
    if (view.keyOrigin == QLatin1String("missing")) {
        view.state = QStringLiteral("needs_key");
        view.stateText = !key    ? key.error().message
            : key->why.isEmpty() ? QStringLiteral("There is no key")
                                 : key->why;
    }
    const ModelEndpointView whole = view;
    co_return whole;
}

//! What it offers, and whether it answers.
Async<void> ModelService::ask(ModelEndpointEntry entry, std::stop_token stop)
{
    const int generation = m_generation;
    const Result<std::shared_ptr<domain::ModelClient>> client = co_await clientOf(entry, stop);
    if (!client) {
        note(entry.name, client.error());
        co_return Result<void>();
    }
    const Result<QList<domain::OfferedModel>> models = co_await (*client)->models(stop);
    if (!models) {
        note(entry.name, models.error());
        co_return Result<void>();
    }
    QStringList names;
    for (const domain::OfferedModel &model : *models)
        names << model.id;
    if (!isStill(entry, generation))
        co_return Result<void>();
    m_known[entry.name].models = names;
    note(entry.name, std::nullopt);
    co_return Result<void>();
}

Async<ModelList> ModelService::list(bool askAll, std::stop_token stop)
{
    const Result<void> read = co_await refresh();
    if (!read)
        co_return failure(read.error());
    ModelList list;
    list.problem = m_problem;
    list.hasKeyStore = hasKeyStore();
    const QList<ModelEndpointEntry> entries = m_file.endpoints;
    if (askAll && m_settings.models) {
        const Result<QStringList> local = co_await m_settings.models->localServers(stop);
        if (local)
            m_found = *local;
        for (const ModelEndpointEntry &entry : entries)
            co_await ask(entry, stop);
    }
    for (const domain::ModelPreset &preset : domain::modelPresets())
        list.presets << presetView(preset, m_found.contains(preset.id));
    for (const ModelEndpointEntry &entry : entries) {
        const Result<ModelEndpointView> view = co_await viewOf(entry, stop);
        if (view)
            list.endpoints << *view;
    }
    const ModelList whole = list;
    co_return whole;
}

// ---- Changes

Async<ModelEndpointView> ModelService::save(ModelEndpointView view)
{
    const Result<void> read = co_await refresh();
    if (!read)
        co_return failure(read.error());
    domain::ModelEndpointFile file = m_file;
    const ModelEndpointEntry *there = find(view.name);
    const std::optional<ModelEndpointEntry> before = there ? std::optional(*there) : std::nullopt;
    ModelEndpointEntry entry = before.value_or(ModelEndpointEntry{});
    entry.name = view.name;
    entry.preset = view.preset;
    const domain::ModelPreset *preset = domain::modelPreset(view.preset);
    entry.dialect = !view.dialect.isEmpty() || !preset ? view.dialect : preset->dialect;
    entry.baseUrl = !view.baseUrl.isEmpty() || !preset ? view.baseUrl : preset->baseUrl;
    entry.model = view.model.trimmed();
    entry.contextTokens = view.contextTokens;
    entry.maxTokens = view.maxTokens;
    entry.prices = {view.inputPrice, view.cachedPrice, view.outputPrice, view.currency};
    const bool moves =
        before && hasOwnKey(*before) && originOf(before->baseUrl) != originOf(entry.baseUrl);
    const bool named = view.keyReference != kHiddenKey && !view.keyReference.trimmed().isEmpty();
    if (view.keyReference != kHiddenKey) {
        entry.keyReference = view.keyReference.trimmed();
        entry.literalKey = {};
        if (!entry.keyReference.isEmpty() && !domain::isModelKeyReference(entry.keyReference))
            co_return failure(ErrorKind::InvalidInput,
                              QStringLiteral("A key is not saved here; name a reference such as "
                                             "${OPENAI_API_KEY}, or store the key"),
                              QStringLiteral("key_reference"));
    } else if (moves && !before->literalKey.isEmpty()) {
        // A key goes to the address that it was given for, and to no other.
        co_return failure(ErrorKind::Conflict,
                          QStringLiteral("The key was given for %1; give it again for the new "
                                         "address")
                              .arg(originOf(before->baseUrl)),
                          QStringLiteral("key_reference"));
    }
    const Result<void> isRight = domain::checkModelEndpoint(entry);
    if (!isRight)
        co_return failure(isRight.error());
    // A reference that is named goes along; the key in the store was given for the old address, and
    // a form sends its reference in any case.
    const bool isSameStored =
        moves && namesKeyring(entry.keyReference) && entry.keyReference == before->keyReference;
    if (named && !isSameStored) {
        const Result<void> confirmed = co_await confirm(entry);
        if (!confirmed)
            co_return failure(confirmed.error());
        reload();
        file = m_file;
    }
    const auto place =
        std::find_if(file.endpoints.begin(), file.endpoints.end(),
                     [&entry](const ModelEndpointEntry &one) { return one.name == entry.name; });
    if (place == file.endpoints.end())
        file.endpoints << entry;
    else
        *place = entry;
    if (view.isDefault)
        file.defaultName = entry.name;
    const Result<void> written = write(file);
    if (!written)
        co_return failure(written.error());
    forget(entry.name);
    const Result<ModelEndpointView> saved = co_await viewOf(entry, std::stop_token());
    co_return saved;
}

Async<Nothing> ModelService::remove(QString name, std::stop_token stop)
{
    reload();
    const ModelEndpointEntry *found = find(name);
    if (!found)
        co_return failure(ErrorKind::NotFound,
                          QStringLiteral("There is no model \"%1\"").arg(name));
    const bool hasEntry = namesKeyring(found->keyReference) && hasKeyStore();
    domain::ModelEndpointFile file = m_file;
    file.endpoints.removeIf([&name](const ModelEndpointEntry &one) { return one.name == name; });
    if (file.defaultName == name)
        file.defaultName.clear();
    const Result<void> written = write(file);
    if (!written)
        co_return failure(written.error());
    forget(name);
    if (hasEntry) {
        const Result<void> removed =
            co_await m_settings.keyStore->remove(keyEntryOf(name), kStoreModelKey, stop);
        if (!removed)
            domain::log(domain::LogLevel::Warning, "models", removed.error().message);
    }
    co_return Nothing{};
}

Async<HealthView> ModelService::test(QString name, domain::StepSink step, std::stop_token stop)
{
    const Result<void> read = co_await refresh();
    if (!read)
        co_return failure(read.error());
    const ModelEndpointEntry *found = find(name);
    if (!found)
        co_return failure(ErrorKind::NotFound,
                          QStringLiteral("There is no model \"%1\"").arg(name));
    const ModelEndpointEntry entry = *found;
    const QDateTime begun = QDateTime::currentDateTimeUtc();
    const Result<std::shared_ptr<domain::ModelClient>> client = co_await clientOf(entry, stop);
    HealthView view;
    if (client) {
        const Result<domain::HealthReport> report =
            co_await (*client)->check(entry.model, step, stop);
        if (!report)
            co_return failure(report.error());
        view.ok = report->ok;
        view.summary = report->summary;
        view.steps = report->steps;
        view.error = report->error;
    } else {
        view.error = client.error();
        view.summary = client.error().message;
    }
    view.durationMs = begun.msecsTo(QDateTime::currentDateTimeUtc());
    note(entry.name, view.ok ? std::nullopt : view.error);
    publish();
    const HealthView whole = view;
    co_return whole;
}

} // namespace berth::application
