// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/agent_run.h"

#include "application/sandboxes/isolation.h"
#include "application/threads/bounded_json.h"
#include "application/threads/thread_views.h"
#include "domain/log.h"
#include "domain/text.h"

#include <nlohmann/json.hpp>

#include <QtCore/QUuid>

#include <algorithm>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Message;
using domain::MessageRole;
using domain::ModelReply;
using domain::ModelRequest;
using domain::ModelStop;
using domain::Result;
using domain::RunState;
using domain::ToolCall;
using domain::ToolCallState;

namespace {

constexpr qsizetype kLeastResult = 2'000;

//! As the tool reads them, so that what is shown is what will be done; those that it refuses as
//! they came, for the model to see.
QString storedArguments(const ToolRegistry &tools, const domain::ModelCall &asked)
{
    if (const Tool *tool = tools.find(asked.name); tool && asked.problem.isEmpty()) {
        const Result<ToolArguments> read = readArguments(tool->spec(), asked.arguments);
        if (read)
            return canonicalArguments(tool->spec(), *read);
    }
    return boundedJson(asked.arguments).is_object() ? QString::fromUtf8(asked.arguments)
                                                    : QStringLiteral("{}");
}

} // namespace

RunLimits limitsOf(const QString &agentConfig)
{
    RunLimits limits;
    const nlohmann::json config = boundedJson(agentConfig.toUtf8());
    if (!config.is_object() || !config.contains("limits") || !config["limits"].is_object())
        return limits;
    const nlohmann::json &named = config["limits"];
    if (const auto rounds = named.find("rounds");
        rounds != named.end() && rounds->is_number_integer())
        limits.rounds =
            static_cast<int>(std::clamp<std::int64_t>(rounds->get<std::int64_t>(), 0, 100'000));
    if (const auto tokens = named.find("tokens");
        tokens != named.end() && tokens->is_number_integer())
        limits.tokens = std::max<std::int64_t>(0, tokens->get<std::int64_t>());
    if (const auto cost = named.find("cost"); cost != named.end() && cost->is_number())
        limits.cost = std::max(0.0, cost->get<double>());
    return limits;
}

RunView runViewOf(const domain::Run &run, bool canContinue)
{
    RunView view;
    view.id = run.id;
    view.thread = run.thread;
    view.state = run.state;
    view.createdAt = run.createdAt;
    view.endedAt = run.endedAt;
    view.detail = run.detail;
    view.usage = RunUsage(run.usage).view();
    view.canContinue = canContinue
        && (run.state == RunState::Failed || run.state == RunState::Cancelled
            || run.state == RunState::Interrupted);
    return view;
}

AgentRun::AgentRun(AgentPlaces places, const ToolRegistry &tools, ToolPipeline &pipeline,
                   ApprovalDesk &desk, domain::Thread thread, domain::Agent agent, domain::Run run,
                   std::shared_ptr<SeenFiles> seen)
    : m_places(places),
      m_tools(tools),
      m_pipeline(pipeline),
      m_desk(desk),
      m_thread(std::move(thread)),
      m_agent(std::move(agent)),
      m_run(std::move(run)),
      m_setting(std::make_shared<RunSetting>()),
      m_limits(limitsOf(m_agent.config)),
      m_usage(m_run.usage)
{
    m_setting->seen = std::move(seen);
    m_setting->isLeaving = m_leaving;
    connect(&m_desk, &ApprovalDesk::changed, this, [this](const domain::RunId &one) {
        if (one == m_run.id && !m_ended)
            m_scope.spawn(noteWaiting());
    });
}

AgentRun::~AgentRun() = default;

// ---- From outside

bool AgentRun::steer(qint64 seq)
{
    if (!m_takesMessages || m_stop.stop_requested())
        return false;
    m_steeredSeq = std::max(m_steeredSeq, seq);
    return true;
}

void AgentRun::stop()
{
    m_stop.request_stop();
    if (m_reader)
        m_reader->stop();
}

void AgentRun::leave()
{
    *m_leaving = true;
    stop();
}

void AgentRun::retryNow()
{
    if (m_reader)
        m_reader->retryNow();
}

std::optional<ReplyGrew> AgentRun::replyUnderWay() const
{
    return m_reader ? m_reader->told() : std::nullopt;
}

// ---- The course

async::Task<domain::Run> AgentRun::go()
{
    m_run.state = RunState::Running;
    m_run.endedAt = {};
    m_run.detail.clear();
    co_await noteState(RunState::Running);
    Result<void> well = co_await prepare();
    if (well)
        well = co_await finishOpenCalls();
    if (well && !m_stop.stop_requested()) {
        const Result<ReadyModel> model =
            co_await m_places.models.ready(m_agent.modelRef, m_stop.get_token());
        if (model) {
            m_model = *model;
            if (m_model->contextTokens > 0) {
                // Four bytes a token, and no result more than a quarter of what there is.
                m_setting->longestResult =
                    std::clamp<qsizetype>(static_cast<qsizetype>(m_model->contextTokens),
                                          kLeastResult, m_setting->longestResult);
            }
        } else if (!m_stop.stop_requested()) {
            endAs(RunState::Failed, QStringLiteral("failed"), model.error().message,
                  model.error().detail);
        }
    }
    while (well && !m_ended && !m_stop.stop_requested()) {
        const Result<Next> next = co_await round();
        if (!next)
            well = failure(next.error());
        else if (*next == Next::End)
            break;
    }
    m_takesMessages = false;
    const bool stopped = m_stop.stop_requested();
    if (stopped && *m_leaving) {
        // What is still asked stays asked, and the run goes on from there at the next start.
        if (m_desk.pendingOf(m_run.id) > 0 || m_run.state == RunState::AwaitingApproval) {
            m_ended = true;
            co_await m_scope.drained();
            const domain::Run kept = m_run;
            co_return kept;
        }
        endAs(RunState::Interrupted, QStringLiteral("failed"), QStringLiteral("Berth was ended"),
              {});
    } else if (stopped) {
        const Result<void> closed = co_await m_desk.closeRun(m_run.id);
        if (!closed)
            domain::log(domain::LogLevel::Error, "agent", closed.error().message);
        endAs(RunState::Cancelled, QString(), QStringLiteral("Stopped"), {});
    } else if (!well) {
        endAs(RunState::Failed, QStringLiteral("failed"), well.error().message,
              well.error().detail);
    } else if (!m_ended) {
        endAs(RunState::Done, QString(), {}, {});
    }
    co_await m_scope.drained();
    co_await noteState(m_run.state);
    const domain::Run ended = m_run;
    co_return ended;
}

void AgentRun::endAs(RunState state, const QString &kind, const QString &text,
                     const QString &detail)
{
    if (m_ended)
        return;
    m_ended = true;
    m_run.state = state;
    m_run.endedAt = domain::nowUtc();
    m_run.detail = detail.isEmpty() ? text : text + QStringLiteral(". ") + detail;
    RunNotice notice;
    notice.thread = m_thread.id;
    notice.run = m_run.id;
    notice.kind = kind;
    notice.text = text;
    notice.detail = detail;
    notice.canContinue = state != RunState::Done;
    m_places.bus.publish(notice);
}

void AgentRun::publishRun()
{
    m_places.bus.publish(RunChanged{runViewOf(m_run, true)});
}

async::Task<void> AgentRun::noteState(RunState state)
{
    m_run.state = state;
    m_run.usage = m_usage.text();
    const Result<void> stored = co_await m_places.store.updateRun(m_run);
    if (!stored)
        domain::log(domain::LogLevel::Error, "agent", stored.error().message);
    publishRun();
}

async::Task<void> AgentRun::noteWaiting()
{
    const RunState state =
        m_desk.pendingOf(m_run.id) > 0 ? RunState::AwaitingApproval : RunState::Running;
    if (state == m_run.state || m_ended)
        co_return;
    co_await noteState(state);
}

Async<void> AgentRun::prepare()
{
    m_setting->thread = m_thread;
    m_setting->agent = m_agent.id;
    m_setting->agentName = m_agent.name;
    m_setting->unattended = m_usage.isUnattended();
    m_setting->sandbox = m_thread.sandbox;
    // Begun without one: then there are no tools either.
    if (m_thread.sandbox.isNull())
        co_return Result<void>();
    const std::optional<domain::Sandbox> sandbox = m_places.sandboxes.sandbox(m_thread.sandbox);
    if (!sandbox)
        co_return failure(ErrorKind::Conflict, QStringLiteral("This thread has no sandbox"));
    m_setting->sandboxLabel = m_places.providers.label(sandbox->providerConfig, sandbox->config);
    m_setting->passthrough = isPassthrough(m_places.providers, *sandbox);
    co_return Result<void>();
}

Flight AgentRun::flightOf(const ToolCall &call) const
{
    auto flight = std::make_shared<CallInFlight>();
    flight->call = call;
    flight->run = m_setting;
    return flight;
}

Async<AgentRun::Next> AgentRun::round()
{
    if (!withinLimits())
        co_return Next::End;
    if (!std::exchange(m_isLoaded, false) || m_steeredSeq > m_seenSeq) {
        const Result<void> loaded = co_await load();
        if (!loaded)
            co_return failure(loaded.error());
    }
    const Result<ModelRequest> asked = co_await request();
    if (!asked)
        co_return failure(asked.error());
    if (m_stop.stop_requested())
        co_return Next::End;
    ++m_rounds;
    // What the user says from now on, the model has not seen.
    const QDateTime begun = domain::nowUtc();
    const Result<ModelReply> reply = co_await ask(*asked);
    if (!reply)
        co_return failure(reply.error());
    const bool isTooLong = reply->stop == ModelStop::Failed && reply->error
        && reply->error->httpStatus == domain::kContextFullStatus;
    if (isTooLong && !m_hasShrunk && !m_stop.stop_requested()) {
        // Once; if it is still too long then, the user is told.
        m_mustShrink = m_hasShrunk = true;
        co_return Next::Round;
    }
    m_hasShrunk = false;
    const Result<Next> next = co_await take(*reply, begun);
    co_return next;
}

bool AgentRun::withinLimits()
{
    QString text;
    if (m_limits.rounds > 0 && m_rounds >= m_limits.rounds)
        text = QStringLiteral("%1 rounds without an end").arg(m_rounds);
    else if (m_limits.tokens > 0 && m_usedHere.tokens() >= m_limits.tokens)
        text = QStringLiteral("%1 tokens used").arg(m_usedHere.tokens());
    else if (m_limits.cost > 0 && m_usedHere.view().cost.value_or(0) >= m_limits.cost)
        text = QStringLiteral("The cost limit of %1 is reached").arg(m_limits.cost);
    if (text.isEmpty())
        return true;
    endAs(RunState::Interrupted, QStringLiteral("limit"), text,
          QStringLiteral("Continue when it should go on."));
    return false;
}

Async<ModelReply> AgentRun::ask(ModelRequest request)
{
    // A reply that broke off is asked for once more; nothing of it was run.
    domain::ModelTurn first;
    for (int attempt = 0;; ++attempt) {
        m_reader = std::make_unique<ReplyReader>(m_places.bus, m_thread.id, m_run.id, m_replies + 1,
                                                 m_model->client->ask(request));
        if (attempt > 0)
            m_reader->startOver();
        const async::Completion<ModelReply> end = m_reader->end();
        const ModelReply reply = co_await end;
        const bool broke = reply.stop == ModelStop::Failed && m_reader->hasBegun();
        m_reader.reset();
        m_usage.add(reply.usage, m_model->prices);
        m_usedHere.add(reply.usage, m_model->prices);
        if (!broke || attempt > 0 || m_stop.stop_requested()) {
            ModelReply last = reply;
            // What came the first time is more than nothing.
            if (last.stop == ModelStop::Failed && last.turn.text.isEmpty()) {
                last.turn.text = first.text;
                last.turn.reasoning = first.reasoning;
            }
            const ModelReply whole = last;
            co_return whole;
        }
        first = reply.turn;
    }
}

Async<AgentRun::Next> AgentRun::take(ModelReply reply, QDateTime begun)
{
    noteUsage(reply.usage);
    const bool isWhole = reply.stop == ModelStop::End || reply.stop == ModelStop::ToolCalls
        || reply.stop == ModelStop::Length;
    // Of a cut reply no call is run, and none is kept that nobody would answer.
    if (!isWhole)
        reply.turn.calls.clear();
    Message message;
    message.thread = m_thread.id;
    message.run = m_run.id;
    message.role = MessageRole::Agent;
    message.text = reply.turn.text;
    message.reasoning = reply.turn.reasoning;
    message.opaque = isWhole ? reply.turn.opaque : QByteArray();
    message.createdAt = begun;
    message.cut = reply.stop != ModelStop::End && reply.stop != ModelStop::ToolCalls;
    const Result<QList<Flight>> flights = co_await store(message, reply.turn.calls);
    if (!flights)
        co_return failure(flights.error());
    if (endsBy(reply, !flights->isEmpty()))
        co_return Next::End;
    if (flights->isEmpty()) {
        if (m_steeredSeq > m_seenSeq)
            co_return Next::Round;
        m_takesMessages = false;
        if (message.text.isEmpty())
            endAs(RunState::Failed, QStringLiteral("failed"),
                  QStringLiteral("The model said nothing"), {});
        co_return Next::End;
    }
    const Result<void> done = co_await runCalls(*flights);
    if (!done)
        co_return failure(done.error());
    if (m_stop.stop_requested())
        co_return Next::End;
    co_return watchStuck(*flights);
}

void AgentRun::noteUsage(const domain::ModelUsage &usage)
{
    if (!usage.inputTokens)
        return;
    const qint64 read = *usage.inputTokens + usage.cachedTokens.value_or(0);
    m_usage.setContext(read + usage.outputTokens.value_or(0), m_model->contextTokens);
    if (m_lastEstimate > 0)
        m_tokenRatio =
            std::clamp(static_cast<double>(read) / static_cast<double>(m_lastEstimate), 0.5, 3.0);
}

//! The reply with its calls, in one transaction before any of them runs; told to all. Nothing is
//! stored of one that said nothing.
Async<QList<Flight>> AgentRun::store(Message message, QList<domain::ModelCall> asked)
{
    QList<Flight> flights;
    QList<ToolCall> calls;
    QSet<QString> known;
    for (const ToolCall &call : std::as_const(m_calls))
        known.insert(call.callId);
    for (const domain::ModelCall &one : std::as_const(asked)) {
        ToolCall call;
        call.id = domain::ToolCallId::create();
        call.run = m_run.id;
        call.thread = m_thread.id;
        call.tool = one.name;
        call.arguments = storedArguments(m_tools, one);
        call.origin = domain::ToolCallOrigin::Model;
        call.callId = one.id;
        if (call.callId.isEmpty() || known.contains(call.callId))
            call.callId =
                QStringLiteral("call_") + QUuid::createUuid().toString(QUuid::WithoutBraces);
        known.insert(call.callId);
        if (call.tool == QLatin1String("shell"))
            call.outputRef = ExecutionService::outputRefOf(call);
        calls << call;
        message.toolCalls << call.id;
    }
    if (message.text.isEmpty() && message.reasoning.isEmpty() && calls.isEmpty())
        co_return flights;
    m_run.usage = m_usage.text();
    const auto stored = co_await m_places.conversations.addReply(message, calls, m_run);
    if (!stored)
        co_return failure(stored.error());
    ++m_replies;
    for (qsizetype i = 0; i < stored->second.size(); ++i) {
        m_places.bus.publish(ToolCallChanged{m_places.executions.viewOf(stored->second[i])});
        flights << flightOf(stored->second[i]);
        flights.last()->problem = asked[i].problem;
    }
    m_places.bus.publish(MessageAdded{messageViewOf(stored->first)});
    publishRun();
    co_return flights;
}

//! Whether the run is over by how the reply ended.
bool AgentRun::endsBy(const ModelReply &reply, bool hasCalls)
{
    switch (reply.stop) {
    case ModelStop::Cancelled:
        // Not by us: then it is as if the connection had been lost.
        if (!m_stop.stop_requested())
            endAs(RunState::Failed, QStringLiteral("failed"),
                  QStringLiteral("The reply was broken off"), {});
        return true;
    case ModelStop::Failed: {
        const domain::Error error = reply.error.value_or(domain::Error{
            ErrorKind::Internal, QStringLiteral("The model gave no reply"), {}, {}, {}});
        endAs(RunState::Failed, QStringLiteral("failed"), error.message, error.detail);
        return true;
    }
    case ModelStop::ContentFilter:
        endAs(RunState::Failed, QStringLiteral("failed"),
              QStringLiteral("The endpoint's content filter cut the reply"), {});
        return true;
    case ModelStop::Refused:
        endAs(RunState::Failed, QStringLiteral("failed"),
              QStringLiteral("The model refused to answer"), {});
        return true;
    case ModelStop::Length:
        if (hasCalls)
            return false;
        endAs(RunState::Interrupted, QStringLiteral("limit"),
              QStringLiteral("The reply reached the length that is allowed"),
              QStringLiteral("Continue, or allow more tokens per reply in Settings, Models."));
        return true;
    case ModelStop::End:
    case ModelStop::ToolCalls:
        break;
    }
    return false;
}

AgentRun::Next AgentRun::watchStuck(const QList<Flight> &flights)
{
    QList<ToolCall> ended;
    for (const Flight &flight : flights)
        ended << flight->call;
    switch (m_stuck.note(ended)) {
    case StuckWatch::Verdict::Fine:
        break;
    case StuckWatch::Verdict::Warn:
        m_hint = m_stuck.reason()
            + QStringLiteral(". Try something else, or say what stands in the way.");
        break;
    case StuckWatch::Verdict::Ask:
        endAs(RunState::Interrupted, QStringLiteral("stuck"), m_stuck.reason(),
              QStringLiteral("Continue when that is as it should be, or say what to do instead."));
        return Next::End;
    }
    return Next::Round;
}

} // namespace berth::application
