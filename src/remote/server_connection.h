// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_session.h"
#include "remote/frame.h"
#include "remote/message.h"
#include "remote/outbox.h"

#include <QtCore/QObject>
#include <QtCore/QSet>
#include <QtCore/QTimer>

#include <memory>

class QLocalSocket;

namespace berth::remote {

//! Bounds of what one client may cost.
struct ClientLimits
{
    qint64 eventBytes = 4 * 1024 * 1024;
    qint64 answerBytes = 32 * 1024 * 1024;
    //! From here on no more is read from it until it has taken its answers.
    qint64 answerBytesPause = 8 * 1024 * 1024;
    int commandsInFlight = 256;
    std::chrono::milliseconds hello{5000};
};

//! One client at the Engine's end.
class ServerConnection final : public QObject
{
    Q_OBJECT
public:
    //! Takes \a socket.
    ServerConnection(application::EngineHost &host, QLocalSocket *socket,
                     const ClientLimits &limits, QObject *parent);
    ~ServerConnection() override;

    //! Says why in a hello and closes.
    void refuse(domain::Error error);
    //! Writes what waits, as far as the client takes it now, and closes.
    void close();

Q_SIGNALS:
    //! Once; delete it later, not at once.
    void gone();

private:
    void connectSocket();
    void read();
    bool handle(const Frame &frame);
    bool greet(const Hello &hello);
    bool submit(const CommandMessage &message);
    void sendAnswer(const domain::RequestId &id,
                    const domain::Result<application::Payload> &answer);
    void sendEvent(const application::Event &event);
    void sendFrame(const Frame &frame);
    void write();
    //! Closes with a line in the log; an empty \a why: the client left by itself.
    void drop(const QString &why);

    application::EngineHost &m_host;
    QLocalSocket *m_socket;
    ClientLimits m_limits;
    FrameReader m_reader;
    Outbox m_outbox;
    QTimer m_helloTimer;
    std::unique_ptr<application::EngineSession> m_session;
    QSet<domain::RequestId> m_inFlight;
    bool m_dead = false;
};

} // namespace berth::remote
