// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/agent_policy.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

Async<domain::Agent> storedAgent(domain::BerthStore &store, domain::AgentId id)
{
    const Result<QList<domain::Agent>> agents = co_await store.agents();
    if (!agents)
        co_return failure(agents.error());
    for (const domain::Agent &agent : *agents) {
        if (agent.id == id)
            co_return agent;
    }
    co_return failure(ErrorKind::NotFound,
                      QStringLiteral("There is no agent \"%1\"").arg(id.toString()));
}

Async<domain::SecurityPolicy> storedPolicy(domain::BerthStore &store, domain::AgentId id)
{
    const Result<domain::Agent> agent = co_await storedAgent(store, id);
    if (!agent)
        co_return failure(agent.error());
    co_return domain::readStoredPolicy(agent->security);
}

} // namespace berth::application
