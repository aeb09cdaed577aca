// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/model/endpoint_file.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QUrl>

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace berth::domain {

namespace {

//! Keeps the order of keys, as people wrote them.
using FileJson = nlohmann::ordered_json;

//! Takes known keys out of an object; what is left is not known.
class KeyTaker
{
public:
    KeyTaker(FileJson object, QString where) : m_rest(std::move(object)), m_where(std::move(where))
    {}

    QString text(const char *key)
    {
        const FileJson value = take(key);
        if (value.is_null())
            return {};
        if (!value.is_string()) {
            complain(key, QStringLiteral("is no text"));
            return {};
        }
        return QString::fromStdString(value.get<std::string>());
    }

    qint64 whole(const char *key, qint64 most)
    {
        const FileJson value = take(key);
        if (value.is_null())
            return 0;
        const double number = value.is_number() ? value.get<double>() : -1;
        if (!(number >= 0) || number > static_cast<double>(most)) {
            complain(key, QStringLiteral("is no whole number of 0 to %1").arg(most));
            return 0;
        }
        return static_cast<qint64>(number);
    }

    std::optional<double> price(const char *key)
    {
        const FileJson value = take(key);
        if (value.is_null())
            return std::nullopt;
        const double number = value.is_number() ? value.get<double>() : -1;
        if (!(number >= 0) || !std::isfinite(number)) {
            complain(key, QStringLiteral("is no price"));
            return std::nullopt;
        }
        return number;
    }

    FileJson take(const char *key)
    {
        const auto it = m_rest.find(key);
        if (it == m_rest.end())
            return nullptr;
        FileJson value = *it;
        m_rest.erase(key);
        return value;
    }

    void putBack(const char *key, const FileJson &value) { m_rest[key] = value; }

    void complain(const char *key, const QString &what)
    {
        if (!problem)
            problem = Error{ErrorKind::InvalidInput,
                            QStringLiteral("models.json cannot be read"),
                            QStringLiteral("%1: %2 %3").arg(m_where, QLatin1String(key), what),
                            {},
                            {}};
    }

    [[nodiscard]] QByteArray rest() const
    {
        return m_rest.empty() ? QByteArray() : QByteArray::fromStdString(m_rest.dump());
    }

    std::optional<Error> problem;

private:
    FileJson m_rest;
    QString m_where;
};

FileJson objectOf(const QByteArray &text)
{
    FileJson value = FileJson::parse(text.begin(), text.end(), nullptr, false);
    return value.is_object() ? value : FileJson::object();
}

void putText(FileJson &object, const char *key, const QString &text)
{
    if (!text.isEmpty())
        object[key] = text.toStdString();
}

void putWhole(FileJson &object, const char *key, qint64 number)
{
    if (number > 0)
        object[key] = number;
}

void putPrice(FileJson &object, const char *key, const std::optional<double> &price)
{
    if (price)
        object[key] = *price;
}

void putRest(FileJson &object, const QByteArray &unknown)
{
    const FileJson more = objectOf(unknown);
    for (const auto &[key, value] : more.items()) {
        if (!object.contains(key))
            object[key] = value;
        else if (object[key].is_object() && value.is_object()) {
            for (const auto &[inner, item] : value.items()) {
                if (!object[key].contains(inner))
                    object[key][inner] = item;
            }
        }
    }
}

Result<ModelEndpointEntry> entryOf(const FileJson &value, int index)
{
    const QString where = QStringLiteral("endpoints[%1]").arg(index);
    if (!value.is_object())
        return failure(ErrorKind::InvalidInput, QStringLiteral("models.json cannot be read"),
                       QStringLiteral("%1 is no object").arg(where));
    KeyTaker keys(value, where);
    ModelEndpointEntry entry;
    entry.name = keys.text("name");
    entry.preset = keys.text("kind");
    entry.dialect = keys.text("dialect");
    entry.baseUrl = keys.text("base_url");
    const QString key = keys.text("api_key");
    if (isModelKeyReference(key))
        entry.keyReference = key;
    else if (!key.isEmpty())
        entry.literalKey = Secret(key.toUtf8());
    entry.model = keys.text("model");
    entry.contextTokens = keys.whole("context_tokens", std::numeric_limits<int>::max());
    entry.maxTokens = static_cast<int>(keys.whole("max_tokens", std::numeric_limits<int>::max()));
    entry.maxTokensField = keys.text("max_tokens_field");
    entry.proxy = keys.text("proxy");
    entry.caFile = keys.text("ca_file");
    entry.firstEventSeconds = static_cast<int>(keys.whole("first_event_seconds", 24 * 3600));
    entry.idleSeconds = static_cast<int>(keys.whole("idle_seconds", 24 * 3600));
    const FileJson prices = keys.take("prices");
    if (prices.is_object()) {
        KeyTaker inner(prices, where + QStringLiteral(".prices"));
        entry.prices.input = inner.price("input");
        entry.prices.cached = inner.price("cached");
        entry.prices.output = inner.price("output");
        entry.prices.currency = inner.text("currency");
        if (inner.problem)
            return failure(*inner.problem);
        const QByteArray more = inner.rest();
        if (!more.isEmpty())
            keys.putBack("prices", objectOf(more));
    } else if (!prices.is_null()) {
        keys.complain("prices", QStringLiteral("is no object"));
    }
    if (keys.problem)
        return failure(*keys.problem);
    entry.unknown = keys.rest();
    const ModelPreset *preset = modelPreset(entry.preset);
    if (entry.dialect.isEmpty())
        entry.dialect = preset ? preset->dialect : QStringLiteral("openai");
    if (entry.baseUrl.isEmpty() && preset)
        entry.baseUrl = preset->baseUrl;
    return entry;
}

FileJson jsonOfEntry(const ModelEndpointEntry &entry)
{
    FileJson object = FileJson::object();
    putText(object, "name", entry.name);
    putText(object, "kind", entry.preset);
    const ModelPreset *preset = modelPreset(entry.preset);
    if (entry.dialect != (preset ? preset->dialect : QStringLiteral("openai")))
        putText(object, "dialect", entry.dialect);
    putText(object, "base_url", entry.baseUrl);
    if (!entry.keyReference.isEmpty())
        putText(object, "api_key", entry.keyReference);
    else if (!entry.literalKey.isEmpty())
        object["api_key"] = entry.literalKey.exposeForWire().toStdString();
    putText(object, "model", entry.model);
    putWhole(object, "context_tokens", entry.contextTokens);
    putWhole(object, "max_tokens", entry.maxTokens);
    putText(object, "max_tokens_field", entry.maxTokensField);
    putText(object, "proxy", entry.proxy);
    putText(object, "ca_file", entry.caFile);
    putWhole(object, "first_event_seconds", entry.firstEventSeconds);
    putWhole(object, "idle_seconds", entry.idleSeconds);
    if (!(entry.prices == ModelPrices{})) {
        FileJson prices = FileJson::object();
        putPrice(prices, "input", entry.prices.input);
        putPrice(prices, "cached", entry.prices.cached);
        putPrice(prices, "output", entry.prices.output);
        putText(prices, "currency", entry.prices.currency);
        object["prices"] = prices;
    }
    putRest(object, entry.unknown);
    return object;
}

tl::unexpected<Error> unfit(const char *field, const QString &message)
{
    return failure(ErrorKind::InvalidInput, message, QLatin1String(field));
}

} // namespace

const QList<ModelPreset> &modelPresets()
{
    static const QList<ModelPreset> presets = {
        {QStringLiteral("llamacpp"),
         QStringLiteral("llama.cpp server"),
         QStringLiteral("openai"),
         QStringLiteral("http://127.0.0.1:8080/v1"),
         {},
         false,
         true},
        {QStringLiteral("ollama"),
         QStringLiteral("Ollama"),
         QStringLiteral("openai"),
         QStringLiteral("http://127.0.0.1:11434/v1"),
         {},
         false,
         true},
        {QStringLiteral("lmstudio"),
         QStringLiteral("LM Studio"),
         QStringLiteral("openai"),
         QStringLiteral("http://127.0.0.1:1234/v1"),
         {},
         false,
         true},
        {QStringLiteral("vllm"),
         QStringLiteral("vLLM"),
         QStringLiteral("openai"),
         QStringLiteral("http://127.0.0.1:8000/v1"),
         {},
         false,
         true},
        {QStringLiteral("openrouter"), QStringLiteral("OpenRouter"), QStringLiteral("openai"),
         QStringLiteral("https://openrouter.ai/api/v1"), QStringLiteral("OPENROUTER_API_KEY"), true,
         false},
        {QStringLiteral("openai"), QStringLiteral("OpenAI"), QStringLiteral("openai"),
         QStringLiteral("https://api.openai.com/v1"), QStringLiteral("OPENAI_API_KEY"), true,
         false},
        {QStringLiteral("anthropic"), QStringLiteral("Anthropic"), QStringLiteral("anthropic"),
         QStringLiteral("https://api.anthropic.com"), QStringLiteral("ANTHROPIC_API_KEY"), true,
         false},
        {QStringLiteral("custom"),
         QStringLiteral("Another server"),
         QStringLiteral("openai"),
         {},
         {},
         false,
         false},
    };
    return presets;
}

const ModelPreset *modelPreset(const QString &id)
{
    for (const ModelPreset &preset : modelPresets()) {
        if (preset.id == id)
            return &preset;
    }
    return nullptr;
}

std::optional<double> modelCost(const ModelUsage &usage, const ModelPrices &prices)
{
    if (usage.cost)
        return usage.cost;
    if (!usage.inputTokens || !usage.outputTokens || !prices.input || !prices.output)
        return std::nullopt;
    constexpr double kMillion = 1e6;
    const double cached = static_cast<double>(usage.cachedTokens.value_or(0));
    return (static_cast<double>(*usage.inputTokens) * *prices.input
            + cached * prices.cached.value_or(*prices.input)
            + static_cast<double>(*usage.outputTokens) * *prices.output)
        / kMillion;
}

Result<ModelEndpointFile> parseModelEndpoints(const QByteArray &bytes)
{
    if (bytes.trimmed().isEmpty())
        return ModelEndpointFile{};
    const FileJson whole = FileJson::parse(bytes.begin(), bytes.end(), nullptr, false);
    if (!whole.is_object())
        return failure(ErrorKind::InvalidInput, QStringLiteral("models.json cannot be read"),
                       QStringLiteral("It is no JSON object"));
    KeyTaker keys(whole, QStringLiteral("models.json"));
    const FileJson version = keys.take("schema_version");
    if (!version.is_number_integer() || version.get<qint64>() < 1)
        return failure(ErrorKind::InvalidInput, QStringLiteral("models.json cannot be read"),
                       QStringLiteral("It has no schema_version"));
    if (version.get<qint64>() > kModelFileVersion)
        return failure(ErrorKind::Unsupported,
                       QStringLiteral("models.json is of a newer version of Berth"),
                       QStringLiteral("Its schema_version is %1, and this version knows %2")
                           .arg(version.get<qint64>())
                           .arg(kModelFileVersion));
    ModelEndpointFile file;
    file.defaultName = keys.text("default");
    const FileJson endpoints = keys.take("endpoints");
    if (!endpoints.is_null() && !endpoints.is_array())
        keys.complain("endpoints", QStringLiteral("is no list"));
    if (keys.problem)
        return failure(*keys.problem);
    int index = 0;
    for (const FileJson &value : endpoints) {
        Result<ModelEndpointEntry> entry = entryOf(value, index++);
        if (!entry)
            return failure(entry.error());
        for (const ModelEndpointEntry &other : file.endpoints) {
            if (other.name == entry->name)
                return failure(ErrorKind::InvalidInput,
                               QStringLiteral("models.json cannot be read"),
                               QStringLiteral("Two endpoints have the name %1").arg(entry->name));
        }
        file.endpoints.append(std::move(*entry));
    }
    file.unknown = keys.rest();
    return file;
}

QByteArray serialiseModelEndpoints(const ModelEndpointFile &file)
{
    FileJson whole = FileJson::object();
    whole["schema_version"] = kModelFileVersion;
    putText(whole, "default", file.defaultName);
    whole["endpoints"] = FileJson::array();
    for (const ModelEndpointEntry &entry : file.endpoints)
        whole["endpoints"].push_back(jsonOfEntry(entry));
    putRest(whole, file.unknown);
    return QByteArray::fromStdString(whole.dump(2, ' ', false, FileJson::error_handler_t::replace))
        + '\n';
}

Result<void> checkModelEndpoint(const ModelEndpointEntry &entry)
{
    static const QRegularExpression fit(QStringLiteral("\\A[a-z0-9][a-z0-9_-]{0,31}\\z"));
    if (!fit.match(entry.name).hasMatch())
        return unfit("name",
                     QStringLiteral("A name has up to 32 of a-z, 0-9, _ and -, and begins with a "
                                    "letter or a digit"));
    if (entry.dialect != QLatin1String("openai") && entry.dialect != QLatin1String("anthropic")
        && entry.dialect != QLatin1String("anthropic-bearer"))
        return unfit("dialect", QStringLiteral("%1 is no dialect").arg(entry.dialect));
    const QUrl url(entry.baseUrl, QUrl::StrictMode);
    const bool web =
        url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https");
    if (!url.isValid() || !web || url.host().isEmpty())
        return unfit("base_url",
                     QStringLiteral("The base URL is no http or https address, such as "
                                    "http://127.0.0.1:8080/v1"));
    if (!url.userInfo().isEmpty() || url.hasQuery() || url.hasFragment())
        return unfit("base_url",
                     QStringLiteral("The base URL holds a password, a query or a fragment"));
    if (!entry.keyReference.isEmpty() && !isModelKeyReference(entry.keyReference))
        return unfit("api_key",
                     QStringLiteral("The key's reference is not ${NAME} and no entry of the key "
                                    "store"));
    if (entry.keyReference.startsWith(QLatin1String("${keyring:"))
        && entry.keyReference != modelKeyringReference(entry.name))
        return unfit("api_key",
                     QStringLiteral("The key store's entry of another endpoint cannot be used"));
    if (!entry.maxTokensField.isEmpty() && entry.maxTokensField != QLatin1String("max_tokens")
        && entry.maxTokensField != QLatin1String("max_completion_tokens"))
        return unfit("max_tokens_field",
                     QStringLiteral("It is max_tokens or max_completion_tokens"));
    return {};
}

QString modelKeyringReference(const QString &name)
{
    return QStringLiteral("${keyring:berth/model-%1}").arg(name);
}

bool isModelKeyReference(const QString &text)
{
    static const QRegularExpression reference(
        QStringLiteral("\\A\\$\\{([A-Za-z_][A-Za-z0-9_]*|keyring:berth/[a-z0-9_-]+)\\}\\z"));
    return reference.match(text).hasMatch();
}

ModelEndpointSettings modelEndpointSettings(const ModelEndpointEntry &entry, const Secret &key)
{
    ModelEndpointSettings settings;
    settings.name = entry.name;
    settings.dialect = entry.dialect;
    settings.baseUrl = entry.baseUrl;
    settings.key = key;
    settings.proxy = entry.proxy;
    settings.caFile = entry.caFile;
    settings.maxTokensField = entry.maxTokensField;
    settings.maxTokens = entry.maxTokens;
    settings.contextTokens = entry.contextTokens;
    settings.firstEvent = std::chrono::seconds(entry.firstEventSeconds);
    settings.idle = std::chrono::seconds(entry.idleSeconds);
    return settings;
}

} // namespace berth::domain
