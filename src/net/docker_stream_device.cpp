// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/docker_stream_device.h"

#include <QtNetwork/QAbstractSocket>
#include <QtNetwork/QLocalSocket>

#include <algorithm>
#include <cstring>

namespace berth::net {

namespace {

constexpr qsizetype kErrorTail = 4096;

} // namespace

DockerStreamDevice::DockerStreamDevice(ByteStream stream, const QByteArray &first,
                                       DockerStreamDemultiplexer::Mode mode, QObject *parent)
    : QIODevice(parent), m_stream(std::move(stream)), m_demultiplexer(mode)
{
    // The buffer of QIODevice would come on top of ours.
    open(QIODevice::ReadWrite | QIODevice::Unbuffered);
    connect(m_stream.get(), &QIODevice::readyRead, this, &DockerStreamDevice::pull);
    connect(m_stream.get(), &QIODevice::bytesWritten, this, &QIODevice::bytesWritten);
    const auto onEnd = [this] {
        pull();
        if (m_stream && m_stream->bytesAvailable() == 0)
            ended(QStringLiteral("the engine closed the stream"));
    };
    connect(m_stream.get(), &QIODevice::readChannelFinished, this, onEnd);
    if (auto *local = qobject_cast<QLocalSocket *>(m_stream.get()))
        connect(local, &QLocalSocket::disconnected, this, onEnd);
    else if (auto *socket = qobject_cast<QAbstractSocket *>(m_stream.get()))
        connect(socket, &QAbstractSocket::disconnected, this, onEnd);
    take(first);
    // What arrived before there was somebody to listen raises no signal of its own.
    QMetaObject::invokeMethod(this, &DockerStreamDevice::pull, Qt::QueuedConnection);
}

DockerStreamDevice::~DockerStreamDevice()
{
    if (m_stream)
        m_stream->disconnect(this);
}

qint64 DockerStreamDevice::bytesAvailable() const
{
    return m_out.size() - m_read + QIODevice::bytesAvailable();
}

qint64 DockerStreamDevice::bytesToWrite() const
{
    return m_stream ? m_stream->bytesToWrite() : 0;
}

void DockerStreamDevice::close()
{
    if (!isOpen())
        return;
    if (m_stream) {
        m_stream->disconnect(this);
        m_stream.reset();
    }
    QIODevice::close();
}

qint64 DockerStreamDevice::readData(char *data, qint64 size)
{
    const qsizetype held = m_out.size() - m_read;
    if (held == 0)
        return m_ended ? -1 : 0;
    const auto count = static_cast<qsizetype>(std::min<qint64>(held, size));
    std::memcpy(data, m_out.constData() + m_read, static_cast<size_t>(count));
    m_read += count;
    if (m_read == m_out.size()) {
        m_out.resize(0);
        m_read = 0;
        // More may wait in the socket, which was left alone while the buffer was full.
        if (m_stream && (m_stream->bytesAvailable() > 0 || !isStreamOpen(*m_stream)))
            QMetaObject::invokeMethod(this, &DockerStreamDevice::pull, Qt::QueuedConnection);
    }
    return count;
}

qint64 DockerStreamDevice::writeData(const char *data, qint64 size)
{
    return m_stream ? m_stream->write(data, size) : -1;
}

void DockerStreamDevice::pull()
{
    const qsizetype before = m_out.size() - m_read;
    while (m_stream && !m_ended && m_out.size() - m_read < kReadBuffer
           && m_stream->bytesAvailable() > 0)
        take(m_stream->read(kReadBuffer));
    if (m_out.size() - m_read > before)
        Q_EMIT readyRead();
    if (m_stream && !m_ended && m_stream->bytesAvailable() == 0 && !isStreamOpen(*m_stream))
        ended(QStringLiteral("the engine closed the stream"));
}

void DockerStreamDevice::take(const QByteArray &bytes)
{
    QByteArray err;
    const bool sense = m_demultiplexer.feed(bytes, m_out, err);
    if (!err.isEmpty()) {
        m_errorTail = (m_errorTail + err).right(kErrorTail);
        Q_EMIT errorOutput(err);
    }
    if (!sense)
        ended(m_demultiplexer.problem());
}

void DockerStreamDevice::ended(const QString &reason)
{
    if (m_ended)
        return;
    m_ended = true;
    setErrorString(reason);
    if (m_stream)
        m_stream->disconnect(this);
    Q_EMIT readChannelFinished();
}

} // namespace berth::net
