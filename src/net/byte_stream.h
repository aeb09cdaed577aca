// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QString>

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>

class QIODevice;

namespace berth::net {

//! An open two-way stream: a local socket, TCP, TLS, or a program's. The last owner closes it, at
//! any time, also from inside its own signals.
using ByteStream = std::shared_ptr<QIODevice>;

//! Takes \a device over so that it may be dropped as ByteStream says.
ByteStream ownedStream(QIODevice *device);

//! The other side has not closed it.
bool isStreamOpen(const QIODevice &device);

//! What may stay unread in a socket's buffer before the sender is held up.
constexpr qint64 kReadBuffer = 1024 * 1024;

enum class StreamEvent { Readable, Closed, TimedOut, Stopped };

//! Waits for bytes to read. Bytes that came before the end are told first. \a timeout 0: for ever.
async::Task<StreamEvent> awaitReadable(ByteStream stream, std::chrono::milliseconds timeout,
                                       std::stop_token stop);

//! Why a stream that closed did so, where more is known than that; waits a moment for a program's
//! last words.
async::Task<std::optional<domain::Error>> endReason(ByteStream stream);

//! Opens streams to one place.
class Dialer
{
public:
    virtual ~Dialer();
    virtual domain::Async<ByteStream> dial(std::chrono::milliseconds timeout,
                                           std::stop_token stop) = 0;
    //! A new stream takes so long that an idle one is used also for what must not be asked twice.
    [[nodiscard]] virtual bool isSlow() const { return false; }
};

//! A unix socket. Missing or refused is Unavailable, no permission is Forbidden.
class LocalDialer : public Dialer
{
public:
    explicit LocalDialer(QString path) : m_path(std::move(path)) {}
    domain::Async<ByteStream> dial(std::chrono::milliseconds timeout,
                                   std::stop_token stop) override;

private:
    QString m_path;
};

} // namespace berth::net
