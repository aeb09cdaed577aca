// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/isolation_question.h"

#include "cli/question.h"
#include "domain/provider/isolation.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

bool isOpen(const Snapshot &snapshot, const QString &target)
{
    domain::ConfigName config(target);
    domain::SandboxId sandbox(target);
    for (const ThreadView &thread : snapshot.threads) {
        if (thread.id.toString() == target)
            sandbox = thread.sandbox;
    }
    for (const SandboxView &view : snapshot.sandboxes) {
        if (view.id == sandbox)
            config = view.providerConfig;
    }
    for (const ProviderView &provider : snapshot.providers) {
        if (provider.config == config)
            return provider.isolation == domain::noIsolationText();
    }
    return false;
}

} // namespace

Async<void> confirmIsolation(Context context, QString target)
{
    const GetSnapshot question;
    const Result<Snapshot> snapshot = co_await ask(context, question);
    if (!snapshot)
        co_return failure(snapshot.error());
    if (!isOpen(*snapshot, target) || context->options.has("yes-no-isolation"))
        co_return Result<void>();
    if (!context->streams.terminal.inIsTerminal || context->options.json)
        co_return failure(ErrorKind::InvalidInput, domain::noIsolationText(),
                          QStringLiteral("Nothing was run: there is nobody to ask. Add "
                                         "--yes-no-isolation when that is meant."));
    context->streams.err.write(
        QStringLiteral("%1\nThe command runs on this machine itself, as you. Type yes to go on: ")
            .arg(domain::noIsolationText())
            .toUtf8());
    const QString typed = co_await typedLine(context);
    if (typed.trimmed().toLower() != QLatin1String("yes"))
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Nothing was run"));
    co_return Result<void>();
}

} // namespace berth::cli
