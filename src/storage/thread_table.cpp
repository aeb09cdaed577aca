// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/thread_table.h"

#include "storage/json_columns.h"

namespace berth::storage {

using domain::Message;
using domain::Thread;
using domain::ThreadId;

namespace {

const QString kSelectThread =
    QStringLiteral("SELECT id, agent_id, sandbox_id, title, draft, created_at, last_activity_at, "
                   "archived FROM threads ");

Thread threadFrom(Row row)
{
    Thread thread;
    thread.id = ThreadId(row.text());
    thread.agent = domain::AgentId(row.text());
    thread.sandbox = domain::SandboxId(row.text());
    thread.title = row.text();
    thread.draft = row.text();
    thread.createdAt = row.time();
    thread.lastActivityAt = row.time();
    thread.archived = row.flag();
    return thread;
}

Error noThread(const ThreadId &id)
{
    return {ErrorKind::NotFound,
            QStringLiteral("There is no thread %1").arg(id.toString()),
            {},
            {},
            {}};
}

} // namespace

Result<QList<Thread>> ThreadTable::all(Connection &connection, bool archived)
{
    Result<QList<Row>> rows = connection.select(
        kSelectThread
            + QStringLiteral(
                "WHERE archived = ? ORDER BY last_activity_at DESC, created_at DESC, id"),
        {column(qint64(archived))});
    if (!rows)
        return failure(rows.error());
    QList<Thread> threads;
    for (const Row &row : std::as_const(*rows))
        threads << threadFrom(row);
    return threads;
}

Result<Thread> ThreadTable::find(Connection &connection, const ThreadId &id)
{
    Result<std::optional<Row>> row = connection.selectOne(
        kSelectThread + QStringLiteral("WHERE id = ?"), {column(id.toString())});
    if (!row)
        return failure(row.error());
    if (!*row)
        return failure(noThread(id));
    return threadFrom(**row);
}

Result<void> ThreadTable::add(Connection &connection, const Thread &thread)
{
    const Result<qint64> added = connection.execute(
        QStringLiteral("INSERT INTO threads (id, agent_id, sandbox_id, title, draft, created_at, "
                       "last_activity_at, archived) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
        {column(thread.id.toString()), column(thread.agent.toString()),
         columnOrNull(thread.sandbox.toString()), column(thread.title), column(thread.draft),
         column(thread.createdAt), column(thread.lastActivityAt), column(qint64(thread.archived))});
    if (!added)
        return failure(added.error());
    return {};
}

Result<void> ThreadTable::update(Connection &connection, const Thread &thread)
{
    const Result<qint64> changed = connection.execute(
        QStringLiteral("UPDATE threads SET title = ?, draft = ?, archived = ?, "
                       "last_activity_at = coalesce(?, last_activity_at) WHERE id = ?"),
        {column(thread.title), column(thread.draft), column(qint64(thread.archived)),
         column(thread.lastActivityAt), column(thread.id.toString())});
    if (!changed)
        return failure(changed.error());
    if (*changed == 0)
        return failure(noThread(thread.id));
    return {};
}

Result<void> ThreadTable::touch(Connection &connection, const ThreadId &id, const QDateTime &at)
{
    const Result<qint64> changed =
        connection.execute(QStringLiteral("UPDATE threads SET last_activity_at = ? WHERE id = ?"),
                           {column(at), column(id.toString())});
    if (!changed)
        return failure(changed.error());
    if (*changed == 0)
        return failure(noThread(id));
    return {};
}

Result<QList<Message>> ThreadTable::messages(Connection &connection, const ThreadId &id)
{
    Result<QList<Row>> rows = connection.select(
        QStringLiteral(
            "SELECT seq, run_id, role, content, created_at FROM messages WHERE thread_id = ? "
            "ORDER BY seq"),
        {column(id.toString())});
    if (!rows)
        return failure(rows.error());
    QList<Message> messages;
    for (Row &row : *rows) {
        Message message;
        message.thread = id;
        message.seq = row.integer();
        message.run = domain::RunId(row.text());
        message.role = domain::messageRoleFromWire(row.text()).value_or(domain::MessageRole::Note);
        readContent(row.text(), message);
        message.createdAt = row.time();
        messages << message;
    }
    return messages;
}

Result<Message> ThreadTable::addMessage(Connection &connection, Message message)
{
    if (message.seq == 0) {
        Result<std::optional<Row>> last = connection.selectOne(
            QStringLiteral("SELECT coalesce(max(seq), 0) FROM messages WHERE thread_id = ?"),
            {column(message.thread.toString())});
        if (!last)
            return failure(last.error());
        message.seq = *last ? (*last)->integer() + 1 : 1;
    }
    const Result<qint64> added = connection.execute(
        QStringLiteral("INSERT INTO messages (thread_id, seq, run_id, role, content, created_at) "
                       "VALUES (?, ?, ?, ?, ?, ?)"),
        {column(message.thread.toString()), column(message.seq),
         columnOrNull(message.run.toString()), column(wireName(message.role)),
         column(contentJson(message)), column(message.createdAt)});
    if (!added)
        return failure(added.error());
    return message;
}

Result<void> ThreadTable::supersede(Connection &connection, const ThreadId &id, qint64 fromSeq)
{
    const Result<qint64> changed = connection.execute(
        QStringLiteral("UPDATE messages SET content = json_set(content, '$.superseded', "
                       "json('true')) WHERE thread_id = ? AND seq >= ?"),
        {column(id.toString()), column(fromSeq)});
    if (!changed)
        return failure(changed.error());
    return {};
}

} // namespace berth::storage
