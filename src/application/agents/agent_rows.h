// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/turnstile.h"
#include "domain/agent/agent.h"
#include "domain/thread/stores.h"

#include <functional>

namespace berth::application {

//! The only way by which rows of agents change. A row is written whole, so whoever changes a part
//! of it has to read it anew, with nobody in between: all changes pass one by one.
class AgentRows final
{
public:
    //! Changes the row as it is stored; false: there is nothing to write.
    using Edit = std::function<domain::Result<bool>(domain::Agent &)>;

    explicit AgentRows(domain::BerthStore &store) : m_store(store) {}

    //! As stored now. NotFound when there is none.
    domain::Async<domain::Agent> stored(domain::AgentId id);
    //! What is stored afterwards; everybody who keeps agents has been told by then.
    domain::Async<domain::Agent> change(domain::AgentId id, Edit edit);
    //! For whoever adds or removes a whole row.
    async::Task<std::shared_ptr<async::Turnstile::Pass>> enter() { return m_turn.enter(); }

    //! After each change, within it.
    std::function<domain::Async<void>()> changed;

private:
    domain::BerthStore &m_store;
    async::Turnstile m_turn;
};

} // namespace berth::application
