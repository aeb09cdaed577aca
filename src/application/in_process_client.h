// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_client.h"
#include "application/engine_session.h"

#include <QtCore/QHash>

#include <memory>

namespace berth::application {

//! EngineClient to an Engine in this process, on another thread: queued calls both ways.
class InProcessClient final : public EngineClient
{
    Q_OBJECT
public:
    //! \a engineContext lives on the Engine's thread, like \a host; both outlive this client. Call
    //! shutdown-safe: the client may be deleted at any time. \a rights: more than its kind has.
    InProcessClient(EngineHost &host, QObject *engineContext, ClientKind kind,
                    QObject *parent = nullptr, ClientRights rights = {});
    ~InProcessClient() override;

    void submit(domain::RequestId id, const QString &command, Payload arguments,
                Done done) override;
    void cancel(const domain::RequestId &id) override;
    [[nodiscard]] bool isConnected() const override;

private:
    struct Remote;
    QObject *m_engineContext;
    //! Touched on the Engine's thread only.
    std::shared_ptr<Remote> m_remote;
    QHash<domain::RequestId, Done> m_waiting;
    bool m_connected = false;
};

} // namespace berth::application
