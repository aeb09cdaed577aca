// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/process_text.h"

#include "ui/conversation/ansi_text.h"
#include "ui/models/thread_text.h"

#include <QtCore/QCoreApplication>

namespace berth::ui {

using application::ProcessState;
using application::ProcessView;
using domain::OutcomeKind;

namespace {

class ProcessText
{
    Q_DECLARE_TR_FUNCTIONS(ProcessText)
};

} // namespace

StateText stateOf(const ProcessView &process)
{
    switch (process.state) {
    case ProcessState::Starting:
        return {ProcessText::tr("Starting"), Tone::Info, Dot::Half};
    case ProcessState::Running:
        return {ProcessText::tr("Running"), Tone::Ok, Dot::Filled};
    case ProcessState::Unknown:
        return {ProcessText::tr("Not known"), Tone::Warn, Dot::Ring};
    case ProcessState::Ended:
        break;
    }
    switch (process.outcome.value_or(OutcomeKind::Interrupted)) {
    case OutcomeKind::Exited:
        return {ProcessText::tr("exit %1").arg(process.exitCode),
                process.exitCode == 0 ? Tone::Neutral : Tone::Error, Dot::Square};
    case OutcomeKind::Signalled:
        return {domain::signalName(process.exitCode - 128), Tone::Error, Dot::Square};
    case OutcomeKind::TimedOut:
        return {ProcessText::tr("timed out"), Tone::Warn, Dot::Square};
    case OutcomeKind::Cancelled:
        return {ProcessText::tr("stopped"), Tone::Neutral, Dot::Square};
    case OutcomeKind::TransportLost:
        return {ProcessText::tr("connection lost"), Tone::Error, Dot::Square};
    case OutcomeKind::Interrupted:
        return {ProcessText::tr("ended"), Tone::Neutral, Dot::Square};
    case OutcomeKind::NotStarted:
        return {ProcessText::tr("not started"), Tone::Error, Dot::Square};
    }
    return {};
}

QString titleOf(const ProcessView &process)
{
    const QString title =
        visibleText(process.title.isEmpty() ? process.command : process.title).simplified();
    if (!title.isEmpty())
        return title;
    return process.kind == application::ProcessKind::Terminal ? ProcessText::tr("Terminal")
                                                              : ProcessText::tr("Command");
}

QString factsOf(const ProcessView &process, const QDateTime &now)
{
    QStringList facts;
    if (process.startedAt.isValid()) {
        const QDateTime end = process.endedAt.isValid() ? process.endedAt : now;
        facts.append(durationText(qMax<qint64>(0, process.startedAt.msecsTo(end))));
    }
    facts.append(byteText(process.outputBytes));
    if (process.skippedBytes > 0)
        facts.append(ProcessText::tr("%1 lost").arg(byteText(process.skippedBytes)));
    return facts.join(QStringLiteral(" · "));
}

bool hasEnded(const ProcessView &process)
{
    return process.state == ProcessState::Ended;
}

} // namespace berth::ui
