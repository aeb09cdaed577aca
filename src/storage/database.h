// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"
#include "async/post.h"
#include "storage/connection.h"
#include "storage/database_file.h"

#include <QtCore/QObject>

#include <chrono>
#include <functional>
#include <memory>

namespace berth::storage {

using domain::Async;

//! The one thread that uses database files. Jobs run in the order given.
class DatabaseThread
{
public:
    DatabaseThread();
    //! Runs what was given, then ends the thread; waits for it.
    ~DatabaseThread();
    DatabaseThread(const DatabaseThread &) = delete;
    DatabaseThread &operator=(const DatabaseThread &) = delete;

    //! Any thread. Unavailable when closing, or when so many jobs wait that the disk must be stuck.
    Result<void> submit(std::function<void()> job);
    //! As submit(), however many wait: for what must not be left out.
    Result<void> submitLast(std::function<void()> job);
    //! Resumes the caller on its own thread with what \a work answers.
    template <typename T>
    Async<T> run(std::function<Result<T>()> work);
    //! Refuses further jobs, runs those given, ends the thread. Twice is fine.
    async::Task<void> close();

    static constexpr int kMostWaiting = 4096;

private:
    struct State;
    Result<void> enqueue(std::function<void()> job, int limit);
    void startClosing();
    static void finishWhenIdle(State *state);

    std::unique_ptr<State> m_state;
};

//! When a change is safe from a power cut. From a crash of Berth it is safe at once, either way.
enum class Durability {
    //! Within kFlushInterval; for what a user can lose a second of.
    Soon,
    //! Before the answer: for what must not be done twice or forgotten, such as the intent to
    //! create a sandbox.
    Now,
};

//! One file on that thread. The thread must outlive it.
class Database
{
public:
    template <typename T>
    using Work = std::function<Result<T>(Connection &)>;

    static Async<std::shared_ptr<Database>> open(DatabaseThread *thread, FileSpec spec);
    //! As close().
    ~Database();
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    //! Closes the file once the calls under way are through. Later ones answer Unavailable.
    void close();

    //! Reads; sees what every earlier write() stored.
    template <typename T>
    Async<T> read(Work<T> work);
    //! All that \a work does is stored when this answers, or nothing is.
    template <typename T>
    Async<T> write(Work<T> work, Durability durability = Durability::Soon);

    static constexpr std::chrono::milliseconds kFlushInterval{1000};

private:
    //! Looked into on the database thread only.
    struct Slot
    {
        std::optional<OpenFile> file;
        bool flushPending = false;
    };
    static void flushLater(const std::shared_ptr<Slot> &slot);
    static Result<Connection *> connectionIn(const Slot &slot);
    static void closeIn(Slot &slot);
    Database(DatabaseThread *thread, std::shared_ptr<Slot> slot);

    DatabaseThread *m_thread;
    std::shared_ptr<Slot> m_slot;
};

template <typename T>
Async<T> DatabaseThread::run(std::function<Result<T>()> work)
{
    const async::Completion<Result<T>> done;
    // Lives in this frame, on the caller's thread, until the answer has come.
    QObject mailbox;
    const Result<void> accepted = submit([work = std::move(work), done, to = &mailbox] {
        async::post(to, [done, result = work()] { done.complete(result); });
    });
    if (!accepted)
        co_return failure(accepted.error());
    Result<T> result = co_await done;
    co_return result;
}

template <typename T>
Async<T> Database::read(Work<T> work)
{
    return m_thread->run<T>([slot = m_slot, work = std::move(work)]() -> Result<T> {
        const Result<Connection *> connection = connectionIn(*slot);
        if (!connection)
            return failure(connection.error());
        return work(**connection);
    });
}

template <typename T>
Async<T> Database::write(Work<T> work, Durability durability)
{
    return read<T>([slot = m_slot, durability, work = std::move(work)](Connection &connection) {
        const Result<void> set = connection.setDurable(durability == Durability::Now);
        if (!set)
            return Result<T>(failure(set.error()));
        Result<T> result = connection.transaction<T>(work);
        if (result && durability == Durability::Soon)
            flushLater(slot);
        return result;
    });
}

} // namespace berth::storage
