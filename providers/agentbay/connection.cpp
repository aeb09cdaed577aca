// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/agentbay/connection.h"

#include "async/post.h"

#include <utility>

namespace berth::agentbay {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

AgentBayConnection::AgentBayConnection(LinkPtr link)
    : m_link(std::move(link)), m_shell(m_link), m_files(std::make_shared<AgentBayRunner>(m_link))
{
    // From the event loop: who hears of it may drop this, and what has noticed the loss goes on.
    m_link->onLost = [this](const QString &reason) {
        async::post(this, [this, reason] { Q_EMIT lost(reason); });
    };
}

AgentBayConnection::~AgentBayConnection()
{
    m_link->onLost = {};
    m_link->lose(QStringLiteral("the connection was closed"));
}

void Link::lose(const QString &why)
{
    if (!std::exchange(isOpen, false))
        return;
    reason = why;
    scope.requestStop();
    if (onLost)
        onLost(why);
}

namespace {

Async<net::ScriptResult> scriptNow(LinkPtr link, net::ScriptRequest request, bool waits,
                                   std::stop_token stop)
{
    if (!link->isOpen)
        co_return failure(ErrorKind::Unavailable,
                          QStringLiteral("The connection to the sandbox is closed"), link->reason);
    const Result<net::ScriptResult> result =
        co_await runShell(link->api, link->session, request, waits, stop);
    if (result || result.error().kind != ErrorKind::NotFound)
        co_return result;
    link->lose(QStringLiteral("the sandbox is gone"));
    domain::Error error = result.error();
    error.kind = ErrorKind::Unavailable; // of a file nobody has asked yet
    co_return failure(error);
}

} // namespace

Async<net::ScriptResult> runScript(LinkPtr link, net::ScriptRequest request, std::stop_token stop)
{
    return scriptNow(std::move(link), std::move(request), false, std::move(stop));
}

Async<net::ScriptResult> waitByScript(LinkPtr link, net::ScriptRequest request,
                                      std::stop_token stop)
{
    return scriptNow(std::move(link), std::move(request), true, std::move(stop));
}

} // namespace berth::agentbay
