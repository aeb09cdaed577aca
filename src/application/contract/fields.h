// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/commands.h"
#include "application/contract/events.h"
#include "application/contract/field_concept.h"
#include "application/contract/fields_agent.h"
#include "application/contract/fields_api.h"
#include "application/contract/fields_provider.h"
#include "application/contract/fields_sandbox.h"

// The one place that names each field on the wire: fields(value, visit) calls visit("name", member)
// for each.
namespace berth::application::wire {

template <Of<domain::Error> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("kind", v.kind);
    visit("message", v.message);
    visit("detail", v.detail);
    visit("http_status", v.httpStatus);
    visit("retry_after", v.retryAfter);
}

template <Of<domain::HealthStep> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("name", v.name);
    visit("state", v.state);
    visit("detail", v.detail);
    visit("duration_ms", v.duration);
}

template <Of<domain::ResourceSample> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("at", v.at);
    visit("cpu_cores", v.cpuCores);
    visit("cpu_limit_cores", v.cpuLimitCores);
    visit("memory_bytes", v.memoryBytes);
    visit("memory_limit_bytes", v.memoryLimitBytes);
    visit("disk_bytes", v.diskBytes);
    visit("disk_limit_bytes", v.diskLimitBytes);
    visit("network_receive_bytes_per_second", v.networkReceiveBytesPerSecond);
    visit("network_send_bytes_per_second", v.networkSendBytesPerSecond);
    visit("processes", v.processes);
}

template <Of<EngineView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("version", v.version);
    visit("installation", v.installation);
    visit("data_directory", v.dataDirectory);
    visit("sandboxes_directory", v.sandboxesDirectory);
    visit("pid", v.pid);
    visit("passthrough_allowed", v.passthroughAllowed);
    visit("has_model", v.hasModel);
    visit("database", v.database);
    visit("database_problem", v.databaseProblem);
}

template <Of<ThreadView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("thread_id", v.id);
    visit("agent_id", v.agent);
    visit("title", v.title);
    visit("draft", v.draft);
    visit("created_at", v.createdAt);
    visit("last_activity_at", v.lastActivityAt);
    visit("archived", v.archived);
    visit("sandbox_id", v.sandbox);
    visit("lease_id", v.lease);
    visit("sandbox_alias", v.sandboxAlias);
    visit("sandbox_type", v.sandboxType);
    visit("sandbox_label", v.sandboxLabel);
    visit("lifecycle", v.lifecycle);
    visit("lifecycle_since", v.lifecycleSince);
    visit("running", v.running);
    visit("notice", v.notice);
}

template <Of<MessageView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("thread_id", v.thread);
    visit("seq", v.seq);
    visit("run_id", v.run);
    visit("role", v.role);
    visit("text", v.text);
    visit("created_at", v.createdAt);
    visit("reasoning", v.reasoning);
    visit("cut", v.cut);
    visit("superseded", v.superseded);
    visit("tool_calls", v.toolCalls);
}

template <Of<RunView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("run_id", v.id);
    visit("thread_id", v.thread);
    visit("state", v.state);
    visit("created_at", v.createdAt);
    visit("ended_at", v.endedAt);
    visit("detail", v.detail);
    visit("can_continue", v.canContinue);
    visit("usage", v.usage);
}

template <Of<ToolCallView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("tool_call_id", v.id);
    visit("run_id", v.run);
    visit("thread_id", v.thread);
    visit("seq", v.seq);
    visit("tool", v.tool);
    visit("command", v.command);
    visit("by_user", v.byUser);
    visit("state", v.state);
    visit("preparing", v.preparing);
    visit("preparing_fraction", v.preparingFraction);
    visit("outcome", v.outcome);
    visit("exit_code", v.exitCode);
    visit("outcome_detail", v.outcomeDetail);
    visit("state_tracked", v.stateTracked);
    visit("output_bytes", v.outputBytes);
    visit("cwd", v.cwd);
    visit("started_at", v.startedAt);
    visit("ended_at", v.endedAt);
    visit("duration_ms", v.durationMs);
    visit("peak_memory_bytes", v.peakMemoryBytes);
    visit("cpu_time_ms", v.cpuTimeMs);
    visit("result", v.result);
    visit("diff", v.diff);
    visit("awaits_approval", v.awaitsApproval);
    visit("decision", v.decision);
    visit("output_host", v.outputHost);
}

template <Of<ThreadDetail> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("thread", v.thread);
    visit("messages", v.messages);
    visit("runs", v.runs);
    visit("tool_calls", v.toolCalls);
    visit("reply", v.reply);
}

template <Of<OutputSegment> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("stream", v.stream);
    visit("length", v.length);
}

template <Of<OutputChunk> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("tool_call_id", v.toolCall);
    visit("offset", v.offset);
    visit("total", v.total);
    visit("complete", v.complete);
    visit("segments", v.segments);
}

template <Of<ThreadLink> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("thread_id", v.id);
    visit("title", v.title);
}

template <Of<RuntimeView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("id", v.id);
    visit("lease_id", v.lease);
    visit("sandbox_id", v.sandbox);
    visit("agent_id", v.agent);
    visit("alias", v.alias);
    visit("provider", v.providerKind);
    visit("provider_label", v.providerLabel);
    visit("provider_config", v.providerConfig);
    visit("external_id", v.externalId);
    visit("name", v.name);
    visit("image", v.image);
    visit("desired_state", v.desired);
    visit("observed_state", v.observed);
    visit("observed_at", v.observedAt);
    visit("unreachable", v.unreachable);
    visit("last_error", v.lastError);
    visit("orphan", v.orphan);
    visit("threads", v.threads);
    visit("created_at", v.createdAt);
    visit("started_at", v.startedAt);
    visit("state_since", v.stateSince);
    visit("can_pause", v.canPause);
    visit("pause_reason", v.pauseReason);
    visit("can_resume", v.canResume);
    visit("resume_reason", v.resumeReason);
    visit("can_fork", v.canFork);
    visit("fork_reason", v.forkReason);
    visit("busy", v.busy);
    visit("destroy_loses", v.destroyLoses);
    visit("cost", v.cost);
    visit("idle_stop_at", v.idleStopAt);
    visit("destroy_due_at", v.destroyDueAt);
    visit("sessions", v.sessions);
    visit("in_flight", v.inFlight);
    visit("sample", v.sample);
}

template <Of<SandboxView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("sandbox_id", v.id);
    visit("agent_id", v.agent);
    visit("alias", v.alias);
    visit("type", v.type);
    visit("provider_config", v.providerConfig);
    visit("label", v.label);
    visit("status", v.status);
    visit("lease_id", v.lease);
    visit("observed_state", v.observed);
    visit("threads", v.threads);
    visit("last_seen_at", v.lastSeenAt);
    visit("config", v.config);
    visit("notice", v.notice);
}

template <Of<Snapshot> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("seq", v.seq);
    visit("engine", v.engine);
    visit("agents", v.agents);
    visit("threads", v.threads);
    visit("sandboxes", v.sandboxes);
    visit("runtimes", v.runtimes);
    visit("providers", v.providers);
    visit("processes", v.processes);
    visit("approvals", v.approvals);
}

template <Of<SandboxList> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("sandboxes", v.sandboxes);
}

template <Of<ThreadList> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("threads", v.threads);
}

template <Of<RuntimeList> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("runtimes", v.runtimes);
    visit("unreachable", v.unreachable);
}

template <Of<Started> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("thread_id", v.thread);
    visit("run_id", v.run);
    visit("tool_call_id", v.toolCall);
    visit("sandbox_id", v.sandbox);
    visit("lease_id", v.lease);
    visit("alias", v.sandboxAlias);
}

template <Of<Nothing> V, typename Visit>
void fields(V &, Visit &&)
{}

template <Of<GetSnapshot> V, typename Visit>
void fields(V &, Visit &&)
{}

template <Of<ListThreads> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("archived", v.archived);
}

template <Of<GetThread> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("thread_id", v.thread);
}

template <Of<NewThread> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("agent_id", v.agent);
    visit("config", v.config);
    visit("sandbox_id", v.sandbox);
    visit("text", v.text);
    visit("as_command", v.asCommand);
    visit("timeout_ms", v.timeoutMs);
    visit("when_asked", v.whenAsked);
    visit("run_anyway", v.runAnyway);
}

template <Of<SendMessage> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("thread_id", v.thread);
    visit("text", v.text);
    visit("as_command", v.asCommand);
    visit("timeout_ms", v.timeoutMs);
    visit("when_asked", v.whenAsked);
    visit("run_anyway", v.runAnyway);
}

template <Of<UpdateThread> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("thread_id", v.thread);
    visit("title", v.title);
    visit("draft", v.draft);
    visit("archived", v.archived);
}

template <Of<StopToolCall> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("tool_call_id", v.toolCall);
}

template <Of<GetToolCall> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("tool_call_id", v.toolCall);
}

template <Of<ReadOutput> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("tool_call_id", v.toolCall);
    visit("offset", v.offset);
    visit("limit", v.limit);
    visit("wait_ms", v.waitMs);
}

template <Of<Exec> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("target", v.target);
    visit("argv", v.argv);
    visit("shell_text", v.shellText);
    visit("timeout_ms", v.timeoutMs);
}

template <Of<ListRuntimes> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("refresh", v.refresh);
}

template <Of<PauseRuntime> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("runtime", v.runtime);
}

template <Of<ResumeRuntime> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("runtime", v.runtime);
}

template <Of<DestroyRuntime> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("runtime", v.runtime);
    visit("undo_seconds", v.undoSeconds);
}

template <Of<GetMetrics> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("runtime", v.runtime);
}

template <Of<WatchRuntimes> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("runtimes", v.runtimes);
}

template <Of<ThreadChanged> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("thread", v.thread);
}

template <Of<MessageAdded> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("message", v.message);
}

template <Of<RunChanged> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("run", v.run);
}

template <Of<ToolCallChanged> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("tool_call", v.toolCall);
}

template <Of<OutputGrew> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("tool_call_id", v.toolCall);
    visit("total", v.total);
}

template <Of<RuntimeChanged> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("runtime", v.runtime);
}

template <Of<RuntimeRemoved> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("id", v.runtime);
}

template <Of<RuntimeSampled> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("id", v.runtime);
    visit("sample", v.sample);
}

template <Of<SandboxChanged> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("sandbox", v.sandbox);
}

template <Of<EngineEnding> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("text", v.text);
    visit("done", v.done);
    visit("total", v.total);
}

template <Of<Raised> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("raised", v.raised);
}

template <Of<RaiseWindow> V, typename Visit>
void fields(V &, Visit &&)
{}

template <Of<RaiseRequested> V, typename Visit>
void fields(V &, Visit &&)
{}

template <Of<AllowPassthrough> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("allowed", v.allowed);
}

template <Of<UndoDestroy> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("runtime", v.runtime);
}

template <Of<EngineChanged> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("engine", v.engine);
}

} // namespace berth::application::wire
