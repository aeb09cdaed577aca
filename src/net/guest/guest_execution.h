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

//! A command run by the guest. Dropping it before it has finished kills the command.
class GuestExecution : public domain::Execution,
                       public GuestSink,
                       public std::enable_shared_from_this<GuestExecution>
{
    Q_OBJECT
public:
    GuestExecution(GuestChannel *channel, bool tracksState, bool inputOpen);
    ~GuestExecution() override;

    //! Sends the START frame. started() answers when the guest has; after an error nothing else
    //! comes. \a what: program and directory, for the words of a refusal.
    void launch(const GuestWriter &start, const QString &what);
    [[nodiscard]] async::Completion<domain::Result<bool>> started() const { return m_started; }
    //! Output and end are kept back until the one who started it had the chance to connect.
    void release();

    void stop() override;
    void acknowledge(domain::OutputStream stream, qint64 bytes) override;
    void writeInput(const QByteArray &bytes) override;
    void closeInput() override;

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
    enum class Phase { Starting, Running, Ended };

    bool onOutput(domain::OutputStream which, const QByteArray &body);
    bool onState(const QByteArray &body);
    bool onExit(const QByteArray &body);
    void giveCredit(domain::OutputStream which, qint64 atLeast);
    void pushInput();
    void deliver(domain::OutputStream which, const QByteArray &bytes);
    void end(domain::Outcome outcome);
    void finishLater();
    void leaveChannel();
    Stream &stream(domain::OutputStream which)
    {
        return m_streams[which == domain::OutputStream::Stdout ? 0 : 1];
    }

    QPointer<GuestChannel> m_channel;
    quint32 m_id = 0;
    bool m_tracksState;
    QString m_what;
    Phase m_phase = Phase::Starting;
    async::Completion<domain::Result<bool>> m_started;
    bool m_released = false;
    bool m_stopped = false;
    bool m_told = false;
    QList<std::pair<domain::OutputStream, QByteArray>> m_held;
    std::optional<domain::Environment> m_environment;
    std::optional<domain::Outcome> m_outcome;
    std::array<Stream, 2> m_streams;
    QByteArray m_input;
    qint64 m_inputWindow = 0;
    bool m_inputOpen;
    bool m_inputEnded = false;
    QElapsedTimer m_clock;
    QTimer m_deadline;
};

} // namespace berth::net
