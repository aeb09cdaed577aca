// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/field_concept.h"
#include "application/contract/file_contract.h"
#include "application/contract/lifecycle_contract.h"
#include "application/contract/process_contract.h"

// As fields.h, for processes, files and lifecycle.
namespace berth::application::wire {

template <Of<ProcessView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("process_id", v.id);
    visit("kind", v.kind);
    visit("lease_id", v.lease);
    visit("sandbox_id", v.sandbox);
    visit("thread_id", v.thread);
    visit("title", v.title);
    visit("command", v.command);
    visit("state", v.state);
    visit("outcome", v.outcome);
    visit("exit_code", v.exitCode);
    visit("detail", v.detail);
    visit("output_bytes", v.outputBytes);
    visit("skipped_bytes", v.skippedBytes);
    visit("columns", v.columns);
    visit("rows", v.rows);
    visit("cwd", v.cwd);
    visit("started_at", v.startedAt);
    visit("ended_at", v.endedAt);
}

template <Of<ProcessList> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("processes", v.processes);
}

template <Of<ListProcesses> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("target", v.target);
}

template <Of<StartProcess> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("target", v.target);
    visit("argv", v.argv);
    visit("shell_text", v.shellText);
    visit("title", v.title);
    visit("columns", v.columns);
    visit("rows", v.rows);
}

template <Of<StopProcess> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("process_id", v.process);
}

template <Of<WriteProcess> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("process_id", v.process);
}

template <Of<ResizeProcess> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("process_id", v.process);
    visit("columns", v.columns);
    visit("rows", v.rows);
}

template <Of<ReadProcess> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("process_id", v.process);
    visit("offset", v.offset);
    visit("limit", v.limit);
    visit("wait_ms", v.waitMs);
}

template <Of<RemoveProcess> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("process_id", v.process);
}

template <Of<ProcessChanged> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("process", v.process);
}

template <Of<ProcessRemoved> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("process_id", v.process);
}

template <Of<ProcessOutputGrew> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("process_id", v.process);
    visit("total", v.total);
}

template <Of<FileView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("name", v.name);
    visit("kind", v.kind);
    visit("size", v.size);
    visit("mode", v.mode);
    visit("modified", v.modified);
    visit("link_target", v.linkTarget);
    visit("link_to_directory", v.linkToDirectory);
    visit("problem", v.problem);
}

template <Of<FileList> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("directory", v.directory);
    visit("entries", v.entries);
    visit("next", v.next);
}

template <Of<ListFiles> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("target", v.target);
    visit("path", v.path);
    visit("cursor", v.cursor);
    visit("limit", v.limit);
    visit("wake", v.wake);
}

template <Of<StatFile> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("target", v.target);
    visit("path", v.path);
    visit("wake", v.wake);
}

template <Of<FileChunk> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("offset", v.offset);
}

template <Of<ReadFile> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("target", v.target);
    visit("path", v.path);
    visit("offset", v.offset);
    visit("length", v.length);
    visit("wake", v.wake);
}

template <Of<UploadView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("upload_id", v.upload);
}

template <Of<OpenUpload> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("target", v.target);
    visit("path", v.path);
    visit("mode", v.mode);
    visit("replace", v.replace);
    visit("wake", v.wake);
}

template <Of<WriteUpload> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("upload_id", v.upload);
}

template <Of<CommitUpload> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("upload_id", v.upload);
}

template <Of<AbortUpload> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("upload_id", v.upload);
}

template <Of<MakeFolder> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("target", v.target);
    visit("path", v.path);
    visit("wake", v.wake);
}

template <Of<RenameFile> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("target", v.target);
    visit("from", v.from);
    visit("to", v.to);
    visit("wake", v.wake);
}

template <Of<RemoveFile> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("target", v.target);
    visit("path", v.path);
    visit("recursive", v.recursive);
    visit("wake", v.wake);
}

template <Of<domain::LifecyclePolicy> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("start", v.start);
    visit("stop", v.stop);
    visit("idle_timeout_minutes", v.idleTimeoutMinutes);
}

template <Of<domain::LifecycleOverride> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("start", v.start);
    visit("stop", v.stop);
    visit("idle_timeout_minutes", v.idleTimeoutMinutes);
}

template <Of<SessionView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("session_id", v.session);
    visit("thread_id", v.thread);
    visit("ends_at", v.endsAt);
}

template <Of<OpenSession> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("thread_id", v.thread);
}

template <Of<HeartbeatSession> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("session_id", v.session);
}

template <Of<CloseSession> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("session_id", v.session);
}

template <Of<LifecycleView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("policy", v.policy);
    visit("own", v.own);
}

template <Of<GetLifecycle> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("agent_id", v.agent);
    visit("sandbox_id", v.sandbox);
}

template <Of<SetLifecycle> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("agent_id", v.agent);
    visit("sandbox_id", v.sandbox);
    visit("own", v.own);
}

template <Of<LeaseEventView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("at", v.at);
    visit("type", v.type);
    visit("source", v.source);
    visit("error", v.error);
}

template <Of<LeaseEventList> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("events", v.events);
}

template <Of<ListLeaseEvents> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("runtime", v.runtime);
    visit("limit", v.limit);
}

} // namespace berth::application::wire
