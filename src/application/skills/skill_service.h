// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/sandboxes/sandbox_service.h"
#include "application/skills/skill_records.h"
#include "domain/agent/agent.h"

namespace berth::application {

//! Folders of this machine that are in each sandbox of an agent, at <agent_home>/.berth/skills/.
class SkillService final
{
public:
    //! Takes part in every ensure of \a sandboxes from here on.
    SkillService(domain::BerthStore &store, SandboxService &sandboxes);

    domain::Async<SkillList> list(domain::AgentId agent);
    //! All of them are read before anything is changed. A sandbox that is connected has them when
    //! this answers; the others, and one where it failed, get them at their next ensure.
    domain::Async<SkillList> set(SetSkills command, std::stop_token stop);

private:
    domain::Async<void> prepare(domain::SandboxId sandbox, domain::InstanceId instance,
                                std::shared_ptr<domain::SandboxConnection> connection,
                                std::stop_token stop);
    domain::Async<domain::Agent> stored(domain::AgentId id);
    [[nodiscard]] QStringList pendingOf(const domain::AgentId &agent,
                                        const QList<SkillView> &skills) const;
    domain::Async<void> want(domain::SandboxId sandbox, QList<SkillView> skills);

    domain::BerthStore &m_store;
    SandboxService &m_sandboxes;
};

} // namespace berth::application
