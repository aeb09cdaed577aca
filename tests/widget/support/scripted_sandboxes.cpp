// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widget/support/scripted_sandboxes.h"

#include "domain/policy/security_policy.h"
#include "domain/text.h"

#include <algorithm>

namespace berth::test {

using namespace berth::application;
using domain::failure;
using domain::Result;

namespace {

template <typename Command, typename Handle>
bool handledRow(const QString &name, const Payload &arguments, std::optional<Result<Payload>> &into,
                Handle handle)
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

tl::unexpected<domain::Error> noSuchRow()
{
    return failure(domain::ErrorKind::NotFound, QStringLiteral("There is no such sandbox"));
}

} // namespace

ScriptedSandboxes::ScriptedSandboxes(Snapshot &state, PresetList &presets, Tell tell)
    : m_state(state), m_presets(presets), m_tell(std::move(tell))
{}

SandboxView *ScriptedSandboxes::find(const domain::SandboxId &sandbox)
{
    for (QList<SandboxView> *rows : {&m_state.sandboxes, &deleted}) {
        for (SandboxView &row : *rows) {
            if (row.id == sandbox)
                return &row;
        }
    }
    return nullptr;
}

SandboxView ScriptedSandboxes::add(const domain::AgentId &agent, const QString &alias,
                                   const QString &type, const QString &status)
{
    SandboxView row;
    row.id = domain::SandboxId::create();
    row.agent = agent;
    row.alias = alias;
    row.type = type;
    row.providerConfig = domain::ConfigName(type);
    row.label = type;
    row.status = status;
    row.config = QStringLiteral("{}");
    (status == QLatin1String("deleted") ? deleted : m_state.sandboxes).append(row);
    return row;
}

SandboxView ScriptedSandboxes::addRunning(const domain::AgentId &agent, const QString &alias,
                                          const QString &type, domain::ObservedState observed)
{
    const domain::SandboxId id = add(agent, alias, type, QStringLiteral("provisioned")).id;
    SandboxView &row = *find(id);
    row.lease = domain::LeaseId::create();
    row.lastSeenAt = domain::nowUtc();
    RuntimeView runtime;
    runtime.lease = row.lease;
    runtime.id = row.lease.toString();
    runtime.sandbox = row.id;
    runtime.agent = agent;
    runtime.alias = alias;
    runtime.providerKind = type;
    runtime.providerLabel = type.left(1).toUpper() + type.mid(1);
    runtime.providerConfig = row.providerConfig;
    runtime.externalId = QStringLiteral("0123456789ab");
    runtime.name = QStringLiteral("berth-%1-%2").arg(agent.toString(), alias);
    runtime.observed = observed;
    runtime.observedAt = row.lastSeenAt;
    runtime.destroyLoses = QStringLiteral("The container %1 and its volume").arg(runtime.name);
    runtime.forkReason = QStringLiteral("Docker cannot copy a running container");
    m_state.runtimes.append(runtime);
    return row;
}

void ScriptedSandboxes::change(const domain::SandboxId &sandbox,
                               const std::function<void(SandboxView &)> &how)
{
    if (SandboxView *row = find(sandbox)) {
        how(*row);
        const SandboxView after = *row;
        m_tell(SandboxChanged{after});
    }
}

bool ScriptedSandboxes::hasAlias(const domain::AgentId &agent, const QString &alias) const
{
    return std::any_of(m_state.sandboxes.cbegin(), m_state.sandboxes.cend(),
                       [&](const SandboxView &row) {
                           return row.agent == agent && row.alias == alias
                               && row.status != QLatin1String("deleted");
                       });
}

Result<SandboxView> ScriptedSandboxes::addRow(const AddSandbox &command)
{
    QString type = command.type;
    QString config = command.config;
    if (!command.preset.isEmpty()) {
        const auto preset =
            std::find_if(m_presets.presets.cbegin(), m_presets.presets.cend(),
                         [&command](const auto &one) { return one.name == command.preset; });
        if (preset == m_presets.presets.cend()) {
            QStringList known;
            for (const PresetView &one : std::as_const(m_presets.presets))
                known << one.name;
            return failure(domain::ErrorKind::InvalidInput,
                           QStringLiteral("There is no preset \"%1\"").arg(command.preset),
                           QStringLiteral("There are: %1.").arg(known.join(QStringLiteral(", "))));
        }
        type = preset->type;
        config = preset->config;
    }
    const QString alias =
        command.alias.isEmpty() ? QStringLiteral("%1-1").arg(type) : command.alias;
    if (hasAlias(command.agent, alias))
        return failure(domain::ErrorKind::Conflict,
                       QStringLiteral("The agent has a sandbox \"%1\" already").arg(alias),
                       QStringLiteral("Choose another alias."));
    const domain::SandboxId id = add(command.agent, alias, type, QStringLiteral("pending")).id;
    change(id, [&config](SandboxView &row) { row.config = config; });
    return *find(id);
}

void ScriptedSandboxes::dropRuntime(const domain::SandboxId &sandbox)
{
    const auto at = std::find_if(m_state.runtimes.cbegin(), m_state.runtimes.cend(),
                                 [&sandbox](const auto &r) { return r.sandbox == sandbox; });
    if (at == m_state.runtimes.cend())
        return;
    const QString id = at->id;
    m_state.runtimes.erase(at);
    m_tell(RuntimeRemoved{id});
}

Result<SandboxList> ScriptedSandboxes::removeRow(const RemoveSandbox &command)
{
    const auto at = std::find_if(m_state.sandboxes.begin(), m_state.sandboxes.end(),
                                 [&command](const auto &row) { return row.id == command.sandbox; });
    if (at == m_state.sandboxes.end())
        return noSuchRow();
    at->status = QStringLiteral("deleted");
    const SandboxView row = *at;
    m_state.sandboxes.erase(at);
    deleted.append(row);
    m_tell(SandboxChanged{row});
    if (command.destroy)
        dropRuntime(row.id);
    return SandboxList{{row}};
}

Result<SandboxView> ScriptedSandboxes::restoreRow(const domain::SandboxId &sandbox)
{
    const auto at = std::find_if(deleted.begin(), deleted.end(),
                                 [&sandbox](const auto &row) { return row.id == sandbox; });
    if (at == deleted.end())
        return noSuchRow();
    if (hasAlias(at->agent, at->alias))
        return failure(domain::ErrorKind::Conflict,
                       QStringLiteral("Another sandbox has the alias \"%1\"").arg(at->alias),
                       QStringLiteral("Remove that one first."));
    at->status = QStringLiteral("provisioned");
    const SandboxView row = *at;
    deleted.erase(at);
    m_state.sandboxes.append(row);
    m_tell(SandboxChanged{row});
    return row;
}

Result<SandboxView> ScriptedSandboxes::purgeRow(const domain::SandboxId &sandbox)
{
    const SandboxView *row = find(sandbox);
    if (!row || row->status != QLatin1String("deleted"))
        return noSuchRow();
    dropRuntime(sandbox);
    return *row;
}

Result<SandboxView> ScriptedSandboxes::fork(const ForkRuntime &command)
{
    for (const RuntimeView &runtime : std::as_const(m_state.runtimes)) {
        if (runtime.id != command.runtime)
            continue;
        if (!runtime.canFork)
            return failure(domain::ErrorKind::Unsupported, runtime.forkReason);
        const domain::SandboxId id = add(runtime.agent, runtime.alias + QStringLiteral("-copy"),
                                         runtime.providerKind, QStringLiteral("pending"))
                                         .id;
        change(id, [](SandboxView &) {});
        return *find(id);
    }
    return noSuchRow();
}

Result<SecurityView> ScriptedSandboxes::setSecurity(const SetSecurity &command)
{
    domain::SecurityPolicy current =
        domain::readStoredPolicy(policies.value(command.agent)).value_or(domain::SecurityPolicy{});
    // The hash is made for real by the Engine; here only that there is one.
    if (tokens.value(command.agent))
        current.accessTokenHash = QStringLiteral("set");
    QList<domain::PolicyProblem> problems;
    const auto policy = domain::replacedPolicy(current, command.document.toUtf8(), &problems);
    if (!policy) {
        QStringList all;
        for (const domain::PolicyProblem &problem : std::as_const(problems))
            all << (problem.path.isEmpty() ? problem.text
                                           : problem.path + QStringLiteral(": ") + problem.text);
        domain::Error error = policy.error();
        error.detail = all.join(QStringLiteral("; "));
        return failure(error);
    }
    tokens[command.agent] = policy->hasAccessToken();
    domain::SecurityPolicy kept = *policy;
    kept.accessTokenHash.clear();
    policies[command.agent] = domain::storedPolicyText(kept);
    for (AgentView &agent : m_state.agents) {
        if (agent.id != command.agent)
            continue;
        agent.autonomy = domain::wireName(policy->autonomy);
        agent.access = domain::wireName(policy->access);
        agent.requireApprovalFor = policy->requireApprovalFor;
    }
    m_tell(AgentsChanged{m_state.agents});
    return SecurityView{command.agent, domain::shownPolicyText(*policy), policy->hasAccessToken()};
}

Result<PresetList> ScriptedSandboxes::savePreset(const PresetView &preset)
{
    for (PresetView &known : m_presets.presets) {
        if (known.name == preset.name) {
            known = preset;
            return m_presets;
        }
    }
    m_presets.presets.append(preset);
    return m_presets;
}

std::optional<Result<Payload>> ScriptedSandboxes::serve(const QString &name, const Payload &args)
{
    std::optional<Result<Payload>> result;
    // clang-format off
    handledRow<ListSandboxes>(name, args, result, [&](const ListSandboxes &c) -> Result<SandboxList> {
        SandboxList list{m_state.sandboxes};
        if (c.deleted)
            list.sandboxes += deleted;
        if (!c.agent.isNull())
            list.sandboxes.removeIf([&c](const auto &row) { return row.agent != c.agent; });
        return list;
    })
    || handledRow<AddSandbox>(name, args, result, [&](const AddSandbox &c) { return addRow(c); })
    || handledRow<RemoveSandbox>(name, args, result, [&](const RemoveSandbox &c) { return removeRow(c); })
    || handledRow<RestoreSandbox>(name, args, result, [&](const RestoreSandbox &c) { return restoreRow(c.sandbox); })
    || handledRow<PurgeSandbox>(name, args, result, [&](const PurgeSandbox &c) { return purgeRow(c.sandbox); })
    || handledRow<ForkRuntime>(name, args, result, [&](const ForkRuntime &c) { return fork(c); })
    || handledRow<GetSecurity>(name, args, result, [&](const GetSecurity &c) -> Result<SecurityView> {
        const auto policy = domain::readStoredPolicy(policies.value(c.agent));
        if (!policy)
            return failure(policy.error());
        return SecurityView{c.agent, domain::shownPolicyText(*policy), tokens.value(c.agent)};
    })
    || handledRow<SetSecurity>(name, args, result, [&](const SetSecurity &c) { return setSecurity(c); })
    || handledRow<GetLifecycle>(name, args, result, [&](const GetLifecycle &c) -> Result<LifecycleView> {
        return lifecycles.value(c.agent.toString() + c.sandbox.toString());
    })
    || handledRow<SetLifecycle>(name, args, result, [&](const SetLifecycle &c) -> Result<LifecycleView> {
        if (const auto problem = c.own.problem())
            return failure(domain::ErrorKind::InvalidInput, *problem);
        LifecycleView &view = lifecycles[c.agent.toString() + c.sandbox.toString()];
        view.own = c.own;
        view.policy = c.own.over({});
        return view;
    })
    || handledRow<ListSkills>(name, args, result, [&](const ListSkills &c) -> Result<SkillList> {
        SkillList list = skills.value(c.agent);
        list.agent = c.agent;
        return list;
    })
    || handledRow<SetSkills>(name, args, result, [&](const SetSkills &c) -> Result<SkillList> {
        for (const SkillView &skill : c.skills) {
            if (skill.source.contains(QLatin1String("missing")))
                return failure(domain::ErrorKind::InvalidInput, QStringLiteral("%1 is not a folder").arg(skill.source), QStringLiteral("Choose another one."));
        }
        SkillList &list = skills[c.agent];
        list.agent = c.agent;
        list.skills = c.skills;
        list.pending.clear();
        for (const SandboxView &row : std::as_const(m_state.sandboxes)) {
            if (row.agent == c.agent)
                list.pending << row.alias;
        }
        return list;
    })
    || handledRow<SavePreset>(name, args, result, [&](const SavePreset &c) { return savePreset(c.preset); })
    || handledRow<RemovePreset>(name, args, result, [&](const RemovePreset &c) -> Result<PresetList> {
        m_presets.presets.removeIf([&c](const auto &one) { return one.name == c.name; });
        if (m_presets.autoProvision == c.name)
            m_presets.autoProvision.clear();
        return m_presets;
    })
    || handledRow<SetAutoProvision>(name, args, result, [&](const SetAutoProvision &c) -> Result<PresetList> {
        m_presets.autoProvision = c.name;
        m_presets.problem.clear();
        return m_presets;
    });
    // clang-format on
    return result;
}

} // namespace berth::test
