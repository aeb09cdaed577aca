// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"
#include "async/scope.h"
#include "net/script/script_runner.h"
#include "providers/e2b/client.h"
#include "providers/e2b/envd.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QElapsedTimer>
#include <QtCore/QHash>
#include <QtCore/QSet>

#include <functional>
#include <memory>
#include <optional>

namespace berth::e2b {

//! What Link::jobs remembers of one listed command, for following it.
struct KnownJob
{
    //! Of the tracked command.
    QByteArray run;
    qint64 pid = 0;
    bool hasTerminal = false;
    bool ended = false;
    //! Told when it was listed.
    qint64 outBytes = 0;
    qint64 errBytes = 0;
};

struct Resident;
using ResidentPtr = std::shared_ptr<Resident>;

//! What shell, files and coroutines of one connection share.
struct Link
{
    ApiPtr api;
    EnvdPtr envd;
    SandboxSettings settings;
    //! How often a sandbox with a command is extended; 0: a third of its life.
    std::chrono::milliseconds extendEvery{0};

    bool isOpen = true;
    QString reason;
    //! Told once, when it is lost.
    std::function<void(const QString &)> onLost;
    //! Set while a pause of our own lasts; completed at its end.
    std::optional<async::Completion<bool>> sleep;

    QHash<quint32, KnownJob> jobs;
    //! Runs that an execution of this connection follows.
    QSet<QByteArray> followed;
    //! Of runs that were told to their end: their files are to be removed.
    QByteArrayList finished;
    //! Shells that wait for a command, and how many there are with those that have one.
    QList<ResidentPtr> idle;
    qsizetype residents = 0;
    //! Tags of all that this connection has begun, and whether others' were looked for.
    QSet<QString> ownShells;
    bool hasSwept = false;
    //! Commands that one of them could have had: a second one makes it likely that more will come.
    int plain = 0;
    //! Executions under way.
    int live = 0;
    bool isKeeping = false;
    bool isSweeping = false;
    QElapsedTimer lastExtended;
    async::Scope scope;

    //! The connection is of no use any more; commands under way are told so.
    void lose(const QString &why);
    void fallAsleep();
    //! With what the resume answered; nullopt: it was no pause after all.
    void wake(std::optional<Access> access);
};
using LinkPtr = std::shared_ptr<Link>;

//! A command is there (+1) or not any more (-1): as long as one is, the sandbox's life is extended.
void countCommand(const LinkPtr &link, int change);
//! Extends it, unless it was just now.
void noteUse(const LinkPtr &link);

//! Asks the sandbox whether it is there, and lets go of the connection when it is not. Answers the
//! reason; empty: it is.
domain::Async<QString> suspect(LinkPtr link, std::stop_token stop);

//! Runs a script as the sandbox's user in "/".
domain::Async<net::ScriptResult> runScript(LinkPtr link, net::ScriptRequest request,
                                           std::stop_token stop);

//! Scripts for the files.
class E2bRunner : public net::ScriptRunner
{
public:
    explicit E2bRunner(LinkPtr link) : m_link(std::move(link)) {}
    domain::Async<net::ScriptResult> run(net::ScriptRequest request, std::stop_token stop) override
    {
        return runScript(m_link, std::move(request), std::move(stop));
    }
    [[nodiscard]] qint64 largestInput() const override { return 1024 * 1024; }
    [[nodiscard]] qint64 largestOutput() const override { return 4 * 1024 * 1024; }
    [[nodiscard]] bool isBinarySafe() const override { return true; }

private:
    LinkPtr m_link;
};

} // namespace berth::e2b
