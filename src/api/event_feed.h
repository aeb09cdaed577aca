// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/request.h"
#include "api/viewer.h"
#include "application/contract/events.h"
#include "async/completion.h"

#include <QtCore/QTimer>

#include <chrono>
#include <deque>

namespace berth::api {

//! The Engine's events for /api/events: the last ones are kept once for all clients, so that a slow
//! or returning client costs nothing; one that has fallen behind is told to take a new snapshot. An
//! event becomes text when the first client gets it.
class EventFeed
{
public:
    //! \a ping: between two signs of life to a client that gets nothing else.
    explicit EventFeed(std::chrono::milliseconds ping);

    void add(const application::Event &event);
    //! The connection to the Engine was lost meanwhile.
    void breakOff();
    //! From behind \a lastEventId on; empty: from now on.
    //! \a viewer: who gets only what is his; null: all of it.
    [[nodiscard]] std::shared_ptr<Source> follow(const QByteArray &lastEventId,
                                                 std::shared_ptr<const Viewer> viewer = {});
    //! Until as many releases, this user's clients get nothing: what he has just begun is not known
    //! to be his yet. Then they get all of it.
    void hold(const QString &user);
    void release(const QString &user);
    //! Whose the things are that later events speak of.
    void learn(const application::Snapshot &snapshot);

    static constexpr size_t kKept = 2048;
    static constexpr qint64 kKeptBytes = 8 * 1024 * 1024;

    struct History
    {
        qint64 events = 0;
        //! As text, because somebody got them.
        qint64 encoded = 0;
        //! Of memory, about.
        qint64 bytes = 0;
    };
    [[nodiscard]] History history() const;

private:
    struct State;
    class Follower;
    EventOwners m_owners;
    std::shared_ptr<State> m_state;
    QTimer m_ping;
};

} // namespace berth::api
