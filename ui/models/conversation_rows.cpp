// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/conversation_model.h"

#include "ui/models/thread_text.h"

#include <QtCore/QDateTime>

// What the rows of a conversation show: their output as it is read, and their words.
namespace berth::ui {

using application::ToolCallView;
using domain::ToolCallId;

QList<ToolCallId> ConversationModel::wanting() const
{
    QList<ToolCallId> ids;
    for (const auto &row : m_rows) {
        if (!isOpen(*row) || row->output.loading || !isShell(row->call))
            continue;
        const bool behind = row->output.total < row->call.outputBytes
            || (!row->output.loaded && row->call.state == domain::ToolCallState::Done
                && row->call.outputBytes > 0);
        if (behind && row->output.error.isEmpty())
            ids.append(row->call.id);
    }
    return ids;
}

void ConversationModel::setLoading(const ToolCallId &id)
{
    if (Row *row = rowOf(id))
        row->output.loading = true;
}

void ConversationModel::setOutput(const ToolCallId &id, const application::OutputChunk &chunk)
{
    Row *row = rowOf(id);
    if (!row)
        return;
    OutputTail &tail = row->output;
    tail.loading = false;
    tail.loaded = true;
    tail.error.clear();
    tail.offset = chunk.offset;
    tail.total = chunk.offset + chunk.bytes.size();
    row->call.outputBytes = qMax(row->call.outputBytes, chunk.total);
    tail.text.clear();
    // The piece begins anywhere: what is left of a line or of a character there is not shown.
    qint64 skip = 0;
    if (chunk.offset > 0) {
        const qsizetype newline = chunk.bytes.indexOf('\n');
        if (newline >= 0 && newline + 1 < chunk.bytes.size()) {
            skip = newline + 1;
        } else {
            while (skip < qMin<qint64>(3, chunk.bytes.size())
                   && (static_cast<unsigned char>(chunk.bytes.at(skip)) & 0xc0) == 0x80)
                ++skip;
        }
    }
    tail.offset += skip;
    qint64 at = 0;
    for (const application::OutputSegment &segment : chunk.segments) {
        const qint64 end = qMin<qint64>(at + segment.length, chunk.bytes.size());
        const qint64 from = qMax(at, skip);
        if (from < end)
            tail.text.feed(segment.stream, QByteArrayView(chunk.bytes).sliced(from, end - from));
        at = end;
    }
    ++tail.version;
    changed(*row);
    if (tail.total < row->call.outputBytes)
        Q_EMIT outputWanted();
}

void ConversationModel::setOutputError(const ToolCallId &id, const domain::Error &error)
{
    Row *row = rowOf(id);
    if (!row)
        return;
    row->output.loading = false;
    row->output.error = error.message;
    ++row->output.version;
    changed(*row);
}

int ConversationModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ConversationModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = *m_rows[static_cast<size_t>(index.row())];
    const bool isCall = row.kind == Kind::ToolCall;
    switch (role) {
    case Qt::DisplayRole:
    case TextRole:
        return isCall ? row.call.command : row.message.text;
    case Qt::AccessibleTextRole:
        return accessibleText(row);
    case KindRole:
        return static_cast<int>(row.kind);
    case CallRole:
        return isCall ? QVariant::fromValue(row.call) : QVariant();
    case OpenRole:
        return isOpen(row);
    case OutputRole:
        return isCall ? QVariant::fromValue<const OutputTail *>(&row.output) : QVariant();
    case MessageRole:
        return isCall ? QVariant() : QVariant::fromValue(row.message);
    case MarkdownRole:
        return row.kind == Kind::Agent ? QVariant::fromValue<const Markdown *>(&row.markdown)
                                       : QVariant();
    case KeyRole:
        return QVariant::fromValue(row.key);
    case VersionRole:
        return row.version;
    case LiveRole:
        return row.live;
    case StatusRole:
        return statusText(row);
    case ReasoningOpenRole:
        return row.kind == Kind::Agent && row.open.value_or(false);
    case ExpandedRole:
        return row.expanded;
    default:
        return {};
    }
}

QString ConversationModel::statusText(const Row &row) const
{
    if (row.kind != Kind::Agent)
        return {};
    if (!row.live) {
        QStringList words;
        if (row.message.superseded)
            words.append(tr("Replaced by a later edit"));
        if (row.message.cut)
            words.append(tr("The reply ends here: it was stopped or lost"));
        return words.join(QStringLiteral(" · "));
    }
    if (!row.calls.isEmpty()) {
        QStringList verbs;
        for (const QString &tool : row.calls)
            verbs.append(verbOf(tool));
        return tr("Writing: %1").arg(verbs.join(QStringLiteral(", ")));
    }
    return row.message.text.isEmpty() && row.message.reasoning.isEmpty() ? tr("Thinking…")
                                                                         : QString();
}

QString ConversationModel::accessibleText(const Row &row) const
{
    switch (row.kind) {
    case Kind::ToolCall: {
        QString text =
            tr("%1: %2, %3")
                .arg(verbOf(row.call), visibleText(row.call.command), outcomeOf(row.call).word);
        const QString took = durationOf(row.call, QDateTime::currentDateTimeUtc());
        if (!took.isEmpty())
            text = tr("%1, %2").arg(text, took);
        if (const QString used = resourcesText(row.call); !used.isEmpty())
            text = tr("%1, %2").arg(text, used);
        if (isOpen(row) && row.output.loaded)
            text += QStringLiteral(". ") + row.output.text.plainText().right(2000);
        else if (isOpen(row) && !row.call.diff.isEmpty())
            text += QStringLiteral(". ") + visibleText(row.call.diff.left(2000));
        return text;
    }
    case Kind::User:
        return row.message.superseded ? tr("You, replaced later: %1").arg(row.message.text)
                                      : tr("You: %1").arg(row.message.text);
    case Kind::Agent:
        return row.message.superseded
            ? tr("Agent, replaced later: %1").arg(row.markdown.plainText())
            : tr("Agent: %1").arg(row.markdown.plainText());
    case Kind::Note:
        break;
    }
    return tr("Note: %1").arg(row.message.text);
}

} // namespace berth::ui
