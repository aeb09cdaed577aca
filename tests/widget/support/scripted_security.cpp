// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widget/support/scripted_security.h"

#include "domain/text.h"

#include <algorithm>

namespace berth::test {

using namespace berth::application;
using domain::failure;
using domain::Result;

namespace {

template <typename Command, typename Handle>
bool securityHandled(const QString &name, const Payload &arguments,
                     std::optional<Result<Payload>> &into, Handle handle)
{
    if (name != QLatin1String(Command::kName))
        return false;
    const Result<Command> command = decode<Command>(arguments);
    if (!command) {
        into = tl::unexpected(command.error());
        return true;
    }
    Result<typename Command::Reply> reply = handle(*command);
    if (reply)
        into = encode(*reply);
    else
        into = tl::unexpected(reply.error());
    return true;
}

} // namespace

std::optional<Result<Payload>> ScriptedSecurity::serve(const QString &name, const Payload &args)
{
    std::optional<Result<Payload>> result;
    // clang-format off
    securityHandled<ListHooks>(name, args, result, [&](const ListHooks &) -> Result<HookList> { return hooks; })
    || securityHandled<SaveHooks>(name, args, result, [&](const SaveHooks &c) -> Result<HookList> {
        for (const HookView &hook : c.hooks) {
            if (!hook.program.startsWith(QLatin1Char('/')))
                return failure(domain::ErrorKind::InvalidInput, QStringLiteral("The program of a hook is named by its absolute path"));
        }
        hooks.hooks = c.hooks;
        return hooks;
    })
    || securityHandled<GetApi>(name, args, result, [&](const GetApi &) -> Result<ApiView> { return api; })
    || securityHandled<SetApi>(name, args, result, [&](const SetApi &c) -> Result<ApiView> {
        api.enabled = c.enabled;
        api.address = c.enabled ? QStringLiteral("127.0.0.1:8770") : QString();
        api.grantApprove = c.grantApprove;
        api.grantAdmin = c.grantAdmin;
        m_tell(ApiChanged{api});
        return api;
    })
    || securityHandled<ListTokens>(name, args, result, [&](const ListTokens &) -> Result<TokenList> { return tokens; })
    || securityHandled<NewToken>(name, args, result, [&](const NewToken &c) -> Result<MintedToken> {
        if ((c.scopes.contains(QStringLiteral("approve")) && !api.grantApprove) || (c.scopes.contains(QStringLiteral("admin")) && !api.grantAdmin))
            return failure(domain::ErrorKind::Forbidden, QStringLiteral("That scope was not granted in the window"));
        TokenView token;
        token.id = QStringLiteral("token-%1").arg(tokens.tokens.size() + 1);
        token.name = c.name;
        token.user = c.user;
        token.scopes = c.scopes;
        token.agent = c.agent;
        token.createdAt = domain::nowUtc();
        tokens.tokens.append(token);
        return MintedToken{token, domain::Secret(nextSecret)};
    })
    || securityHandled<RevokeToken>(name, args, result, [&](const RevokeToken &c) -> Result<TokenList> {
        if (tokens.tokens.removeIf([&c](const TokenView &t) { return t.id == c.id; }) == 0)
            return failure(domain::ErrorKind::NotFound, QStringLiteral("There is no such token"));
        return tokens;
    });
    // clang-format on
    return result;
}

} // namespace berth::test
