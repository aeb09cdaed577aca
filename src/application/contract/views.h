// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/agent_contract.h"
#include "application/contract/model_contract.h"
#include "application/contract/output_contract.h"
#include "application/contract/process_contract.h"
#include "application/contract/sandbox_contract.h"
#include "domain/execution/outcome.h"
#include "domain/id.h"
#include "domain/provider/health.h"
#include "domain/provider/schema.h"
#include "domain/resources/resource_sample.h"
#include "domain/sandbox/lease.h"
#include "domain/thread/thread.h"

#include <QtCore/QMap>

// Plain values that cross between the Engine and its clients. JSON names are in codec.cpp.
namespace berth::application {

struct EngineView
{
    QString version;
    domain::InstallationId installation;
    QString dataDirectory;
    //! Where the provider config files lie.
    QString sandboxesDirectory;
    qint64 pid = 0;
    //! "isolation": "none" was allowed in Settings on this machine.
    bool passthroughAllowed = false;
    //! A model is connected; until then lines without "!" stay drafts.
    bool hasModel = false;
    //! "SQLite", "PostgreSQL · berth on db.example".
    QString database;
    //! Why records cannot be kept now, and what is done about it; empty: they can.
    QString databaseProblem;
    bool operator==(const EngineView &) const = default;
};

//! idle (no instance yet) → active → paused or destroyed.
enum class ThreadLifecycle {
    Unbound,
    Idle,
    Starting,
    Active,
    Paused,
    Stopped,
    Destroyed,
    Unreachable
};

struct ThreadView
{
    domain::ThreadId id;
    domain::AgentId agent;
    QString title;
    QString draft;
    QDateTime createdAt;
    QDateTime lastActivityAt;
    bool archived = false;
    domain::SandboxId sandbox;
    domain::LeaseId lease;
    QString sandboxAlias;
    //! Provider kind, "docker".
    QString sandboxType;
    //! "docker · python:3.12-slim"
    QString sandboxLabel;
    ThreadLifecycle lifecycle = ThreadLifecycle::Unbound;
    //! Since when it is in that state, where known.
    QDateTime lifecycleSince;
    //! A run is under way.
    bool running = false;
    //! Why the sandbox is not usable or was made anew; empty: nothing to say.
    QString notice;
    bool operator==(const ThreadView &) const = default;
};

struct MessageView
{
    domain::ThreadId thread;
    qint64 seq = 0;
    domain::RunId run;
    domain::MessageRole role = domain::MessageRole::User;
    QString text;
    QDateTime createdAt;
    //! Of an agent's message: what it thought, shown folded.
    QString reasoning;
    //! The agent's message was cut: stopped, or lost with the connection.
    bool cut = false;
    //! Replaced by a later edit: readable, no longer in the model's view.
    bool superseded = false;
    //! Of an agent's message: its tool calls, in its order.
    QList<domain::ToolCallId> toolCalls;
    bool operator==(const MessageView &) const = default;
};

struct RunView
{
    domain::RunId id;
    domain::ThreadId thread;
    domain::RunState state = domain::RunState::Queued;
    QDateTime createdAt;
    QDateTime endedAt;
    //! Why it ended or waits, where the state does not say it all.
    QString detail;
    bool canContinue = false;
    UsageView usage;
    bool operator==(const RunView &) const = default;
};

struct ToolCallView
{
    domain::ToolCallId id;
    domain::RunId run;
    domain::ThreadId thread;
    //! Order within the run.
    qint64 seq = 0;
    QString tool;
    //! What to show behind the verb: the command line.
    QString command;
    bool byUser = true;
    domain::ToolCallState state = domain::ToolCallState::Pending;
    //! What it waits for while preparing: "Pulling python:3.12-slim · 43 of 99 MB".
    QString preparing;
    double preparingFraction = -1;
    //! Set when done.
    std::optional<domain::OutcomeKind> outcome;
    //! As a shell would say it; see domain::exitCodeOf().
    int exitCode = 0;
    QString outcomeDetail;
    bool stateTracked = true;
    qint64 outputBytes = 0;
    QString cwd;
    QDateTime startedAt;
    QDateTime endedAt;
    qint64 durationMs = 0;
    std::optional<qint64> peakMemoryBytes;
    std::optional<qint64> cpuTimeMs;
    //! What the model was told, of tools other than shell; bounded.
    QString result;
    //! Of an edit: a unified diff.
    QString diff;
    //! Waits for the user's decision; see ApprovalView.
    bool awaitsApproval = false;
    //! Who decided, where somebody or a rule did: "allowed by you", "denied by rule rm *".
    QString decision;
    //! Its output lies with an Engine on this host; empty: with this one.
    QString outputHost;
    bool operator==(const ToolCallView &) const = default;
};

struct ThreadDetail
{
    ThreadView thread;
    QList<MessageView> messages;
    QList<RunView> runs;
    QList<ToolCallView> toolCalls;
    //! What has come of a reply that is being written: for who opens the thread in the middle.
    std::optional<ReplyGrew> reply;
    bool operator==(const ThreadDetail &) const = default;
};

struct ThreadLink
{
    domain::ThreadId id;
    QString title;
    bool operator==(const ThreadLink &) const = default;
};

//! What Resources shows: a lease with its instance, or an orphan.
struct RuntimeView
{
    //! The lease id; for an orphan "<provider config>:<external id>".
    QString id;
    domain::LeaseId lease;
    domain::SandboxId sandbox;
    domain::AgentId agent;
    QString alias;
    QString providerKind;
    QString providerLabel;
    domain::ConfigName providerConfig;
    QString externalId;
    //! At the provider: the container's name.
    QString name;
    QString image;
    domain::DesiredState desired = domain::DesiredState::Running;
    domain::ObservedState observed = domain::ObservedState::Unknown;
    QDateTime observedAt;
    //! The last probe failed: shown dimmed, "unreachable, last seen …".
    bool unreachable = false;
    QString lastError;
    //! Of this installation, but no lease knows it.
    bool orphan = false;
    QList<ThreadLink> threads;
    QDateTime createdAt;
    QDateTime startedAt;
    //! Since when it is in the observed state, where known.
    QDateTime stateSince;
    bool canPause = false;
    QString pauseReason;
    bool canResume = false;
    QString resumeReason;
    bool canFork = false;
    QString forkReason;
    //! Under way: "pausing", "resuming", "destroying", "starting"; empty: nothing.
    QString busy;
    //! What destroy takes away and where, for the confirmation.
    QString destroyLoses;
    //! "Free", "$0.15 / h".
    QString cost;
    //! When a policy will pause it, while nothing works in it; invalid: not counting.
    QDateTime idleStopAt;
    //! Destroyed by the user, and undone until then.
    QDateTime destroyDueAt;
    //! Open sessions of its threads.
    int sessions = 0;
    //! Commands and background commands under way.
    int inFlight = 0;
    std::optional<domain::ResourceSample> sample;
    bool operator==(const RuntimeView &) const = default;
};

enum class ProviderState { Checking, Ready, NotSetUp, NeedsKey, Unreachable, Broken };

//! One provider config, or a kind without one yet.
struct ProviderView
{
    domain::ConfigName config;
    QString kind;
    QString label;
    QString mark;
    QString isolation;
    QString cost;
    QString bestFor;
    QString pauseKeeps;
    ProviderState state = ProviderState::Checking;
    //! In words: "Ready · isolated", "No Docker engine found".
    QString stateText;
    //! Why and what to do.
    QString stateDetail;
    //! The file is there.
    bool saved = false;
    QString path;
    //! "python:3.12-slim"
    QString summary;
    //! A new thread can use it now.
    bool usable = false;
    //! The service's own console, for a link.
    QString consoleUrl;
    //! How far the provider was tried against the real service, in words; empty: fully.
    QString proof;
    //! Nothing is sent before the user has confirmed these (TrustProvider): origins that would get
    //! the key and are not the service's own, and variables that the file expands in other fields
    //! than those they belong to.
    QStringList unconfirmedOrigins;
    QStringList unconfirmedVariables;
    bool operator==(const ProviderView &) const = default;
};

struct SandboxView
{
    domain::SandboxId id;
    domain::AgentId agent;
    QString alias;
    QString type;
    domain::ConfigName providerConfig;
    QString label;
    QString status;
    domain::LeaseId lease;
    QString observed;
    int threads = 0;
    QDateTime lastSeenAt;
    //! As stored: JSON object as text.
    QString config;
    //! "on another engine" and the like, where the runtime is not to be seen from here.
    QString notice;
    bool operator==(const SandboxView &) const = default;
};

struct SandboxList
{
    QList<SandboxView> sandboxes;
    bool operator==(const SandboxList &) const = default;
};

struct FieldView
{
    QString key;
    //! "text", "path", "integer", "boolean", "choice", "string_list", "secret"
    QString type;
    QString label;
    QString help;
    QString placeholder;
    QString defaultValue;
    bool required = false;
    bool advanced = false;
    std::optional<qint64> minimum;
    std::optional<qint64> maximum;
    QString unit;
    QString pattern;
    QString patternHint;
    QList<QPair<QString, QString>> choices;
    //! As in a text box; empty when the file does not name it. Of a secret only a reference such as
    //! "${E2B_API_KEY}", never the key itself.
    QString value;
    //! "file", "default"; of a secret where it comes from: "file", "key_store",
    //! "environment:E2B_API_KEY", "missing".
    QString origin;
    //! Of a secret that is there: "…7f3a".
    QString hint;
    //! Names that the environment is asked for when the file does not name it.
    QStringList environmentVariables;
    bool operator==(const FieldView &) const = default;
};

struct FormExample
{
    QString name;
    QString help;
    QMap<QString, QString> values;
    bool operator==(const FormExample &) const = default;
};

//! What a settings form needs.
struct ProviderForm
{
    ProviderView provider;
    QList<FieldView> fields;
    //! As saving would write it; secrets that stand in the file are shown as "…".
    QString json;
    //! Values to begin with, by name, for a service that comes in several kinds.
    QList<FormExample> examples;
    //! "Store a key" can put it into the desktop's key store.
    bool hasKeyStore = false;
    bool operator==(const ProviderForm &) const = default;
};

struct HealthView
{
    bool ok = false;
    QString summary;
    QList<domain::HealthStep> steps;
    std::optional<domain::Error> error;
    qint64 durationMs = 0;
    bool operator==(const HealthView &) const = default;
};

struct Snapshot
{
    //! Events after this one are not in here.
    qint64 seq = 0;
    EngineView engine;
    QList<AgentView> agents;
    QList<ThreadView> threads;
    QList<SandboxView> sandboxes;
    QList<RuntimeView> runtimes;
    QList<ProviderView> providers;
    QList<ProcessView> processes;
    QList<ApprovalView> approvals;
    bool operator==(const Snapshot &) const = default;
};

struct ThreadList
{
    QList<ThreadView> threads;
    bool operator==(const ThreadList &) const = default;
};

struct RuntimeList
{
    QList<RuntimeView> runtimes;
    //! Provider configs that did not answer, so that the list may be partial.
    QStringList unreachable;
    bool operator==(const RuntimeList &) const = default;
};

struct ProviderList
{
    QList<ProviderView> providers;
    bool operator==(const ProviderList &) const = default;
};

struct Started
{
    domain::ThreadId thread;
    domain::RunId run;
    domain::ToolCallId toolCall;
    domain::SandboxId sandbox;
    domain::LeaseId lease;
    QString sandboxAlias;
    bool operator==(const Started &) const = default;
};

} // namespace berth::application
