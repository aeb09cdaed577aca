// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widget/support/scripted_agents.h"

#include "domain/text.h"

#include <algorithm>

namespace berth::test {

using namespace berth::application;
using domain::failure;
using domain::Result;

namespace {

template <typename Command, typename Handle>
bool handledHere(const QString &name, const Payload &arguments,
                 std::optional<Result<Payload>> &into, Handle handle)
{
    if (name != QLatin1String(Command::kName))
        return false;
    const Result<Command> command = decode<Command>(arguments);
    if (!command) {
        into = tl::unexpected(command.error());
        return true;
    }
    Result<typename Command::Reply> reply = handle(*command);
    if (reply)
        into = encode(*reply);
    else
        into = tl::unexpected(reply.error());
    return true;
}

tl::unexpected<domain::Error> noSuchThing()
{
    return failure(domain::ErrorKind::NotFound, QStringLiteral("There is no such thing"));
}

} // namespace

ScriptedAgents::ScriptedAgents(Snapshot &state, QHash<domain::ThreadId, ThreadDetail> &details,
                               Tell tell)
    : m_state(state), m_details(details), m_tell(std::move(tell))
{}

domain::RunId ScriptedAgents::ask(const domain::ThreadId &thread, const QString &text)
{
    ThreadDetail &detail = m_details[thread];
    RunView run;
    run.id = domain::RunId::create();
    run.thread = thread;
    run.state = domain::RunState::Running;
    run.createdAt = domain::nowUtc();
    MessageView message;
    message.thread = thread;
    message.seq = detail.messages.size() + 1;
    message.run = run.id;
    message.text = text;
    message.createdAt = run.createdAt;
    detail.messages.append(message);
    detail.runs.append(run);
    m_growing[thread] = {};
    m_tell(MessageAdded{message});
    m_tell(RunChanged{run});
    return run.id;
}

void ScriptedAgents::grow(const domain::ThreadId &thread, const QString &piece,
                          const QString &thought)
{
    Growing &at = m_growing[thread];
    ReplyGrew grew;
    grew.thread = thread;
    grew.run = m_details[thread].runs.last().id;
    grew.round = at.round;
    grew.offset = at.text;
    grew.text = piece;
    grew.reasoningOffset = at.reasoning;
    grew.reasoning = thought;
    at.text += piece.size();
    at.reasoning += thought.size();
    m_tell(grew);
}

void ScriptedAgents::say(const domain::ThreadId &thread, const QString &text,
                         const QString &thought)
{
    ThreadDetail &detail = m_details[thread];
    MessageView message;
    message.thread = thread;
    message.seq = detail.messages.size() + 1;
    message.run = detail.runs.last().id;
    message.role = domain::MessageRole::Agent;
    message.text = text;
    message.reasoning = thought;
    message.createdAt = domain::nowUtc();
    detail.messages.append(message);
    Growing &at = m_growing[thread];
    at = {0, 0, at.round + 1};
    m_tell(MessageAdded{message});
}

domain::ToolCallId ScriptedAgents::used(const domain::ThreadId &thread, const QString &tool,
                                        const QString &command, const QString &result,
                                        const QString &diff)
{
    ThreadDetail &detail = m_details[thread];
    ToolCallView view;
    view.id = domain::ToolCallId::create();
    view.thread = thread;
    view.run = detail.runs.last().id;
    view.seq = detail.toolCalls.size() + 1;
    view.tool = tool;
    view.command = command;
    view.byUser = false;
    view.state = domain::ToolCallState::Done;
    view.outcome = domain::OutcomeKind::Exited;
    view.startedAt = view.endedAt = domain::nowUtc();
    view.durationMs = 12;
    view.result = result;
    view.diff = diff;
    detail.toolCalls.append(view);
    // As the Engine keeps it: a message names the calls that it asked for.
    MessageView *asked = detail.messages.isEmpty() ? nullptr : &detail.messages.last();
    if (asked && asked->role == domain::MessageRole::Agent && asked->run == view.run)
        asked->toolCalls.append(view.id);
    m_tell(ToolCallChanged{view});
    return view.id;
}

void ScriptedAgents::notice(const domain::ThreadId &thread, const QString &kind,
                            const QString &text, const QString &detail, bool canContinue,
                            const QDateTime &until)
{
    RunNotice notice;
    notice.thread = thread;
    notice.run = m_details[thread].runs.last().id;
    notice.kind = kind;
    notice.text = text;
    notice.detail = detail;
    notice.canContinue = canContinue;
    notice.until = until;
    m_tell(notice);
}

void ScriptedAgents::change(const domain::ThreadId &thread,
                            const std::function<void(RunView &)> &how)
{
    RunView &run = m_details[thread].runs.last();
    how(run);
    m_tell(RunChanged{run});
}

ApprovalView ScriptedAgents::askApproval(const domain::ThreadId &thread, const QString &command,
                                         const QStringList &patterns)
{
    ThreadDetail &detail = m_details[thread];
    if (detail.runs.isEmpty())
        ask(thread, QStringLiteral("Do it"));
    ToolCallView call;
    call.id = domain::ToolCallId::create();
    call.thread = thread;
    call.run = detail.runs.last().id;
    call.seq = detail.toolCalls.size() + 1;
    call.tool = QStringLiteral("shell");
    call.command = command;
    call.byUser = false;
    call.awaitsApproval = true;
    detail.toolCalls.append(call);
    m_tell(ToolCallChanged{call});
    ApprovalView approval;
    approval.toolCall = call.id;
    approval.run = call.run;
    approval.thread = thread;
    approval.agent = detail.thread.agent;
    approval.threadTitle = detail.thread.title;
    approval.tool = call.tool;
    approval.command = command;
    approval.cwd = QStringLiteral("/workspace");
    approval.reason = QStringLiteral("the agent may not run commands by itself");
    approval.patterns = patterns;
    if (patterns.isEmpty())
        approval.whyNotAlways = QStringLiteral("It runs what it reads");
    approval.sandboxLabel = detail.thread.sandboxLabel;
    approval.createdAt = domain::nowUtc();
    m_state.approvals.append(approval);
    m_tell(ApprovalAsked{approval});
    return approval;
}

void ScriptedAgents::setHasModel(bool hasModel)
{
    m_state.engine.hasModel = hasModel;
    m_tell(ModelsChanged{hasModel});
}

std::optional<Result<Payload>> ScriptedAgents::serve(const domain::RequestId &id,
                                                     const QString &name, const Payload &args)
{
    std::optional<Result<Payload>> result;
    const auto endpointOf = [this](const QString &endpoint) -> ModelEndpointView * {
        const auto at = std::find_if(models.endpoints.begin(), models.endpoints.end(),
                                     [&endpoint](const auto &e) { return e.name == endpoint; });
        return at == models.endpoints.end() ? nullptr : &*at;
    };
    const auto started = [this](const domain::ThreadId &thread) {
        Started s;
        s.thread = thread;
        s.run = m_details[thread].runs.last().id;
        return s;
    };
    // clang-format off
    handledHere<SendMessage>(name, args, result, [&](const SendMessage &c) -> Result<Started> {
        ask(c.thread, c.text);
        return started(c.thread);
    })
    || handledHere<EditMessage>(name, args, result, [&](const EditMessage &c) -> Result<Started> {
        for (MessageView &message : m_details[c.thread].messages) {
            if (message.seq < c.seq)
                continue;
            message.superseded = true;
            m_tell(MessageAdded{message});
        }
        ask(c.thread, c.text);
        return started(c.thread);
    })
    || handledHere<StopRun>(name, args, result, [&](const StopRun &c) -> Result<Nothing> {
        change(c.thread, [](RunView &run) {
            run.state = domain::RunState::Cancelled;
            run.endedAt = domain::nowUtc();
        });
        return Nothing{};
    })
    || handledHere<ContinueRun>(name, args, result, [&](const ContinueRun &c) -> Result<Started> {
        change(c.thread, [](RunView &run) { run.state = domain::RunState::Running; run.canContinue = false; run.endedAt = {}; });
        return started(c.thread);
    })
    || handledHere<RetryRunNow>(name, args, result, [&](const RetryRunNow &c) -> Result<Nothing> {
        notice(c.thread, {}, {});
        return Nothing{};
    })
    || handledHere<DecideApproval>(name, args, result, [&](const DecideApproval &c) -> Result<Nothing> {
        const auto at = std::find_if(m_state.approvals.begin(), m_state.approvals.end(), [&c](const auto &a) { return a.toolCall == c.toolCall; });
        if (at == m_state.approvals.end())
            return failure(domain::ErrorKind::Conflict, QStringLiteral("It was decided already"));
        const domain::ThreadId thread = at->thread;
        // As ApprovalDesk does: what lasts is one or more of the patterns that were offered.
        if (c.allow && c.scope != QLatin1String("once")) {
            const QStringList patterns = c.pattern.isEmpty() ? at->patterns : c.pattern.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
            const QStringList offered = at->patterns;
            if (patterns.isEmpty() || !std::all_of(patterns.cbegin(), patterns.cend(), [&offered](const QString &one) { return offered.contains(one); }))
                return failure(domain::ErrorKind::InvalidInput, QStringLiteral("This call can only be allowed once"), at->whyNotAlways);
            for (const QString &pattern : patterns)
                granted.append(c.scope + QLatin1String(": ") + pattern);
        }
        m_state.approvals.erase(at);
        m_tell(ApprovalClosed{c.toolCall, thread});
        return Nothing{};
    })
    || handledHere<ListRules>(name, args, result, [&](const ListRules &) -> Result<RuleList> { return rules; })
    || handledHere<SaveRule>(name, args, result, [&](const SaveRule &c) -> Result<RuleView> {
        RuleView rule = c.rule;
        if (rule.pattern.trimmed().isEmpty())
            return failure(domain::ErrorKind::InvalidInput, QStringLiteral("A pattern is needed"));
        rule.matches = {rule.pattern, rule.pattern + QStringLiteral(" --all")};
        rule.asks = {rule.pattern + QStringLiteral(" ; rm -rf /")};
        const auto known = std::find_if(rules.rules.begin(), rules.rules.end(), [&rule](const auto &r) { return r.id == rule.id; });
        if (!c.dryRun && !rule.id.isEmpty()) {
            if (known == rules.rules.end())
                return noSuchThing();
            *known = rule;
        } else if (!c.dryRun) {
            rule.id = QStringLiteral("rule-%1").arg(rules.rules.size() + 1);
            rules.rules.append(rule);
        }
        return rule;
    })
    || handledHere<RemoveRule>(name, args, result, [&](const RemoveRule &c) -> Result<Nothing> {
        if (rules.rules.removeIf([&c](const auto &r) { return r.id == c.id; }) == 0)
            return noSuchThing();
        return Nothing{};
    })
    || handledHere<ListAudit>(name, args, result, [&](const ListAudit &c) -> Result<AuditList> {
        AuditList list;
        for (const AuditEntry &entry : std::as_const(audit.entries)) {
            if (list.entries.size() < c.limit && (!c.before.isValid() || entry.at < c.before))
                list.entries.append(entry);
        }
        return list;
    })
    || handledHere<ListModels>(name, args, result, [&](const ListModels &) -> Result<ModelList> { return models; })
    || handledHere<SaveModel>(name, args, result, [&](const SaveModel &c) -> Result<ModelEndpointView> {
        if (c.endpoint.isDefault) {
            for (ModelEndpointView &other : models.endpoints)
                other.isDefault = false;
        }
        ModelEndpointView *known = endpointOf(c.endpoint.name);
        if (!known) {
            models.endpoints.append(c.endpoint);
            known = &models.endpoints.last();
            known->isDefault = models.endpoints.size() == 1 || c.endpoint.isDefault;
            known->state = QStringLiteral("not_tested");
            known->stateText = QStringLiteral("Not tested");
        } else {
            *known = c.endpoint;
        }
        const ModelEndpointView answer = *known;
        m_state.engine.hasModel = true;
        m_tell(ModelsChanged{true});
        return answer;
    })
    || handledHere<RemoveModel>(name, args, result, [&](const RemoveModel &c) -> Result<Nothing> {
        if (models.endpoints.removeIf([&c](const auto &e) { return e.name == c.name; }) == 0)
            return noSuchThing();
        m_state.engine.hasModel = !models.endpoints.isEmpty();
        m_tell(ModelsChanged{m_state.engine.hasModel});
        return Nothing{};
    })
    || handledHere<StoreModelKey>(name, args, result, [&](const StoreModelKey &c) -> Result<ModelEndpointView> {
        ModelEndpointView *endpoint = endpointOf(c.name);
        if (!endpoint)
            return noSuchThing();
        endpoint->keyOrigin = c.key.isEmpty() ? QStringLiteral("missing") : c.inFile ? QStringLiteral("file") : QStringLiteral("key_store");
        endpoint->keyHint = c.key.isEmpty() ? QString() : c.key.hint();
        return *endpoint;
    })
    || handledHere<TestModel>(name, args, result, [&](const TestModel &c) -> Result<HealthView> {
        if (!endpointOf(c.name))
            return noSuchThing();
        for (const domain::HealthStep &one : std::as_const(modelHealth.steps)) {
            if (step)
                step(id, one);
        }
        return modelHealth;
    })
    || handledHere<ListPresets>(name, args, result, [&](const ListPresets &) -> Result<PresetList> { return presets; })
    || handledHere<SaveAgent>(name, args, result, [&](const SaveAgent &c) -> Result<AgentView> {
        const auto at = std::find_if(m_state.agents.begin(), m_state.agents.end(), [&c](const auto &a) { return a.id == c.agent.id; });
        if (c.isNew == (at != m_state.agents.end()))
            return failure(domain::ErrorKind::Conflict, QStringLiteral("There is an agent of that name already"));
        if (c.isNew)
            m_state.agents.append(c.agent);
        else
            *at = c.agent;
        m_tell(AgentsChanged{m_state.agents});
        return c.agent;
    })
    || handledHere<RemoveAgent>(name, args, result, [&](const RemoveAgent &c) -> Result<Nothing> {
        if (m_state.agents.removeIf([&c](const auto &a) { return a.id == c.agent; }) == 0)
            return noSuchThing();
        m_tell(AgentsChanged{m_state.agents});
        return Nothing{};
    });
    // clang-format on
    return result;
}

} // namespace berth::test
