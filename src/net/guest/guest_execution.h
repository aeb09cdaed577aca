// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/execution.h"
#include "domain/result.h"
#include "net/guest/guest_channel.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QPointer>
#include <QtCore/QTimer>

#include <array>
#include <memory>

namespace berth::net {

struct GuestExecutionTraits
{
    bool tracksState = false;
    bool inputOpen = false;
    bool terminal = false;
    bool background = false;
};

//! A terminal's size as START and RESIZE take it.
quint32 packedSize(int columns, int rows);

//! A command run by the guest. Dropping it before it has finished kills the command, unless it is a
//! background one: that goes on, and its output waits in the runner's ring.
class GuestExecution : public domain::Execution,
                       public GuestSink,
                       public std::enable_shared_from_this<GuestExecution>
{
    Q_OBJECT
public:
    GuestExecution(GuestChannel *channel, GuestExecutionTraits traits);
    ~GuestExecution() override;

    //! Sends the START frame. started() answers when the guest has; after an error nothing else
    //! comes. \a what: program and directory, for the words of a refusal.
    void launch(const GuestWriter &start, const QString &what);
    //! Instead of launch(): takes over a command that runs already. The rest is the same.
    domain::Result<void> follow(quint32 job, qint64 outOffset, qint64 errOffset);
    [[nodiscard]] async::Completion<domain::Result<bool>> started() const { return m_started; }
    //! Output and end are kept back until the one who started it had the chance to connect.
    void release();

    void stop() override;
    void acknowledge(domain::OutputStream stream, qint64 bytes) override;
    void writeInput(const QByteArray &bytes) override;
    void closeInput() override;
    void resize(int columns, int rows) override;

    bool onFrame(quint8 type, const QByteArray &body) override;
    void onLost(const QString &reason) override;

private:
    struct Stream
    {
        quint64 received = 0;
        qint64 granted = 0; // credit given, all together
        qint64 emitted = 0;
        qint64 acknowledged = 0;
        qint64 returned = 0; // of acknowledged, what went back as credit
    };
    enum class Phase { Starting, Attaching, Running, Ended };
    //! What is told once the one who started it could connect.
    struct Told
    {
        domain::OutputStream stream;
        QByteArray bytes;
        qint64 skipped = 0;
    };

    bool onStarting(quint8 type, const QByteArray &body);
    bool onAttached(const QByteArray &body);
    bool skipTo(domain::OutputStream which, quint64 offset);
    bool refused(const QByteArray &body);
    bool onOutput(domain::OutputStream which, const QByteArray &body);
    bool onState(const QByteArray &body);
    bool onExit(const QByteArray &body);
    void giveCredit(domain::OutputStream which, qint64 atLeast);
    void pushInput();
    void deliver(const Told &what);
    void end(domain::Outcome outcome);
    void finishLater();
    void leaveChannel();
    Stream &stream(domain::OutputStream which)
    {
        return m_streams[which == domain::OutputStream::Stdout ? 0 : 1];
    }

    QPointer<GuestChannel> m_channel;
    quint32 m_id = 0;
    GuestExecutionTraits m_traits;
    QString m_what;
    Phase m_phase = Phase::Starting;
    async::Completion<domain::Result<bool>> m_started;
    bool m_released = false;
    bool m_stopped = false;
    bool m_told = false;
    QList<Told> m_held;
    std::optional<domain::Environment> m_environment;
    std::optional<domain::Outcome> m_outcome;
    std::array<Stream, 2> m_streams;
    QByteArray m_input;
    qint64 m_inputWindow = 0;
    //! Sent by an earlier follower and not taken yet.
    qint64 m_inputPending = 0;
    bool m_inputEnded = false;
    QElapsedTimer m_clock;
    QTimer m_deadline;
};

} // namespace berth::net
