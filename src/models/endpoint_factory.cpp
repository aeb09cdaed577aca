// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/endpoint_factory.h"

#include "domain/model/endpoint_file.h"
#include "models/endpoint_client.h"
#include "net/json_fields.h"

#include <nlohmann/json.hpp>

namespace berth::models {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using namespace std::chrono_literals;

namespace {

//! A server of models, not whatever else took its port: a list, or a wish for a key in JSON.
Async<bool> answersAt(QString baseUrl, std::stop_token stop)
{
    net::WebSettings settings;
    settings.origins = {net::originOf(QUrl(baseUrl))};
    settings.proxy = QStringLiteral("none");
    const auto web = std::make_shared<net::WebClient>(settings);
    net::WebRequest request;
    request.url = QUrl(baseUrl + QStringLiteral("/models"));
    request.deadlines = {1s, 1s, 1s};
    request.largestBody = 4 * 1024 * 1024;
    const Result<net::HttpResponse> answer = co_await web->send(request, stop);
    if (!answer) {
        if (answer.error().kind == ErrorKind::Cancelled)
            co_return failure(answer.error());
        co_return false;
    }
    const nlohmann::json body = net::parsed(answer->body);
    const bool lists = answer->head.isSuccess() && net::memberIn(body, "data").is_array();
    const bool wantsKey = answer->head.status == 401 && net::objectIn(body, "error") != nullptr;
    co_return lists || wantsKey;
}

Async<QStringList> findLocalServers(std::stop_token stop)
{
    // All are asked at once: a coroutine runs until it has to wait.
    std::vector<std::pair<QString, Async<bool>>> asked;
    for (const domain::ModelPreset &preset : domain::modelPresets()) {
        if (preset.isLocal)
            asked.emplace_back(preset.id, answersAt(preset.baseUrl, stop));
    }
    QStringList found;
    for (auto &[id, answers] : asked) {
        const Result<bool> answer = co_await answers;
        if (!answer)
            co_return failure(answer.error());
        if (*answer)
            found.append(id);
    }
    co_return found;
}

} // namespace

std::shared_ptr<domain::ModelClient> EndpointFactory::open(
    const domain::ModelEndpointSettings &settings)
{
    return std::make_shared<EndpointClient>(settings);
}

Async<QStringList> EndpointFactory::localServers(std::stop_token stop)
{
    return findLocalServers(std::move(stop));
}

} // namespace berth::models
