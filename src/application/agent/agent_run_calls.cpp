// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of AgentRun that has calls carried out.
#include "application/agent/agent_run.h"
#include "domain/log.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Message;
using domain::Result;
using domain::ToolCallState;

namespace {

constexpr qsizetype kParallel = 4;

} // namespace

//! Calls of this run that an Engine before this one left with an open question.
Async<void> AgentRun::finishOpenCalls()
{
    const Result<void> loaded = co_await load();
    if (!loaded)
        co_return failure(loaded.error());
    QList<Flight> flights;
    for (const Message &message : std::as_const(m_messages)) {
        if (message.run != m_run.id || message.superseded)
            continue;
        for (const domain::ToolCallId &id : message.toolCalls) {
            const auto call = m_calls.constFind(id);
            if (call == m_calls.cend() || call->state == ToolCallState::Done)
                continue;
            const Result<std::optional<domain::Approval>> approval =
                co_await m_places.conversations.approval(id);
            if (!approval)
                co_return failure(approval.error());
            const Flight flight = flightOf(*call);
            flight->wasAsked = *approval && (*approval)->decision.isEmpty();
            flights << flight;
        }
    }
    m_isLoaded = flights.isEmpty();
    if (flights.isEmpty())
        co_return Result<void>();
    const Result<void> done = co_await runCalls(flights);
    co_return done;
}

async::Task<void> AgentRun::admit(Flight flight, async::Completion<bool> done)
{
    const Result<void> admitted = co_await m_pipeline.admit(flight, m_stop.get_token());
    bool goesOn = true;
    if (!admitted) {
        if (m_stop.stop_requested() && !*m_leaving) {
            flight->answer(domain::OutcomeKind::Cancelled, m_setting->stopText());
        } else {
            goesOn = false;
            m_storageFailed = m_storageFailed || !*m_leaving;
            if (!*m_leaving)
                domain::log(domain::LogLevel::Error, "agent", admitted.error().message);
        }
    }
    done.complete(goesOn);
}

async::Task<void> AgentRun::finish(Flight flight, async::Completion<bool> done)
{
    Result<void> finished = co_await m_pipeline.finish(flight, m_stop.get_token());
    if (!finished && finished.error().kind == ErrorKind::Cancelled && m_stop.stop_requested()) {
        // Stopped while it was asked again.
        if (*m_leaving) {
            done.complete(false);
            co_return;
        }
        flight->answer(domain::OutcomeKind::Cancelled, m_setting->stopText());
        finished = co_await m_pipeline.finish(flight, m_stop.get_token());
    }
    if (!finished) {
        m_storageFailed = true;
        domain::log(domain::LogLevel::Error, "agent", finished.error().message);
    }
    done.complete(finished.has_value());
}

//! All are checked, and asked for, at once. What changes something is done in order; what only
//! reads, up to four together.
Async<void> AgentRun::runCalls(QList<Flight> flights)
{
    QList<async::Completion<bool>> admissions;
    for (const Flight &flight : std::as_const(flights)) {
        const async::Completion<bool> admitted;
        admissions << admitted;
        m_scope.spawn(admit(flight, admitted));
    }
    qsizetype at = 0;
    while (at < flights.size()) {
        QList<async::Completion<bool>> under;
        bool readsOnly = true;
        while (at < flights.size() && under.size() < kParallel) {
            const Tool *tool = m_tools.find(flights[at]->call.tool);
            readsOnly = readsOnly && tool && tool->spec().isReadOnly();
            if (!readsOnly && !under.isEmpty())
                break;
            const bool goesOn = co_await admissions[at];
            if (goesOn) {
                const async::Completion<bool> done;
                under << done;
                m_scope.spawn(finish(flights[at], done));
            }
            ++at;
            if (!readsOnly)
                break;
        }
        for (const async::Completion<bool> &done : std::as_const(under)) {
            const bool finished = co_await done;
            Q_UNUSED(finished)
        }
    }
    if (m_storageFailed)
        co_return failure(ErrorKind::Storage,
                          QStringLiteral("What a tool did could not be recorded"));
    co_return Result<void>();
}

} // namespace berth::application
