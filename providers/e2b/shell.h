// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/shell.h"
#include "providers/e2b/link.h"

namespace berth::e2b {

//! Commands as processes of the sandbox's own service. They outlive connections, pauses and Berth;
//! what a command writes while nobody follows it is lost.
class E2bShell : public domain::Shell
{
public:
    explicit E2bShell(LinkPtr link) : m_link(std::move(link)) {}

    domain::Async<std::shared_ptr<domain::Execution>> start(domain::CommandSpec command,
                                                            std::stop_token stop) override;
    domain::Async<QList<domain::Job>> jobs(std::stop_token stop) override;
    domain::Async<std::shared_ptr<domain::Execution>> attach(quint32 job, qint64 outOffset,
                                                             qint64 errOffset,
                                                             std::stop_token stop) override;

private:
    LinkPtr m_link;
};

} // namespace berth::e2b
