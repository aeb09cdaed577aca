// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runtime_text.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>

#include <algorithm>
#include <cmath>

namespace berth::ui {

using application::RuntimeView;
using domain::ObservedState;

namespace {

//! A running one is sampled every second while it is shown; after this a value is called old.
constexpr qint64 kStaleSeconds = 15;

class RuntimeText
{
    Q_DECLARE_TR_FUNCTIONS(RuntimeText)
};

bool measures(const RuntimeView &runtime)
{
    return runtime.observed == ObservedState::Running;
}

QString absenceReason(const RuntimeView &runtime)
{
    if (runtime.unreachable)
        return runtime.lastError.isEmpty() ? RuntimeText::tr("The provider does not answer.")
                                           : runtime.lastError;
    switch (runtime.observed) {
    case ObservedState::Running:
        return runtime.sample ? RuntimeText::tr("The provider does not report this.")
                              : RuntimeText::tr("The first sample is on its way.");
    case ObservedState::Paused:
        return RuntimeText::tr("Not measured while paused.");
    case ObservedState::Stopped:
    case ObservedState::Stopping:
        return RuntimeText::tr("Not measured while stopped.");
    case ObservedState::Archived:
        return RuntimeText::tr("Not measured while archived.");
    case ObservedState::Starting:
        return RuntimeText::tr("It is still starting.");
    case ObservedState::Error:
        return runtime.lastError.isEmpty() ? RuntimeText::tr("The provider reports an error.")
                                           : runtime.lastError;
    case ObservedState::Gone:
        return RuntimeText::tr("Nothing is left to measure.");
    case ObservedState::Unknown:
        break;
    }
    return RuntimeText::tr("Its state is not known yet.");
}

MetricText missing(const RuntimeView &runtime)
{
    return {QStringLiteral("—"), {}, absenceReason(runtime), false, false};
}

MetricText present(const RuntimeView &runtime, const QString &value, const QString &of,
                   const QDateTime &now)
{
    MetricText text{value, of, {}, true, false};
    const qint64 age = runtime.sample->at.secsTo(now);
    // A paused one keeps what it had; its chip says since when.
    text.stale = runtime.unreachable || (measures(runtime) && age > kStaleSeconds);
    if (age > kStaleSeconds)
        text.reason = RuntimeText::tr("Measured %1 ago.").arg(shortSpan(age));
    return text;
}

} // namespace

StateText stateOf(const RuntimeView &runtime)
{
    if (runtime.busy == QLatin1String("pausing"))
        return {RuntimeText::tr("Pausing…"), Tone::Info, Dot::Half};
    if (runtime.busy == QLatin1String("resuming"))
        return {RuntimeText::tr("Resuming…"), Tone::Info, Dot::Half};
    if (runtime.busy == QLatin1String("destroying"))
        return {RuntimeText::tr("Destroying…"), Tone::Info, Dot::Half};
    if (runtime.busy == QLatin1String("starting"))
        return {RuntimeText::tr("Starting…"), Tone::Info, Dot::Half};
    if (!runtime.busy.isEmpty())
        return {RuntimeText::tr("Working…"), Tone::Info, Dot::Half};
    if (runtime.unreachable)
        return {RuntimeText::tr("Unreachable"), Tone::Error, Dot::Ring};
    if (runtime.destroyDueAt.isValid())
        return {RuntimeText::tr("Being destroyed"), Tone::Warn, Dot::Square};
    switch (runtime.observed) {
    case ObservedState::Running:
        return {RuntimeText::tr("Running"), Tone::Ok, Dot::Filled};
    case ObservedState::Paused:
        return {RuntimeText::tr("Paused"), Tone::Warn, Dot::Half};
    case ObservedState::Stopped:
        return {RuntimeText::tr("Stopped"), Tone::Neutral, Dot::Ring};
    case ObservedState::Archived:
        return {RuntimeText::tr("Archived"), Tone::Neutral, Dot::Ring};
    case ObservedState::Starting:
        return {RuntimeText::tr("Starting…"), Tone::Info, Dot::Half};
    case ObservedState::Stopping:
        return {RuntimeText::tr("Stopping…"), Tone::Info, Dot::Half};
    case ObservedState::Error:
        return {RuntimeText::tr("Error"), Tone::Error, Dot::Square};
    case ObservedState::Gone:
        return runtime.desired == domain::DesiredState::Destroyed
            ? StateText{RuntimeText::tr("Destroyed"), Tone::Neutral, Dot::Ring}
            : StateText{RuntimeText::tr("Gone"), Tone::Error, Dot::Square};
    case ObservedState::Unknown:
        break;
    }
    return {RuntimeText::tr("Unknown"), Tone::Neutral, Dot::Ring};
}

bool needsCare(const RuntimeView &runtime)
{
    const bool lost = runtime.observed == ObservedState::Gone
        && runtime.desired != domain::DesiredState::Destroyed;
    return runtime.orphan || runtime.unreachable || runtime.observed == ObservedState::Error
        || lost;
}

QString careReason(const RuntimeView &runtime)
{
    if (!needsCare(runtime))
        return {};
    if (runtime.orphan)
        return RuntimeText::tr("Made by this Berth, but no sandbox here knows it.");
    if (!runtime.lastError.isEmpty())
        return runtime.lastError;
    if (runtime.unreachable)
        return RuntimeText::tr("The provider does not answer.");
    return runtime.observed == ObservedState::Error
        ? RuntimeText::tr("The provider reports an error.")
        : RuntimeText::tr("The provider no longer has it.");
}

MetricText cpuOf(const RuntimeView &runtime, const QDateTime &now)
{
    if ((!measures(runtime) && !runtime.unreachable) || !runtime.sample
        || !runtime.sample->cpuCores)
        return missing(runtime);
    const std::optional<double> &limit = runtime.sample->cpuLimitCores;
    QString of = RuntimeText::tr("cores");
    if (limit)
        of = *limit == 1 ? RuntimeText::tr("of 1 core")
                         : RuntimeText::tr("of %1 cores").arg(QLocale().toString(*limit, 'g', 3));
    return present(runtime, cpuText(*runtime.sample->cpuCores, limit), of, now);
}

MetricText memoryOf(const RuntimeView &runtime, const QDateTime &now)
{
    const bool kept =
        measures(runtime) || runtime.observed == ObservedState::Paused || runtime.unreachable;
    if (!kept || !runtime.sample || !runtime.sample->memoryBytes)
        return missing(runtime);
    const std::optional<qint64> &limit = runtime.sample->memoryLimitBytes;
    return present(
        runtime, byteText(*runtime.sample->memoryBytes),
        limit ? RuntimeText::tr("of %1").arg(byteText(*limit)) : RuntimeText::tr("no limit"), now);
}

MetricText diskOf(const RuntimeView &runtime, const QDateTime &now)
{
    if (runtime.observed == ObservedState::Gone || !runtime.sample || !runtime.sample->diskBytes)
        return missing(runtime);
    const std::optional<qint64> &limit = runtime.sample->diskLimitBytes;
    return present(runtime, byteText(*runtime.sample->diskBytes),
                   limit ? RuntimeText::tr("of %1").arg(byteText(*limit)) : QString(), now);
}

MetricText networkOf(const RuntimeView &runtime, const QDateTime &now)
{
    const bool some = runtime.sample
        && (runtime.sample->networkReceiveBytesPerSecond
            || runtime.sample->networkSendBytesPerSecond);
    if ((!measures(runtime) && !runtime.unreachable) || !some)
        return missing(runtime);
    const auto rate = [](const std::optional<double> &value) {
        return value ? rateText(*value) : QStringLiteral("—");
    };
    return present(runtime,
                   RuntimeText::tr("↓ %1  ↑ %2")
                       .arg(rate(runtime.sample->networkReceiveBytesPerSecond),
                            rate(runtime.sample->networkSendBytesPerSecond)),
                   {}, now);
}

QString ageOf(const RuntimeView &runtime, const QDateTime &now)
{
    if (runtime.unreachable) {
        return runtime.observedAt.isValid()
            ? RuntimeText::tr("last seen %1 ago").arg(shortSpan(runtime.observedAt.secsTo(now)))
            : RuntimeText::tr("never seen");
    }
    if (runtime.orphan)
        return RuntimeText::tr("orphan");
    if (runtime.destroyDueAt.isValid()) {
        const qint64 left = std::max<qint64>(0, now.secsTo(runtime.destroyDueAt));
        return RuntimeText::tr("destroyed in %1").arg(shortSpan(left));
    }
    const auto since = [&now](const QString &words, const QString &bare, const QDateTime &at) {
        return at.isValid() ? words.arg(shortSpan(at.secsTo(now))) : bare;
    };
    switch (runtime.observed) {
    case ObservedState::Running: {
        const QString up =
            since(RuntimeText::tr("up %1"), RuntimeText::tr("up"),
                  runtime.startedAt.isValid() ? runtime.startedAt : runtime.stateSince);
        if (!runtime.idleStopAt.isValid())
            return up;
        const qint64 left = std::max<qint64>(0, now.secsTo(runtime.idleStopAt));
        return RuntimeText::tr("%1 · pauses in %2", "\"up 4 m\", time left")
            .arg(up, shortSpan(left));
    }
    case ObservedState::Paused:
        return since(RuntimeText::tr("paused %1"), RuntimeText::tr("paused"), runtime.stateSince);
    case ObservedState::Stopped:
        return since(RuntimeText::tr("stopped %1"), RuntimeText::tr("stopped"), runtime.stateSince);
    case ObservedState::Archived:
        return since(RuntimeText::tr("archived %1"), RuntimeText::tr("archived"),
                     runtime.stateSince);
    case ObservedState::Starting:
        return since(RuntimeText::tr("starting for %1"), RuntimeText::tr("starting"),
                     runtime.stateSince);
    case ObservedState::Stopping:
        return since(RuntimeText::tr("stopping for %1"), RuntimeText::tr("stopping"),
                     runtime.stateSince);
    case ObservedState::Error:
        return since(RuntimeText::tr("failed %1 ago"), RuntimeText::tr("failed"),
                     runtime.stateSince);
    case ObservedState::Gone:
        return since(RuntimeText::tr("gone for %1"), RuntimeText::tr("gone"), runtime.stateSince);
    case ObservedState::Unknown:
        break;
    }
    return RuntimeText::tr("not seen yet");
}

QString byteText(qint64 bytes)
{
    static constexpr const char *kUnits[] = {
        QT_TRANSLATE_NOOP("RuntimeText", "%1 B"), QT_TRANSLATE_NOOP("RuntimeText", "%1 kB"),
        QT_TRANSLATE_NOOP("RuntimeText", "%1 MB"), QT_TRANSLATE_NOOP("RuntimeText", "%1 GB"),
        QT_TRANSLATE_NOOP("RuntimeText", "%1 TB")};
    // By 1024, as memory limits are given: a limit of 2g is shown as 2 GB.
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (std::abs(value) >= 999.5 && unit + 1 < std::size(kUnits)) {
        value /= 1024;
        ++unit;
    }
    const bool fraction =
        unit > 0 && std::abs(value) < 9.95 && std::abs(value - std::round(value)) >= 0.05;
    return RuntimeText::tr(kUnits[unit]).arg(QLocale().toString(value, 'f', fraction ? 1 : 0));
}

QString rateText(double bytesPerSecond)
{
    return RuntimeText::tr("%1/s").arg(byteText(static_cast<qint64>(std::llround(bytesPerSecond))));
}

QString cpuText(double cores, const std::optional<double> &limit)
{
    if (!limit || *limit <= 0)
        return QLocale().toString(cores, 'f', 2);
    const double percent = 100 * cores / *limit;
    return RuntimeText::tr("%1 %").arg(
        QLocale().toString(percent, 'f', percent > 0 && percent < 0.95 ? 1 : 0));
}

QString shortSpan(qint64 seconds)
{
    const qint64 s = std::max<qint64>(seconds, 0);
    const QLocale locale;
    if (s < 60)
        return RuntimeText::tr("%1 s").arg(locale.toString(s));
    if (s < 3600)
        return RuntimeText::tr("%1 m").arg(locale.toString(s / 60));
    if (s < 48 * 3600)
        return RuntimeText::tr("%1 h").arg(locale.toString(s / 3600));
    return RuntimeText::tr("%1 d").arg(locale.toString(s / 86400));
}

} // namespace berth::ui
