// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/route.h"

#include <atomic>
#include <memory>

struct MHD_Connection;

// How the two threads hand a request to each other without a lock: whoever has the turn may touch
// an exchange, and gives the turn away by Inbox::put() (to the Engine's thread) or
// HttpFront::resume() (to the library's).
namespace berth::api {

//! The socket of one client, for the deadline of those who are slow on purpose.
struct ClientSocket
{
    explicit ClientSocket(int duplicate);
    ~ClientSocket();
    ClientSocket(const ClientSocket &) = delete;
    ClientSocket &operator=(const ClientSocket &) = delete;
    //! A descriptor of our own to the same socket, so that its number is nobody else's meanwhile.
    const int descriptor;
    //! On the steady clock in ms: until then the client has to have sent what it owes; 0: nothing.
    std::atomic<qint64> deadline{0};
};

struct Exchange
{
    MHD_Connection *connection = nullptr;
    std::shared_ptr<ClientSocket> socket;
    const Route *route = nullptr;
    Request request;
    //! Bytes of a streamed body since the last turn.
    QByteArray inbound;
    bool inboundEnded = false;
    //! Of a streamed body: the Engine has asked for it.
    bool begun = false;
    //! The answer, once there is one.
    std::optional<Reply> reply;
    bool replyQueued = false;
    //! Bytes of a streamed answer.
    QByteArray outbound;
    qsizetype outboundTaken = 0;
    bool outboundEnded = false;
    bool outboundFailed = false;
    //! Written by who gives the turn away, read by who gets it.
    std::atomic<int> baton{0};
};

enum class Turn {
    //! A client has connected: watch its deadline.
    Connected,
    //! The request is there, of a streamed one its head.
    Begin,
    //! A piece of a streamed body, or its end.
    Piece,
    //! More of the answer is wanted.
    More,
    //! It is over; nobody waits any more.
    Over,
};

struct Message
{
    Turn turn = Turn::Begin;
    std::shared_ptr<Exchange> exchange;
    std::shared_ptr<ClientSocket> socket;
};

//! Messages from the library's thread to the Engine's. Lock-free: one puts, one takes all.
class Inbox
{
public:
    Inbox() = default;
    ~Inbox();
    Inbox(const Inbox &) = delete;
    Inbox &operator=(const Inbox &) = delete;
    //! True when it was empty: then somebody has to be told.
    bool put(Message message);
    //! In the order in which they came.
    [[nodiscard]] QList<Message> takeAll();

private:
    struct Node
    {
        Message message;
        Node *next = nullptr;
    };
    std::atomic<Node *> m_newest{nullptr};
};

[[nodiscard]] qint64 steadyMs();

} // namespace berth::api
