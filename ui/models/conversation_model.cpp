// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/conversation_model.h"

#include "ui/models/thread_text.h"

#include <QtCore/QDateTime>

#include <algorithm>

namespace berth::ui {

using application::Event;
using application::MessageView;
using application::ToolCallView;
using domain::ToolCallId;

ConversationModel::ConversationModel(QObject *parent) : QAbstractListModel(parent) {}

ConversationModel::~ConversationModel() = default;

bool ConversationModel::isOpen(const Row &row)
{
    return row.kind == Kind::ToolCall
        && row.open.value_or(isUnderWay(row.call) || isFailed(row.call));
}

void ConversationModel::clear()
{
    beginResetModel();
    m_thread = {};
    m_rows.clear();
    endResetModel();
    noteUnderWay();
}

void ConversationModel::set(const application::ThreadDetail &detail)
{
    Rows before;
    if (detail.thread.id == m_thread)
        before.swap(m_rows);
    beginResetModel();
    m_thread = detail.thread.id;
    m_rows.clear();
    QList<MessageView> messages = detail.messages;
    std::stable_sort(messages.begin(), messages.end(),
                     [](const auto &a, const auto &b) { return a.seq < b.seq; });
    QList<ToolCallView> calls = detail.toolCalls;
    std::stable_sort(calls.begin(), calls.end(),
                     [](const auto &a, const auto &b) { return a.seq < b.seq; });
    for (const MessageView &message : std::as_const(messages))
        add(message);
    for (const ToolCallView &call : std::as_const(calls))
        put(call);
    for (auto &old : before) {
        Row *row = old->kind == Kind::ToolCall ? rowOf(old->call.id) : nullptr;
        if (!row)
            continue;
        row->open = old->open;
        row->output = std::move(old->output);
        row->output.loading = false;
    }
    endResetModel();
    noteUnderWay();
    Q_EMIT outputWanted();
}

void ConversationModel::apply(const Event &event)
{
    if (const auto *added = std::get_if<application::MessageAdded>(&event.body)) {
        if (added->message.thread == m_thread && !m_thread.isNull())
            add(added->message);
    } else if (const auto *changedCall = std::get_if<application::ToolCallChanged>(&event.body)) {
        if (changedCall->toolCall.thread == m_thread && !m_thread.isNull())
            update(changedCall->toolCall);
    } else if (const auto *grew = std::get_if<application::OutputGrew>(&event.body)) {
        if (Row *row = rowOf(grew->toolCall)) {
            row->call.outputBytes = qMax(row->call.outputBytes, grew->total);
            if (isOpen(*row))
                Q_EMIT outputWanted();
        }
    }
}

void ConversationModel::update(const ToolCallView &call)
{
    if (call.thread != m_thread)
        return;
    put(call);
    noteUnderWay();
    Q_EMIT outputWanted();
}

void ConversationModel::add(const MessageView &message)
{
    for (const auto &row : m_rows) {
        if (row->kind != Kind::ToolCall && row->message.seq == message.seq)
            return;
    }
    auto row = std::make_unique<Row>();
    row->message = message;
    switch (message.role) {
    case domain::MessageRole::User:
        row->kind = Kind::User;
        break;
    case domain::MessageRole::Agent:
        row->kind = Kind::Agent;
        break;
    case domain::MessageRole::Note:
        row->kind = Kind::Note;
        break;
    }
    insert(m_rows.size(), std::move(row));
}

void ConversationModel::put(const ToolCallView &call)
{
    if (Row *row = rowOf(call.id)) {
        const qint64 bytes = qMax(row->call.outputBytes, call.outputBytes);
        row->call = call;
        row->call.outputBytes = bytes;
        changed(*row);
        return;
    }
    auto row = std::make_unique<Row>();
    row->kind = Kind::ToolCall;
    row->call = call;
    // Behind the last row of its run; a call may be told of before its message.
    size_t at = m_rows.size();
    for (size_t i = m_rows.size(); i > 0; --i) {
        const Row &other = *m_rows[i - 1];
        const domain::RunId &run =
            other.kind == Kind::ToolCall ? other.call.run : other.message.run;
        if (run == call.run) {
            at = i;
            break;
        }
    }
    insert(at, std::move(row));
}

void ConversationModel::insert(size_t at, std::unique_ptr<Row> row)
{
    const int where = static_cast<int>(at);
    beginInsertRows({}, where, where);
    m_rows.insert(m_rows.begin() + where, std::move(row));
    endInsertRows();
}

ConversationModel::Row *ConversationModel::rowOf(const ToolCallId &id) const
{
    const auto at = std::find_if(m_rows.begin(), m_rows.end(), [&id](const auto &row) {
        return row->kind == Kind::ToolCall && row->call.id == id;
    });
    return at == m_rows.end() ? nullptr : at->get();
}

void ConversationModel::changed(const Row &row)
{
    const auto at = std::find_if(m_rows.begin(), m_rows.end(),
                                 [&row](const auto &r) { return r.get() == &row; });
    const QModelIndex index = createIndex(static_cast<int>(at - m_rows.begin()), 0);
    Q_EMIT dataChanged(index, index);
}

void ConversationModel::setOpen(const QModelIndex &index, bool open)
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return;
    Row &row = *m_rows[static_cast<size_t>(index.row())];
    if (row.kind != Kind::ToolCall || isOpen(row) == open)
        return;
    row.open = open;
    Q_EMIT dataChanged(index, index);
    if (open)
        Q_EMIT outputWanted();
}

void ConversationModel::noteUnderWay()
{
    const ToolCallView *now = underWay();
    const ToolCallId id = now ? now->id : ToolCallId();
    if (id == m_underWay)
        return;
    m_underWay = id;
    Q_EMIT underWayChanged();
}

const ToolCallView *ConversationModel::underWay() const
{
    for (auto it = m_rows.crbegin(); it != m_rows.crend(); ++it) {
        if ((*it)->kind == Kind::ToolCall && isUnderWay((*it)->call))
            return &(*it)->call;
    }
    return nullptr;
}

bool ConversationModel::hasCalls() const
{
    return std::any_of(m_rows.cbegin(), m_rows.cend(),
                       [](const auto &row) { return row->kind == Kind::ToolCall; });
}

const ToolCallView *ConversationModel::call(const ToolCallId &id) const
{
    const Row *row = rowOf(id);
    return row ? &row->call : nullptr;
}

QModelIndex ConversationModel::indexOf(const ToolCallId &id) const
{
    for (size_t i = 0; i < m_rows.size(); ++i) {
        if (m_rows[i]->kind == Kind::ToolCall && m_rows[i]->call.id == id)
            return createIndex(static_cast<int>(i), 0);
    }
    return {};
}

QList<ToolCallId> ConversationModel::wanting() const
{
    QList<ToolCallId> ids;
    for (const auto &row : m_rows) {
        if (!isOpen(*row) || row->output.loading)
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
        if (isCall) {
            QString text =
                tr("%1: %2, %3")
                    .arg(verbOf(row.call), visibleText(row.call.command), outcomeOf(row.call).word);
            const QString took = durationOf(row.call, QDateTime::currentDateTimeUtc());
            if (!took.isEmpty())
                text = tr("%1, %2").arg(text, took);
            if (isOpen(row) && row.output.loaded)
                text += QStringLiteral(". ") + row.output.text.plainText().right(2000);
            return text;
        }
        switch (row.kind) {
        case Kind::User:
            return tr("You: %1").arg(row.message.text);
        case Kind::Agent:
            return tr("Agent: %1").arg(row.message.text);
        default:
            return tr("Note: %1").arg(row.message.text);
        }
    case KindRole:
        return static_cast<int>(row.kind);
    case CallRole:
        return isCall ? QVariant::fromValue(row.call) : QVariant();
    case OpenRole:
        return isOpen(row);
    case OutputRole:
        return isCall ? QVariant::fromValue<const OutputTail *>(&row.output) : QVariant();
    default:
        return {};
    }
}

} // namespace berth::ui
