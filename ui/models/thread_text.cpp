// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/thread_text.h"

#include "ui/conversation/picture_shelf.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>

namespace berth::ui {

using application::ThreadLifecycle;
using application::ThreadView;
using application::ToolCallView;
using domain::OutcomeKind;
using domain::ToolCallState;

namespace {

class ThreadText
{
    Q_DECLARE_TR_FUNCTIONS(ThreadText)
};

} // namespace

StateText stateOf(const ThreadView &thread)
{
    switch (thread.lifecycle) {
    case ThreadLifecycle::Unbound:
        return {ThreadText::tr("No sandbox"), Tone::Neutral, Dot::Ring};
    case ThreadLifecycle::Idle:
        return {ThreadText::tr("Not started yet"), Tone::Neutral, Dot::Ring};
    case ThreadLifecycle::Starting:
        return {ThreadText::tr("Starting"), Tone::Info, Dot::Half};
    case ThreadLifecycle::Active:
        return {ThreadText::tr("Active"), Tone::Ok, Dot::Filled};
    case ThreadLifecycle::Paused:
        return {ThreadText::tr("Paused"), Tone::Warn, Dot::Half};
    case ThreadLifecycle::Stopped:
        return {ThreadText::tr("Stopped"), Tone::Neutral, Dot::Ring};
    case ThreadLifecycle::Destroyed:
        return {ThreadText::tr("Destroyed"), Tone::Neutral, Dot::Ring};
    case ThreadLifecycle::Unreachable:
        return {ThreadText::tr("Unreachable"), Tone::Error, Dot::Square};
    }
    return {};
}

QString bindingText(const ThreadView &thread, const QDateTime &now)
{
    QString state = stateOf(thread).word;
    state = state.left(1).toLower() + state.mid(1);
    if (thread.lifecycleSince.isValid() && thread.lifecycle != ThreadLifecycle::Idle
        && thread.lifecycle != ThreadLifecycle::Unbound)
        state = ThreadText::tr("%1 %2", "state, since how long: active 4 m")
                    .arg(state, shortSpan(qMax<qint64>(0, thread.lifecycleSince.secsTo(now))));
    if (thread.sandboxLabel.isEmpty())
        return state;
    return QStringLiteral("%1 · %2").arg(thread.sandboxLabel, state);
}

StateText outcomeOf(const ToolCallView &call)
{
    if (call.awaitsApproval && call.state != ToolCallState::Done)
        return {ThreadText::tr("needs approval"), Tone::Warn, Dot::Half};
    switch (call.state) {
    case ToolCallState::Pending:
        return {ThreadText::tr("waiting"), Tone::Neutral, Dot::Ring};
    case ToolCallState::Preparing:
        return {ThreadText::tr("preparing"), Tone::Info, Dot::Half};
    case ToolCallState::Running:
        return {ThreadText::tr("running"), Tone::Info, Dot::Filled};
    case ToolCallState::Done:
        break;
    }
    switch (call.outcome.value_or(OutcomeKind::Interrupted)) {
    case OutcomeKind::Exited:
        if (!isShell(call)) {
            if (call.exitCode != 0)
                return {ThreadText::tr("failed"), Tone::Error, Dot::None};
            const QString changes = changesText(call.diff);
            return {changes.isEmpty() ? ThreadText::tr("ok") : changes, Tone::Ok, Dot::None};
        }
        return {ThreadText::tr("exit %1").arg(call.exitCode),
                call.exitCode == 0 ? Tone::Ok : Tone::Error, Dot::None};
    case OutcomeKind::Signalled:
        return {domain::signalName(call.exitCode - 128), Tone::Error, Dot::None};
    case OutcomeKind::TimedOut:
        return {ThreadText::tr("timed out"), Tone::Warn, Dot::None};
    case OutcomeKind::Cancelled:
        return {ThreadText::tr("stopped"), Tone::Warn, Dot::None};
    case OutcomeKind::TransportLost:
        return {ThreadText::tr("connection lost"), Tone::Error, Dot::None};
    case OutcomeKind::Interrupted:
        return {ThreadText::tr("interrupted"), Tone::Warn, Dot::None};
    case OutcomeKind::NotStarted:
        return {ThreadText::tr("not started"), Tone::Error, Dot::None};
    }
    return {};
}

bool isShell(const ToolCallView &call)
{
    return call.tool.isEmpty() || call.tool == QLatin1String("shell");
}

QString changesText(const QString &diff)
{
    int added = 0;
    int removed = 0;
    for (const QStringView line : QStringView(diff).split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1String("+++")) || line.startsWith(QLatin1String("---")))
            continue;
        if (line.startsWith(QLatin1Char('+')))
            ++added;
        else if (line.startsWith(QLatin1Char('-')))
            ++removed;
    }
    if (added == 0 && removed == 0)
        return {};
    const QLocale locale;
    return QStringLiteral("+%1 −%2").arg(locale.toString(added), locale.toString(removed));
}

QString verbOf(const ToolCallView &call)
{
    return verbOf(call.tool);
}

QString verbOf(const QString &tool)
{
    if (tool.isEmpty() || tool == QLatin1String("shell"))
        return ThreadText::tr("Run command");
    if (tool == QLatin1String("read_file"))
        return ThreadText::tr("Read file");
    if (tool == QLatin1String("write_file"))
        return ThreadText::tr("Write file");
    if (tool == QLatin1String("edit_file"))
        return ThreadText::tr("Edit file");
    if (tool == QLatin1String("list_files"))
        return ThreadText::tr("List files");
    if (tool == QLatin1String("glob"))
        return ThreadText::tr("Find files");
    if (tool == QLatin1String("grep"))
        return ThreadText::tr("Search in files");
    return tool;
}

QString durationText(qint64 ms)
{
    const QLocale locale;
    if (ms < 1000)
        return ThreadText::tr("%1 ms").arg(locale.toString(ms));
    if (ms < 60'000)
        return ThreadText::tr("%1 s").arg(
            locale.toString(static_cast<double>(ms) / 1000.0, 'f', 1));
    if (ms < 3'600'000)
        return ThreadText::tr("%1 m %2 s").arg(ms / 60'000).arg(ms / 1000 % 60);
    return ThreadText::tr("%1 h %2 m").arg(ms / 3'600'000).arg(ms / 60'000 % 60);
}

QString durationOf(const ToolCallView &call, const QDateTime &now)
{
    if (call.state == ToolCallState::Running && call.startedAt.isValid())
        return durationText(qMax<qint64>(0, call.startedAt.msecsTo(now)));
    if (call.state == ToolCallState::Done && call.outcome != OutcomeKind::NotStarted
        && call.outcome != OutcomeKind::Interrupted)
        return durationText(call.durationMs);
    return {};
}

QString resourcesText(const ToolCallView &call)
{
    QStringList parts;
    if (call.peakMemoryBytes)
        parts.append(ThreadText::tr("peak %1", "of memory").arg(byteText(*call.peakMemoryBytes)));
    if (call.cpuTimeMs)
        parts.append(ThreadText::tr("%1 CPU", "time").arg(durationText(*call.cpuTimeMs)));
    return parts.join(QStringLiteral(" · "));
}

bool showsPicture(const ToolCallView &call)
{
    return call.tool == QLatin1String("read_file") && call.state == ToolCallState::Done
        && call.outcome == OutcomeKind::Exited && call.exitCode == 0
        && !picturePath(call.command).isEmpty();
}

bool isUnderWay(const ToolCallView &call)
{
    return call.state != ToolCallState::Done;
}

bool isFailed(const ToolCallView &call)
{
    return call.state == ToolCallState::Done
        && !(call.outcome == OutcomeKind::Exited && call.exitCode == 0);
}

} // namespace berth::ui
