// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/agent_contract.h"
#include "domain/sandbox/sandbox.h"
#include "domain/thread/thread.h"

#include <optional>
#include <stop_token>

namespace berth::application {

//! Who wants something to be run.
struct Caller
{
    //! "window", "cli", "api"
    QString source;
    //! What he says himself counts as decided on.
    bool mayApprove = false;
};

//! What somebody wants run by himself: a line, a background command, a terminal.
struct OwnLine
{
    //! Null: in no thread.
    domain::ThreadId thread;
    domain::AgentId agent;
    domain::Sandbox sandbox;
    QString command;
    Caller caller;
    //! Nothing is known of what will be typed into it.
    bool isTerminal = false;
    //! Although the policy asks or denies it: he has seen why.
    bool runAnyway = false;
};

//! Who answers the messages of a thread that are no commands.
class ThreadResponder
{
public:
    virtual ~ThreadResponder() = default;

    //! Unsupported: no model is connected.
    [[nodiscard]] virtual domain::Result<void> canAnswer(const domain::AgentId &agent) const = 0;
    //! Answers the message that was stored with \a run, once it is the thread's turn.
    virtual void begin(domain::Thread thread, domain::Run run) = 0;
    //! What has come of the reply that is being written, from its beginning; nullopt: none is.
    [[nodiscard]] virtual std::optional<ReplyGrew> replyUnderWay(
        const domain::ThreadId &thread) const = 0;
    [[nodiscard]] virtual std::optional<domain::RunId> underWay(
        const domain::ThreadId &thread) const = 0;
    //! A message went into the run under way. False: it has ended meanwhile.
    virtual bool steer(const domain::ThreadId &thread, qint64 seq) = 0;
    //! From this message on nothing is in the model's view any more.
    virtual domain::Async<void> supersede(domain::ThreadId thread, qint64 fromSeq) = 0;
    [[nodiscard]] virtual bool awaitsApproval(const domain::ToolCallId &call) const = 0;
    //! A line of the user's own may be run. What to write down of it, "typed by you"; Forbidden
    //! says why not.
    virtual domain::Async<QString> admitOwn(OwnLine line) = 0;
    //! The user's hooks before such a line: why it is not run; empty: it is.
    virtual domain::Async<QString> beforeOwn(domain::ToolCall call, domain::AgentId agent,
                                             std::stop_token stop) = 0;
    //! And after it.
    virtual domain::Async<void> afterOwn(domain::ToolCall ended, domain::AgentId agent,
                                         std::stop_token stop) = 0;
};

} // namespace berth::application
