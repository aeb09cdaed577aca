// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/scope.h"
#include "net/script/script_runner.h"
#include "providers/agentbay/client.h"

#include <functional>

namespace berth::agentbay {

//! Bytes of text that go with one call of a tool. The service's SDK never sends or asks for more
//! than that of a file.
struct Pieces
{
    qint64 input = 60 * 1024;
    qint64 output = 60 * 1024;
};

//! What shell, files and coroutines of one connection share.
struct Link
{
    ApiPtr api;
    QString session;
    SandboxSettings settings;
    //! Between two looks at a command that the service itself does not hold open.
    std::chrono::milliseconds pause{1000};
    Pieces pieces;

    bool isOpen = true;
    QString reason;
    //! Told once, when it is lost.
    std::function<void(const QString &)> onLost;
    async::Scope scope;

    //! The connection is of no use any more; commands under way are told so.
    void lose(const QString &why);
};
using LinkPtr = std::shared_ptr<Link>;

//! Runs a script as the sandbox's user. Asks once.
domain::Async<net::ScriptResult> runScript(LinkPtr link, net::ScriptRequest request,
                                           std::stop_token stop);

//! The same for one that waits there for something to happen.
domain::Async<net::ScriptResult> waitByScript(LinkPtr link, net::ScriptRequest request,
                                              std::stop_token stop);

//! Scripts for the files. The service carries text only.
class AgentBayRunner : public net::ScriptRunner
{
public:
    explicit AgentBayRunner(LinkPtr link) : m_link(std::move(link)) {}
    domain::Async<net::ScriptResult> run(net::ScriptRequest request, std::stop_token stop) override
    {
        return runScript(m_link, std::move(request), std::move(stop));
    }
    [[nodiscard]] qint64 largestInput() const override { return m_link->pieces.input; }
    [[nodiscard]] qint64 largestOutput() const override { return m_link->pieces.output; }

private:
    LinkPtr m_link;
};

} // namespace berth::agentbay
