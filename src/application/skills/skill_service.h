// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/agents/agent_rows.h"
#include "application/sandboxes/sandbox_service.h"
#include "application/skills/skill_folder.h"
#include "application/skills/skill_records.h"
#include "domain/agent/agent.h"

#include <QtCore/QThreadPool>

namespace berth::application {

//! Folders of this machine that are in each sandbox of an agent, at <agent_home>/.berth/skills/.
class SkillService final
{
public:
    //! Takes part in every ensure of \a sandboxes from here on.
    SkillService(AgentRows &rows, SandboxService &sandboxes);

    domain::Async<SkillList> list(domain::AgentId agent);
    //! All of them are read before anything is changed. A sandbox that is connected has them when
    //! this answers; the others, and one where it failed, get them at their next ensure.
    domain::Async<SkillList> set(SetSkills command, std::stop_token stop);

private:
    domain::Async<void> prepare(domain::SandboxId sandbox, domain::InstanceId instance,
                                std::shared_ptr<domain::SandboxConnection> connection,
                                std::stop_token stop);
    using Folders = std::shared_ptr<const QList<SkillFolder>>;
    //! On a thread of their own: up to 16 MiB are read and hashed.
    domain::Async<Folders> readFolders(QList<SkillView> skills);
    async::Task<QStringList> problemsOf(QList<SkillView> skills);
    [[nodiscard]] QStringList pendingOf(const domain::AgentId &agent,
                                        const QList<SkillView> &skills) const;
    domain::Async<void> give(domain::AgentId agent, QList<SkillView> skills, std::stop_token stop);
    domain::Async<void> want(domain::SandboxId sandbox, QList<SkillView> skills);

    //! What a set under way has just read, for the sandboxes that get it at once.
    struct Fresh
    {
        QList<SkillView> skills;
        Folders folders;
    };

    AgentRows &m_rows;
    SandboxService &m_sandboxes;
    QHash<domain::AgentId, std::shared_ptr<const Fresh>> m_fresh;
    //! Where the reader's answers arrive.
    QObject m_context;
    //! Last, so that it ends first.
    QThreadPool m_reader;
};

} // namespace berth::application
