// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/outcome.h"

#include <QtCore/QObject>

namespace berth::domain {

//! One command under way: many answers. finished() comes exactly once and last. Used on the
//! Engine's thread. Nothing arrives before the event loop runs again after Shell::start() answered,
//! so that the caller can connect.
class Execution : public QObject
{
    Q_OBJECT
public:
    explicit Execution(QObject *parent = nullptr);
    ~Execution() override;

    //! Kills the command's whole process tree inside the sandbox, nothing else. finished() follows
    //! with Cancelled and the output so far; at the latest when the deadline of the transport runs
    //! out.
    virtual void stop() = 0;
    //! Backpressure: each byte got by output() must be acknowledged once it is stored. With more
    //! than about 1 MiB per stream not acknowledged, the command is held up.
    virtual void acknowledge(OutputStream stream, qint64 bytes) = 0;
    //! Only for a command started with openInput.
    virtual void writeInput(const QByteArray &bytes) = 0;
    virtual void closeInput() = 0;
    //! Only for a command with a terminal.
    virtual void resize(int columns, int rows) = 0;

Q_SIGNALS:
    //! Bytes of the stream that came before the next output() and are lost (attach() only).
    void skipped(berth::domain::OutputStream stream, qint64 bytes);
    //! Bytes of writeInput() that the command has taken: for whoever sends more than a little.
    void inputTaken(qint64 bytes);
    void output(berth::domain::OutputStream stream, const QByteArray &bytes);
    void finished(const berth::domain::Outcome &outcome);
};

} // namespace berth::domain
