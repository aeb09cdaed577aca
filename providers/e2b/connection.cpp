// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/e2b/connection.h"

#include "async/post.h"

namespace berth::e2b {

E2bConnection::E2bConnection(LinkPtr link)
    : m_link(std::move(link)), m_shell(m_link), m_files(m_link)
{
    // From the event loop: who hears of it may drop this, and what has noticed the loss goes on.
    m_link->onLost = [this](const QString &reason) {
        async::post(this, [this, reason] { Q_EMIT lost(reason); });
    };
}

E2bConnection::~E2bConnection()
{
    m_link->onLost = {};
    m_link->lose(QStringLiteral("the connection was closed"));
}

} // namespace berth::e2b
