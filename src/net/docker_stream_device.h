// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/byte_stream.h"
#include "net/docker_stream.h"

#include <QtCore/QIODevice>

namespace berth::net {

//! A container's or exec's standard input and output as one device: written bytes go in as they
//! are, what is read is its standard output. Standard error is apart. At most about kReadBuffer
//! bytes are held; with more, the container's writer is held up.
class DockerStreamDevice : public QIODevice
{
    Q_OBJECT
public:
    //! \a first: bytes that came before the ones of \a stream.
    DockerStreamDevice(ByteStream stream, const QByteArray &first,
                       DockerStreamDemultiplexer::Mode mode, QObject *parent = nullptr);
    ~DockerStreamDevice() override;

    [[nodiscard]] bool isSequential() const override { return true; }
    [[nodiscard]] qint64 bytesAvailable() const override;
    [[nodiscard]] qint64 bytesToWrite() const override;
    void close() override;

    //! The last bytes of standard error so far, for words about a failed start.
    [[nodiscard]] const QByteArray &errorTail() const { return m_errorTail; }

Q_SIGNALS:
    void errorOutput(const QByteArray &bytes);

protected:
    qint64 readData(char *data, qint64 size) override;
    qint64 writeData(const char *data, qint64 size) override;

private:
    void pull();
    void take(const QByteArray &bytes);
    void ended(const QString &reason);

    ByteStream m_stream;
    DockerStreamDemultiplexer m_demultiplexer;
    QByteArray m_out;
    qsizetype m_read = 0;
    QByteArray m_errorTail;
    bool m_ended = false;
};

} // namespace berth::net
