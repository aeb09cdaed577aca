// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/api_contract.h"
#include "application/contract/views.h"

#include <QtCore/QMetaType>

#include <variant>

// What the Engine tells all its clients, in one order.
namespace berth::application {

struct ThreadChanged
{
    static constexpr const char *kName = "thread_changed";
    ThreadView thread;
    bool operator==(const ThreadChanged &) const = default;
};
struct MessageAdded
{
    static constexpr const char *kName = "message_added";
    MessageView message;
    bool operator==(const MessageAdded &) const = default;
};
struct RunChanged
{
    static constexpr const char *kName = "run_changed";
    RunView run;
    bool operator==(const RunChanged &) const = default;
};
struct ToolCallChanged
{
    static constexpr const char *kName = "tool_call_changed";
    ToolCallView toolCall;
    bool operator==(const ToolCallChanged &) const = default;
};
//! At most twenty times a second per tool call; fetch what you show with ReadOutput.
struct OutputGrew
{
    static constexpr const char *kName = "output_grew";
    domain::ToolCallId toolCall;
    qint64 total = 0;
    bool operator==(const OutputGrew &) const = default;
};
struct RuntimeChanged
{
    static constexpr const char *kName = "runtime_changed";
    RuntimeView runtime;
    bool operator==(const RuntimeChanged &) const = default;
};
struct RuntimeRemoved
{
    static constexpr const char *kName = "runtime_removed";
    QString runtime;
    bool operator==(const RuntimeRemoved &) const = default;
};
struct RuntimeSampled
{
    static constexpr const char *kName = "runtime_sampled";
    QString runtime;
    domain::ResourceSample sample;
    bool operator==(const RuntimeSampled &) const = default;
};
struct ProviderChanged
{
    static constexpr const char *kName = "provider_changed";
    ProviderView provider;
    bool operator==(const ProviderChanged &) const = default;
};
struct SandboxChanged
{
    static constexpr const char *kName = "sandbox_changed";
    SandboxView sandbox;
    bool operator==(const SandboxChanged &) const = default;
};
struct HealthStepDone
{
    static constexpr const char *kName = "health_step_done";
    domain::RequestId request;
    domain::HealthStep step;
    bool operator==(const HealthStepDone &) const = default;
};
//! Something of the Engine itself changed, e.g. that passthrough is allowed.
struct EngineChanged
{
    static constexpr const char *kName = "engine_changed";
    EngineView engine;
    bool operator==(const EngineChanged &) const = default;
};
//! The Engine is about to end; \a text says what it still does ("Pausing 2 sandboxes").
struct EngineEnding
{
    static constexpr const char *kName = "engine_ending";
    QString text;
    //! Sandboxes still to be paused or destroyed, of how many; 0 of 0: not known yet.
    int done = 0;
    int total = 0;
    bool operator==(const EngineEnding &) const = default;
};

//! To windows: come to the front.
struct RaiseRequested
{
    static constexpr const char *kName = "raise_requested";
    bool operator==(const RaiseRequested &) const = default;
};

using EventBody =
    std::variant<ThreadChanged, MessageAdded, RunChanged, ToolCallChanged, OutputGrew,
                 RuntimeChanged, RuntimeRemoved, RuntimeSampled, ProviderChanged, SandboxChanged,
                 HealthStepDone, EngineChanged, EngineEnding, RaiseRequested, ProcessChanged,
                 ProcessRemoved, ProcessOutputGrew, ModelsChanged, AgentsChanged, ApprovalAsked,
                 ApprovalClosed, ReplyGrew, RunNotice, ApiChanged>;

struct Event
{
    //! Grows by one per event of this Engine; a gap means that something was missed: take a new
    //! snapshot.
    qint64 seq = 0;
    EventBody body;
    bool operator==(const Event &) const = default;
};

} // namespace berth::application

Q_DECLARE_METATYPE(berth::application::Event)
