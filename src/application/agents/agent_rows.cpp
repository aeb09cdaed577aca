// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agents/agent_rows.h"

#include "domain/text.h"

namespace berth::application {

using domain::Agent;
using domain::AgentId;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

Async<Agent> AgentRows::stored(AgentId id)
{
    const Result<QList<Agent>> all = co_await m_store.agents();
    if (!all)
        co_return failure(all.error());
    for (const Agent &known : *all) {
        if (known.id == id)
            co_return known;
    }
    co_return failure(ErrorKind::NotFound,
                      QStringLiteral("There is no agent \"%1\"").arg(id.toString()));
}

Async<Agent> AgentRows::change(AgentId id, Edit edit)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    const Result<Agent> before = co_await stored(id);
    if (!before)
        co_return failure(before.error());
    Agent after = *before;
    const Result<bool> edited = edit(after);
    if (!edited)
        co_return failure(edited.error());
    if (!*edited)
        co_return *before;
    after.updatedAt = domain::nowUtc();
    const Agent row = after;
    const Result<void> saved = co_await m_store.saveAgent(row);
    if (!saved)
        co_return failure(saved.error());
    if (changed) {
        const Result<void> told = co_await changed();
        if (!told)
            co_return failure(told.error());
    }
    co_return row;
}

} // namespace berth::application
