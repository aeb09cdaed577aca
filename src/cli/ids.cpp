// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/ids.h"

#include "cli/human.h"
#include "cli/table.h"

#include <algorithm>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

constexpr qsizetype kWholeId = 36;
constexpr qsizetype kMostShown = 10;

QString shownThread(const ThreadView &thread)
{
    return QStringLiteral("%1  thread   %2")
        .arg(thread.id.toString(), fitted(onOneLine(thread.title), 40));
}

QString shownRuntime(const RuntimeView &runtime)
{
    return QStringLiteral("%1  runtime  %2")
        .arg(runtime.id, runtime.alias.isEmpty() ? runtime.name : runtime.alias);
}

QList<Candidate> threadCandidates(const QList<ThreadView> &threads)
{
    QList<Candidate> candidates;
    for (const ThreadView &thread : threads)
        candidates.append({thread.id.toString(), {}, shownThread(thread)});
    return candidates;
}

QList<Candidate> runtimeCandidates(const QList<RuntimeView> &runtimes)
{
    QList<Candidate> candidates;
    for (const RuntimeView &runtime : runtimes) {
        QStringList names;
        if (!runtime.alias.isEmpty())
            names.append(runtime.alias);
        if (!runtime.externalId.isEmpty()) {
            names.append(runtime.providerKind + QLatin1Char(':') + runtime.externalId);
            names.append(runtime.providerConfig.toString() + QLatin1Char(':') + runtime.externalId);
        }
        candidates.append({runtime.id, names, shownRuntime(runtime)});
    }
    return candidates;
}

} // namespace

Result<QString> pick(const QString &typed, const QList<Candidate> &candidates, const QString &what,
                     const QString &where)
{
    if (typed.isEmpty())
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("An empty text names no %1").arg(what), where);
    QList<Candidate> named;
    QList<Candidate> begun;
    for (const Candidate &candidate : candidates) {
        if (candidate.id == typed)
            return candidate.id;
        if (candidate.names.contains(typed))
            named.append(candidate);
        else if (candidate.id.startsWith(typed))
            begun.append(candidate);
    }
    const QList<Candidate> &fitting = named.isEmpty() ? begun : named;
    if (fitting.size() == 1)
        return fitting.front().id;
    const QString shown = onOneLine(typed);
    if (fitting.isEmpty())
        return failure(ErrorKind::NotFound,
                       QStringLiteral("There is no %1 \"%2\"").arg(what, shown), where);
    QStringList lines{QStringLiteral("Type more of the id, or all of it:")};
    for (const Candidate &candidate : fitting.first(std::min(fitting.size(), kMostShown)))
        lines.append(QStringLiteral("  ") + candidate.shown);
    if (fitting.size() > kMostShown)
        lines.append(QStringLiteral("  and %1 more").arg(fitting.size() - kMostShown));
    return failure(ErrorKind::InvalidInput,
                   QStringLiteral("\"%1\" fits more than one %2").arg(shown, what),
                   lines.join(QLatin1Char('\n')));
}

Async<domain::ThreadId> resolveThread(Context context, QString typed)
{
    const ListThreads listThreads{true};
    const Result<ThreadList> list = co_await ask(context, listThreads);
    if (!list)
        co_return failure(list.error());
    const Result<QString> id =
        pick(typed, threadCandidates(list->threads), QStringLiteral("thread"),
             QStringLiteral("berth-cli thread list --archived shows all of them."));
    if (!id)
        co_return failure(id.error());
    co_return domain::ThreadId(*id);
}

Async<RuntimeView> resolveRuntime(Context context, QString typed)
{
    const ListRuntimes listRuntimes{false};
    Result<RuntimeList> list = co_await ask(context, listRuntimes);
    if (!list)
        co_return failure(list.error());
    const QString where = QStringLiteral("berth-cli runtime list --refresh shows all of them.");
    Result<QString> id =
        pick(typed, runtimeCandidates(list->runtimes), QStringLiteral("runtime"), where);
    if (!id && id.error().kind == ErrorKind::NotFound) {
        // The Engine may not have looked at the providers yet.
        const ListRuntimes askProviders{true};
        list = co_await ask(context, askProviders);
        if (!list)
            co_return failure(list.error());
        id = pick(typed, runtimeCandidates(list->runtimes), QStringLiteral("runtime"), where);
    }
    if (!id)
        co_return failure(id.error());
    const auto found = std::find_if(list->runtimes.cbegin(), list->runtimes.cend(),
                                    [&](const RuntimeView &runtime) { return runtime.id == *id; });
    co_return *found;
}

QList<Candidate> sandboxCandidates(const Snapshot &snapshot)
{
    QList<Candidate> candidates;
    for (const SandboxView &sandbox : snapshot.sandboxes) {
        candidates.append(
            {sandbox.id.toString(),
             {sandbox.alias},
             QStringLiteral("%1  sandbox  %2").arg(sandbox.id.toString(), sandbox.alias)});
    }
    return candidates;
}

Async<QString> resolveTarget(Context context, QString typed)
{
    if (typed.size() == kWholeId)
        co_return typed;
    const Result<Snapshot> snapshot = co_await ask(context, GetSnapshot{});
    if (!snapshot)
        co_return failure(snapshot.error());
    QList<Candidate> candidates =
        threadCandidates(snapshot->threads) + sandboxCandidates(*snapshot);
    for (const RuntimeView &runtime : snapshot->runtimes) {
        // By its alias the sandbox is meant already.
        if (!runtime.lease.isNull())
            candidates.append({runtime.lease.toString(), {}, shownRuntime(runtime)});
    }
    co_return pick(
        typed, candidates, QStringLiteral("thread or sandbox"),
        QStringLiteral("berth-cli thread list and berth-cli runtime list show what there is."));
}

} // namespace berth::cli
