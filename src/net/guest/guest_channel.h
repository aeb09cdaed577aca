// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"
#include "domain/result.h"
#include "net/guest/guest_codec.h"

#include <QtCore/QHash>
#include <QtCore/QIODevice>
#include <QtCore/QObject>
#include <QtCore/QTimer>

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>

namespace berth::net {

//! Gets the frames of one id. Not deleted from inside its own calls.
class GuestSink
{
public:
    virtual ~GuestSink();
    //! False: the frame is none that may come here; the channel closes.
    virtual bool onFrame(quint8 type, const QByteArray &body) = 0;
    virtual void onLost(const QString &reason) = 0;
};

struct GuestChannelOptions
{
    //! Another host may have spoken with this guest before: padding that ends a frame it may have
    //! left half written. Harmless for a fresh guest.
    bool reattach = false;
    std::chrono::milliseconds handshakeDeadline{5000};
    std::chrono::milliseconds heartbeat{10000};
    //! Requests fail when the guest says nothing at all for so long. Commands go on: a frozen
    //! sandbox is silent, too.
    std::chrono::milliseconds silence{60000};
};

//! The host's end of the connection to one guest runner. Engine thread only.
//!
//! How a provider uses it:
//!  1. Take guestBinary(arch) (guest/guest_binary.h), write it with mode 0555 into a private
//!  directory, rename it into
//!     place, and bind that file read-only into the sandbox.
//!  2. Start it so that its standard input and output are a byte stream, nothing else writes there,
//!  and the environment
//!     is small and explicit (it is the base of the environment of every command):
//!       own container, bubblewrap:  <file> run --eof=stay | --eof=exit   as pid 1 (bwrap:
//!       --as-pid-1) adopted container:          <file> run --eof=exit                by exec
//!     --eof=exit: the end of standard input ends everything (Local). --eof=stay: waits for the
//!     next host (Docker). Without CAP_SYS_PTRACE inside, else the guest is not protected against
//!     its own commands.
//!  3. GuestChannel::open(stream, {.reattach = not fresh}, stop). An error carries what came
//!  instead of a greeting
//!     in its detail ("exec format error"); fall back or show it.
//!  4. GuestShell, GuestFileSystem and GuestMetrics over that channel. Connect lost() to end the
//!  connection.
//!  5. Call close() when the last owner lets go; dropping the channel does the same.
class GuestChannel : public QObject, public std::enable_shared_from_this<GuestChannel>
{
    Q_OBJECT
public:
    //! \a stream: open, binary, unbuffered by others; the channel is the only reader from now on.
    static domain::Async<std::shared_ptr<GuestChannel>> open(std::shared_ptr<QIODevice> stream,
                                                             GuestChannelOptions options,
                                                             std::stop_token stop);
    ~GuestChannel() override;

    [[nodiscard]] bool isOpen() const { return m_state == State::Open; }
    [[nodiscard]] const GuestHello &hello() const { return m_hello; }

    struct Answer
    {
        QByteArray reply;
        //! What came in DATA frames before.
        QByteArray data;
    };
    //! One question, one answer. Beyond a number of requests under way the next ones wait.
    //! An ERROR frame becomes an Error by its errno.
    domain::Async<Answer> request(quint8 type, QByteArray body, qint64 maxData,
                                  std::stop_token stop);

    //! Waits until one more may be under way, for exchanges that do not go through request(). After
    //! a success it must be given back.
    static async::Task<domain::Result<bool>> takeTurn(std::shared_ptr<GuestChannel> self,
                                                      std::stop_token stop);
    void giveTurnBack();

    //! For exchanges of more than one answer. The sink must be detached before it is gone.
    quint32 attach(GuestSink *sink);
    //! To a command that the guest has given this number before; false when there can be none, or
    //! somebody has it.
    [[nodiscard]] bool attachTo(quint32 id, GuestSink *sink);
    void detach(quint32 id);
    void send(quint8 type, quint32 id, const QByteArray &body = {});

    //! Ends the connection; everything under way fails with \a reason. Emits lost() only when it
    //! was open.
    void close(const QString &reason);

Q_SIGNALS:
    //! Once. Everything under way has been told before.
    void lost(const QString &reason);
    //! Nothing was heard for the time of options.silence; the stream is still there. Once until it
    //! speaks again.
    void silent();

private:
    enum class State { Greeting, Open, Closed };
    struct Pending;

    GuestChannel(std::shared_ptr<QIODevice> stream, GuestChannelOptions options);
    static domain::Async<std::shared_ptr<GuestChannel>> openNow(std::shared_ptr<GuestChannel> self,
                                                                std::stop_token stop);
    static domain::Async<Answer> perform(std::shared_ptr<GuestChannel> self, quint8 type,
                                         QByteArray body, qint64 maxData, std::stop_token stop);
    void greet();
    void readAll();
    void dispatch(const GuestFrame &frame);
    void onHello(const QByteArray &body);
    bool onPending(Pending &pending, const GuestFrame &frame);
    void beat();
    void failPending(const domain::Error &error);
    void fail(const QString &reason, domain::ErrorKind kind);

    std::shared_ptr<QIODevice> m_stream;
    GuestChannelOptions m_options;
    QByteArray m_nonce;
    GuestDecoder m_decoder;
    GuestHello m_hello;
    State m_state = State::Greeting;
    async::Completion<domain::Result<bool>> m_greeted;
    quint32 m_lastId = 0;
    QHash<quint32, std::shared_ptr<Pending>> m_pending;
    QHash<quint32, GuestSink *> m_sinks;
    int m_underWay = 0;
    std::deque<async::Completion<bool>> m_waiting;
    QTimer m_beat;
    qint64 m_heardAt = 0;
    bool m_toldSilent = false;
};

//! What an errno of the guest means for decisions; \a what is the sentence so far.
domain::Error guestError(const GuestErrorReply &reply, const QString &what);

} // namespace berth::net
