// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/thread_list_model.h"

#include "ui/models/thread_text.h"
#include "ui/widgets/tool_tip.h"

#include <QtCore/QDateTime>

#include <algorithm>

namespace berth::ui {

using application::ThreadView;

ThreadListModel::ThreadListModel(QObject *parent) : QAbstractListModel(parent) {}

const ThreadView *ThreadListModel::find(const domain::ThreadId &id) const
{
    const auto at = std::find_if(m_threads.cbegin(), m_threads.cend(),
                                 [&id](const auto &t) { return t.id == id; });
    return at == m_threads.cend() ? nullptr : &*at;
}

QList<ThreadListModel::Row> ThreadListModel::arranged() const
{
    QList<const ThreadView *> order;
    for (const ThreadView &thread : m_threads)
        order.append(&thread);
    std::stable_sort(order.begin(), order.end(), [](const ThreadView *a, const ThreadView *b) {
        return a->lastActivityAt > b->lastActivityAt;
    });
    const QDate today = QDate::currentDate();
    QList<Row> rows;
    QString heading;
    for (const ThreadView *thread : std::as_const(order)) {
        const qint64 days = thread->lastActivityAt.toLocalTime().date().daysTo(today);
        const QString here = days <= 0 ? tr("Today") : days == 1 ? tr("Yesterday") : tr("Earlier");
        if (here != heading) {
            heading = here;
            rows.append({heading, {}});
        }
        rows.append({{}, thread->id});
    }
    return rows;
}

void ThreadListModel::rearrange()
{
    if (m_frozen) {
        m_due = true;
        return;
    }
    m_due = false;
    const QList<Row> wanted = arranged();
    if (wanted == m_rows)
        return;
    // Persistent indexes follow their thread, so that selection and scroll position stay.
    Q_EMIT layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    for (const QModelIndex &index : before) {
        const auto row = wanted.indexOf(m_rows.value(index.row()));
        after.append(row < 0 ? QModelIndex() : createIndex(static_cast<int>(row), 0));
    }
    m_rows = wanted;
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();
}

void ThreadListModel::setThreads(const QList<ThreadView> &threads)
{
    beginResetModel();
    m_threads.clear();
    for (const ThreadView &thread : threads) {
        if (!thread.archived)
            m_threads.append(thread);
    }
    m_rows = arranged();
    m_due = false;
    endResetModel();
}

void ThreadListModel::update(const ThreadView &thread)
{
    const auto at = std::find_if(m_threads.begin(), m_threads.end(),
                                 [&](const auto &t) { return t.id == thread.id; });
    if (thread.archived) {
        if (at != m_threads.end()) {
            m_threads.erase(at);
            m_frozen = false;
            rearrange();
        }
        return;
    }
    if (at == m_threads.end()) {
        m_threads.append(thread);
        const bool frozen = std::exchange(m_frozen, false); // a new row is what the user waits for
        rearrange();
        m_frozen = frozen;
        return;
    }
    *at = thread;
    const QModelIndex index = indexOf(thread.id);
    if (index.isValid())
        Q_EMIT dataChanged(index, index);
    rearrange();
}

void ThreadListModel::setFrozen(bool frozen)
{
    m_frozen = frozen;
    if (!frozen && m_due)
        rearrange();
}

void ThreadListModel::setWaiting(const QHash<domain::ThreadId, int> &waiting)
{
    if (waiting == m_waiting)
        return;
    m_waiting = waiting;
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0), index(static_cast<int>(m_rows.size()) - 1));
}

void ThreadListModel::regroup()
{
    rearrange();
}

QModelIndex ThreadListModel::indexOf(const domain::ThreadId &id) const
{
    for (int row = 0; row < m_rows.size(); ++row) {
        if (!id.isNull() && m_rows.at(row).thread == id)
            return createIndex(row, 0);
    }
    return {};
}

int ThreadListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ThreadListModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows.at(index.row());
    const ThreadView *thread = find(row.thread);
    switch (role) {
    case Qt::DisplayRole:
        return thread ? thread->title : row.heading;
    case Qt::ToolTipRole:
        return thread ? QVariant(toolTipOf(QStringLiteral("%1\n%2").arg(
                   thread->title, bindingText(*thread, QDateTime::currentDateTimeUtc()))))
                      : QVariant();
    case Qt::AccessibleTextRole:
        if (!thread)
            return row.heading;
        if (m_waiting.value(row.thread) > 0)
            return tr("%1, %2, waits for you").arg(thread->title, stateOf(*thread).word);
        return thread->running ? tr("%1, %2, working").arg(thread->title, stateOf(*thread).word)
                               : tr("%1, %2").arg(thread->title, stateOf(*thread).word);
    case IdRole:
        return row.thread.toString();
    case HeadingRole:
        return row.thread.isNull();
    case WaitingRole:
        return m_waiting.value(row.thread);
    case ViewRole:
        return thread ? QVariant::fromValue(*thread) : QVariant();
    default:
        return {};
    }
}

Qt::ItemFlags ThreadListModel::flags(const QModelIndex &index) const
{
    if (index.isValid() && m_rows.at(index.row()).thread.isNull())
        return Qt::ItemNeverHasChildren;
    return QAbstractListModel::flags(index) | Qt::ItemNeverHasChildren;
}

} // namespace berth::ui
