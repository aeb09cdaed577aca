// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/human.h"
#include "cli/json_output.h"
#include "cli/table.h"
#include "cli/verbs/verbs.h"

#include <nlohmann/json.hpp>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

Async<int> agentList(Context context)
{
    const GetSnapshot getSnapshot;
    const Result<Snapshot> snapshot = co_await ask(context, getSnapshot);
    if (!snapshot)
        co_return failure(snapshot.error());
    if (context->options.json) {
        nlohmann::json agents = nlohmann::json::array();
        for (const AgentView &agent : snapshot->agents)
            agents.push_back(parsedView(toJson(agent)));
        printJson(context, {{"agents", agents}});
        co_return 0;
    }
    Table table({QStringLiteral("AGENT"), QStringLiteral("NAME"), QStringLiteral("MODEL"),
                 QStringLiteral("ACCESS"), QStringLiteral("AUTONOMY"), QStringLiteral("SANDBOXES"),
                 QStringLiteral("THREADS")});
    for (const AgentView &agent : snapshot->agents) {
        table.add({agent.id.toString(), onOneLine(agent.name),
                   agent.model.isEmpty() ? QStringLiteral("default") : agent.model, agent.access,
                   agent.autonomy, QString::number(agent.sandboxes),
                   QString::number(agent.threads)});
    }
    context->print(
        table.text(context->streams.terminal.columns, context->streams.terminal.colours));
    co_return 0;
}

Async<int> agentCreate(Context context)
{
    const CliOptions &options = context->options;
    SaveAgent saveAgent;
    saveAgent.isNew = true;
    saveAgent.agent.id = domain::AgentId(options.arguments[0]);
    saveAgent.agent.name = options.has("name") ? options.value("name") : options.arguments[0];
    saveAgent.agent.model = options.value("model");
    saveAgent.agent.instructions = options.value("instructions");
    if (options.has("sandbox") && options.has("no-sandbox"))
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("--sandbox and --no-sandbox exclude each other"));
    if (options.has("sandbox"))
        saveAgent.sandbox = options.value("sandbox");
    if (options.has("no-sandbox"))
        saveAgent.sandbox = QStringLiteral("none");
    const Result<AgentView> agent = co_await ask(context, saveAgent);
    if (!agent)
        co_return failure(agent.error());
    if (context->options.json)
        printView(context, *agent);
    else
        context->print(QStringLiteral("Created agent %1 with %2.\n")
                           .arg(agent->id.toString(),
                                agent->sandboxes == 0 ? QStringLiteral("no sandbox")
                                                      : QStringLiteral("sandbox default")));
    co_return 0;
}

Async<int> agentRemove(Context context)
{
    const RemoveAgent removeAgent{domain::AgentId(context->options.arguments[0])};
    const Result<Nothing> removed = co_await ask(context, removeAgent);
    if (!removed)
        co_return failure(removed.error());
    if (!context->options.json)
        context->print(QStringLiteral("Removed agent %1.\n").arg(removeAgent.agent.toString()));
    co_return 0;
}

Async<int> presetList(Context context)
{
    const ListPresets listPresets;
    const Result<PresetList> list = co_await ask(context, listPresets);
    if (!list)
        co_return failure(list.error());
    if (context->options.json) {
        printView(context, *list);
        co_return 0;
    }
    Table table({QStringLiteral("PRESET"), QStringLiteral("TYPE"), QStringLiteral("CONFIG"),
                 QStringLiteral("NOTE")});
    for (const PresetView &preset : list->presets) {
        const QString note = !preset.problem.isEmpty() ? preset.problem
            : preset.name == list->autoProvision       ? QStringLiteral("for new agents")
                                                       : QString();
        table.add({preset.name, preset.type, onOneLine(preset.config), onOneLine(note)});
    }
    if (table.isEmpty())
        context->note(QStringLiteral("There are no presets in %1.").arg(list->path));
    else
        context->print(
            table.text(context->streams.terminal.columns, context->streams.terminal.colours));
    if (!list->problem.isEmpty())
        context->note(list->problem);
    co_return 0;
}

} // namespace berth::cli
