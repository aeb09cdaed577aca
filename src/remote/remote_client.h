// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_client.h"
#include "application/engine_session.h"
#include "remote/frame.h"
#include "remote/message.h"

#include <QtCore/QHash>
#include <QtCore/QList>
#include <QtCore/QTimer>

#include <chrono>

class QLocalSocket;

namespace berth::remote {

//! EngineClient to an Engine in another process. Commands wait while a connection is being made, up
//! to the deadline; those on their way when it is lost get Unavailable and are not sent again.
class RemoteClient final : public application::EngineClient
{
    Q_OBJECT
public:
    struct Options
    {
        application::ClientKind kind = application::ClientKind::Cli;
        //! For the first connection and for each new one after a loss; within it attempts are
        //! repeated.
        std::chrono::milliseconds deadline{5000};
        //! Go on trying behind the deadline.
        bool reconnect = false;
        std::chrono::milliseconds firstPause{20};
        std::chrono::milliseconds longestPause{2000};
    };
    //! Where the Engine listens now; asked before each attempt. Empty: not known yet.
    using Locate = std::function<QString()>;

    RemoteClient(Locate locate, Options options, QObject *parent = nullptr);
    RemoteClient(const QString &socketPath, Options options, QObject *parent = nullptr);
    ~RemoteClient() override;

    void submit(domain::RequestId id, const QString &command, application::Payload arguments,
                Done done) override;
    void cancel(const domain::RequestId &id) override;
    [[nodiscard]] bool isConnected() const override { return m_connected; }

private:
    struct Waiting
    {
        Done done;
        //! Not sent yet.
        std::optional<QByteArray> frame;
    };

    void start();
    void attempt();
    void connectSocket();
    void read();
    bool handle(const Frame &frame);
    void greeted(const Hello &hello);
    void answered(const AnswerMessage &message);
    void happened(const EventMessage &message);
    void lost(const QString &reason);
    void giveUp(domain::Error error);
    void closeSocket();
    //! Later, from the event loop; never inside submit().
    void finish(Done done, domain::Error error);

    Locate m_locate;
    Options m_options;
    QLocalSocket *m_socket = nullptr;
    FrameReader m_reader;
    QTimer m_deadline;
    QTimer m_retry;
    std::chrono::milliseconds m_pause{0};
    QHash<domain::RequestId, Waiting> m_waiting;
    QList<domain::RequestId> m_unsent;
    qint64 m_lastSeq = 0;
    bool m_connected = false;
    //! The deadline has passed: commands fail at once.
    bool m_down = false;
    QString m_lastReason;
};

} // namespace berth::remote
