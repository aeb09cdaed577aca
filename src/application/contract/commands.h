// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/agent_contract.h"
#include "application/contract/api_contract.h"
#include "application/contract/file_contract.h"
#include "application/contract/lifecycle_contract.h"
#include "application/contract/model_contract.h"
#include "application/contract/process_contract.h"
#include "application/contract/sandbox_contract.h"
#include "application/contract/views.h"
#include "domain/secret.h"

// What a client may ask. Each command names its wire name and the type of its answer. A command
// that acts is repeated safely under the same request id within 24 h: the first answer comes again.
namespace berth::application {

struct GetSnapshot
{
    using Reply = Snapshot;
    static constexpr const char *kName = "snapshot";
};

struct ListThreads
{
    using Reply = ThreadList;
    static constexpr const char *kName = "thread.list";
    bool archived = false;
};

struct GetThread
{
    using Reply = ThreadDetail;
    static constexpr const char *kName = "thread.get";
    domain::ThreadId thread;
};

//! A new thread with its first message. Binds it: exactly one of config and sandbox is set; with
//! neither the thread has no sandbox and only a model could answer.
struct NewThread
{
    using Reply = Started;
    static constexpr const char *kName = "thread.new";
    domain::AgentId agent;
    //! A new sandbox from this provider config: "docker".
    domain::ConfigName config;
    //! An existing sandbox of the agent.
    domain::SandboxId sandbox;
    //! As typed; a leading "!" runs the rest as a command.
    QString text;
    //! "Run as command": runs \a text whole although it has no "!".
    bool asCommand = false;
    //! Of the command inside the sandbox; 0: none.
    qint64 timeoutMs = 0;
    //! Tool calls that would ask: "wait" for a decision, or "deny" because nobody is there.
    QString whenAsked = QStringLiteral("wait");
    //! The user's own command although the policy asks or denies it; he has seen why.
    bool runAnyway = false;
};

struct SendMessage
{
    using Reply = Started;
    static constexpr const char *kName = "thread.send";
    domain::ThreadId thread;
    QString text;
    bool asCommand = false;
    qint64 timeoutMs = 0;
    //! As of NewThread.
    QString whenAsked = QStringLiteral("wait");
    bool runAnyway = false;
};

struct UpdateThread
{
    using Reply = ThreadView;
    static constexpr const char *kName = "thread.update";
    domain::ThreadId thread;
    std::optional<QString> title;
    std::optional<QString> draft;
    std::optional<bool> archived;
};

//! Stops one tool call; answers once it has ended.
struct StopToolCall
{
    using Reply = ToolCallView;
    static constexpr const char *kName = "tool_call.stop";
    domain::ToolCallId toolCall;
};

struct GetToolCall
{
    using Reply = ToolCallView;
    static constexpr const char *kName = "tool_call.get";
    domain::ToolCallId toolCall;
};

//! Output from \a offset on, at most \a limit bytes (1 MiB at the most). A negative offset counts
//! from the end. With waitMs and nothing new it answers when there is something, at the end of the
//! command, or after that time.
struct ReadOutput
{
    using Reply = OutputChunk;
    static constexpr const char *kName = "tool_call.output";
    domain::ToolCallId toolCall;
    qint64 offset = 0;
    qint64 limit = 64 * 1024;
    qint64 waitMs = 0;
};

//! Runs a command outside of any conversation, in the sandbox of a thread (with its working
//! directory and variables) or in a sandbox. Not recorded as a message; its output is read like a
//! tool call's and dropped some minutes after the end.
struct Exec
{
    using Reply = Started;
    static constexpr const char *kName = "exec";
    //! A thread id, sandbox id, lease id, or alias of agent "default".
    QString target;
    QStringList argv;
    //! Instead of argv: text for the shell.
    QString shellText;
    qint64 timeoutMs = 0;
};

struct ListRuntimes
{
    using Reply = RuntimeList;
    static constexpr const char *kName = "runtime.list";
    //! Ask the providers first.
    bool refresh = false;
};

struct PauseRuntime
{
    using Reply = RuntimeView;
    static constexpr const char *kName = "runtime.pause";
    QString runtime;
};

struct ResumeRuntime
{
    using Reply = RuntimeView;
    static constexpr const char *kName = "runtime.resume";
    QString runtime;
};

struct DestroyRuntime
{
    using Reply = RuntimeView;
    static constexpr const char *kName = "runtime.destroy";
    QString runtime;
    //! With more than 0 it is paused now and destroyed then, unless UndoDestroy comes first; where
    //! the provider cannot pause, it is destroyed at once.
    int undoSeconds = 0;
};

struct UndoDestroy
{
    using Reply = RuntimeView;
    static constexpr const char *kName = "runtime.undo_destroy";
    QString runtime;
};

struct GetMetrics
{
    using Reply = domain::ResourceSample;
    static constexpr const char *kName = "runtime.metrics";
    QString runtime;
};

//! Which runtimes this client shows now; they are sampled every second until it says otherwise or
//! leaves.
struct WatchRuntimes
{
    using Reply = Nothing;
    static constexpr const char *kName = "runtime.watch";
    QStringList runtimes;
};

struct ListProviders
{
    using Reply = ProviderList;
    static constexpr const char *kName = "provider.list";
    //! Check their state first.
    bool refresh = false;
};

struct GetProviderForm
{
    using Reply = ProviderForm;
    static constexpr const char *kName = "provider.form";
    domain::ConfigName config;
};

//! Writes <config>.json. Keys that the schema does not know survive. An empty value removes the
//! key.
struct SaveProvider
{
    using Reply = ProviderView;
    static constexpr const char *kName = "provider.save";
    domain::ConfigName config;
    QMap<QString, QString> values;
};

//! Tries \a values without saving them; each step comes as HealthStepDone with this command's
//! request id.
struct TestProvider
{
    using Reply = HealthView;
    static constexpr const char *kName = "provider.test";
    domain::ConfigName config;
    QMap<QString, QString> values;
};

//! The JSON text that saving \a values would write.
struct PreviewProvider
{
    using Reply = ProviderForm;
    static constexpr const char *kName = "provider.preview";
    domain::ConfigName config;
    QMap<QString, QString> values;
};

//! The user lets this config's keys go to these origins, and these variables into its fields; both
//! as ProviderView::unconfirmedOrigins and unconfirmedVariables listed them, so that nothing is
//! confirmed that he has not seen.
struct TrustProvider
{
    using Reply = ProviderView;
    static constexpr const char *kName = "provider.trust";
    domain::ConfigName config;
    QStringList origins;
    QStringList variables;
};

//! Puts a key into the desktop's key store and a reference to it into the config's field. An empty
//! key removes both. Unsupported where there is no key store.
struct StoreProviderKey
{
    using Reply = ProviderView;
    static constexpr const char *kName = "provider.store_key";
    domain::ConfigName config;
    QString field;
    domain::Secret key;
};

//! Allows "isolation": "none" on this machine. Only a window may ask; anybody else is Forbidden.
struct AllowPassthrough
{
    using Reply = Nothing;
    static constexpr const char *kName = "engine.allow_passthrough";
    bool allowed = false;
};

struct Raised
{
    bool raised = false;
    bool operator==(const Raised &) const = default;
};

//! A second start of the window: the first one comes to the front. False when the Engine has no
//! window.
struct RaiseWindow
{
    using Reply = Raised;
    static constexpr const char *kName = "window.raise";
};

} // namespace berth::application
