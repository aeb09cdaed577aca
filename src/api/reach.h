// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/call.h"

namespace berth::api {

//! Whom a route is for, besides the owner.
enum class ReachKind {
    //! Nobody else.
    Owner,
    //! Those who are something to the agent of each thing that the request names.
    Named,
    //! Everybody: of the answer each sees what is his.
    Listed,
    //! Everybody: nothing of an agent is in it.
    Anybody,
};

struct Reach
{
    ReachKind kind = ReachKind::Owner;
    //! What one has to be at least.
    application::Role least = application::Role::Guest;
};

//! Of a route's name; of one that is not in the table: the owner's alone.
[[nodiscard]] Reach reachOf(const QString &routeName);
//! Every name of the table, for the test that holds it against the routes.
[[nodiscard]] QStringList reachNames();

//! NotFound when something that the request names is not the viewer's, or is not there: the one
//! looks like the other. Forbidden when it is his, but he may not do this. At once for the owner.
domain::Async<void> mayReach(Call call);

} // namespace berth::api
