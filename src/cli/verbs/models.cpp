// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/health_run.h"
#include "cli/human.h"
#include "cli/json_output.h"
#include "cli/question.h"
#include "cli/registry.h"
#include "cli/table.h"
#include "cli/verbs/verbs.h"

#include <algorithm>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

Result<qint64> tokensFrom(const QString &typed, const QString &option)
{
    bool isNumber = false;
    const qint64 value = typed.toLongLong(&isNumber);
    if (!isNumber || value < 0 || value > 100'000'000)
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("%1 is a number of tokens").arg(option));
    return value;
}

//! What the options say, over what there is.
Result<ModelEndpointView> changedEndpoint(ModelEndpointView endpoint, const ModelList &list,
                                          const CliOptions &options)
{
    if (options.has("preset")) {
        const QString wanted = options.value("preset");
        const auto preset =
            std::find_if(list.presets.cbegin(), list.presets.cend(),
                         [&wanted](const ModelPresetView &one) { return one.id == wanted; });
        if (preset == list.presets.cend()) {
            QStringList known;
            for (const ModelPresetView &one : list.presets)
                known << one.id;
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("There is no preset \"%1\"").arg(wanted),
                           QStringLiteral("There are: %1.").arg(known.join(QLatin1String(", "))));
        }
        endpoint.preset = preset->id;
        endpoint.dialect = preset->dialect;
        endpoint.baseUrl = preset->baseUrl;
    }
    if (options.has("url"))
        endpoint.baseUrl = options.value("url");
    if (options.has("dialect"))
        endpoint.dialect = options.value("dialect");
    if (options.has("model"))
        endpoint.model = options.value("model");
    if (options.has("key-from-env"))
        endpoint.keyReference = QStringLiteral("${%1}").arg(options.value("key-from-env"));
    else if (!endpoint.keyReference.isEmpty())
        // As it stands. Named anew it would be confirmed for the address that is set here.
        endpoint.keyReference = QStringLiteral("…");
    if (options.has("context")) {
        const Result<qint64> tokens =
            tokensFrom(options.value("context"), QStringLiteral("--context"));
        if (!tokens)
            return failure(tokens.error());
        endpoint.contextTokens = *tokens;
    }
    if (options.has("default"))
        endpoint.isDefault = true;
    return endpoint;
}

} // namespace

Async<int> modelList(Context context)
{
    const ListModels listModels{context->options.has("refresh")};
    const Result<ModelList> list = co_await ask(context, listModels);
    if (!list)
        co_return failure(list.error());
    if (context->options.json) {
        printView(context, *list);
        co_return 0;
    }
    Table table({QStringLiteral("ENDPOINT"), QStringLiteral("MODEL"), QStringLiteral("ADDRESS"),
                 QStringLiteral("DIALECT"), QStringLiteral("KEY"), QStringLiteral("STATE")});
    for (const ModelEndpointView &endpoint : list->endpoints) {
        table.add({endpoint.name + (endpoint.isDefault ? QStringLiteral(" *") : QString()),
                   onOneLine(endpoint.model), onOneLine(endpoint.baseUrl), endpoint.dialect,
                   endpoint.keyOrigin, onOneLine(endpoint.stateText)});
    }
    if (table.isEmpty())
        context->note(QStringLiteral("No model is connected. berth-cli model set <name> --preset "
                                     "<preset> connects one."));
    else
        context->print(
            table.text(context->streams.terminal.columns, context->streams.terminal.colours));
    for (const ModelPresetView &preset : list->presets) {
        if (preset.found)
            context->note(QStringLiteral("%1 answers at %2 (--preset %3).")
                              .arg(preset.label, preset.baseUrl, preset.id));
    }
    if (!list->problem.isEmpty())
        context->note(list->problem);
    co_return 0;
}

Async<int> modelSet(Context context)
{
    const ListModels listModels;
    const Result<ModelList> list = co_await ask(context, listModels);
    if (!list)
        co_return failure(list.error());
    ModelEndpointView endpoint;
    endpoint.name = context->options.arguments[0];
    endpoint.isDefault = list->endpoints.isEmpty();
    for (const ModelEndpointView &known : list->endpoints) {
        if (known.name == endpoint.name)
            endpoint = known;
    }
    const Result<ModelEndpointView> changed = changedEndpoint(endpoint, *list, context->options);
    if (!changed)
        co_return failure(changed.error());
    const SaveModel saveModel{*changed};
    const Result<ModelEndpointView> saved = co_await ask(context, saveModel);
    if (!saved)
        co_return failure(saved.error());
    if (context->options.json)
        printView(context, *saved);
    else
        context->print(QStringLiteral("Saved %1: %2 at %3.\n")
                           .arg(saved->name,
                                saved->model.isEmpty()
                                    ? QStringLiteral("no model chosen yet (--model)")
                                    : onOneLine(saved->model),
                                onOneLine(saved->baseUrl)));
    co_return 0;
}

Async<int> modelKey(Context context)
{
    const QString name = context->options.arguments[0];
    QString key;
    if (!context->options.has("remove")) {
        const Result<QString> given =
            co_await keyGiven(context, QStringLiteral("Key of %1").arg(onOneLine(name)));
        if (!given)
            co_return failure(given.error());
        key = *given;
    }
    const StoreModelKey storeModelKey{name, domain::Secret(key.toUtf8()),
                                      context->options.has("file")};
    const Result<ModelEndpointView> stored = co_await ask(context, storeModelKey);
    if (!stored)
        co_return failure(stored.error());
    if (context->options.json)
        printView(context, *stored);
    else
        context->print(
            QStringLiteral("%1 the key of %2.\n")
                .arg(key.isEmpty() ? QStringLiteral("Removed") : QStringLiteral("Stored"),
                     onOneLine(name)));
    co_return 0;
}

Async<int> modelTest(Context context)
{
    const TestModel testModel{context->options.arguments[0]};
    const Result<int> code = co_await testRun(context, testModel);
    co_return code;
}

Async<int> modelRemove(Context context)
{
    const RemoveModel removeModel{context->options.arguments[0]};
    const Result<Nothing> removed = co_await ask(context, removeModel);
    if (!removed)
        co_return failure(removed.error());
    if (!context->options.json)
        context->print(QStringLiteral("Removed %1.\n").arg(onOneLine(removeModel.name)));
    co_return 0;
}

Async<int> approvalList(Context context)
{
    const ListApprovals listApprovals;
    const Result<ApprovalList> list = co_await ask(context, listApprovals);
    if (!list)
        co_return failure(list.error());
    if (context->options.json) {
        printView(context, *list);
        co_return 0;
    }
    if (list->approvals.isEmpty())
        context->note(QStringLiteral("Nothing waits for you."));
    for (const ApprovalView &approval : list->approvals) {
        // The whole command: who allows it has to have seen it.
        context->print(QStringLiteral("%1  %2  %3\n  %4\n  %5\n")
                           .arg(approval.toolCall.toString(), approval.agent.toString(),
                                onOneLine(approval.threadTitle),
                                approval.tool + QStringLiteral(": ") + onOneLine(approval.command),
                                onOneLine(approval.reason)));
    }
    co_return 0;
}

Async<int> approvalDecide(Context context)
{
    const CliOptions &options = context->options;
    DecideApproval decide;
    decide.allow = options.verb->verb == QLatin1String("allow");
    decide.toolCall = domain::ToolCallId(options.arguments[0]);
    decide.reason = options.value("reason");
    if (options.has("always")) {
        decide.scope = QStringLiteral("always");
        decide.pattern = options.value("always");
    }
    const Result<Nothing> decided = co_await ask(context, decide);
    if (!decided)
        co_return failure(decided.error());
    if (!options.json)
        context->print(decide.allow ? QStringLiteral("Allowed.\n") : QStringLiteral("Denied.\n"));
    co_return 0;
}

} // namespace berth::cli
