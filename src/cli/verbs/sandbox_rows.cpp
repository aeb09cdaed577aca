// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/human.h"
#include "cli/ids.h"
#include "cli/json_output.h"
#include "cli/table.h"
#include "cli/verbs/verbs.h"
#include "domain/text.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

Result<domain::AgentId> agentOption(const Context &context)
{
    if (!context->options.has("agent"))
        return failure(ErrorKind::InvalidInput, QStringLiteral("Name the agent with --agent"));
    return domain::AgentId(context->options.value("agent"));
}

//! By alias or id; of several with one alias the one that fits \a deleted.
Result<domain::SandboxId> rowOf(const SandboxList &list, const QString &typed, bool deleted)
{
    QList<Candidate> candidates;
    for (const SandboxView &row : list.sandboxes) {
        if ((row.status == QLatin1String("deleted")) == deleted)
            candidates << Candidate{row.id.toString(),
                                    {row.alias},
                                    row.alias + QStringLiteral("  ") + row.id.toString()};
    }
    const Result<QString> id = pick(
        typed, candidates, deleted ? QStringLiteral("deleted sandbox") : QStringLiteral("sandbox"),
        deleted ? QStringLiteral("berth-cli sandbox list --agent <agent> --deleted shows them.")
                : QStringLiteral("berth-cli sandbox list --agent <agent> shows them."));
    if (!id)
        return failure(id.error());
    return domain::SandboxId(*id);
}

Async<domain::SandboxId> namedRow(Context context, bool deleted)
{
    const Result<domain::AgentId> agent = agentOption(context);
    if (!agent)
        co_return failure(agent.error());
    const ListSandboxes listSandboxes{*agent, deleted};
    const Result<SandboxList> list = co_await ask(context, listSandboxes);
    if (!list)
        co_return failure(list.error());
    const Result<domain::SandboxId> id = rowOf(*list, context->options.arguments[0], deleted);
    co_return id;
}

void tell(const Context &context, const SandboxView &row, const QString &what)
{
    if (context->options.json)
        printView(context, row);
    else
        context->print(QStringLiteral("%1 %2 (%3) of agent %4.\n")
                           .arg(what, row.alias, row.type, row.agent.toString()));
}

} // namespace

Async<int> sandboxList(Context context)
{
    ListSandboxes listSandboxes;
    if (context->options.has("agent"))
        listSandboxes.agent = domain::AgentId(context->options.value("agent"));
    listSandboxes.deleted = context->options.has("deleted");
    const Result<SandboxList> list = co_await ask(context, listSandboxes);
    if (!list)
        co_return failure(list.error());
    if (context->options.json) {
        printView(context, *list);
        co_return 0;
    }
    Table table({QStringLiteral("ALIAS"), QStringLiteral("AGENT"), QStringLiteral("TYPE"),
                 QStringLiteral("STATUS"), QStringLiteral("RUNTIME"), QStringLiteral("THREADS"),
                 QStringLiteral("LAST SEEN"), QStringLiteral("ID")});
    for (const SandboxView &row : list->sandboxes) {
        table.add({row.alias, row.agent.toString(), row.type, row.status,
                   row.observed.isEmpty() ? QStringLiteral("—") : row.observed,
                   QString::number(row.threads), humanAge(row.lastSeenAt, domain::nowUtc()),
                   row.id.toString()});
    }
    if (table.isEmpty())
        context->note(QStringLiteral("No sandboxes."));
    else
        context->print(
            table.text(context->streams.terminal.columns, context->streams.terminal.colours));
    co_return 0;
}

Async<int> sandboxAdd(Context context)
{
    const CliOptions &options = context->options;
    const Result<domain::AgentId> agent = agentOption(context);
    if (!agent)
        co_return failure(agent.error());
    AddSandbox addSandbox;
    addSandbox.agent = *agent;
    addSandbox.alias = options.value("alias");
    addSandbox.preset = options.value("preset");
    addSandbox.type = options.value("type");
    if (options.has("provider-config"))
        addSandbox.providerConfig = domain::ConfigName(options.value("provider-config"));
    // As the documented command does it: the first one of an agent is its default.
    if (addSandbox.alias.isEmpty())
        addSandbox.alias = QStringLiteral("default");
    if (options.has("config"))
        addSandbox.config = options.value("config");
    const Result<SandboxView> row = co_await ask(context, addSandbox);
    if (!row)
        co_return failure(row.error());
    tell(context, *row, QStringLiteral("Added"));
    co_return 0;
}

Async<int> sandboxRemove(Context context)
{
    const Result<domain::SandboxId> id = co_await namedRow(context, false);
    if (!id)
        co_return failure(id.error());
    const RemoveSandbox removeSandbox{*id, context->options.has("destroy")};
    const Result<SandboxList> removed = co_await ask(context, removeSandbox);
    if (!removed)
        co_return failure(removed.error());
    for (const SandboxView &row : removed->sandboxes) {
        tell(context, row, QStringLiteral("Removed"));
        if (!context->options.json && !row.notice.isEmpty())
            context->note(QStringLiteral("Its runtime is %1").arg(row.notice));
        if (!context->options.json && !row.lease.isNull() && row.observed != QLatin1String("gone"))
            context->note(QStringLiteral("Its runtime is still there (%1); \"sandbox purge\" "
                                         "destroys it.")
                              .arg(row.observed));
    }
    co_return 0;
}

Async<int> sandboxRestore(Context context)
{
    const Result<domain::SandboxId> id = co_await namedRow(context, true);
    if (!id)
        co_return failure(id.error());
    const RestoreSandbox restoreSandbox{*id};
    const Result<SandboxView> row = co_await ask(context, restoreSandbox);
    if (!row)
        co_return failure(row.error());
    tell(context, *row, QStringLiteral("Restored"));
    co_return 0;
}

Async<int> sandboxPurge(Context context)
{
    const Result<domain::SandboxId> id = co_await namedRow(context, true);
    if (!id)
        co_return failure(id.error());
    const PurgeSandbox purgeSandbox{*id};
    const Result<SandboxView> row = co_await ask(context, purgeSandbox);
    if (!row)
        co_return failure(row.error());
    tell(context, *row, QStringLiteral("Purged"));
    co_return 0;
}

} // namespace berth::cli
