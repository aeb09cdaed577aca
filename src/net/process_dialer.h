// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/byte_stream.h"

#include <QtCore/QStringList>
#include <QtNetwork/QLocalSocket>

class QProcess;

namespace berth::net {

//! Our end of a socket pair whose other end is a program's standard input and output. Dropping it
//! kills the program.
class ProcessStream : public QLocalSocket
{
    Q_OBJECT
public:
    explicit ProcessStream(QProcess *process, QObject *parent = nullptr);
    ~ProcessStream() override;

    [[nodiscard]] QProcess &process() const { return *m_process; }
    //! The last bytes of its standard error.
    [[nodiscard]] const QByteArray &said() const { return m_said; }
    //! Takes what is there now.
    void readSaid();

private:
    QProcess *m_process;
    QByteArray m_said;
};

//! Runs a program for each stream, such as ssh.
class ProcessDialer : public Dialer
{
public:
    //! \a program is looked for in PATH; the arguments go to it as they are, past any shell.
    ProcessDialer(QString program, QStringList arguments);
    domain::Async<ByteStream> dial(std::chrono::milliseconds timeout,
                                   std::stop_token stop) override;
    [[nodiscard]] bool isSlow() const override { return true; }

private:
    QString m_program;
    QStringList m_arguments;
};

} // namespace berth::net
