// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/database.h"

#include "async/sleep.h"
#include "domain/log.h"
#include "storage/sqlite_dialect.h"

#include <QtCore/QAbstractEventDispatcher>
#include <QtCore/QThread>
#include <QtCore/QTimer>

#include <atomic>
#include <limits>

namespace berth::storage {

struct DatabaseThread::State
{
    QThread thread;
    //! Lives on the thread; what jobs are posted to.
    QObject worker;
    std::atomic<bool> closing{false};
    std::atomic<int> waiting{0};
};

DatabaseThread::DatabaseThread() : m_state(std::make_unique<State>())
{
    m_state->thread.setObjectName(QStringLiteral("berth-database"));
    m_state->worker.moveToThread(&m_state->thread);
    m_state->thread.start();
}

DatabaseThread::~DatabaseThread()
{
    startClosing();
    m_state->thread.wait();
}

Result<void> DatabaseThread::submit(std::function<void()> job)
{
    return enqueue(std::move(job), kMostWaiting);
}

Result<void> DatabaseThread::submitLast(std::function<void()> job)
{
    return enqueue(std::move(job), std::numeric_limits<int>::max());
}

Result<void> DatabaseThread::enqueue(std::function<void()> job, int limit)
{
    // Counted before the look at closing: finishWhenIdle() sees the count, or else this is refused.
    const int waiting = m_state->waiting.fetch_add(1);
    if (m_state->closing.load()) {
        m_state->waiting.fetch_sub(1);
        return failure(ErrorKind::Unavailable, QStringLiteral("Berth's records are closed"),
                       QStringLiteral("Berth is ending."));
    }
    if (waiting >= limit) {
        m_state->waiting.fetch_sub(1);
        return failure(
            ErrorKind::Unavailable, QStringLiteral("Berth's records cannot keep up"),
            QStringLiteral("%1 changes wait for the disk. Try again when it answers.").arg(limit));
    }
    async::post(&m_state->worker, [state = m_state.get(), job = std::move(job)] {
        job();
        state->waiting.fetch_sub(1);
    });
    return {};
}

void DatabaseThread::startClosing()
{
    if (!m_state->closing.exchange(true))
        async::post(&m_state->worker, [state = m_state.get()] { finishWhenIdle(state); });
}

void DatabaseThread::finishWhenIdle(State *state)
{
    if (state->waiting.load() == 0)
        state->thread.quit();
    else
        async::post(&state->worker, [state] { finishWhenIdle(state); });
}

async::Task<void> DatabaseThread::close()
{
    startClosing();
    // QThread::finished() may come before a connection to it is made, so a look now and then is
    // surer.
    while (!m_state->thread.isFinished())
        co_await async::sleepFor(std::chrono::milliseconds(2));
    m_state->thread.wait();
}

Async<std::shared_ptr<Database>> Database::open(DatabaseThread *thread, FileSpec spec)
{
    auto slot = std::make_shared<Slot>();
    // Named: GCC 12 destroys a lambda twice that is a temporary of a co_await expression.
    const std::function<Result<void>()> work = [slot, spec]() -> Result<void> {
        Result<OpenFile> file = openFile(spec);
        if (!file)
            return failure(file.error());
        slot->file.emplace(std::move(*file));
        return {};
    };
    Result<void> opened = co_await thread->run<void>(work);
    if (!opened)
        co_return failure(opened.error());
    co_return std::shared_ptr<Database>(new Database(thread, slot));
}

Database::Database(DatabaseThread *thread, std::shared_ptr<Slot> slot)
    : m_thread(thread), m_slot(std::move(slot))
{}

Database::~Database()
{
    close();
}

void Database::close()
{
    // Refused after the thread was closed, and then the file is closed already.
    if (const std::shared_ptr<Slot> slot = std::exchange(m_slot, std::make_shared<Slot>()); slot)
        static_cast<void>(m_thread->submitLast([slot] { closeIn(*slot); }));
}

Result<Connection *> Database::connectionIn(const Slot &slot)
{
    if (slot.file)
        return slot.file->connection.get();
    return failure(ErrorKind::Unavailable, QStringLiteral("Berth's records are closed"));
}

void Database::flushLater(const std::shared_ptr<Slot> &slot)
{
    if (slot->flushPending)
        return;
    slot->flushPending = true;
    // On the database thread; when that ends first, closeIn() has flushed.
    QTimer::singleShot(kFlushInterval, QThread::currentThread()->eventDispatcher(), [slot] {
        slot->flushPending = false;
        if (!slot->file)
            return;
        const Result<QList<Row>> done = slot->file->connection->select(SqliteDialect::flush());
        if (!done)
            domain::log(domain::LogLevel::Warning, "storage", done.error().message);
    });
}

void Database::closeIn(Slot &slot)
{
    if (!slot.file)
        return;
    // Leaves one whole file behind, for those who copy it.
    const Result<QList<Row>> done = slot.file->connection->select(SqliteDialect::checkpoint());
    if (!done)
        domain::log(domain::LogLevel::Warning, "storage", done.error().message);
    slot.file.reset();
}

} // namespace berth::storage
