// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Who may use the HTTP API.
#include "application/engine/command_table.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

Async<ApiView> perform(CommandContext context, GetApi)
{
    if (const Result<void> owner = ownerOnly(context); !owner)
        co_return failure(owner.error());
    co_return context.services.access.api();
}

Async<ApiView> perform(CommandContext context, SetApi command)
{
    if (context.source != wireName(ClientKind::Window))
        co_return failure(ErrorKind::Forbidden,
                          QStringLiteral("Only Berth's window on this machine can do that"),
                          QStringLiteral("It is in Settings, API. No command line, API, file or "
                                         "import grants anything."));
    const Result<ApiView> set = co_await context.services.access.setApi(command);
    co_return set;
}

Async<TokenList> perform(CommandContext context, ListTokens)
{
    if (const Result<void> owner = ownerOnly(context); !owner)
        co_return failure(owner.error());
    co_return context.services.access.tokens();
}

Async<MintedToken> perform(CommandContext context, NewToken command)
{
    if (const Result<void> owner = ownerOnly(context); !owner)
        co_return failure(owner.error());
    const Result<MintedToken> minted = co_await context.services.access.mint(command);
    co_return minted;
}

Async<TokenList> perform(CommandContext context, RevokeToken command)
{
    if (const Result<void> owner = ownerOnly(context); !owner)
        co_return failure(owner.error());
    const Result<TokenList> left = co_await context.services.access.revoke(command.id);
    co_return left;
}

Async<TokenView> perform(CommandContext context, CheckToken command)
{
    co_return context.services.access.check(command.secret);
}

struct DoAccess
{
    template <typename Command>
    auto operator()(const CommandContext &context, const Command &command) const
    {
        return perform(context, command);
    }
};

} // namespace

CommandTable accessCommands()
{
    return CommandTable{commandEntry<GetApi, DoAccess>(false), commandEntry<SetApi, DoAccess>(true),
                        commandEntry<ListTokens, DoAccess>(false),
                        // Not kept for a repeated request: the answer holds the token itself.
                        commandEntry<NewToken, DoAccess>(false),
                        commandEntry<RevokeToken, DoAccess>(true),
                        commandEntry<CheckToken, DoAccess>(false)};
}

} // namespace berth::application
