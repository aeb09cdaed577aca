// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sandbox/sandbox_connection.h"
#include "providers/tenki/core.h"

#include <QtCore/QPointer>

namespace berth::tenki {

class DataPlane;
class TenkiConnection;

//! What a connection shares with the commands that run over it and may outlive it.
struct Link
{
    std::shared_ptr<DataPlane> plane;
    QByteArray home;
    //! Of a command whose caller names none.
    std::chrono::milliseconds timeout{0};
    //! Requested when the connection is closed or lost.
    std::stop_source closed;
    QString reason;
    QPointer<TenkiConnection> connection;

    [[nodiscard]] bool isOpen() const { return !closed.stop_requested(); }
    //! Once: ends all commands and tells the connection's owners.
    void close(const QString &why);
};
using LinkPtr = std::shared_ptr<Link>;

class TenkiConnection : public domain::SandboxConnection
{
    Q_OBJECT
public:
    explicit TenkiConnection(LinkPtr link);
    ~TenkiConnection() override;

    domain::Shell &shell() override { return *m_shell; }
    domain::FileSystem &fs() override { return *m_files; }
    [[nodiscard]] QByteArray homeDirectory() const override { return m_link->home; }
    [[nodiscard]] bool isOpen() const override { return m_link->isOpen(); }

    void close(const QString &reason) { m_link->close(reason); }

private:
    LinkPtr m_link;
    std::unique_ptr<domain::Shell> m_shell;
    std::unique_ptr<domain::FileSystem> m_files;
};

//! Shared by all who ask at the same time.
domain::Async<std::shared_ptr<domain::SandboxConnection>> connectSandbox(CorePtr core,
                                                                         domain::ExternalId id,
                                                                         std::stop_token stop);

} // namespace berth::tenki
