// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/exchange.h"
#include "api/gate.h"
#include "api/listen_address.h"

#include <array>
#include <chrono>
#include <functional>

struct MHD_Daemon;

namespace berth::api {

struct FrontSettings
{
    ListenAddress listen;
    unsigned maximumClients = 64;
    //! For a head to be complete, and for the body of a request or a piece of a streamed one.
    std::chrono::milliseconds headDeadline{10'000};
    std::chrono::milliseconds bodyDeadline{30'000};
    //! Of a connection on which nothing moves.
    std::chrono::seconds idle{30};
    //! Of the tokens that are not in the file; null: there are none.
    std::shared_ptr<const application::AccessTable> access;
};

//! libmicrohttpd with its one thread: reads heads, refuses what the gate refuses, gives the rest to
//! the Engine's thread and sends what comes back. Keeps nothing of a request. Made, used and
//! destroyed on the Engine's thread.
class HttpFront
{
public:
    //! \a wake is called on the library's thread when the inbox is no longer empty.
    HttpFront(const Router &router, TokenFile token, FrontSettings settings,
              std::function<void()> wake);
    //! stop() first, where the listening had succeeded.
    ~HttpFront();
    HttpFront(const HttpFront &) = delete;
    HttpFront &operator=(const HttpFront &) = delete;

    //! Unavailable when the port is taken.
    domain::Result<ListenAddress> listen();
    [[nodiscard]] QList<Message> takeMessages() { return m_inbox.takeAll(); }
    //! Gives the turn back to the library.
    void resume(const std::shared_ptr<Exchange> &exchange);
    //! From here on nothing new is handed over.
    void beginStop() { m_closing.store(true); }
    //! Exchanges that are the Engine's turn, taken out of the inbox or not.
    [[nodiscard]] int handedOver() const { return m_handedOver.load(); }
    //! Refusals of the gate by their status; of those nobody else hears.
    [[nodiscard]] QMap<int, qint64> refused() const;
    //! Ends the thread; only when nothing is handed over.
    void stop();

private:
    friend struct FrontCalls;
    struct Client
    {
        std::shared_ptr<ClientSocket> socket;
    };

    //! For the next bytes of a body, from now.
    [[nodiscard]] qint64 bodyDeadline() const;
    bool handOver(Turn turn, const std::shared_ptr<Exchange> &exchange);
    void tell(Message message);
    void countRefusal(int status);

    TokenFile m_token;
    FrontSettings m_settings;
    Gate m_gate;
    std::function<void()> m_wake;
    Inbox m_inbox;
    std::atomic<bool> m_closing{false};
    std::atomic<int> m_handedOver{0};
    std::atomic<unsigned> m_clients{0};
    std::atomic<quint16> m_port{0};
    //! From status 400 on.
    std::array<std::atomic<qint64>, 200> m_refused{};
    MHD_Daemon *m_daemon = nullptr;
};

} // namespace berth::api
