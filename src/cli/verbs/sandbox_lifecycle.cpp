// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/ids.h"
#include "cli/json_output.h"
#include "cli/table.h"
#include "cli/verbs/verbs.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::LifecycleOverride;
using domain::Result;

namespace {

const QString kInherit = QStringLiteral("inherit");

Result<LifecycleOverride> changed(LifecycleOverride own, const CliOptions &options)
{
    if (options.has("start")) {
        const QString value = options.value("start");
        own.start = domain::startPolicyFromWire(value);
        if (!own.start && value != kInherit)
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("--start is ondemand, session or inherit"));
    }
    if (options.has("stop")) {
        const QString value = options.value("stop");
        own.stop = domain::stopPolicyFromWire(value);
        if (!own.stop && value != kInherit)
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("--stop is idle, session or inherit"));
    }
    if (options.has("idle-minutes")) {
        const QString value = options.value("idle-minutes");
        bool isNumber = false;
        own.idleTimeoutMinutes = value.toInt(&isNumber);
        if (value == kInherit)
            own.idleTimeoutMinutes.reset();
        else if (!isNumber)
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("--idle-minutes is a number or inherit"));
    }
    if (const std::optional<QString> problem = own.problem())
        return failure(ErrorKind::InvalidInput, *problem);
    return own;
}

QString origin(bool isOwn, const QString &whose)
{
    return isOwn ? whose : QStringLiteral("inherited");
}

void show(const Context &context, const LifecycleView &view, const QString &whose)
{
    if (context->options.json) {
        printView(context, view);
        return;
    }
    Table table({QStringLiteral("LIFECYCLE"), QStringLiteral("VALUE"), QStringLiteral("SET BY")});
    table.add({QStringLiteral("start"), domain::wireName(view.policy.start),
               origin(view.own.start.has_value(), whose)});
    table.add({QStringLiteral("stop"), domain::wireName(view.policy.stop),
               origin(view.own.stop.has_value(), whose)});
    const int minutes = view.policy.idleTimeoutMinutes;
    table.add({QStringLiteral("idle minutes"),
               minutes == 0 ? QStringLiteral("never") : QString::number(minutes),
               origin(view.own.idleTimeoutMinutes.has_value(), whose)});
    context->print(
        table.text(context->streams.terminal.columns, context->streams.terminal.colours));
}

} // namespace

Async<int> sandboxLifecycle(Context context)
{
    const CliOptions &options = context->options;
    if (options.arguments.isEmpty() != options.has("agent"))
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("Name a sandbox, or an agent with --agent"));
    GetLifecycle getLifecycle;
    QString whose = QStringLiteral("agent");
    if (options.has("agent")) {
        getLifecycle.agent = domain::AgentId(options.value("agent"));
    } else {
        whose = QStringLiteral("sandbox");
        const GetSnapshot getSnapshot;
        const Result<Snapshot> snapshot = co_await ask(context, getSnapshot);
        if (!snapshot)
            co_return failure(snapshot.error());
        const Result<QString> id = pick(options.arguments[0], sandboxCandidates(*snapshot), whose,
                                        QStringLiteral("berth-cli runtime list shows aliases."));
        if (!id)
            co_return failure(id.error());
        getLifecycle.sandbox = domain::SandboxId(*id);
    }
    Result<LifecycleView> view = co_await ask(context, getLifecycle);
    if (!view)
        co_return failure(view.error());
    if (options.has("start") || options.has("stop") || options.has("idle-minutes")) {
        const Result<LifecycleOverride> own = changed(view->own, options);
        if (!own)
            co_return failure(own.error());
        const SetLifecycle setLifecycle{getLifecycle.agent, getLifecycle.sandbox, *own};
        view = co_await ask(context, setLifecycle);
        if (!view)
            co_return failure(view.error());
    }
    show(context, *view, whose);
    co_return 0;
}

} // namespace berth::cli
