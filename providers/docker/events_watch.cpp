// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/line_splitter.h"
#include "providers/docker/provider.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace berth::docker {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

constexpr qsizetype kLongestLine = 256 * 1024;

//! What may change what is shown of a container; docker's words and podman's. Not among them what
//! comes with each command or file: exec_*, attach, resize, archive-path.
constexpr std::array<std::string_view, 17> kTelling{
    "create", "init",    "start",  "restart", "stop",   "die", "died",    "kill",   "oom",
    "pause",  "unpause", "rename", "update",  "remove", "rm",  "destroy", "cleanup"};

} // namespace

Async<void> watchEngine(CorePtr core, domain::ProviderEventSink sink, std::stop_token stop)
{
    const Result<EnginePtr> engine = co_await readyEngine(core, stop);
    if (!engine)
        co_return failure(engine.error());
    const Result<std::shared_ptr<net::HttpBodyStream>> opened =
        co_await openEvents(*engine, core->installation, stop);
    if (!opened) {
        core->note(opened.error());
        co_return failure(opened.error());
    }
    const std::shared_ptr<net::HttpBodyStream> stream = *opened;
    net::LineSplitter splitter(kLongestLine);
    for (;;) {
        const Result<QByteArray> piece = co_await stream->next(core->quietEvents, stop);
        if (stop.stop_requested())
            co_return Result<void>{};
        if (!piece && piece.error().kind == ErrorKind::Timeout) {
            const Result<void> alive = co_await pingEngine(*engine, core->quietEvents, stop);
            if (alive)
                continue;
            core->note(alive.error());
            co_return failure(alive.error());
        }
        if (!piece) {
            core->note(piece.error());
            co_return failure(piece.error());
        }
        if (piece->isEmpty()) {
            const domain::Error ended{ErrorKind::Unavailable,
                                      QStringLiteral("The engine ended its stream of events"),
                                      {},
                                      {},
                                      {}};
            core->note(ended);
            co_return failure(ended);
        }
        const QList<QByteArray> lines = splitter.feed(*piece);
        for (const QByteArray &line : lines) {
            const std::optional<domain::ExternalId> changed = changedBy(line);
            if (changed)
                sink(*changed);
        }
    }
}

std::optional<domain::ExternalId> changedBy(const QByteArray &line)
{
    const auto event = nlohmann::json::parse(line.begin(), line.end(), nullptr, false);
    if (!event.is_object())
        return std::nullopt;
    const auto text = [](const nlohmann::json &object, const char *key) -> std::string {
        const auto it = object.is_object() ? object.find(key) : object.end();
        return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
    };
    if (text(event, "Type") != "container")
        return std::nullopt;
    const std::string action = text(event, "Action");
    if (std::find(kTelling.begin(), kTelling.end(), action) == kTelling.end())
        return std::nullopt;
    std::string id = event.contains("Actor") ? text(event["Actor"], "ID") : std::string();
    if (id.empty())
        id = text(event, "id");
    if (id.empty())
        return std::nullopt;
    return domain::ExternalId(QString::fromStdString(id));
}

} // namespace berth::docker
