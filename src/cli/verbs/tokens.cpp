// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens of the HTTP API besides the one in the file.
#include "cli/human.h"
#include "cli/ids.h"
#include "cli/json_output.h"
#include "cli/table.h"
#include "cli/verbs/verbs.h"
#include "domain/text.h"

#include <nlohmann/json.hpp>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

Async<int> tokenList(Context context)
{
    const ListTokens listTokens;
    const Result<TokenList> list = co_await ask(context, listTokens);
    if (!list)
        co_return failure(list.error());
    if (context->options.json) {
        printView(context, *list);
        co_return 0;
    }
    Table table({QStringLiteral("NAME"), QStringLiteral("USER"), QStringLiteral("SCOPES"),
                 QStringLiteral("AGENT"), QStringLiteral("LAST USED"), QStringLiteral("ID")});
    for (const TokenView &token : list->tokens)
        table.add({onOneLine(token.name),
                   token.user.isEmpty() ? QStringLiteral("owner") : token.user,
                   token.scopes.join(QLatin1Char(',')),
                   token.agent.isNull() ? QStringLiteral("all") : token.agent.toString(),
                   humanAge(token.lastUsedAt, domain::nowUtc()), token.id});
    if (table.isEmpty())
        context->note(QStringLiteral("There are no further tokens; \"token show\" prints the one "
                                     "of the file."));
    else
        context->print(
            table.text(context->streams.terminal.columns, context->streams.terminal.colours));
    co_return 0;
}

Async<int> tokenNew(Context context)
{
    const CliOptions &options = context->options;
    if (!options.has("name"))
        co_return failure(ErrorKind::InvalidInput, QStringLiteral("Name the token with --name"),
                          QStringLiteral("Without any option it is the token of the file."));
    NewToken newToken;
    newToken.name = options.value("name");
    newToken.user = options.value("user");
    newToken.scopes = options.has("scopes")
        ? options.value("scopes").split(QLatin1Char(','), Qt::SkipEmptyParts)
        : QStringList{QStringLiteral("read")};
    if (options.has("agent"))
        newToken.agent = domain::AgentId(options.value("agent"));
    const Result<MintedToken> minted = co_await ask(context, newToken);
    if (!minted)
        co_return failure(minted.error());
    // To standard output alone, so that it can be piped to where it belongs.
    if (context->options.json) {
        nlohmann::json shown = parsedView(toJson(minted->token));
        shown["token"] = minted->secret.exposeForWire().toStdString();
        printJson(context, shown);
    } else {
        context->streams.out.write(minted->secret.exposeForWire() + '\n');
        context->note(QStringLiteral("It is shown this once. It may: %1.")
                          .arg(minted->token.scopes.join(QStringLiteral(", "))));
    }
    co_return 0;
}

Async<int> tokenRevoke(Context context)
{
    const ListTokens listTokens;
    const Result<TokenList> list = co_await ask(context, listTokens);
    if (!list)
        co_return failure(list.error());
    QList<Candidate> candidates;
    for (const TokenView &token : list->tokens)
        candidates << Candidate{
            token.id, {token.name}, token.name + QStringLiteral("  ") + token.id};
    const Result<QString> id =
        pick(context->options.arguments[0], candidates, QStringLiteral("token"),
             QStringLiteral("berth-cli token list shows them."));
    if (!id)
        co_return failure(id.error());
    const RevokeToken revokeToken{*id};
    const Result<TokenList> left = co_await ask(context, revokeToken);
    if (!left)
        co_return failure(left.error());
    if (context->options.json)
        printView(context, *left);
    else
        context->print(QStringLiteral("Revoked. Nobody gets in with it any more.\n"));
    co_return 0;
}

} // namespace berth::cli
