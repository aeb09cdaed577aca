// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/human.h"
#include "cli/ids.h"
#include "cli/json_output.h"
#include "cli/table.h"
#include "cli/verbs/verbs.h"

#include <nlohmann/json.hpp>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::ResourceSample;
using domain::Result;

namespace {

QString bytes(const std::optional<qint64> &used, const std::optional<qint64> &limit)
{
    if (!used)
        return QStringLiteral("unknown");
    return limit ? QStringLiteral("%1 of %2").arg(humanBytes(*used), humanBytes(*limit))
                 : humanBytes(*used);
}

QString cores(const ResourceSample &sample)
{
    if (!sample.cpuCores)
        return QStringLiteral("unknown");
    const QString used = QString::number(*sample.cpuCores, 'f', 2);
    if (sample.cpuLimitCores == 1)
        return QStringLiteral("%1 of 1 core").arg(used);
    return sample.cpuLimitCores
        ? QStringLiteral("%1 of %2 cores").arg(used).arg(*sample.cpuLimitCores)
        : QStringLiteral("%1 cores").arg(used);
}

QString rate(const std::optional<double> &perSecond)
{
    return perSecond ? humanBytes(static_cast<qint64>(*perSecond)) + QStringLiteral("/s")
                     : QStringLiteral("unknown");
}

} // namespace

Async<int> runtimeMetrics(Context context)
{
    const Result<RuntimeView> runtime =
        co_await resolveRuntime(context, context->options.arguments[0]);
    if (!runtime)
        co_return failure(runtime.error());
    const GetMetrics getMetrics{runtime->id};
    const Result<ResourceSample> sample = co_await ask(context, getMetrics);
    if (!sample)
        co_return failure(sample.error());
    if (context->options.json) {
        nlohmann::json object = parsedView(toJson(*sample));
        object["id"] = runtime->id.toStdString();
        if (!runtime->lease.isNull())
            object["lease_id"] = runtime->lease.toString().toStdString();
        printJson(context, object);
        co_return 0;
    }
    Table table({QStringLiteral("RESOURCE"), QStringLiteral("IN USE")});
    table.add({QStringLiteral("CPU"), cores(*sample)});
    table.add({QStringLiteral("Memory"), bytes(sample->memoryBytes, sample->memoryLimitBytes)});
    table.add({QStringLiteral("Disk"), bytes(sample->diskBytes, sample->diskLimitBytes)});
    table.add({QStringLiteral("Network in"), rate(sample->networkReceiveBytesPerSecond)});
    table.add({QStringLiteral("Network out"), rate(sample->networkSendBytesPerSecond)});
    table.add(
        {QStringLiteral("Processes"),
         sample->processes ? QString::number(*sample->processes) : QStringLiteral("unknown")});
    context->print(
        table.text(context->streams.terminal.columns, context->streams.terminal.colours));
    co_return 0;
}

} // namespace berth::cli
