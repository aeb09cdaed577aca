// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/export/thread_writer.h"

#include "application/threads/model_output.h"
#include "domain/text.h"

#include <QtCore/QStringList>

namespace berth::application {

namespace {

//! One line, without what could end or open something.
QString inLine(const QString &text)
{
    QString line = text.simplified();
    return line.replace(QLatin1Char('`'), QLatin1Char('\'')).left(200);
}

//! \a text between fences that it cannot end.
QString fenced(const QString &text, const QString &language)
{
    qsizetype longest = 0;
    qsizetype run = 0;
    for (const QChar c : text) {
        run = c == QLatin1Char('`') ? run + 1 : 0;
        longest = qMax(longest, run);
    }
    const QString fence(qMax<qsizetype>(3, longest + 1), QLatin1Char('`'));
    QString body = text;
    while (body.endsWith(QLatin1Char('\n')))
        body.chop(1);
    return fence + language + QLatin1Char('\n') + body + QLatin1Char('\n') + fence
        + QStringLiteral("\n\n");
}

QString quoted(const QString &text)
{
    QString quote;
    for (const QStringView line : QStringView(text.trimmed()).split(QLatin1Char('\n')))
        quote += QStringLiteral("> ") + line.toString() + QLatin1Char('\n');
    return quote + QLatin1Char('\n');
}

QString seconds(qint64 ms)
{
    return ms < 1000 ? QStringLiteral("%1 ms").arg(ms)
                     : QStringLiteral("%1 s").arg(static_cast<double>(ms) / 1000.0, 0, 'f', 1);
}

QString megabytes(qint64 bytes)
{
    return QStringLiteral("%1 MB").arg(static_cast<double>(bytes) / 1e6, 0, 'f', 1);
}

QString outcomeText(const ToolCallView &call)
{
    if (call.state != domain::ToolCallState::Done)
        return domain::wireName(call.state);
    if (call.outcome == domain::OutcomeKind::Exited)
        return QStringLiteral("exit code %1").arg(call.exitCode);
    return call.outcome ? domain::wireName(*call.outcome) : QStringLiteral("ended");
}

//! Without terminal controls; all of what was read.
QString outputText(const QList<CallOutput::Piece> &pieces)
{
    QByteArray all;
    for (const CallOutput::Piece &piece : pieces)
        all += piece.bytes;
    if (all.isEmpty())
        return {};
    ModelOutputLimits limits;
    limits.characters = 2 * all.size() + 1024;
    limits.lineCharacters = limits.characters;
    return modelOutput(all, limits);
}

class MarkdownWriter final : public ThreadWriter
{
public:
    QByteArray begin(const ThreadDetail &detail) override
    {
        const ThreadView &thread = detail.thread;
        QString text = QStringLiteral("# %1\n\n").arg(inLine(thread.title));
        text += QStringLiteral("- Thread: `%1`\n").arg(thread.id.toString());
        text += QStringLiteral("- Agent: `%1`\n").arg(inLine(thread.agent.toString()));
        if (!thread.sandboxAlias.isEmpty())
            text += QStringLiteral("- Sandbox: `%1` (%2)\n")
                        .arg(inLine(thread.sandboxAlias), inLine(thread.sandboxLabel));
        text += QStringLiteral("- Begun: %1\n").arg(domain::toWireTime(thread.createdAt));
        text += QStringLiteral("- Exported: %1\n\n").arg(domain::toWireTime(domain::nowUtc()));
        return text.toUtf8();
    }

    QByteArray message(const MessageView &message) override
    {
        QString who = QStringLiteral("Note");
        if (message.role == domain::MessageRole::User)
            who = QStringLiteral("You");
        else if (message.role == domain::MessageRole::Agent)
            who = QStringLiteral("Agent");
        QStringList marks;
        if (message.superseded)
            marks.append(QStringLiteral("replaced by a later edit"));
        if (message.cut)
            marks.append(QStringLiteral("cut: stopped or lost"));
        QString text = QStringLiteral("## %1 · %2").arg(who, domain::toWireTime(message.createdAt));
        if (!marks.isEmpty())
            text += QStringLiteral(" (%1)").arg(marks.join(QStringLiteral(", ")));
        text += QStringLiteral("\n\n");
        if (!message.reasoning.trimmed().isEmpty())
            text += QStringLiteral("What it thought:\n\n") + quoted(message.reasoning);
        const bool command =
            message.role == domain::MessageRole::User && message.text.startsWith(QLatin1Char('!'));
        if (command)
            text += fenced(message.text, {});
        else if (!message.text.trimmed().isEmpty())
            text += message.text.trimmed() + QStringLiteral("\n\n");
        return text.toUtf8();
    }

    QByteArray call(const ToolCallView &call, const CallOutput &output, bool superseded) override
    {
        const bool shell = call.tool.isEmpty() || call.tool == QLatin1String("shell");
        QStringList facts{outcomeText(call)};
        if (call.state == domain::ToolCallState::Done)
            facts.append(seconds(call.durationMs));
        if (superseded)
            facts.append(QStringLiteral("replaced by a later edit"));
        QString text = QStringLiteral("### %1 · %2\n\n")
                           .arg(shell ? QStringLiteral("shell") : inLine(call.tool),
                                facts.join(QStringLiteral(" · ")));
        text += fenced(call.command, shell ? QStringLiteral("sh") : QString());
        QStringList more;
        if (!call.cwd.isEmpty())
            more.append(QStringLiteral("in `%1`").arg(inLine(call.cwd)));
        if (call.peakMemoryBytes)
            more.append(QStringLiteral("peak %1").arg(megabytes(*call.peakMemoryBytes)));
        if (call.cpuTimeMs)
            more.append(QStringLiteral("%1 CPU").arg(seconds(*call.cpuTimeMs)));
        if (!call.decision.isEmpty())
            more.append(inLine(call.decision));
        if (!call.outcomeDetail.isEmpty())
            more.append(inLine(call.outcomeDetail));
        if (!more.isEmpty())
            text += more.join(QStringLiteral(" · ")) + QStringLiteral("\n\n");
        if (!call.diff.isEmpty())
            text += fenced(call.diff, QStringLiteral("diff"));
        else if (!call.result.trimmed().isEmpty())
            text += fenced(call.result, QStringLiteral("text"));
        const QString head = outputText(output.head);
        const QString tail = outputText(output.tail);
        if (!head.isEmpty())
            text += fenced(head, QStringLiteral("text"));
        if (output.leftOut > 0)
            text += QStringLiteral("… %1 of %2 bytes of output left out here …\n\n")
                        .arg(output.leftOut)
                        .arg(output.total);
        if (!tail.isEmpty())
            text += fenced(tail, QStringLiteral("text"));
        if (!output.problem.isEmpty())
            text +=
                QStringLiteral("The output could not be read: %1\n\n").arg(inLine(output.problem));
        return text.toUtf8();
    }

    QByteArray end() override { return {}; }
};

} // namespace

std::unique_ptr<ThreadWriter> makeMarkdownWriter()
{
    return std::make_unique<MarkdownWriter>();
}

} // namespace berth::application
