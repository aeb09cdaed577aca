// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/tenki/shell.h"

#include "net/script/tracked_command.h"
#include "providers/tenki/data_plane.h"
#include "providers/tenki/execution.h"

namespace berth::tenki {

using domain::Async;
using domain::CommandSpec;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

Async<std::shared_ptr<domain::Execution>> beginNow(LinkPtr link, CommandSpec command,
                                                   std::stop_token stop)
{
    if (!link->isOpen())
        co_return failure(ErrorKind::Unavailable, QStringLiteral("The connection is gone"),
                          link->reason);
    if (command.terminal || command.openInput)
        co_return failure(ErrorKind::Unsupported,
                          QStringLiteral("Tenki's commands have no live input"),
                          noLiveInputReason());
    if (command.background)
        co_return failure(ErrorKind::Unsupported,
                          QStringLiteral("Tenki has no background commands"), noBackgroundReason());
    if (const std::optional<domain::Error> problem = net::commandProblem(command))
        co_return failure(*problem);
    if (command.timeout.count() <= 0)
        command.timeout = link->timeout;
    if (command.cwd.isEmpty())
        command.cwd = link->home;
    else if (!command.cwd.startsWith('/'))
        command.cwd = link->home + '/' + command.cwd;
    // What does not work leaves the sandbox its former life, which may well be enough.
    const Result<void> outlives = co_await link->plane->outlive(command.timeout, stop);
    Q_UNUSED(outlives)
    const Result<std::shared_ptr<domain::Execution>> execution =
        co_await startCommand(link, command, stop);
    co_return execution;
}

class TenkiShell : public domain::Shell
{
public:
    explicit TenkiShell(LinkPtr link) : m_link(std::move(link)) {}

    Async<std::shared_ptr<domain::Execution>> start(CommandSpec command,
                                                    std::stop_token stop) override
    {
        return beginNow(m_link, std::move(command), std::move(stop));
    }
    Async<QList<domain::Job>> jobs(std::stop_token) override { return noJobs(); }
    Async<std::shared_ptr<domain::Execution>> attach(quint32, qint64, qint64,
                                                     std::stop_token) override
    {
        return noAttach();
    }

private:
    static Async<QList<domain::Job>> noJobs()
    {
        co_return failure(ErrorKind::Unsupported,
                          QStringLiteral("Tenki has no background commands"), noBackgroundReason());
    }
    static Async<std::shared_ptr<domain::Execution>> noAttach()
    {
        co_return failure(ErrorKind::Unsupported,
                          QStringLiteral("Tenki has no background commands"), noBackgroundReason());
    }

    LinkPtr m_link;
};

} // namespace

std::unique_ptr<domain::Shell> makeShell(LinkPtr link)
{
    return std::make_unique<TenkiShell>(std::move(link));
}

QString noLiveInputReason()
{
    return QStringLiteral("A command at Tenki gets its whole input at its start; input while it "
                          "runs, and so a terminal, is not offered here");
}

QString noBackgroundReason()
{
    return QStringLiteral("At Tenki a command ends with the call that started it");
}

} // namespace berth::tenki
