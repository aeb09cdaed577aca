// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/guest/guest_shell.h"
#include "support/await.h"
#include "support/command_run.h"

#include <QtCore/QIODevice>

namespace berth::test {

using net::encodeGuestFrame;
using net::GuestChannel;
using net::GuestReader;
using net::GuestWriter;
using namespace std::chrono_literals;

//! A device whose other end is the test.
class Wire : public QIODevice
{
public:
    Wire() { open(QIODevice::ReadWrite | QIODevice::Unbuffered); }
    [[nodiscard]] bool isSequential() const override { return true; }
    [[nodiscard]] qint64 bytesAvailable() const override
    {
        return in.size() + QIODevice::bytesAvailable();
    }
    void feed(const QByteArray &bytes)
    {
        if (!isOpen())
            return;
        in += bytes;
        Q_EMIT readyRead();
    }
    QByteArray in;
    QByteArray out;

protected:
    qint64 readData(char *data, qint64 size) override
    {
        const qint64 n = qMin(size, static_cast<qint64>(in.size()));
        memcpy(data, in.constData(), static_cast<size_t>(n));
        in.remove(0, n);
        return n;
    }
    qint64 writeData(const char *data, qint64 size) override
    {
        out.append(data, size);
        return size;
    }
};

inline QByteArray hello(quint32 jobs = 0)
{
    GuestWriter body;
    body.raw(QByteArray("\2\0\2\0", 4))
        .u32(0)
        .u32(1)
        .u32(0)
        .u32(0)
        .bytes("build")
        .bytes("x86_64")
        .bytes("host")
        .u32(jobs);
    for (quint32 i = 0; i < jobs; ++i)
        body.u32(10 + i).u32(5).u32(0).u8(0).u64(0).u64(0).bytes("tag");
    return encodeGuestFrame(BG_HELLO, 0, body.body());
}

//! A channel over a Wire, greeted.
struct Peer
{
    explicit Peer(const QByteArray &greeting = hello(), const QByteArray &before = {},
                  bool reattach = false)
        : wire(new Wire), stream(wire)
    {
        landing =
            std::make_shared<detail::Landing<domain::Result<std::shared_ptr<GuestChannel>>>>();
        net::GuestChannelOptions options;
        options.handshakeDeadline = 500ms;
        options.reattach = reattach;
        detail::land(GuestChannel::open(stream, options, {}), landing);
        sent = wire->out;
        wire->out.clear();
        wire->feed(before + sent.last(BG_MAGIC_SIZE + BG_NONCE_SIZE) + greeting);
        waitUntil([this] { return landing->value.has_value(); }, 2s);
        if (*landing->value)
            channel = **landing->value;
    }
    //! Starts a command up to its STARTED frame.
    std::unique_ptr<CommandRun> start(CommandRun::Acknowledge how = CommandRun::Acknowledge::AtOnce,
                                      domain::CommandSpec spec = shellCommand("text"))
    {
        net::GuestShell shell(channel, {});
        const auto started =
            std::make_shared<detail::Landing<domain::Result<std::shared_ptr<domain::Execution>>>>();
        spec.trackState = true;
        wire->out.clear();
        detail::land(shell.start(spec, {}), started);
        GuestReader header(wire->out.mid(0, BG_HEADER_SIZE));
        header.u64();
        id = header.u32();
        wire->feed(encodeGuestFrame(BG_STARTED, id, GuestWriter().u32(99).body()));
        waitUntil([&] { return started->value.has_value(); }, 2s);
        if (!started->value || !*started->value)
            return nullptr;
        return std::make_unique<CommandRun>(**started->value, how);
    }
    using Landed =
        std::shared_ptr<detail::Landing<domain::Result<std::shared_ptr<domain::Execution>>>>;
    //! attach() up to the point where the guest has to answer.
    Landed attach(quint32 job, qint64 out, qint64 err)
    {
        net::GuestShell shell(channel, {});
        auto landed = std::make_shared<Landed::element_type>();
        id = job;
        wire->out.clear();
        detail::land(shell.attach(job, out, err, {}), landed);
        return landed;
    }
    void data(quint8 type, quint64 offset, const QByteArray &bytes)
    {
        wire->feed(encodeGuestFrame(type, id, GuestWriter().u64(offset).raw(bytes).body()));
    }

    Wire *wire;
    std::shared_ptr<QIODevice> stream;
    std::shared_ptr<detail::Landing<domain::Result<std::shared_ptr<GuestChannel>>>> landing;
    std::shared_ptr<GuestChannel> channel;
    QByteArray sent;
    quint32 id = 0;
};

inline QByteArray exitBody(quint64 out, quint64 err, quint8 kind = BG_EXITED, quint32 code = 0)
{
    return GuestWriter()
        .u8(kind)
        .u8(BG_EXIT_CWD_TRACED)
        .u32(code)
        .u64(1)
        .u64(2)
        .u64(3)
        .u64(out)
        .u64(err)
        .bytes("/tmp")
        .body();
}

inline QByteArray attachedBody(quint64 out, quint64 err, quint32 flags = BG_START_BACKGROUND,
                               quint32 room = BG_STDIN_WINDOW)
{
    return GuestWriter().u32(5).u32(flags).u64(out).u64(err).u8(1).u32(room).body();
}

} // namespace berth::test
