// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/human.h"
#include "cli/ids.h"
#include "cli/json_output.h"
#include "cli/verbs/verbs.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

QString question(const RuntimeView &runtime)
{
    QString text =
        QStringLiteral("Destroy %1").arg(runtime.alias.isEmpty() ? runtime.id : runtime.alias);
    if (!runtime.providerLabel.isEmpty())
        text += QStringLiteral(" (%1)").arg(onOneLine(runtime.providerLabel));
    text += QStringLiteral("?\n");
    if (!runtime.destroyLoses.isEmpty())
        text += onOneLine(runtime.destroyLoses) + QLatin1Char('\n');
    if (!runtime.threads.isEmpty())
        text += QStringLiteral("Threads that use it: %1\n").arg(runtime.threads.size());
    return text + QStringLiteral("Type yes to go on: ");
}

async::Completion<QString> answer(const Context &context)
{
    const async::Completion<QString> line;
    context->streams.readLine(context->guard, [line](const QString &text) { line.complete(text); });
    return line;
}

} // namespace

Async<int> runtimeDestroy(Context context)
{
    const CliOptions &options = context->options;
    if (!options.has("yes") && (!context->streams.terminal.inIsTerminal || options.json)) {
        co_return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("Nothing was destroyed: there is nobody to ask"),
            QStringLiteral(
                "Destroying takes the files in the sandbox away. Add --yes when that is meant."));
    }
    const Result<RuntimeView> runtime = co_await resolveRuntime(context, options.arguments[0]);
    if (!runtime)
        co_return failure(runtime.error());
    if (!options.has("yes")) {
        context->streams.err.write(question(*runtime).toUtf8());
        const QString typed = co_await answer(context);
        const QString word = typed.trimmed().toLower();
        if (word != QLatin1String("yes") && word != QLatin1String("y"))
            co_return failure(ErrorKind::Cancelled, QStringLiteral("Nothing was destroyed"));
    }
    const DestroyRuntime destroyRuntime{runtime->id};
    const Result<RuntimeView> now = co_await ask(context, destroyRuntime);
    if (!now)
        co_return failure(now.error());
    if (options.json)
        printView(context, *now);
    else
        context->print(QStringLiteral("Destroyed: %1\n")
                           .arg(runtime->alias.isEmpty() ? runtime->id : runtime->alias));
    co_return 0;
}

} // namespace berth::cli
