// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/output_contract.h"
#include "domain/sandbox/lifecycle_policy.h"

#include <QtCore/QDateTime>

#include <optional>

// When sandboxes start and stop by themselves.
namespace berth::application {

//! One sitting of a client on a thread. Ends when it is closed, or 15 minutes after its last
//! heartbeat.
struct SessionView
{
    QString session;
    domain::ThreadId thread;
    QDateTime endsAt;
    bool operator==(const SessionView &) const = default;
};

//! The client opens the thread to send. With start "session" its sandbox is made ready in the
//! background; its failure shows at the thread.
struct OpenSession
{
    using Reply = SessionView;
    static constexpr const char *kName = "session.open";
    domain::ThreadId thread;
};

struct HeartbeatSession
{
    using Reply = SessionView;
    static constexpr const char *kName = "session.heartbeat";
    QString session;
};

struct CloseSession
{
    using Reply = Nothing;
    static constexpr const char *kName = "session.close";
    QString session;
};

//! The lifecycle of an agent (exec.lifecycle), or of one sandbox on top of it (config.lifecycle).
struct LifecycleView
{
    //! What holds.
    domain::LifecyclePolicy policy;
    //! What this agent or sandbox itself says; the rest comes from below.
    domain::LifecycleOverride own;
    bool operator==(const LifecycleView &) const = default;
};

struct GetLifecycle
{
    using Reply = LifecycleView;
    static constexpr const char *kName = "lifecycle.get";
    //! One of them.
    domain::AgentId agent;
    domain::SandboxId sandbox;
};

//! Replaces what the agent or sandbox itself says.
struct SetLifecycle
{
    using Reply = LifecycleView;
    static constexpr const char *kName = "lifecycle.set";
    domain::AgentId agent;
    domain::SandboxId sandbox;
    domain::LifecycleOverride own;
};

struct LeaseEventView
{
    QDateTime at;
    //! "created", "paused", "observed", "failed", …
    QString type;
    //! "window", "cli", "policy", "reconciler", …
    QString source;
    QString error;
    bool operator==(const LeaseEventView &) const = default;
};

struct LeaseEventList
{
    //! Newest first.
    QList<LeaseEventView> events;
    bool operator==(const LeaseEventList &) const = default;
};

struct ListLeaseEvents
{
    using Reply = LeaseEventList;
    static constexpr const char *kName = "runtime.events";
    QString runtime;
    int limit = 100;
};

} // namespace berth::application
