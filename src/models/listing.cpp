// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/listing.h"

#include "models/answer_error.h"
#include "net/json_fields.h"

#include <QtCore/QRegularExpression>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace berth::models {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::OfferedModel;
using domain::Result;
using nlohmann::json;

namespace {

constexpr int kMostPages = 20;

//! Each server's name for it; llama-server's own setting before what the model was trained for.
qint64 contextIn(const json &entry)
{
    for (const char *key : {"loaded_context_length", "max_model_len", "context_length",
                            "context_window", "max_context_length", "max_input_tokens"}) {
        const auto size = net::integerIn(entry, key);
        if (size && *size > 0)
            return *size;
    }
    const auto running = net::integerIn(net::memberIn(entry, "meta"), "n_ctx");
    return running && *running > 0 ? *running : 0;
}

void appendListed(const json &entries, QList<OfferedModel> &all)
{
    if (!entries.is_array())
        return;
    for (const json &entry : entries) {
        OfferedModel info;
        info.id = net::textIn(entry, "id");
        info.name = net::textIn(entry, "display_name");
        if (info.name.isEmpty())
            info.name = net::textIn(entry, "name");
        info.contextTokens = contextIn(entry);
        if (!info.id.isEmpty())
            all.append(info);
    }
}

//! nullopt in place of any answer but an object with a status of success.
Async<std::optional<QByteArray>> probe(LinkPtr link, net::WebRequest request, std::stop_token stop)
{
    request.deadlines.firstByte = std::chrono::seconds(5);
    const Result<net::HttpResponse> answer = co_await link->web()->send(request, stop);
    if (!answer && answer.error().kind == ErrorKind::Cancelled)
        co_return failure(answer.error());
    std::optional<QByteArray> body;
    if (answer && answer->head.isSuccess() && net::parsed(answer->body).is_object())
        body = answer->body;
    co_return body;
}

//! Of a running model, by Ollama's /api/ps: what it was given, not what it could have.
qint64 runningContext(const json &told, const QString &model)
{
    const json &models = net::memberIn(told, "models");
    if (!models.is_array())
        return 0;
    for (const json &entry : models) {
        const QString name = net::textIn(entry, "name");
        if (name == model || net::textIn(entry, "model") == model
            || name == model + QStringLiteral(":latest"))
            return net::integerIn(entry, "context_length").value_or(0);
    }
    return 0;
}

//! Of Ollama's /api/show: what the model's file sets. What the model could have says nothing, since
//! Ollama gives it less by itself.
qint64 configuredContext(const json &told)
{
    static const QRegularExpression setting(QStringLiteral("(?:^|\\n)\\s*num_ctx\\s+(\\d+)"));
    return setting.match(net::textIn(told, "parameters")).captured(1).toLongLong();
}

} // namespace

Async<QList<OfferedModel>> listModels(LinkPtr link, std::stop_token stop)
{
    if (link->problem())
        co_return failure(*link->problem());
    const QString path =
        link->isAnthropic() ? QStringLiteral("/v1/models?limit=1000") : QStringLiteral("/models");
    QList<OfferedModel> all;
    QString after;
    for (int page = 0; page < kMostPages; ++page) {
        QString target = path;
        if (!after.isEmpty())
            target += QStringLiteral("&after_id=")
                + QString::fromLatin1(net::percentEncoded(after.toUtf8()));
        const net::WebRequest request = link->request("GET", link->url(target), {});
        const Result<net::HttpResponse> answer = co_await link->web()->send(request, stop);
        if (!answer)
            co_return failure(answer.error());
        if (!answer->head.isSuccess()) {
            Error error = errorOfAnswer(answer->head, answer->body, link->shownName());
            if (error.kind == ErrorKind::NotFound || answer->head.status == 405) {
                error.kind = ErrorKind::Unsupported;
                error.message =
                    QStringLiteral("%1 does not list its models").arg(link->shownName());
            }
            co_return failure(error);
        }
        const json body = net::parsed(answer->body);
        if (!net::memberIn(body, "data").is_array())
            co_return failure(
                ErrorKind::Protocol,
                QStringLiteral("The list of models of %1 cannot be read").arg(link->shownName()),
                shownLine(answer->body));
        appendListed(net::memberIn(body, "data"), all);
        const json &more = net::memberIn(body, "has_more");
        const QString last = net::textIn(body, "last_id");
        if (!link->isAnthropic() || !more.is_boolean() || !more.get<bool>() || last.isEmpty()
            || last == after)
            break;
        after = last;
    }
    co_return all;
}

Async<qint64> findContext(LinkPtr link, QString model, std::stop_token stop)
{
    if (link->problem())
        co_return failure(*link->problem());
    if (link->settings().contextTokens > 0)
        co_return link->settings().contextTokens;
    const Result<QList<OfferedModel>> listed = co_await listModels(link, stop);
    if (!listed && listed.error().kind != ErrorKind::Unsupported
        && listed.error().kind != ErrorKind::Protocol)
        co_return failure(listed.error());
    const QList<OfferedModel> all = listed.value_or(QList<OfferedModel>());
    const auto entry = std::find_if(
        all.begin(), all.end(), [&model](const OfferedModel &info) { return info.id == model; });
    if (entry != all.end() && entry->contextTokens > 0)
        co_return entry->contextTokens;
    if (!link->isNear())
        co_return 0;

    const net::WebRequest props = link->request("GET", link->rootUrl(QStringLiteral("/props")), {});
    const Result<std::optional<QByteArray>> llama = co_await probe(link, props, stop);
    if (!llama)
        co_return failure(llama.error());
    if (*llama) {
        const json told = net::parsed(**llama);
        const auto size =
            net::integerIn(net::memberIn(told, "default_generation_settings"), "n_ctx");
        if (size && *size > 0)
            co_return *size;
    }

    const net::WebRequest ps = link->request("GET", link->rootUrl(QStringLiteral("/api/ps")), {});
    const Result<std::optional<QByteArray>> running = co_await probe(link, ps, stop);
    if (!running)
        co_return failure(running.error());
    if (!*running)
        co_return 0;
    const qint64 given = runningContext(net::parsed(**running), model);
    if (given > 0)
        co_return given;

    json asked = json::object();
    asked["model"] = model.toStdString();
    const net::WebRequest show =
        link->request("POST", link->rootUrl(QStringLiteral("/api/show")), net::dumped(asked));
    const Result<std::optional<QByteArray>> shown = co_await probe(link, show, stop);
    if (!shown)
        co_return failure(shown.error());
    co_return *shown ? configuredContext(net::parsed(**shown)) : 0;
}

} // namespace berth::models
