// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/lifecycle_contract.h"
#include "application/lifecycle/clock.h"
#include "async/scope.h"
#include "domain/result.h"

#include <QtCore/QObject>

#include <map>

namespace berth::application {

//! Sittings of clients on threads. In memory only: they end with the Engine. A client that goes
//! away without a word leaves its sessions to run out, since it may come back.
class SessionTable final : public QObject
{
    Q_OBJECT
public:
    explicit SessionTable(std::shared_ptr<Clock> clock);
    ~SessionTable() override;

    //! RateLimited beyond a number that nobody needs.
    domain::Result<SessionView> open(const domain::ThreadId &thread, const void *client);
    domain::Result<SessionView> heartbeat(const QString &session);
    //! NotFound when it has ended by itself.
    domain::Result<void> close(const QString &session);
    //! Another client may get the same address.
    void forget(const void *client);
    [[nodiscard]] int countOf(const domain::ThreadId &thread) const;
    [[nodiscard]] int size() const { return static_cast<int>(m_sessions.size()); }

    void stop();
    domain::Async<void> drained();

Q_SIGNALS:
    void changed(const berth::domain::ThreadId &thread);
    void ended(const berth::domain::ThreadId &thread);

private:
    struct Session
    {
        domain::ThreadId thread;
        const void *client = nullptr;
        std::chrono::milliseconds due{0};
        std::stop_source timer;
    };

    SessionView viewOf(const QString &id, const Session &session) const;
    domain::Result<Session *> find(const QString &session);
    async::Task<void> expire(QString id, std::stop_token stop);
    void end(const QString &id);

    std::shared_ptr<Clock> m_clock;
    std::map<QString, Session> m_sessions;
    async::Scope m_scope;
};

} // namespace berth::application
