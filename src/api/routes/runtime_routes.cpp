// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/routes/forward.h"
#include "api/routes/routes.h"
#include "async/sleep.h"

namespace berth::api {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::ObservedState;
using domain::Result;

namespace {

//! So long an answer is waited for in any case, so that a refusal is told at once.
constexpr std::chrono::milliseconds kRefusalTime{150};

bool isNamed(const RuntimeView &runtime, const QString &id)
{
    if (runtime.id == id || (!runtime.lease.isNull() && runtime.lease.toString() == id))
        return true;
    if (runtime.externalId.isEmpty())
        return false;
    return runtime.externalId == id
        || runtime.providerKind + QLatin1Char(':') + runtime.externalId == id
        || runtime.providerConfig.toString() + QLatin1Char(':') + runtime.externalId == id;
}

bool isAt(const RuntimeView &runtime, const QString &provider)
{
    return runtime.providerKind == provider || runtime.providerConfig.toString() == provider;
}

Result<RuntimeView> picked(const QList<RuntimeView> &runtimes, const QString &id,
                           const QString &provider)
{
    QList<RuntimeView> named;
    QList<RuntimeView> fitting;
    for (const RuntimeView &runtime : runtimes) {
        if (!isNamed(runtime, id))
            continue;
        named.append(runtime);
        if (provider.isEmpty() || isAt(runtime, provider))
            fitting.append(runtime);
    }
    if (fitting.size() == 1)
        return fitting.constFirst();
    if (fitting.size() > 1)
        return domain::failure(ErrorKind::InvalidInput,
                               QStringLiteral("More than one provider has a runtime of this id"),
                               QStringLiteral("Say which one by ?provider=, or use the lease id."));
    if (!named.isEmpty())
        return domain::failure(ErrorKind::Conflict,
                               QStringLiteral("This runtime is not at \"%1\" but at \"%2\"")
                                   .arg(provider, named.constFirst().providerKind));
    return domain::failure(ErrorKind::NotFound, QStringLiteral("There is no such runtime"));
}

Async<RuntimeView> findRuntime(Call call)
{
    const QString id = call->parameter("id");
    const QString provider = call->query("provider");
    for (const bool refresh : {false, true}) {
        const ListRuntimes question{refresh};
        const Result<RuntimeList> list = co_await ask(call, question);
        if (!list)
            co_return domain::failure(list.error());
        const Result<RuntimeView> found = picked(list->runtimes, id, provider);
        if (found || found.error().kind != ErrorKind::NotFound || refresh) {
            const Result<RuntimeView> answer = found;
            co_return answer;
        }
    }
    co_return domain::failure(ErrorKind::NotFound, QStringLiteral("There is no such runtime"));
}

Async<Reply> getRuntime(Call call)
{
    const Result<RuntimeView> runtime = co_await findRuntime(call);
    if (!runtime)
        co_return domain::failure(runtime.error());
    co_return jsonReply(toJson(*runtime));
}

Async<Reply> runtimeMetrics(Call call)
{
    const Result<RuntimeView> runtime = co_await findRuntime(call);
    if (!runtime)
        co_return domain::failure(runtime.error());
    const GetMetrics question{runtime->id};
    const Result<domain::ResourceSample> sample = co_await ask(call, question);
    if (!sample)
        co_return domain::failure(sample.error());
    co_return jsonReply(toJson(*sample));
}

Async<Reply> runtimeEvents(Call call)
{
    ListLeaseEvents question;
    question.runtime = call->parameter("id");
    const Result<RuntimeView> runtime = co_await findRuntime(call);
    // One that is destroyed is no longer listed; the Engine knows its lease.
    if (runtime)
        question.runtime = runtime->id;
    else if (runtime.error().kind != ErrorKind::NotFound)
        co_return domain::failure(runtime.error());
    const QString limit = call->query("limit");
    if (!limit.isEmpty())
        question.limit = limit.toInt();
    const Result<LeaseEventList> list = co_await ask(call, question);
    if (!list)
        co_return domain::failure(list.error());
    co_return jsonReply(toJson(*list));
}

template <typename Completion>
async::Task<void> endWait(std::chrono::milliseconds time, std::stop_token stop, Completion done)
{
    const bool slept = co_await async::sleepFor(time, stop);
    Q_UNUSED(slept)
    done.complete(true);
}

template <typename Command>
async::Task<void> passOn(async::Completion<Result<RuntimeView>> answer,
                         std::shared_ptr<std::optional<Result<RuntimeView>>> slot,
                         async::Completion<bool> done)
{
    const Result<RuntimeView> view = co_await answer;
    slot->emplace(view);
    done.complete(true);
}

//! 200 when it is done in time, else 202 with how it is now; it goes on.
template <typename Command>
Async<Reply> changeRuntime(Call call, ObservedState wanted)
{
    const Result<RuntimeView> runtime = co_await findRuntime(call);
    // A destroyed one is no longer listed; whether there was one, the Engine knows.
    const bool unlisted = !runtime && runtime.error().kind == ErrorKind::NotFound;
    if (!runtime && !unlisted)
        co_return domain::failure(runtime.error());
    if (runtime && runtime->observed == wanted && runtime->busy.isEmpty() && !runtime->unreachable)
        co_return jsonReply(toJson(*runtime));
    Command command;
    command.runtime = runtime ? runtime->id : call->parameter("id");
    const domain::RequestId id = call->requestId();
    const async::Completion<Result<RuntimeView>> answer = ask(call, command, id);
    const auto slot = std::make_shared<std::optional<Result<RuntimeView>>>();
    const async::Completion<bool> done;
    const auto wait = std::chrono::seconds(call->query("wait").toInt());
    std::stop_source stop;
    call->server->scope.spawn(passOn<Command>(answer, slot, done));
    const std::chrono::milliseconds time = std::max<std::chrono::milliseconds>(wait, kRefusalTime);
    call->server->scope.spawn(endWait(time, stop.get_token(), done));
    const bool over = co_await done;
    Q_UNUSED(over)
    stop.request_stop();
    if (slot->has_value()) {
        const Result<RuntimeView> view = **slot;
        if (!view)
            co_return domain::failure(view.error());
        co_return jsonReply(toJson(*view), wait.count() > 0 || unlisted ? 200 : 202);
    }
    const ListRuntimes question;
    const Result<RuntimeList> list = co_await ask(call, question);
    if (!list)
        co_return domain::failure(list.error());
    const Result<RuntimeView> now = picked(list->runtimes, command.runtime, QString());
    if (!now && !runtime)
        co_return domain::failure(now.error());
    co_return jsonReply(toJson(now ? *now : *runtime), 202);
}

Async<Reply> pauseRuntime(Call call)
{
    return changeRuntime<PauseRuntime>(std::move(call), ObservedState::Paused);
}

Async<Reply> resumeRuntime(Call call)
{
    return changeRuntime<ResumeRuntime>(std::move(call), ObservedState::Running);
}

Async<Reply> destroyRuntime(Call call)
{
    return changeRuntime<DestroyRuntime>(std::move(call), ObservedState::Gone);
}

Route change(const char *method, const char *path, const char *name, const char *summary,
             RouteFunction run, const QList<Field> &query)
{
    return answering(
        withBody(withQuery(route(method, path, name, summary, Scope::Run, run, "Runtime"), query),
                 {}, BodyKind::OptionalJson),
        {202, 200});
}

} // namespace

QList<Route> runtimeRoutes()
{
    const Field provider{"provider", FieldType::Text, false,
                         "Where it is; needed only when the id alone is ambiguous"};
    const Field wait{
        "wait", FieldType::Integer, false, "Wait up to so many seconds for the end of it", 0, 300};
    const QList<Field> both{provider, wait};
    return {
        withQuery(route("GET", "/api/sandbox/runtimes", "listRuntimes",
                        "List what runs, of all providers", Scope::Read, &forward<ListRuntimes>,
                        "RuntimeList"),
                  {{"refresh", FieldType::Boolean, false, "Ask the providers first"}}),
        withQuery(route("GET", "/api/sandbox/runtimes/{id}", "getRuntime", "One runtime",
                        Scope::Read, &getRuntime, "Runtime"),
                  {provider}),
        change("POST", "/api/sandbox/runtimes/{id}/pause", "pauseRuntime", "Pause it",
               &pauseRuntime, both),
        change("POST", "/api/sandbox/runtimes/{id}/resume", "resumeRuntime", "Resume it",
               &resumeRuntime, both),
        change("DELETE", "/api/sandbox/runtimes/{id}", "destroyRuntime",
               "Destroy it with its files", &destroyRuntime, both),
        withQuery(route("GET", "/api/sandbox/runtimes/{id}/metrics", "runtimeMetrics",
                        "What it uses now", Scope::Read, &runtimeMetrics, "Metrics"),
                  {provider}),
        withQuery(route("GET", "/api/sandbox/runtimes/{id}/events", "runtimeEvents",
                        "What happened to it, newest first; also of one that is destroyed",
                        Scope::Read, &runtimeEvents, "LeaseEventList"),
                  {provider, {"limit", FieldType::Integer, false, "", 1, 1000}}),
    };
}

} // namespace berth::api
