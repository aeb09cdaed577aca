// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/execution/outcome.h"

#include <array>

namespace berth::domain {

namespace {

constexpr std::array<std::pair<OutcomeKind, QLatin1String>, 7> kOutcomeNames{{
    {OutcomeKind::Exited, QLatin1String("exited")},
    {OutcomeKind::Signalled, QLatin1String("signalled")},
    {OutcomeKind::TimedOut, QLatin1String("timed_out")},
    {OutcomeKind::Cancelled, QLatin1String("cancelled")},
    {OutcomeKind::TransportLost, QLatin1String("transport_lost")},
    {OutcomeKind::Interrupted, QLatin1String("interrupted")},
    {OutcomeKind::NotStarted, QLatin1String("not_started")},
}};

// Linux numbers, which are those inside every sandbox, whatever this machine is.
constexpr std::array<std::pair<int, QLatin1String>, 20> kSignals{{
    {1, QLatin1String("SIGHUP")},   {2, QLatin1String("SIGINT")},   {3, QLatin1String("SIGQUIT")},
    {4, QLatin1String("SIGILL")},   {5, QLatin1String("SIGTRAP")},  {6, QLatin1String("SIGABRT")},
    {7, QLatin1String("SIGBUS")},   {8, QLatin1String("SIGFPE")},   {9, QLatin1String("SIGKILL")},
    {10, QLatin1String("SIGUSR1")}, {11, QLatin1String("SIGSEGV")}, {12, QLatin1String("SIGUSR2")},
    {13, QLatin1String("SIGPIPE")}, {14, QLatin1String("SIGALRM")}, {15, QLatin1String("SIGTERM")},
    {19, QLatin1String("SIGSTOP")}, {24, QLatin1String("SIGXCPU")}, {25, QLatin1String("SIGXFSZ")},
    {29, QLatin1String("SIGIO")},   {31, QLatin1String("SIGSYS")},
}};

} // namespace

int exitCodeOf(const Outcome &outcome)
{
    switch (outcome.kind) {
    case OutcomeKind::Exited:
        return outcome.code;
    case OutcomeKind::Signalled:
        return 128 + outcome.code;
    case OutcomeKind::TimedOut:
        return 137;
    case OutcomeKind::Cancelled:
        return 130;
    case OutcomeKind::TransportLost:
    case OutcomeKind::Interrupted:
    case OutcomeKind::NotStarted:
        break;
    }
    return 125;
}

QString wireName(OutcomeKind kind)
{
    for (const auto &[candidate, name] : kOutcomeNames) {
        if (candidate == kind)
            return QString(name);
    }
    return {};
}

std::optional<OutcomeKind> outcomeKindFromWire(QStringView wire)
{
    for (const auto &[kind, name] : kOutcomeNames) {
        if (wire == name)
            return kind;
    }
    return std::nullopt;
}

QString signalName(int number)
{
    for (const auto &[candidate, name] : kSignals) {
        if (candidate == number)
            return QString(name);
    }
    return QStringLiteral("signal %1").arg(number);
}

} // namespace berth::domain
