// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"
#include "domain/execution/execution.h"
#include "domain/result.h"
#include "net/script/tracked_command.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QList>
#include <QtCore/QTimer>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace berth::net {

//! What a service does for a command under way; empty ones: it cannot. Called on the Engine's
//! thread, possibly from within feed(), so they only set work going. They must not keep the
//! execution alive.
struct ExecutionHooks
{
    //! Kill the tree. Asked once. Then finish() or ended() is expected within stopDeadline.
    std::function<void()> stop;
    //! Tell StreamedExecution::noteInputTaken() what was taken.
    std::function<void(const QByteArray &)> input;
    std::function<void()> closeInput;
    std::function<void(int columns, int rows)> resize;
    //! Nobody holds the execution any more and it had not ended; without it, stop is called.
    std::function<void()> dropped;
    std::chrono::milliseconds stopDeadline{20000};
};

//! The Execution of a service that sends output as it comes. The provider's reading coroutine keeps
//! a weak_ptr: awaitRoom(), read, feed(), and at last ended() or finish(). Everything may come
//! before the caller of Shell::start() had the chance to connect; it is told from the event loop
//! after handOver().
class StreamedExecution : public domain::Execution,
                          public std::enable_shared_from_this<StreamedExecution>
{
    Q_OBJECT
public:
    //! \a marks: of the runId when the command is a trackedCommand() with marks: feed() takes them
    //! out, started() answers at the first, and the last one finishes.
    explicit StreamedExecution(ExecutionHooks hooks, std::optional<MarkReader> marks = {});
    ~StreamedExecution() override;

    // ---- the provider's side
    //! Answers at the start mark, at begin(), or with the reason when it did not start. After an
    //! error nothing else comes.
    [[nodiscard]] async::Completion<domain::Result<bool>> started() const { return m_started; }
    //! Of a service that tells the start itself.
    void begin();
    //! It surely did not start (refused), or whether it did is not known.
    void fail(const domain::Error &error);
    //! What Shell::start() answers; lets output and end out from the next turn of the event loop
    //! on.
    std::shared_ptr<domain::Execution> handOver();

    //! Not more than about 1 MiB waits to be acknowledged.
    [[nodiscard]] bool hasRoom(domain::OutputStream stream) const;
    //! Until both streams have room; at once when it was stopped. Cancelled when it is over or
    //! nobody holds it any more, or by \a stop.
    domain::Async<void> awaitRoom(std::stop_token stop) const;
    //! The same for one stream.
    domain::Async<void> awaitRoom(domain::OutputStream stream, std::stop_token stop) const;
    void feed(domain::OutputStream stream, const QByteArray &bytes);
    //! Only for attach(): bytes that are lost.
    void skip(domain::OutputStream stream, qint64 bytes);
    void noteInputTaken(qint64 bytes);
    //! Goes into the outcome's detail where nothing else is said there: output may be lost.
    void remark(const QString &text) { m_remark = text; }
    //! The first one counts. With an empty duration the time since the construction is filled in.
    //! After stop(), an end by a signal is Cancelled.
    void finish(domain::Outcome outcome);
    //! The service's stream is at its end. When the marks have told the end that is the outcome;
    //! else \a outcome (what the service said), or TransportLost with \a why.
    void ended(std::optional<domain::Outcome> outcome, const QString &why = {});

    [[nodiscard]] bool isStopping() const { return m_stopped; }
    [[nodiscard]] bool isOver() const { return m_outcome.has_value() || m_failed; }

    // ---- domain::Execution
    void stop() override;
    void acknowledge(domain::OutputStream stream, qint64 bytes) override;
    void writeInput(const QByteArray &bytes) override;
    void closeInput() override;
    void resize(int columns, int rows) override;

private:
    struct Stream
    {
        qint64 received = 0;
        qint64 emitted = 0;
        qint64 acknowledged = 0;
    };
    struct Told
    {
        domain::OutputStream stream;
        QByteArray bytes;
        qint64 skipped = 0;
    };
    //! Lives as long as one who waits for room.
    struct Gate;

    void release();
    void deliver(const Told &what);
    void take(domain::OutputStream stream, const QByteArray &own);
    void lookAtMarks();
    void finishLater();
    void wakeWaiting();
    [[nodiscard]] const Stream &stream(domain::OutputStream which) const;
    [[nodiscard]] Stream &stream(domain::OutputStream which);

    ExecutionHooks m_hooks;
    std::optional<MarkReader> m_marks;
    async::Completion<domain::Result<bool>> m_started;
    std::shared_ptr<Gate> m_gate;
    bool m_failed = false;
    bool m_released = false;
    bool m_stopped = false;
    bool m_told = false;
    bool m_inputClosed = false;
    QList<Told> m_held;
    std::array<Stream, 2> m_streams;
    std::optional<domain::Outcome> m_outcome;
    QString m_remark;
    QElapsedTimer m_clock;
    QTimer m_deadline;
};

} // namespace berth::net
