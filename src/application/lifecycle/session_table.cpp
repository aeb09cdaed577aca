// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/lifecycle/session_table.h"

#include <QtCore/QUuid>

#include <algorithm>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using domain::ThreadId;

namespace {

constexpr std::chrono::minutes kLife{15};
constexpr int kMostSessions = 1000;
constexpr int kMostPerClient = 100;

} // namespace

SessionTable::SessionTable(std::shared_ptr<Clock> clock) : m_clock(std::move(clock)) {}

SessionTable::~SessionTable() = default;

SessionView SessionTable::viewOf(const QString &id, const Session &session) const
{
    const std::chrono::milliseconds left = session.due - m_clock->now();
    return {id, session.thread, m_clock->wall().addMSecs(left.count())};
}

Result<SessionView> SessionTable::open(const ThreadId &thread, const void *client)
{
    const auto ofClient =
        std::count_if(m_sessions.begin(), m_sessions.end(),
                      [client](const auto &entry) { return entry.second.client == client; });
    if (size() >= kMostSessions || ofClient >= kMostPerClient) {
        return failure(ErrorKind::RateLimited, QStringLiteral("Too many sessions are open"),
                       QStringLiteral("Close some; each ends by itself after 15 minutes."));
    }
    const QString id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    Session &session = m_sessions[id];
    session.thread = thread;
    session.client = client;
    session.due = m_clock->now() + kLife;
    m_scope.spawn(expire(id, session.timer.get_token()));
    const SessionView view = viewOf(id, session);
    Q_EMIT changed(thread);
    return view;
}

Result<SessionTable::Session *> SessionTable::find(const QString &session)
{
    const auto found = m_sessions.find(session);
    if (found == m_sessions.end())
        return failure(ErrorKind::NotFound, QStringLiteral("The session has ended"),
                       QStringLiteral("Open a new one."));
    return &found->second;
}

Result<SessionView> SessionTable::heartbeat(const QString &session)
{
    const Result<Session *> found = find(session);
    if (!found)
        return failure(found.error());
    (*found)->due = m_clock->now() + kLife;
    return viewOf(session, **found);
}

Result<void> SessionTable::close(const QString &session)
{
    const Result<Session *> found = find(session);
    if (!found)
        return failure(found.error());
    end(session);
    return {};
}

void SessionTable::forget(const void *client)
{
    for (auto &[id, session] : m_sessions) {
        if (session.client == client)
            session.client = nullptr;
    }
}

int SessionTable::countOf(const ThreadId &thread) const
{
    return static_cast<int>(
        std::count_if(m_sessions.begin(), m_sessions.end(),
                      [&thread](const auto &entry) { return entry.second.thread == thread; }));
}

async::Task<void> SessionTable::expire(QString id, std::stop_token stop)
{
    for (;;) {
        const auto found = m_sessions.find(id);
        if (found == m_sessions.end())
            co_return;
        const std::chrono::milliseconds left = found->second.due - m_clock->now();
        if (left.count() <= 0) {
            end(id);
            co_return;
        }
        const bool elapsed = co_await m_clock->sleepFor(left, stop);
        if (!elapsed)
            co_return;
    }
}

void SessionTable::end(const QString &id)
{
    const auto found = m_sessions.find(id);
    const ThreadId thread = found->second.thread;
    std::stop_source timer = found->second.timer;
    m_sessions.erase(found);
    timer.request_stop();
    Q_EMIT changed(thread);
    Q_EMIT ended(thread);
}

void SessionTable::stop()
{
    for (auto &[id, session] : m_sessions)
        session.timer.request_stop();
}

Async<void> SessionTable::drained()
{
    co_await m_scope.drained();
    co_return Result<void>();
}

} // namespace berth::application
