// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/scope.h"
#include "domain/sandbox/sandbox_connection.h"
#include "net/script/script_file_system.h"
#include "providers/daytona/toolbox.h"

#include <QtCore/QHash>
#include <QtCore/QSet>

#include <functional>
#include <memory>

namespace berth::daytona {

struct SessionRun;
struct Resident;
class TerminalRun;

//! What commands and files of one connected sandbox share.
struct Box : std::enable_shared_from_this<Box>
{
    ServicePtr toolbox;
    std::shared_ptr<ToolboxRunner> runner;
    QByteArray home;
    //! The sandbox's base64 writes one line when it is asked to.
    bool hasWrap = false;
    bool isOpen = true;
    //! Something points to the sandbox being stopped or gone: asks the control plane, and closes
    //! the connection when it is so.
    std::function<void()> suspect;

    //! A session is a shell that runs one command after the other; these have nothing to do.
    struct IdleSession
    {
        QString id;
        int used = 0;
    };
    QList<IdleSession> idle;
    //! Sessions that this connection has opened.
    QSet<QString> own;
    //! Those of earlier connections were looked for.
    bool hasSwept = false;
    //! Residents that have nothing to do, how many there are in all, and how many commands one of
    //! them could have had.
    QList<std::weak_ptr<Resident>> freeResidents;
    int residents = 0;
    int plain = 0;
    //! Followed by this connection, by run.
    QHash<QByteArray, std::weak_ptr<SessionRun>> runs;
    //! Their end was told, though the sandbox may not know yet that it was.
    QSet<QByteArray> finished;
    //! Terminals live on, and say what they say, while nobody follows them.
    QHash<QByteArray, std::shared_ptr<TerminalRun>> terminals;
    //! What jobs() calls them.
    QHash<QByteArray, quint32> jobIds;
    async::Scope scope;
};
using BoxPtr = std::shared_ptr<Box>;

class DaytonaShell : public domain::Shell
{
public:
    explicit DaytonaShell(BoxPtr box) : m_box(std::move(box)) {}

    domain::Async<std::shared_ptr<domain::Execution>> start(domain::CommandSpec command,
                                                            std::stop_token stop) override;
    domain::Async<QList<domain::Job>> jobs(std::stop_token stop) override;
    domain::Async<std::shared_ptr<domain::Execution>> attach(quint32 job, qint64 outOffset,
                                                             qint64 errOffset,
                                                             std::stop_token stop) override;

private:
    BoxPtr m_box;
};

//! Shell and files by a sandbox's toolbox. There is no lasting connection: it is open until the
//! sandbox is known not to run any more.
class DaytonaConnection : public domain::SandboxConnection
{
    Q_OBJECT
public:
    explicit DaytonaConnection(BoxPtr box);
    ~DaytonaConnection() override;

    domain::Shell &shell() override { return m_shell; }
    domain::FileSystem &fs() override { return m_files; }
    [[nodiscard]] QByteArray homeDirectory() const override { return m_box->home; }
    [[nodiscard]] bool isOpen() const override { return m_box->isOpen; }

    void close(const QString &reason);
    //! See Box::suspect.
    void setSuspect(std::function<void()> suspect) { m_box->suspect = std::move(suspect); }

private:
    BoxPtr m_box;
    DaytonaShell m_shell;
    net::ScriptFileSystem m_files;
};
using ConnectionPtr = std::shared_ptr<DaytonaConnection>;

//! Makes the home directory and sees that the sandbox has what commands need.
domain::Async<ConnectionPtr> openConnection(ServicePtr toolbox, QByteArray home,
                                            std::stop_token stop);

} // namespace berth::daytona
