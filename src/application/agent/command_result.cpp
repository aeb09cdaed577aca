// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/command_result.h"

#include "application/threads/model_output.h"

namespace berth::application {

using domain::OutcomeKind;

QString commandResult(const ExecutionService &executions, const domain::ToolCall &ended)
{
    QString text = QStringLiteral("(no output)");
    if (!ended.outputRef.isEmpty() && ended.outputBytes > 0)
        text = modelOutputOfFile(executions.outputPath(ended), ended.outputBytes);
    if (!ended.outcome)
        return text;
    QString end = QStringLiteral("[exit code: %1]").arg(domain::exitCodeOf(*ended.outcome));
    switch (ended.outcome->kind) {
    case OutcomeKind::Exited:
        break;
    case OutcomeKind::Signalled:
        end += QStringLiteral(" killed by %1").arg(domain::signalName(ended.outcome->code));
        break;
    case OutcomeKind::TimedOut:
        end += QStringLiteral(" timed out and was killed");
        break;
    case OutcomeKind::Cancelled:
        end += QStringLiteral(" stopped");
        break;
    case OutcomeKind::TransportLost:
        end = QStringLiteral("[the connection was lost; whether it goes on is not known]");
        break;
    case OutcomeKind::Interrupted:
        end = QStringLiteral("[interrupted; how it ended is not known]");
        break;
    case OutcomeKind::NotStarted:
        return QStringLiteral("Error: it was not started. ") + ended.outcome->detail;
    }
    if (!ended.outcome->detail.isEmpty())
        end += QStringLiteral(" (%1)").arg(ended.outcome->detail);
    while (text.endsWith(QLatin1Char('\n')))
        text.chop(1);
    return text + QLatin1Char('\n') + end;
}

} // namespace berth::application
