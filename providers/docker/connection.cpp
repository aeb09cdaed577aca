// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/connection.h"

#include "domain/text.h"
#include "net/docker_stream_device.h"

namespace berth::docker {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using namespace std::chrono_literals;

DockerConnection::DockerConnection(std::shared_ptr<net::GuestChannel> channel, QByteArray home)
    : m_channel(std::move(channel)),
      m_home(std::move(home)),
      m_shell(m_channel, {{}, m_home, QByteArrayLiteral("sh")}),
      m_files(m_channel)
{
    connect(m_channel.get(), &net::GuestChannel::lost, this, &SandboxConnection::lost);
}

void DockerConnection::close(const QString &reason)
{
    m_channel->close(reason);
}

Async<ConnectionPtr> openConnection(net::HijackedStream attached, QByteArray home, bool reattach,
                                    std::optional<net::GuestSocketPlace> place,
                                    std::stop_token stop)
{
    auto *device = new net::DockerStreamDevice(attached.stream, attached.first,
                                               net::DockerStreamDemultiplexer::Mode::Multiplexed);
    const net::ByteStream stream = net::ownedStream(device);
    attached.stream.reset();
    net::GuestChannelOptions options;
    options.reattach = reattach;
    options.handshakeDeadline = 15s;
    const Result<std::shared_ptr<net::GuestChannel>> channel =
        co_await net::GuestChannel::open(stream, options, stop);
    if (channel && place) {
        const std::shared_ptr<net::GuestChannel> moved =
            co_await net::movedToSocket(*channel, *place, options, stop);
        co_return std::make_shared<DockerConnection>(moved, home);
    }
    if (channel)
        co_return std::make_shared<DockerConnection>(*channel, home);
    domain::Error error = channel.error();
    // What the system says of a program that it cannot run comes on standard error.
    const QByteArray said = device->errorTail().trimmed();
    if (!said.isEmpty())
        error.detail = (error.detail + QLatin1Char(' ') + domain::displayName(said)).trimmed();
    co_return failure(error);
}

} // namespace berth::docker
