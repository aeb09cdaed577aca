// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/follow.h"
#include "cli/human.h"
#include "cli/ids.h"
#include "cli/isolation_question.h"
#include "cli/verbs/verbs.h"
#include "cli/when_asked.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

QString choices(const Snapshot &snapshot, const domain::AgentId &agent)
{
    QStringList configs;
    QStringList aliases;
    for (const ProviderView &provider : snapshot.providers) {
        if (!provider.config.isNull())
            configs.append(
                provider.config.toString()
                + (provider.usable ? QString() : QStringLiteral(" (%1)").arg(provider.stateText)));
    }
    for (const SandboxView &sandbox : snapshot.sandboxes) {
        if (sandbox.agent == agent)
            aliases.append(sandbox.alias);
    }
    QString text = QStringLiteral("For a new sandbox: %1.").arg(configs.join(QStringLiteral(", ")));
    if (!aliases.isEmpty())
        text += QStringLiteral("\nExisting ones: %1.").arg(aliases.join(QStringLiteral(", ")));
    return text;
}

//! Where --sandbox points: nowhere, a provider config by its name, else a sandbox of the agent.
Result<NewThread> chosen(const Snapshot &snapshot, NewThread command, const QString &sandbox)
{
    const QString known = choices(snapshot, command.agent);
    if (sandbox == QLatin1String("none"))
        return command;
    if (sandbox.isEmpty())
        return failure(ErrorKind::InvalidInput, QStringLiteral("In which sandbox is not said"),
                       QStringLiteral("Add --sandbox; \"none\" only talks.\n") + known);
    for (const ProviderView &provider : snapshot.providers) {
        if (provider.config.toString() == sandbox) {
            command.config = provider.config;
            return command;
        }
    }
    Snapshot own;
    for (const SandboxView &candidate : snapshot.sandboxes) {
        if (candidate.agent == command.agent)
            own.sandboxes.append(candidate);
    }
    const Result<QString> id =
        pick(sandbox, sandboxCandidates(own), QStringLiteral("provider config or sandbox"), known);
    if (!id)
        return failure(id.error());
    command.sandbox = domain::SandboxId(*id);
    return command;
}

bool knowsAgent(const Snapshot &snapshot, const domain::AgentId &agent)
{
    for (const AgentView &candidate : snapshot.agents) {
        if (candidate.id == agent)
            return true;
    }
    return false;
}

} // namespace

Async<int> threadNew(Context context)
{
    const CliOptions &options = context->options;
    const Result<Snapshot> snapshot = co_await ask(context, GetSnapshot{});
    if (!snapshot)
        co_return failure(snapshot.error());
    NewThread command;
    command.agent =
        domain::AgentId(options.has("agent") ? options.value("agent") : QStringLiteral("default"));
    command.text = options.arguments[0];
    command.timeoutMs = options.duration("timeout").count();
    command.runAnyway = options.has("run-anyway");
    const Result<QString> whenAsked = whenAskedOf(context);
    if (!whenAsked)
        co_return failure(whenAsked.error());
    command.whenAsked = *whenAsked;
    if (!knowsAgent(*snapshot, command.agent))
        co_return failure(
            ErrorKind::NotFound,
            QStringLiteral("There is no agent \"%1\"").arg(onOneLine(command.agent.toString())));
    if (!command.text.trimmed().startsWith(QLatin1Char('!')) && !snapshot->engine.hasModel) {
        co_return failure(
            ErrorKind::Unsupported,
            QStringLiteral("No model is connected that could answer this text"),
            QStringLiteral("Nothing was sent. To run it as a command, put \"!\" before it:\n"
                           "berth-cli thread new --sandbox docker '!echo hello'"));
    }
    const Result<NewThread> complete = chosen(*snapshot, command, options.value("sandbox"));
    if (!complete)
        co_return failure(complete.error());
    const QString target =
        complete->config.isNull() ? complete->sandbox.toString() : complete->config.toString();
    if (!target.isEmpty()) {
        const Result<void> allowed = co_await confirmIsolation(context, target);
        if (!allowed)
            co_return failure(allowed.error());
    }
    cancelOnInterrupt(context);
    const Result<Started> started = co_await ask(context, *complete);
    context->onInterrupt = nullptr;
    if (!started)
        co_return failure(started.error());
    const Result<int> code = co_await followToEnd(context, *started, false);
    co_return code;
}

} // namespace berth::cli
