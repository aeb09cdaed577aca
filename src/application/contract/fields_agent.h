// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/agent_contract.h"
#include "application/contract/field_concept.h"
#include "application/contract/model_contract.h"
#include "application/contract/sandbox_contract.h"

// As fields.h, for models, agents, sandboxes, presets, approvals and what runs tell.
namespace berth::application::wire {

template <Of<ModelPresetView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("id", v.id);
    visit("label", v.label);
    visit("dialect", v.dialect);
    visit("base_url", v.baseUrl);
    visit("key_variable", v.keyVariable);
    visit("needs_key", v.needsKey);
    visit("found", v.found);
}

template <Of<ModelEndpointView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("name", v.name);
    visit("preset", v.preset);
    visit("dialect", v.dialect);
    visit("base_url", v.baseUrl);
    visit("model", v.model);
    visit("models", v.models);
    visit("key_reference", v.keyReference);
    visit("key_origin", v.keyOrigin);
    visit("key_hint", v.keyHint);
    visit("context_tokens", v.contextTokens);
    visit("max_tokens", v.maxTokens);
    visit("input_price", v.inputPrice);
    visit("cached_price", v.cachedPrice);
    visit("output_price", v.outputPrice);
    visit("currency", v.currency);
    visit("is_default", v.isDefault);
    visit("state", v.state);
    visit("state_text", v.stateText);
    visit("state_detail", v.stateDetail);
}

template <Of<ModelList> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("endpoints", v.endpoints);
    visit("presets", v.presets);
    visit("has_key_store", v.hasKeyStore);
    visit("problem", v.problem);
}

template <Of<ListModels> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("refresh", v.refresh);
}

template <Of<SaveModel> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("endpoint", v.endpoint);
}

template <Of<RemoveModel> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("name", v.name);
}

template <Of<StoreModelKey> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("name", v.name);
    visit("key", v.key);
    visit("in_file", v.inFile);
}

template <Of<TestModel> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("name", v.name);
}

template <Of<ModelsChanged> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("has_model", v.hasModel);
}

template <Of<AgentView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("agent_id", v.id);
    visit("name", v.name);
    visit("model", v.model);
    visit("instructions", v.instructions);
    visit("autonomy", v.autonomy);
    visit("require_approval_for", v.requireApprovalFor);
    visit("access", v.access);
    visit("threads", v.threads);
    visit("sandboxes", v.sandboxes);
}

template <Of<SaveAgent> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("is_new", v.isNew);
    visit("agent", v.agent);
    visit("sandbox", v.sandbox);
}

template <Of<AgentsChanged> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("agents", v.agents);
}

template <Of<UsageView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("input_tokens", v.inputTokens);
    visit("cached_tokens", v.cachedTokens);
    visit("output_tokens", v.outputTokens);
    visit("reasoning_tokens", v.reasoningTokens);
    visit("cost", v.cost);
    visit("currency", v.currency);
    visit("context_used", v.contextUsed);
    visit("context_size", v.contextSize);
}

template <Of<ApprovalView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("tool_call_id", v.toolCall);
    visit("run_id", v.run);
    visit("thread_id", v.thread);
    visit("agent_id", v.agent);
    visit("thread_title", v.threadTitle);
    visit("tool", v.tool);
    visit("command", v.command);
    visit("cwd", v.cwd);
    visit("diff", v.diff);
    visit("reason", v.reason);
    visit("patterns", v.patterns);
    visit("why_not_always", v.whyNotAlways);
    visit("sandbox_label", v.sandboxLabel);
    visit("created_at", v.createdAt);
}

template <Of<ApprovalList> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("approvals", v.approvals);
}

template <Of<ListApprovals> V, typename Visit>
void fields(V &, Visit &&)
{}

template <Of<DecideApproval> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("tool_call_id", v.toolCall);
    visit("allow", v.allow);
    visit("scope", v.scope);
    visit("pattern", v.pattern);
    visit("reason", v.reason);
}

template <Of<ApprovalAsked> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("approval", v.approval);
}

template <Of<ApprovalClosed> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("tool_call_id", v.toolCall);
    visit("thread_id", v.thread);
}

template <Of<RuleView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("id", v.id);
    visit("scope", v.scope);
    visit("owner", v.owner);
    visit("tool", v.tool);
    visit("pattern", v.pattern);
    visit("decision", v.decision);
    visit("created_at", v.createdAt);
    visit("matches", v.matches);
    visit("asks", v.asks);
}

template <Of<RuleList> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("rules", v.rules);
}

template <Of<ListRules> V, typename Visit>
void fields(V &, Visit &&)
{}

template <Of<SaveRule> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("rule", v.rule);
    visit("dry_run", v.dryRun);
}

template <Of<RemoveRule> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("id", v.id);
}

template <Of<AuditEntry> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("at", v.at);
    visit("thread_id", v.thread);
    visit("tool_call_id", v.toolCall);
    visit("origin", v.origin);
    visit("tool", v.tool);
    visit("command", v.command);
    visit("decision", v.decision);
    visit("decided_by", v.decidedBy);
    visit("outcome", v.outcome);
}

template <Of<AuditList> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("entries", v.entries);
}

template <Of<ListAudit> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("before", v.before);
    visit("limit", v.limit);
}

template <Of<HookView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("moment", v.moment);
    visit("program", v.program);
    visit("arguments", v.arguments);
    visit("tools", v.tools);
}

template <Of<HookList> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("hooks", v.hooks);
    visit("path", v.path);
    visit("problem", v.problem);
}

template <Of<ListHooks> V, typename Visit>
void fields(V &, Visit &&)
{}

template <Of<SaveHooks> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("hooks", v.hooks);
}

template <Of<StopRun> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("thread_id", v.thread);
}

template <Of<ContinueRun> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("thread_id", v.thread);
}

template <Of<RetryRunNow> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("thread_id", v.thread);
}

template <Of<EditMessage> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("thread_id", v.thread);
    visit("seq", v.seq);
    visit("text", v.text);
}

template <Of<ReplyGrew> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("thread_id", v.thread);
    visit("run_id", v.run);
    visit("round", v.round);
    visit("offset", v.offset);
    visit("text", v.text);
    visit("reasoning_offset", v.reasoningOffset);
    visit("reasoning", v.reasoning);
    visit("calls", v.calls);
}

template <Of<RunNotice> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("thread_id", v.thread);
    visit("run_id", v.run);
    visit("kind", v.kind);
    visit("text", v.text);
    visit("detail", v.detail);
    visit("until", v.until);
    visit("can_continue", v.canContinue);
}

template <Of<PresetView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("name", v.name);
    visit("type", v.type);
    visit("config", v.config);
    visit("problem", v.problem);
}

template <Of<PresetList> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("presets", v.presets);
    visit("auto_provision", v.autoProvision);
    visit("path", v.path);
    visit("problem", v.problem);
}

template <Of<ListPresets> V, typename Visit>
void fields(V &, Visit &&)
{}

template <Of<SavePreset> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("preset", v.preset);
}

template <Of<RemovePreset> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("name", v.name);
}

template <Of<SetAutoProvision> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("name", v.name);
}

template <Of<ListSandboxes> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("agent_id", v.agent);
    visit("deleted", v.deleted);
}

template <Of<AddSandbox> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("agent_id", v.agent);
    visit("alias", v.alias);
    visit("preset", v.preset);
    visit("type", v.type);
    visit("provider_config", v.providerConfig);
    visit("config", v.config);
}

template <Of<RemoveSandbox> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("sandbox_id", v.sandbox);
    visit("destroy", v.destroy);
}

template <Of<RestoreSandbox> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("sandbox_id", v.sandbox);
}

template <Of<PurgeSandbox> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("sandbox_id", v.sandbox);
}

template <Of<RemoveAgent> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("agent_id", v.agent);
}

template <Of<SkillView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("name", v.name);
    visit("source", v.source);
    visit("problem", v.problem);
}

template <Of<SkillList> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("agent_id", v.agent);
    visit("skills", v.skills);
    visit("pending", v.pending);
}

template <Of<ListSkills> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("agent_id", v.agent);
}

template <Of<SetSkills> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("agent_id", v.agent);
    visit("skills", v.skills);
}

template <Of<ForkRuntime> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("runtime_id", v.runtime);
    visit("alias", v.alias);
}

template <Of<SecurityView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("agent_id", v.agent);
    visit("document", v.document);
    visit("access_token_set", v.accessTokenSet);
}

template <Of<GetSecurity> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("agent_id", v.agent);
}

template <Of<SetSecurity> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("agent_id", v.agent);
    visit("document", v.document);
}

} // namespace berth::application::wire
