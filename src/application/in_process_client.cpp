// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/in_process_client.h"

#include "async/post.h"

namespace berth::application {

struct InProcessClient::Remote
{
    std::unique_ptr<EngineSession> session;
    //! Lives on the client's thread; receives what comes from the session. Deleted only after the
    //! session is gone, so that nothing is ever posted to a dying object.
    QObject *bridge = nullptr;
};

InProcessClient::InProcessClient(EngineHost &host, QObject *engineContext, ClientKind kind,
                                 QObject *parent, ClientRights rights)
    : EngineClient(parent), m_engineContext(engineContext), m_remote(std::make_shared<Remote>())
{
    QPointer<InProcessClient> self(this);
    m_remote->bridge = new QObject;
    async::post(m_engineContext, [remote = m_remote, &host, kind, rights, self, this] {
        QObject *bridge = remote->bridge;
        remote->session = host.openSession(kind);
        remote->session->grant(rights);
        QObject::connect(
            remote->session.get(), &EngineSession::answered, bridge,
            [self, this](const domain::RequestId &id, const domain::Result<Payload> &answer) {
                if (!self)
                    return;
                if (const Done done = m_waiting.take(id))
                    done(answer);
            },
            Qt::QueuedConnection);
        QObject::connect(
            remote->session.get(), &EngineSession::event, bridge,
            [self, this](const Event &event) {
                if (self)
                    Q_EMIT this->event(event);
            },
            Qt::QueuedConnection);
        async::post(bridge, [self, this] {
            if (!self)
                return;
            m_connected = true;
            Q_EMIT connectionChanged(true, {});
        });
    });
}

InProcessClient::~InProcessClient()
{
    async::post(m_engineContext, [remote = m_remote] {
        remote->session.reset();
        remote->bridge->deleteLater();
    });
}

void InProcessClient::submit(domain::RequestId id, const QString &command, Payload arguments,
                             Done done)
{
    m_waiting.insert(id, std::move(done));
    async::post(m_engineContext,
                [remote = m_remote, id, command, arguments = std::move(arguments)] {
                    if (remote->session)
                        remote->session->submit(id, command, arguments);
                });
}

void InProcessClient::cancel(const domain::RequestId &id)
{
    async::post(m_engineContext, [remote = m_remote, id] {
        if (remote->session)
            remote->session->cancel(id);
    });
}

bool InProcessClient::isConnected() const
{
    return m_connected;
}

} // namespace berth::application
