// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/shell.h"
#include "providers/agentbay/link.h"

namespace berth::agentbay {

//! Commands by the tool "shell", which ends after 50 s and tells nothing before its end: each is
//! started in the background of the sandbox and asked for what it wrote.
class AgentBayShell : public domain::Shell
{
public:
    explicit AgentBayShell(LinkPtr link) : m_link(std::move(link)) {}

    domain::Async<std::shared_ptr<domain::Execution>> start(domain::CommandSpec command,
                                                            std::stop_token stop) override;
    domain::Async<QList<domain::Job>> jobs(std::stop_token stop) override;
    domain::Async<std::shared_ptr<domain::Execution>> attach(quint32 job, qint64 outOffset,
                                                             qint64 errOffset,
                                                             std::stop_token stop) override;

private:
    LinkPtr m_link;
};

} // namespace berth::agentbay
