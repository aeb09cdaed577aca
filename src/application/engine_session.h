// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/codec.h"

#include <QtCore/QFlags>
#include <QtCore/QObject>

#include <memory>

namespace berth::application {

enum class ClientKind { Window, Cli, Api };

QString wireName(ClientKind kind);

//! What a client may do besides reading and running. Windows and shells of this machine are the
//! owner's and have it all; of the HTTP API it depends on the token of each request.
enum class ClientRight {
    //! Decide on what is asked; so also work where nothing would keep it from deciding.
    Approve = 1,
};
Q_DECLARE_FLAGS(ClientRights, ClientRight)
Q_DECLARE_OPERATORS_FOR_FLAGS(ClientRights)

//! The Engine's end of one client. Lives on the Engine's thread; deleting it is the client's
//! leaving: what it watched is let go, its commands go on.
class EngineSession : public QObject
{
    Q_OBJECT
public:
    explicit EngineSession(QObject *parent = nullptr);
    ~EngineSession() override;

    virtual void submit(const domain::RequestId &id, const QString &command,
                        const Payload &arguments) = 0;
    virtual void cancel(const domain::RequestId &id) = 0;

    //! By whoever opened it in this process; nothing that a client sends can.
    void grant(ClientRights rights) { m_granted = rights; }
    [[nodiscard]] ClientRights granted() const { return m_granted; }

Q_SIGNALS:
    void answered(const berth::domain::RequestId &id,
                  const berth::domain::Result<berth::application::Payload> &answer);
    void event(const berth::application::Event &event);

private:
    ClientRights m_granted;
};

//! What serves clients: the Engine, or a stand-in of a test.
class EngineHost
{
public:
    virtual ~EngineHost();
    virtual std::unique_ptr<EngineSession> openSession(ClientKind kind) = 0;
};

} // namespace berth::application
