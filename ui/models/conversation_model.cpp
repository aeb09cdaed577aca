// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/conversation_model.h"

#include "ui/models/thread_text.h"

#include <QtCore/QTimerEvent>

#include <algorithm>

namespace berth::ui {

using application::Event;
using application::MessageView;
using application::ToolCallView;
using domain::ToolCallId;

namespace {

//! A reply that grows is shown at most twenty times a second.
constexpr int kGrowMs = 50;

//! Puts \a piece, which begins at \a offset of the whole, behind what is there of it from \a base
//! on. False: something between was missed.
bool join(QString &text, qint64 &base, qint64 offset, const QString &piece)
{
    if (piece.isEmpty())
        return true;
    const qint64 at = offset - base;
    if (at < 0 || at > text.size()) {
        const bool first = text.isEmpty() && offset == 0;
        text = piece;
        base = offset;
        return first;
    }
    text.truncate(at);
    text += piece;
    return true;
}

} // namespace

ConversationModel::ConversationModel(QObject *parent) : QAbstractListModel(parent) {}

ConversationModel::~ConversationModel() = default;

bool ConversationModel::isOpen(const Row &row)
{
    return row.kind == Kind::ToolCall
        && row.open.value_or(isUnderWay(row.call) || isFailed(row.call) || !row.call.diff.isEmpty()
                             || showsPicture(row.call));
}

void ConversationModel::clear()
{
    beginResetModel();
    m_thread = {};
    m_rows.clear();
    m_grown = false;
    m_missed.clear();
    endResetModel();
    noteUnderWay();
}

void ConversationModel::set(const application::ThreadDetail &detail)
{
    beginResetModel();
    m_resetting = true;
    Rows before;
    if (detail.thread.id == m_thread)
        before.swap(m_rows);
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
    keepLive(before, detail);
    takeReply(detail);
    for (auto &old : before) {
        Row *row = old ? successorOf(*old) : nullptr;
        if (!row)
            continue;
        row->key = old->key;
        row->version = old->version + 1;
        row->open = old->open;
        row->expanded = old->expanded;
        row->output = std::move(old->output);
        row->output.loading = false;
    }
    m_resetting = false;
    endResetModel();
    noteUnderWay();
    Q_EMIT outputWanted();
}

void ConversationModel::takeReply(const application::ThreadDetail &detail)
{
    if (!detail.reply || detail.reply->thread != detail.thread.id)
        return;
    const application::ReplyGrew &reply = *detail.reply;
    Row *row = liveRow();
    if (row && (row->message.run != reply.run || row->round != reply.round))
        return; // what is told by events is newer than the answer
    const auto written = std::count_if(m_rows.cbegin(), m_rows.cend(), [&reply](const auto &other) {
        return other->kind == Kind::Agent && !other->live && other->message.run == reply.run;
    });
    const bool isWhole = row && row->base == 0 && row->reasoningBase == 0;
    if (written >= reply.round || reply.offset > 0 || reply.reasoningOffset > 0
        || (isWhole && row->message.text.size() > reply.text.size()))
        return;
    grow(reply);
    showGrown();
}

void ConversationModel::keepLive(Rows &before, const application::ThreadDetail &detail)
{
    for (auto &old : before) {
        if (!old->live)
            continue;
        const bool runs = std::any_of(detail.runs.cbegin(), detail.runs.cend(), [&](const auto &r) {
            return r.id == old->message.run && !r.endedAt.isValid();
        });
        // Each reply of a run becomes one message.
        const auto written = std::count_if(m_rows.cbegin(), m_rows.cend(), [&old](const auto &row) {
            return row->kind == Kind::Agent && row->message.run == old->message.run && !row->live;
        });
        if (runs && written < old->round)
            insert(m_rows.size(), std::move(old));
    }
}

void ConversationModel::apply(const Event &event)
{
    if (const auto *added = std::get_if<application::MessageAdded>(&event.body)) {
        if (added->message.thread == m_thread && !m_thread.isNull())
            add(added->message);
    } else if (const auto *reply = std::get_if<application::ReplyGrew>(&event.body)) {
        if (reply->thread == m_thread && !m_thread.isNull())
            grow(*reply);
    } else if (const auto *run = std::get_if<application::RunChanged>(&event.body)) {
        // What was begun and never became a message, as it was stopped before a word, goes.
        Row *live = liveRow();
        if (live && run->run.id == live->message.run && run->run.endedAt.isValid()) {
            const auto at = std::find_if(m_rows.cbegin(), m_rows.cend(),
                                         [live](const auto &row) { return row.get() == live; });
            const auto where = static_cast<int>(at - m_rows.cbegin());
            beginRemoveRows({}, where, where);
            m_rows.erase(at);
            endRemoveRows();
        }
    } else if (const auto *changedCall = std::get_if<application::ToolCallChanged>(&event.body)) {
        if (changedCall->toolCall.thread == m_thread && !m_thread.isNull())
            update(changedCall->toolCall);
    } else if (const auto *grew = std::get_if<application::OutputGrew>(&event.body)) {
        if (Row *row = rowOf(grew->toolCall)) {
            row->call.outputBytes = qMax(row->call.outputBytes, grew->total);
            ++row->version;
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
        if (row->kind != Kind::ToolCall && !row->live && row->message.seq == message.seq) {
            if (row->message == message)
                return;
            row->message = message;
            if (row->kind == Kind::Agent)
                row->markdown.setText(message.text);
            changed(*row);
            gather(message.toolCalls);
            return;
        }
    }
    if (message.role == domain::MessageRole::Agent) {
        Row *live = liveRow();
        if (live && live->message.run == message.run) {
            // The reply has come to its end: what stands there becomes the message.
            live->live = false;
            live->message = message;
            live->calls.clear();
            live->markdown.setWhole(message.text);
            m_grown = false;
            changed(*live);
            gather(message.toolCalls);
            return;
        }
    }
    auto row = std::make_unique<Row>();
    row->message = message;
    switch (message.role) {
    case domain::MessageRole::User:
        row->kind = Kind::User;
        break;
    case domain::MessageRole::Agent:
        row->kind = Kind::Agent;
        row->markdown.setText(message.text);
        break;
    case domain::MessageRole::Note:
        row->kind = Kind::Note;
        break;
    }
    insert(m_rows.size(), std::move(row));
    gather(message.toolCalls);
}

ConversationModel::Row *ConversationModel::liveRow() const
{
    for (auto it = m_rows.crbegin(); it != m_rows.crend(); ++it) {
        if ((*it)->live)
            return it->get();
    }
    return nullptr;
}

void ConversationModel::grow(const application::ReplyGrew &grew)
{
    Row *row = liveRow();
    if (row && (row->message.run != grew.run || row->round != grew.round)) {
        // Its message was missed; what came of it stays until the thread is taken again.
        row->live = false;
        row->message.cut = true;
        row = nullptr;
        Q_EMIT reloadWanted();
    }
    if (!row) {
        auto made = std::make_unique<Row>();
        made->kind = Kind::Agent;
        made->live = true;
        made->round = grew.round;
        made->message.thread = grew.thread;
        made->message.run = grew.run;
        made->message.role = domain::MessageRole::Agent;
        row = made.get();
        insert(m_rows.size(), std::move(made));
    }
    const bool whole = join(row->message.text, row->base, grew.offset, grew.text)
        && join(row->message.reasoning, row->reasoningBase, grew.reasoningOffset, grew.reasoning);
    row->calls = grew.calls;
    m_grown = true;
    if (!m_growing.isActive()) {
        showGrown();
        m_growing.start(kGrowMs, this);
    }
    const QString reply = QStringLiteral("%1/%2").arg(grew.run.toString()).arg(grew.round);
    if (!whole && !m_missed.contains(reply)) {
        m_missed.insert(reply);
        Q_EMIT reloadWanted();
    }
}

void ConversationModel::showGrown()
{
    Row *row = m_grown ? liveRow() : nullptr;
    m_grown = false;
    if (!row)
        return;
    row->markdown.setText(row->base > 0 ? QStringLiteral("… ") + row->message.text
                                        : row->message.text);
    changed(*row);
}

void ConversationModel::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_growing.timerId()) {
        QAbstractListModel::timerEvent(event);
        return;
    }
    if (m_grown)
        showGrown();
    else
        m_growing.stop();
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
    insert(placeOf(call.id, call.run), std::move(row));
}

size_t ConversationModel::placeOf(const ToolCallId &id, const domain::RunId &run) const
{
    // Behind the last row of its run, when no message names it (yet).
    size_t last = m_rows.size();
    for (size_t i = 0; i < m_rows.size(); ++i) {
        const Row &row = *m_rows[i];
        if ((row.kind == Kind::ToolCall ? row.call.run : row.message.run) == run)
            last = i + 1;
        if (row.kind != Kind::Agent)
            continue;
        const QList<ToolCallId> &named = row.message.toolCalls;
        const qsizetype order = named.indexOf(id);
        if (order < 0)
            continue;
        size_t at = i + 1;
        const auto isBefore = [&named, order](const Row &other) {
            const qsizetype place =
                other.kind == Kind::ToolCall ? named.indexOf(other.call.id) : -1;
            return place >= 0 && place < order;
        };
        while (at < m_rows.size() && isBefore(*m_rows[at]))
            ++at;
        return at;
    }
    return last;
}

void ConversationModel::gather(const QList<ToolCallId> &calls)
{
    for (const ToolCallId &id : calls) {
        const QModelIndex index = indexOf(id);
        if (!index.isValid())
            continue;
        const auto from = static_cast<size_t>(index.row());
        const size_t to = placeOf(id, m_rows[from]->call.run);
        if (to == from || to == from + 1)
            continue;
        if (!m_resetting)
            beginMoveRows({}, index.row(), index.row(), {}, static_cast<int>(to));
        std::unique_ptr<Row> row = std::move(m_rows[from]);
        m_rows.erase(m_rows.begin() + index.row());
        m_rows.insert(m_rows.begin() + static_cast<int>(to > from ? to - 1 : to), std::move(row));
        if (!m_resetting)
            endMoveRows();
    }
}

void ConversationModel::insert(size_t at, std::unique_ptr<Row> row)
{
    const int where = static_cast<int>(at);
    if (row->key == 0)
        row->key = ++m_nextKey;
    if (m_resetting) {
        m_rows.insert(m_rows.begin() + where, std::move(row));
        return;
    }
    beginInsertRows({}, where, where);
    m_rows.insert(m_rows.begin() + where, std::move(row));
    endInsertRows();
}

ConversationModel::Row *ConversationModel::successorOf(const Row &old) const
{
    if (old.kind == Kind::ToolCall)
        return rowOf(old.call.id);
    const auto at = std::find_if(m_rows.begin(), m_rows.end(), [&old](const auto &row) {
        return row->kind == old.kind && !row->live && !old.live
            && row->message.seq == old.message.seq;
    });
    return at == m_rows.end() ? nullptr : at->get();
}

ConversationModel::Row *ConversationModel::rowOf(const ToolCallId &id) const
{
    const auto at = std::find_if(m_rows.begin(), m_rows.end(), [&id](const auto &row) {
        return row->kind == Kind::ToolCall && row->call.id == id;
    });
    return at == m_rows.end() ? nullptr : at->get();
}

void ConversationModel::changed(Row &row)
{
    ++row.version;
    if (m_resetting)
        return;
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
    if (row.kind == Kind::Agent ? row.open.value_or(false) == open
                                : row.kind != Kind::ToolCall || isOpen(row) == open)
        return;
    row.open = open;
    changed(row);
    if (open && row.kind == Kind::ToolCall)
        Q_EMIT outputWanted();
}

void ConversationModel::setExpanded(const QModelIndex &index, bool expanded)
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return;
    Row &row = *m_rows[static_cast<size_t>(index.row())];
    row.expanded = expanded;
    changed(row);
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

} // namespace berth::ui
