// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/run_service.h"

#include "application/agent/agent_policy.h"
#include "application/agent/compaction.h"
#include "application/processes/process_service.h"
#include "domain/log.h"
#include "domain/text.h"

#include <algorithm>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using domain::Run;
using domain::RunState;
using domain::ThreadId;

namespace {

constexpr int kTitleTokens = 40;
constexpr qsizetype kTitleLength = 80;

PipelinePlaces pipelinePlaces(const AgentPlaces &places, const ToolRegistry &tools,
                              ApprovalDesk &desk)
{
    return {tools,        desk,          places.sandboxes, places.executions,
            places.store, places.leases, places.bus};
}

domain::Error noModel()
{
    return {ErrorKind::Unsupported,
            QStringLiteral("No model is connected"),
            QStringLiteral("Put \"!\" before the line to run it as a command, or connect a model."),
            {},
            {}};
}

//! The first line of what a model said, without the quotes and marks that some put around it.
QString cleanTitle(const QString &text)
{
    QString title = text.trimmed().section(QLatin1Char('\n'), 0, 0).simplified();
    while (!title.isEmpty() && QStringLiteral("\"'`*#.“”").contains(title.front()))
        title.remove(0, 1);
    while (!title.isEmpty() && QStringLiteral("\"'`*.“”").contains(title.back()))
        title.chop(1);
    return title.trimmed().left(kTitleLength);
}

} // namespace

RunService::RunService(AgentPlaces places, ThreadService &threads, ProcessService &processes,
                       const AgentService &agents, std::shared_ptr<CallHooks> hooks)
    : m_places(places),
      m_threads(threads),
      m_agents(agents),
      m_hooks(std::move(hooks)),
      m_tools(
          standardTools(places.sandboxes, places.executions, &processes, places.store, places.bus)),
      m_desk(places.conversations, places.bus),
      m_pipeline(pipelinePlaces(places, m_tools, m_desk), m_hooks)
{}

RunService::~RunService() = default;

Async<void> RunService::start()
{
    const Result<void> started = co_await m_desk.start();
    if (!started)
        co_return failure(started.error());
    const Result<QList<domain::Approval>> pending =
        co_await m_places.conversations.pendingApprovals();
    if (!pending)
        co_return failure(pending.error());
    for (const domain::Approval &approval : *pending) {
        const std::optional<domain::Thread> thread = m_threads.thread(approval.thread);
        if (!thread || underWay(approval.thread))
            continue;
        const Result<QList<Run>> runs = co_await m_places.store.runs(approval.thread);
        if (!runs)
            co_return failure(runs.error());
        const auto run = std::find_if(runs->cbegin(), runs->cend(), [&approval](const Run &one) {
            return one.id == approval.run;
        });
        if (run != runs->cend())
            begin(*thread, *run);
    }
    co_return Result<void>();
}

void RunService::stop()
{
    m_leaving = true;
    for (const auto &[id, active] : m_active) {
        if (active->course)
            active->course->leave();
    }
    m_scope.requestStop();
}

Async<void> RunService::drained()
{
    co_await m_scope.drained();
    co_return Result<void>();
}

int RunService::busyCount() const
{
    return static_cast<int>(
        std::count_if(m_active.cbegin(), m_active.cend(), [](const auto &entry) {
            return !entry.second->course
                || entry.second->course->run().state != RunState::AwaitingApproval;
        }));
}

Result<void> RunService::canAnswer(const domain::AgentId &id) const
{
    const domain::Agent *agent = m_agents.agent(id);
    const QString named = agent ? agent->modelRef : QString();
    if (m_places.models.hasModel(named))
        return {};
    domain::Error error = noModel();
    if (!named.isEmpty() && m_places.models.hasModel()) {
        error.message =
            QStringLiteral("The model \"%1\" of this agent is not connected").arg(named);
        error.detail = QStringLiteral("Put \"!\" before the line to run it as a command, or choose "
                                      "another model for the agent.");
    }
    return failure(error);
}

std::optional<domain::RunId> RunService::underWay(const ThreadId &thread) const
{
    const auto found = m_active.find(thread.toString());
    if (found == m_active.end())
        return std::nullopt;
    return found->second->run.id;
}

std::optional<ReplyGrew> RunService::replyUnderWay(const ThreadId &thread) const
{
    const auto found = m_active.find(thread.toString());
    return found == m_active.end() || !found->second->course
        ? std::nullopt
        : found->second->course->replyUnderWay();
}

bool RunService::steer(const ThreadId &thread, qint64 seq)
{
    const auto found = m_active.find(thread.toString());
    if (found == m_active.end() || found->second->stopAsked)
        return false;
    // Before it has begun it reads everything that is there.
    return !found->second->course || found->second->course->steer(seq);
}

Async<void> RunService::supersede(ThreadId thread, qint64 fromSeq)
{
    // What it has read since then is not known any more.
    m_seen.remove(thread);
    return m_places.conversations.supersede(thread, fromSeq);
}

bool RunService::awaitsApproval(const domain::ToolCallId &call) const
{
    return m_desk.isPending(call);
}

void RunService::begin(domain::Thread thread, Run run)
{
    auto active = std::make_shared<Active>();
    active->run = run;
    m_active[thread.id.toString()] = active;
    m_scope.spawn(drive(std::move(thread), active));
}

async::Task<void> RunService::drive(domain::Thread thread, std::shared_ptr<Active> active)
{
    const ThreadId id = thread.id;
    m_threads.runStarted(id);
    m_places.bus.publish(RunChanged{runViewOf(active->run, true)});
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_threads.enterTurn(id);
    const Result<domain::Agent> agent = co_await storedAgent(m_places.store, thread.agent);
    if (agent && !active->stopAsked && !m_leaving) {
        std::shared_ptr<SeenFiles> &seen = m_seen[id];
        if (!seen)
            seen = std::make_shared<SeenFiles>();
        active->course = std::make_shared<AgentRun>(m_places, m_tools, m_pipeline, m_desk, thread,
                                                    *agent, active->run, seen);
        const Run ended = co_await active->course->go();
        active->run = ended;
    } else if (!m_leaving) {
        active->run.state = agent ? RunState::Cancelled : RunState::Failed;
        active->run.detail = agent ? QStringLiteral("Stopped") : agent.error().message;
        active->run.endedAt = domain::nowUtc();
        const Result<void> stored = co_await m_places.store.updateRun(active->run);
        if (!stored)
            domain::log(domain::LogLevel::Error, "agent", stored.error().message);
        m_places.bus.publish(RunChanged{runViewOf(active->run, true)});
    }
    if (const auto found = m_active.find(id.toString());
        found != m_active.end() && found->second == active)
        m_active.erase(found);
    m_threads.runEnded(id);
    active->ended.complete(true);
    if (active->run.state == RunState::Done && !m_leaving)
        co_await giveTitle(id, active->run);
}

//! After the first exchange, and only while the title is still the beginning of the first message.
async::Task<void> RunService::giveTitle(ThreadId id, Run run)
{
    const std::optional<domain::Thread> thread = m_threads.thread(id);
    const Result<QList<domain::Message>> messages = co_await m_places.store.messages(id);
    if (!thread || !messages)
        co_return;
    QList<domain::Message> said = *messages;
    said.removeIf([](const domain::Message &message) {
        return message.role == domain::MessageRole::Note || message.superseded;
    });
    const auto byUser = std::count_if(said.cbegin(), said.cend(), [](const domain::Message &one) {
        return one.role == domain::MessageRole::User;
    });
    if (byUser != 1 || ThreadService::titleFrom(said.constFirst().text) != thread->title)
        co_return;
    const Result<domain::Agent> agent = co_await storedAgent(m_places.store, thread->agent);
    if (!agent)
        co_return;
    const Result<ReadyModel> model =
        co_await m_places.models.ready(agent->modelRef, m_scope.token());
    if (!model)
        co_return;
    domain::ModelRequest request;
    request.model = model->model;
    request.system = QStringLiteral("You give conversations a title. Answer with the title alone: "
                                    "at most six words, in the language of the conversation.");
    domain::ModelTurn turn;
    turn.text = said.constFirst().text.left(2000);
    if (said.size() > 1)
        turn.text += QStringLiteral("\n\nThe answer:\n") + said.constLast().text.left(2000);
    request.turns << turn;
    request.maxTokens = kTitleTokens;
    const Result<domain::ModelReply> reply =
        co_await askQuietly(*model->client, request, m_scope.token());
    if (reply)
        co_await addUsage(run, reply->usage, model->prices);
    // One that thinks may not come to the title within the tokens: then it stays as it is.
    const QString title = reply ? cleanTitle(reply->turn.text) : QString();
    const std::optional<domain::Thread> now = m_threads.thread(id);
    if (title.isEmpty() || !now || now->title != thread->title)
        co_return;
    UpdateThread update;
    update.thread = id;
    update.title = title;
    const Result<ThreadView> updated = co_await m_threads.update(update);
    if (!updated)
        domain::log(domain::LogLevel::Warning, "agent", updated.error().message);
}

//! What a title costs is the run's.
async::Task<void> RunService::addUsage(Run run, domain::ModelUsage used, domain::ModelPrices prices)
{
    RunUsage usage(run.usage);
    usage.add(used, prices);
    run.usage = usage.text();
    const Result<void> stored = co_await m_places.store.updateRun(run);
    if (!stored)
        domain::log(domain::LogLevel::Warning, "agent", stored.error().message);
    m_places.bus.publish(RunChanged{runViewOf(run, true)});
}

// ---- Commands

Async<Nothing> RunService::stopRun(ThreadId thread)
{
    const auto found = m_active.find(thread.toString());
    if (found == m_active.end())
        co_return Nothing{};
    const std::shared_ptr<Active> active = found->second;
    active->stopAsked = true;
    if (active->course) {
        active->course->stop();
        const bool ended = co_await active->ended;
        Q_UNUSED(ended)
    }
    co_return Nothing{};
}

Async<Nothing> RunService::retryNow(ThreadId thread)
{
    const auto found = m_active.find(thread.toString());
    if (found == m_active.end() || !found->second->course)
        co_return failure(ErrorKind::Conflict, QStringLiteral("No run is under way"));
    found->second->course->retryNow();
    co_return Nothing{};
}

Async<Started> RunService::continueRun(ThreadId id)
{
    const std::optional<domain::Thread> thread = m_threads.thread(id);
    if (!thread)
        co_return failure(ErrorKind::NotFound,
                          QStringLiteral("There is no thread \"%1\"").arg(id.toString()));
    const Result<void> able = canAnswer(thread->agent);
    if (!able)
        co_return failure(able.error());
    const Result<QList<Run>> runs = co_await m_places.store.runs(id);
    if (!runs)
        co_return failure(runs.error());
    const Result<QList<domain::ToolCall>> calls = co_await m_places.store.toolCalls(id);
    if (!calls)
        co_return failure(calls.error());
    if (underWay(id) || m_threads.isEdited(id))
        co_return failure(ErrorKind::Conflict, QStringLiteral("A run is under way"));
    std::optional<Run> last;
    for (const Run &run : *runs) {
        const bool isCommand =
            std::any_of(calls->cbegin(), calls->cend(), [&run](const domain::ToolCall &call) {
                return call.run == run.id && call.origin == domain::ToolCallOrigin::User;
            });
        if (!isCommand && RunUsage(run.usage).joined().isNull())
            last = run;
    }
    if (!last || !runViewOf(*last, true).canContinue)
        co_return failure(ErrorKind::Conflict, QStringLiteral("There is nothing to continue"));
    Run run = *last;
    run.state = RunState::Queued;
    run.endedAt = {};
    run.detail.clear();
    const Result<void> stored = co_await m_places.store.updateRun(run);
    if (!stored)
        co_return failure(stored.error());
    if (underWay(id) || m_threads.isEdited(id))
        co_return failure(ErrorKind::Conflict, QStringLiteral("A run is under way"));
    begin(*thread, run);
    Started started;
    started.thread = id;
    started.run = run.id;
    started.sandbox = thread->sandbox;
    co_return started;
}

} // namespace berth::application
