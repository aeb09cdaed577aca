// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Agents, their sandboxes as rows, and presets.
#include "application/engine/command_table.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

//! What an agent may do and who may talk to it is the policy's, whoever asks.
bool touchesPolicy(const AgentView &agent)
{
    return !agent.access.isEmpty() || !agent.autonomy.isEmpty();
}

Async<AgentView> perform(CommandContext context, SaveAgent command)
{
    // Who an agent is that is there already is not for whatever runs as this user to change.
    if (!command.isNew || touchesPolicy(command.agent)) {
        if (const Result<void> owner = ownerOrGranted(context, "admin"); !owner)
            co_return failure(owner.error());
    }
    const Result<AgentView> saved = co_await context.services.agents.save(command);
    co_return saved;
}

Async<Nothing> perform(CommandContext context, RemoveAgent command)
{
    if (const Result<void> owner = ownerOrGranted(context, "admin"); !owner)
        co_return failure(owner.error());
    const Result<Nothing> removed = co_await context.services.agents.remove(command.agent);
    if (removed && context.services.runs)
        context.services.runs->desk().agentRemoved(command.agent);
    co_return removed;
}

Async<SecurityView> perform(CommandContext context, GetSecurity command)
{
    co_return context.services.agents.security(command.agent);
}

Async<SecurityView> perform(CommandContext context, SetSecurity command)
{
    if (const Result<void> owner = ownerOrGranted(context, "admin"); !owner)
        co_return failure(owner.error());
    const Result<SecurityView> saved = co_await context.services.agents.setSecurity(command);
    co_return saved;
}

Async<SkillList> perform(CommandContext context, ListSkills command)
{
    return context.services.skills.list(command.agent);
}

//! Folders of this machine go into sandboxes by this.
Async<SkillList> perform(CommandContext context, SetSkills command)
{
    if (const Result<void> owner = ownerOrGranted(context, "admin"); !owner)
        co_return failure(owner.error());
    const Result<SkillList> set = co_await context.services.skills.set(command, context.stop);
    co_return set;
}

Async<PresetList> perform(CommandContext context, ListPresets)
{
    co_return context.services.presets.list();
}

Async<PresetList> perform(CommandContext context, SavePreset command)
{
    if (const Result<void> owner = ownerOrGranted(context, "admin"); !owner)
        co_return failure(owner.error());
    co_return context.services.presets.save(command.preset);
}

Async<PresetList> perform(CommandContext context, RemovePreset command)
{
    if (const Result<void> owner = ownerOrGranted(context, "admin"); !owner)
        co_return failure(owner.error());
    co_return context.services.presets.remove(command.name);
}

Async<PresetList> perform(CommandContext context, SetAutoProvision command)
{
    if (const Result<void> owner = ownerOrGranted(context, "admin"); !owner)
        co_return failure(owner.error());
    co_return context.services.presets.setAutoProvision(command.name);
}

Async<SandboxList> perform(CommandContext context, ListSandboxes command)
{
    if (!command.agent.isNull() && !context.services.agents.agent(command.agent))
        co_return failure(ErrorKind::NotFound,
                          QStringLiteral("There is no agent \"%1\"").arg(command.agent.toString()));
    co_return SandboxList{context.services.sandboxes.rows(command.agent, command.deleted)};
}

Async<SandboxView> perform(CommandContext context, AddSandbox command)
{
    Engine::Services &services = context.services;
    const domain::AgentId agent = command.agent;
    if (!services.agents.agent(agent))
        co_return failure(ErrorKind::NotFound,
                          QStringLiteral("There is no agent \"%1\"").arg(agent.toString()));
    const bool byPreset = !command.preset.isEmpty();
    const bool byKind = !command.type.isEmpty() || !command.providerConfig.isNull();
    if (byPreset == byKind)
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("Name either a preset or a type of sandbox"));
    Result<domain::Sandbox> row = byPreset
        ? services.presets.row(command.preset)
        : services.presets.row(command.type, command.providerConfig, command.config);
    if (!row)
        co_return failure(row.error());
    if (byPreset) {
        const Result<domain::Sandbox> over =
            services.presets.row(row->type, row->providerConfig, command.config);
        if (!over)
            co_return failure(over.error());
        for (auto value = over->config.begin(); value != over->config.end(); ++value)
            row->config.insert(value.key(), value.value());
    }
    row->agent = agent;
    row->alias = command.alias.trimmed();
    const Result<SandboxView> added = co_await services.sandboxes.addRow(*row);
    co_return added;
}

Async<SandboxList> perform(CommandContext context, RemoveSandbox command)
{
    const Result<SandboxView> removed = co_await context.services.sandboxes.removeRow(
        command.sandbox, command.destroy, context.source, context.stop);
    if (!removed)
        co_return failure(removed.error());
    co_return SandboxList{{*removed}};
}

Async<SandboxView> perform(CommandContext context, RestoreSandbox command)
{
    return context.services.sandboxes.restoreRow(command.sandbox);
}

Async<SandboxView> perform(CommandContext context, PurgeSandbox command)
{
    return context.services.sandboxes.purgeRow(command.sandbox, context.source, context.stop);
}

struct DoAgents
{
    template <typename Command>
    auto operator()(const CommandContext &context, const Command &command) const
    {
        return perform(context, command);
    }
};

} // namespace

CommandTable agentsCommands()
{
    return CommandTable{
        commandEntry<SaveAgent, DoAgents>(true),
        commandEntry<RemoveAgent, DoAgents>(true),
        commandEntry<GetSecurity, DoAgents>(false),
        commandEntry<SetSecurity, DoAgents>(true),
        commandEntry<ListSkills, DoAgents>(false),
        commandEntry<SetSkills, DoAgents>(true),
        commandEntry<ListPresets, DoAgents>(false),
        commandEntry<SavePreset, DoAgents>(true),
        commandEntry<RemovePreset, DoAgents>(true),
        commandEntry<SetAutoProvision, DoAgents>(true),
        commandEntry<ListSandboxes, DoAgents>(false),
        commandEntry<AddSandbox, DoAgents>(true),
        commandEntry<RemoveSandbox, DoAgents>(true),
        commandEntry<RestoreSandbox, DoAgents>(true),
        commandEntry<PurgeSandbox, DoAgents>(true),
    };
}

} // namespace berth::application
