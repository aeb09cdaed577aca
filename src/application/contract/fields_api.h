// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/api_contract.h"
#include "application/contract/field_concept.h"

// As fields.h, for the HTTP API's tokens and grants.
namespace berth::application::wire {

template <Of<ApiView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("enabled", v.enabled);
    visit("address", v.address);
    visit("token_path", v.tokenPath);
    visit("problem", v.problem);
    visit("grant_approve", v.grantApprove);
    visit("grant_admin", v.grantAdmin);
}

template <Of<GetApi> V, typename Visit>
void fields(V &, Visit &&)
{}

template <Of<SetApi> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("enabled", v.enabled);
    visit("grant_approve", v.grantApprove);
    visit("grant_admin", v.grantAdmin);
}

template <Of<ApiChanged> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("api", v.api);
}

template <Of<TokenView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("token_id", v.id);
    visit("name", v.name);
    visit("user", v.user);
    visit("scopes", v.scopes);
    visit("agent_id", v.agent);
    visit("created_at", v.createdAt);
    visit("last_used_at", v.lastUsedAt);
}

template <Of<TokenList> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("tokens", v.tokens);
}

template <Of<ListTokens> V, typename Visit>
void fields(V &, Visit &&)
{}

template <Of<MintedToken> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("token", v.token);
    visit("secret", v.secret);
}

template <Of<NewToken> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("name", v.name);
    visit("user", v.user);
    visit("scopes", v.scopes);
    visit("agent_id", v.agent);
}

template <Of<RevokeToken> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("token_id", v.id);
}

template <Of<CheckToken> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("secret", v.secret);
}

} // namespace berth::application::wire
