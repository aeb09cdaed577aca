// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/shell.h"
#include "net/script/script_runner.h"
#include "net/script/tracked_command.h"

#include <QtCore/QStringList>

namespace berth::test {

//! Runs scripts on this machine by the shell given ("dash", or "busybox" and "sh").
class LocalScripts : public net::ScriptRunner
{
public:
    struct Traits
    {
        QStringList shell{QStringLiteral("/bin/sh")};
        //! Of the scripts; PATH is this machine's.
        QString temporary = QStringLiteral("/tmp");
        //! Before which the tools are looked for.
        QString tools;
        qint64 largestInput = 1024 * 1024;
        bool isBinarySafe = true;
        //! As for a service whose commands have no standard input.
        bool inlineInput = false;
    };
    explicit LocalScripts(Traits traits) : m_traits(std::move(traits)) {}

    domain::Async<net::ScriptResult> run(net::ScriptRequest request, std::stop_token stop) override;
    [[nodiscard]] qint64 largestInput() const override { return m_traits.largestInput; }
    [[nodiscard]] bool isBinarySafe() const override { return m_traits.isBinarySafe; }
    [[nodiscard]] const Traits &traits() const { return m_traits; }
    //! Scripts run so far, and the longest of them.
    int count = 0;
    qsizetype longest = 0;

private:
    Traits m_traits;
};

//! A Shell over trackedCommand() with marks, as a service that streams would have it.
class LocalTrackedShell : public domain::Shell
{
public:
    LocalTrackedShell(LocalScripts::Traits traits, net::TrackedOptions options)
        : m_traits(std::move(traits)), m_options(std::move(options))
    {}
    domain::Async<std::shared_ptr<domain::Execution>> start(domain::CommandSpec command,
                                                            std::stop_token stop) override;
    domain::Async<QList<domain::Job>> jobs(std::stop_token stop) override;
    domain::Async<std::shared_ptr<domain::Execution>> attach(quint32 job, qint64 outOffset,
                                                             qint64 errOffset,
                                                             std::stop_token stop) override;

private:
    LocalScripts::Traits m_traits;
    net::TrackedOptions m_options;
};

} // namespace berth::test
