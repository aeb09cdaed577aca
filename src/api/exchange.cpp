// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/exchange.h"

#include <chrono>
#include <unistd.h>

namespace berth::api {

ClientSocket::ClientSocket(int duplicate) : descriptor(duplicate) {}

ClientSocket::~ClientSocket()
{
    if (descriptor >= 0)
        ::close(descriptor);
}

Inbox::~Inbox()
{
    const QList<Message> left = takeAll();
    Q_UNUSED(left)
}

bool Inbox::put(Message message)
{
    auto *node = new Node{std::move(message), m_newest.load(std::memory_order_relaxed)};
    while (!m_newest.compare_exchange_weak(node->next, node, std::memory_order_release,
                                           std::memory_order_relaxed)) {}
    return node->next == nullptr;
}

QList<Message> Inbox::takeAll()
{
    Node *node = m_newest.exchange(nullptr, std::memory_order_acquire);
    QList<Message> messages;
    while (node) {
        messages.prepend(std::move(node->message));
        delete std::exchange(node, node->next);
    }
    return messages;
}

qint64 steadyMs()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace berth::api
