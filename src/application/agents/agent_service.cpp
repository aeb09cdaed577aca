// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agents/agent_service.h"

#include "domain/agent/default_agent.h"
#include "domain/policy/security_policy.h"
#include "domain/sandbox/naming.h"
#include "domain/text.h"

namespace berth::application {

using domain::Agent;
using domain::AgentId;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

constexpr qsizetype kLongestName = 80;
constexpr qsizetype kLongestInstructions = 64 * 1024;

domain::Error noAgent(const AgentId &id)
{
    return {ErrorKind::NotFound, QStringLiteral("There is no agent \"%1\"").arg(id.toString()), {}};
}

//! What the form of an agent says of its policy, over what there is.
Result<QString> policyWith(const QString &before, const AgentView &view)
{
    Result<domain::SecurityPolicy> policy = domain::readStoredPolicy(before);
    if (!policy)
        return failure(policy.error());
    if (!view.autonomy.isEmpty()) {
        const std::optional<domain::Autonomy> autonomy = domain::autonomyFromWire(view.autonomy);
        if (!autonomy)
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("autonomy_level cannot be \"%1\"").arg(view.autonomy),
                           QStringLiteral("It is readonly, supervised or full."));
        policy->autonomy = *autonomy;
        policy->requireApprovalFor = view.requireApprovalFor;
    }
    if (!view.access.isEmpty()) {
        const std::optional<domain::Access> access = domain::accessFromWire(view.access);
        if (!access)
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("access cannot be \"%1\"").arg(view.access),
                           QStringLiteral("It is public, protected or private."));
        policy->access = *access;
    }
    const QString text = domain::storedPolicyText(*policy);
    // Whatever was put together here must be what can be read again.
    if (const Result<domain::SecurityPolicy> again = domain::readStoredPolicy(text); !again)
        return failure(again.error());
    return text;
}

//! What the form of an agent says, over what there is.
Result<void> fillIn(Agent &agent, const AgentView &wanted)
{
    agent.name = wanted.name.simplified();
    if (agent.name.isEmpty() || agent.name.size() > kLongestName)
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("An agent's name has 1 to %1 characters").arg(kLongestName));
    if (wanted.instructions.size() > kLongestInstructions)
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("The instructions are longer than 64 KiB"));
    agent.instructions = wanted.instructions;
    agent.modelRef = wanted.model.trimmed();
    agent.updatedAt = domain::nowUtc();
    const Result<QString> policy = policyWith(agent.security, wanted);
    if (!policy)
        return failure(policy.error());
    agent.security = *policy;
    return {};
}

//! Puts the document of \a command in the place of the policy.
Result<bool> replacePolicy(Agent &agent, const SetSecurity &command)
{
    const Result<domain::SecurityPolicy> before = domain::readStoredPolicy(agent.security);
    if (!before)
        return failure(before.error());
    QList<domain::PolicyProblem> problems;
    Result<domain::SecurityPolicy> policy =
        domain::replacedPolicy(*before, command.document.toUtf8(), &problems);
    if (!policy) {
        QStringList all;
        for (const domain::PolicyProblem &problem : std::as_const(problems))
            all << (problem.path.isEmpty() ? problem.text
                                           : problem.path + QStringLiteral(": ") + problem.text);
        domain::Error error = policy.error();
        if (!all.isEmpty())
            error.detail = all.join(QLatin1String("; "));
        return failure(error);
    }
    // As with the access token: who does not speak of the members keeps them.
    if (!namesMembers(*policy))
        setMembers(*policy, membersIn(*before).value_or(QHash<QString, Role>()));
    const Result<QHash<QString, Role>> members = membersIn(*policy);
    if (!members)
        return failure(members.error());
    setMembers(*policy, *members);
    agent.security = domain::storedPolicyText(*policy);
    return true;
}

Result<bool> insertMember(Agent &agent, const QString &user, Role role)
{
    Result<domain::SecurityPolicy> policy = domain::readStoredPolicy(agent.security);
    if (!policy)
        return failure(policy.error());
    Result<QHash<QString, Role>> members = membersIn(*policy);
    if (!members)
        return failure(members.error());
    if (members->contains(user))
        return false;
    members->insert(user, role);
    setMembers(*policy, *members);
    agent.security = domain::storedPolicyText(*policy);
    return true;
}

Result<SecurityView> securityViewOf(const Agent &agent)
{
    const Result<domain::SecurityPolicy> policy = domain::readStoredPolicy(agent.security);
    if (!policy)
        return failure(policy.error());
    return SecurityView{agent.id, domain::shownPolicyText(*policy), policy->hasAccessToken()};
}

} // namespace

AgentService::AgentService(domain::BerthStore &store, AgentRows &rows, PresetService &presets,
                           SandboxService &sandboxes, ThreadService &threads,
                           LifecycleService &lifecycle, EventBus &bus)
    : m_store(store),
      m_rows(rows),
      m_presets(presets),
      m_sandboxes(sandboxes),
      m_threads(threads),
      m_lifecycle(lifecycle),
      m_bus(bus)
{
    m_rows.changed = [this] { return refresh(); };
}

AgentService::~AgentService()
{
    m_rows.changed = nullptr;
}

void AgentService::start(QList<Agent> agents)
{
    m_agents = std::move(agents);
    m_lifecycle.start(m_agents);
}

const Agent *AgentService::agent(const AgentId &id) const
{
    for (const Agent &known : m_agents) {
        if (known.id == id)
            return &known;
    }
    return nullptr;
}

AgentView AgentService::viewOf(const Agent &agent) const
{
    AgentView view;
    view.id = agent.id;
    view.name = agent.name;
    view.model = agent.modelRef;
    view.instructions = agent.instructions;
    const Result<domain::SecurityPolicy> policy = domain::readStoredPolicy(agent.security);
    // A document that cannot be read stands for no policy at all: shown as nothing.
    if (policy) {
        view.autonomy = domain::wireName(policy->autonomy);
        view.requireApprovalFor = policy->requireApprovalFor;
        view.access = domain::wireName(policy->access);
    }
    const QList<ThreadView> threads = m_threads.views();
    for (const ThreadView &thread : threads) {
        if (thread.agent == agent.id)
            ++view.threads;
    }
    const QList<SandboxView> sandboxes = m_sandboxes.sandboxViews();
    for (const SandboxView &sandbox : sandboxes) {
        if (sandbox.agent == agent.id)
            ++view.sandboxes;
    }
    return view;
}

QList<AgentView> AgentService::views() const
{
    QList<AgentView> list;
    for (const Agent &agent : m_agents)
        list << viewOf(agent);
    return list;
}

Async<void> AgentService::refresh()
{
    const Result<QList<Agent>> all = co_await m_store.agents();
    if (!all)
        co_return failure(all.error());
    start(*all);
    m_bus.publish(AgentsChanged{views()});
    co_return Result<void>();
}

Async<AgentView> AgentService::save(SaveAgent command)
{
    const AgentView wanted = command.agent;
    if (command.isNew) {
        Agent agent;
        agent.id = wanted.id.isNull() ? AgentId(domain::nameFrom(wanted.name)) : wanted.id;
        if (!domain::isValidName(agent.id.toString()))
            co_return failure(
                ErrorKind::InvalidInput,
                QStringLiteral("\"%1\" cannot be an agent's id").arg(agent.id.toString()),
                QStringLiteral("Use up to 32 small letters, digits, - and _, beginning with a "
                               "letter or a digit."));
        agent.createdAt = domain::nowUtc();
        if (const Result<void> filled = fillIn(agent, wanted); !filled)
            co_return failure(filled.error());
        const Result<AgentView> added = co_await add(command, agent);
        co_return added;
    }
    const AgentRows::Edit edit = [wanted](Agent &row) -> Result<bool> {
        if (const Result<void> filled = fillIn(row, wanted); !filled)
            return failure(filled.error());
        return true;
    };
    const Result<Agent> saved = co_await m_rows.change(wanted.id, edit);
    if (!saved)
        co_return failure(saved.error());
    co_return viewOf(*saved);
}

Async<AgentView> AgentService::add(SaveAgent command, Agent agent)
{
    std::optional<domain::Sandbox> row;
    QString preset = command.sandbox;
    if (preset == QLatin1String("default")) {
        const PresetList presets = m_presets.list();
        // A default that names no preset is an error to see, not an agent without a sandbox.
        if (!presets.problem.isEmpty())
            co_return failure(ErrorKind::InvalidInput,
                              QStringLiteral("The default sandbox cannot be used"),
                              presets.problem);
        preset = presets.autoProvision;
    } else if (preset == QLatin1String("none")) {
        preset.clear();
    }
    if (!preset.isEmpty()) {
        const Result<domain::Sandbox> made = m_presets.row(preset);
        if (!made)
            co_return failure(made.error());
        row = *made;
        row->agent = agent.id;
        row->alias = QStringLiteral("default");
    }
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_rows.enter();
    const Result<std::optional<domain::Sandbox>> added = co_await m_store.addAgent(agent, row);
    if (!added)
        co_return failure(added.error());
    const Result<void> known = co_await refresh();
    if (!known)
        co_return failure(known.error());
    if (*added)
        m_sandboxes.addSandbox(**added);
    co_return viewOf(agent);
}

Async<Nothing> AgentService::remove(AgentId id)
{
    if (id == domain::defaultAgent())
        co_return failure(ErrorKind::Conflict,
                          QStringLiteral("The agent \"default\" cannot be removed"));
    // Their records go with the agent: what may still run at a provider would be lost from sight.
    for (const SandboxView &row : m_sandboxes.rows(id, true)) {
        const LeaseController *controller = m_sandboxes.controllerOf(row.id);
        if (row.status == QLatin1String("deleted") && controller && controller->mayExist())
            co_return failure(
                ErrorKind::Conflict,
                QStringLiteral("A deleted sandbox of this agent may still be there: %1")
                    .arg(row.alias),
                QStringLiteral("Purge it first."));
    }
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_rows.enter();
    const Result<void> removed = co_await m_store.removeAgent(id);
    if (!removed)
        co_return failure(removed.error());
    const Result<void> known = co_await refresh();
    if (!known)
        co_return failure(known.error());
    co_return Nothing{};
}

Result<SecurityView> AgentService::security(const AgentId &id) const
{
    const Agent *known = agent(id);
    if (!known)
        return failure(noAgent(id));
    return securityViewOf(*known);
}

Async<SecurityView> AgentService::setSecurity(SetSecurity command)
{
    const AgentRows::Edit edit = [command](Agent &row) { return replacePolicy(row, command); };
    const Result<Agent> saved = co_await m_rows.change(command.agent, edit);
    if (!saved)
        co_return failure(saved.error());
    co_return securityViewOf(*saved);
}

Async<void> AgentService::addMember(AgentId id, QString user, Role role)
{
    const AgentRows::Edit edit = [user, role](Agent &row) { return insertMember(row, user, role); };
    const Result<Agent> saved = co_await m_rows.change(id, edit);
    if (!saved)
        co_return failure(saved.error());
    co_return Result<void>();
}

} // namespace berth::application
