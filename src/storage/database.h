// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"
#include "async/post.h"
#include "storage/connection.h"
#include "storage/database_file.h"

#include <QtCore/QObject>

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
    Async<T> write(Work<T> work);

private:
    //! Looked into on the database thread only.
    struct Slot
    {
        std::optional<OpenFile> file;
    };
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
Async<T> Database::write(Work<T> work)
{
    return read<T>([work = std::move(work)](Connection &connection) {
        return connection.transaction<T>(work);
    });
}

} // namespace berth::storage
