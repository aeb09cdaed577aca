// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/event_feed.h"
#include "api/openapi.h"
#include "api/routes/forward.h"
#include "api/routes/routes.h"

#include <nlohmann/json.hpp>

namespace berth::api {

using namespace application;
using domain::Async;
using domain::Result;

namespace {

Async<Reply> health(Call call)
{
    const nlohmann::json body{{"ok", true}, {"version", call->server->version.toStdString()}};
    co_return jsonReply(QByteArray::fromStdString(body.dump()));
}

Async<Reply> openApi(Call call)
{
    co_return jsonReply(openApiDocument(*call->server->router, call->server->version));
}

Async<Reply> events(Call call)
{
    Reply reply;
    reply.type = QByteArrayLiteral("text/event-stream");
    if (call->viewer) {
        // Whose the threads and sandboxes are that were there before the first event.
        Asker asker = askerOf(call);
        asker.viewer.reset();
        const GetSnapshot question;
        const Result<Snapshot> snapshot = co_await ask(asker, question);
        if (!snapshot)
            co_return domain::failure(snapshot.error());
        if (!call->server->feed)
            co_return domain::failure(endingError());
        call->server->feed->learn(*snapshot);
    }
    reply.source = call->server->feed->follow(call->request.lastEventId, call->viewer);
    const Reply done = reply;
    co_return done;
}

//! A label's value as Prometheus quotes it.
QByteArray quoted(const QString &value)
{
    QByteArray out = value.toUtf8();
    out.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    return '"' + out + '"';
}

QByteArray head(const char *name, const char *type, const char *help)
{
    return QByteArray("# HELP ") + name + ' ' + help + "\n# TYPE " + name + ' ' + type + '\n';
}

QByteArray runtimeLabels(const RuntimeView &runtime)
{
    return "{runtime=" + quoted(runtime.id) + ",provider=" + quoted(runtime.providerKind)
        + ",alias=" + quoted(runtime.alias) + '}';
}

template <typename T>
QByteArray gauge(const char *name, const char *help, const QList<RuntimeView> &runtimes,
                 std::optional<T> domain::ResourceSample::*value)
{
    QByteArray lines;
    for (const RuntimeView &runtime : runtimes) {
        if (runtime.sample && (*runtime.sample).*value)
            lines += name + runtimeLabels(runtime) + ' '
                + QByteArray::number(static_cast<double>(*((*runtime.sample).*value)), 'g', 17)
                + '\n';
    }
    return lines.isEmpty() ? lines : head(name, "gauge", help) + lines;
}

QByteArray measured(const Snapshot &snapshot, const ServerState &server)
{
    QByteArray text = head("berth_build_info", "gauge", "The version of this Berth.")
        + "berth_build_info{version=" + quoted(server.version) + "} 1\n"
        + head("berth_threads", "gauge", "Threads that are not archived.") + "berth_threads "
        + QByteArray::number(snapshot.threads.size()) + '\n';
    qint64 running = 0;
    for (const ThreadView &thread : snapshot.threads)
        running += thread.running ? 1 : 0;
    text += head("berth_threads_running", "gauge", "Threads with a run under way.")
        + "berth_threads_running " + QByteArray::number(running) + '\n';
    QMap<QPair<QString, QString>, int> states;
    for (const RuntimeView &runtime : snapshot.runtimes)
        ++states[{runtime.providerKind, domain::wireName(runtime.observed)}];
    text += head("berth_runtimes", "gauge", "Runtimes by provider and observed state.");
    for (auto entry = states.cbegin(); entry != states.cend(); ++entry)
        text += "berth_runtimes{provider=" + quoted(entry.key().first) + ",state="
            + quoted(entry.key().second) + "} " + QByteArray::number(entry.value()) + '\n';
    using Sample = domain::ResourceSample;
    text += gauge("berth_runtime_cpu_cores", "Cores in use.", snapshot.runtimes, &Sample::cpuCores);
    text += gauge("berth_runtime_memory_bytes", "Memory in use.", snapshot.runtimes,
                  &Sample::memoryBytes);
    text +=
        gauge("berth_runtime_disk_bytes", "Disk in use.", snapshot.runtimes, &Sample::diskBytes);
    text += head("berth_api_answers_total", "counter", "Answers of this API by status.");
    QMap<int, qint64> answered = server.refused ? server.refused() : QMap<int, qint64>();
    for (auto entry = server.answered.cbegin(); entry != server.answered.cend(); ++entry)
        answered[entry.key()] += entry.value();
    for (auto entry = answered.cbegin(); entry != answered.cend(); ++entry)
        text += "berth_api_answers_total{status=\"" + QByteArray::number(entry.key()) + "\"} "
            + QByteArray::number(entry.value()) + '\n';
    const EventFeed::History history = server.feed->history();
    const auto kept = [&text](const char *name, const char *help, qint64 value) {
        text += head(name, "gauge", help) + name + ' ' + QByteArray::number(value) + '\n';
    };
    kept("berth_api_events_kept", "Events kept for clients that come back.", history.events);
    kept("berth_api_events_kept_encoded", "Those of them that a client got.", history.encoded);
    kept("berth_api_events_kept_bytes", "Memory that they take, about.", history.bytes);
    return text;
}

Async<Reply> metrics(Call call)
{
    const GetSnapshot question;
    const Result<Snapshot> snapshot = co_await ask(call, question);
    if (!snapshot)
        co_return domain::failure(snapshot.error());
    Reply reply;
    reply.type = call->route->replyType;
    reply.body = measured(*snapshot, *call->server);
    const Reply done = reply;
    co_return done;
}

} // namespace

QList<Route> systemRoutes()
{
    Route open = route("GET", "/health", "health", "Whether this Berth answers", Scope::Read,
                       &health, "Health");
    open.scope = std::nullopt;
    Route prometheus = route("GET", "/metrics", "prometheus", "Numbers in Prometheus' text format",
                             Scope::Read, &metrics, "");
    prometheus.replyType = QByteArrayLiteral("text/plain; version=0.0.4; charset=utf-8");
    Route feed = route("GET", "/api/events", "events",
                       "Server-sent events; Last-Event-ID goes on from there, \"snapshot_needed\" "
                       "says that some were missed",
                       Scope::Read, &events, "");
    feed.replyType = QByteArrayLiteral("text/event-stream");
    return {open, prometheus, feed,
            route("GET", "/api/openapi.json", "openapi", "This document", Scope::Read, &openApi,
                  "Document"),
            route("GET", "/api/snapshot", "snapshot", "All that there is now", Scope::Read,
                  &forward<GetSnapshot>, "Snapshot")};
}

} // namespace berth::api
