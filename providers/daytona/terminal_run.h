// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/script/streamed_execution.h"
#include "providers/daytona/connection.h"
#include "providers/daytona/session_script.h"

#include <QtCore/QObject>

#include <memory>

class QWebSocket;

namespace berth::daytona {

//! A command on a terminal of Daytona's, over one websocket. It lives on when nobody follows it;
//! what it said last is kept for the next one, since the service replays nothing.
class TerminalRun : public QObject, public std::enable_shared_from_this<TerminalRun>
{
    Q_OBJECT
public:
    //! \a fresh: begun by this connection, so that its start is still to come.
    TerminalRun(BoxPtr box, QByteArray runId, QByteArray tag, bool fresh);
    ~TerminalRun() override;

    [[nodiscard]] const QByteArray &runId() const { return m_runId; }
    [[nodiscard]] const QByteArray &tag() const { return m_tag; }
    //! Of the service.
    [[nodiscard]] QString terminalId() const;
    [[nodiscard]] bool isOver() const { return m_outcome.has_value(); }
    [[nodiscard]] qint64 size() const { return m_size; }

    //! Connects; answers once the service has said so.
    [[nodiscard]] async::Completion<domain::Result<bool>> open();
    //! Of one that this connection did not begin: what it said so far counts as \a size bytes,
    //! which the service does not tell again.
    void joinAt(qint64 size) { m_size = size; }
    //! As if typed.
    void type(const QByteArray &bytes);
    //! Tells \a execution everything from \a offset on.
    void follow(const std::shared_ptr<net::StreamedExecution> &execution, qint64 offset);
    [[nodiscard]] net::ExecutionHooks hooks(const net::TrackedCommand &scripts, bool background);
    void end(domain::Outcome outcome);
    //! Its end is not known; \a reason in words.
    void lose(const QString &reason);

private:
    void onBytes(const QByteArray &bytes);
    void onText(const QString &text);
    void onClosed();
    void wake();
    static async::Task<void> deliver(std::shared_ptr<TerminalRun> run, qint64 offset, int follower);
    static async::Task<void> kill(std::shared_ptr<TerminalRun> run, QByteArray stopScript);
    static async::Task<void> resize(std::shared_ptr<TerminalRun> run, int columns, int rows);
    static async::Task<void> clear(std::shared_ptr<TerminalRun> run);

    BoxPtr m_box;
    QByteArray m_runId;
    QByteArray m_tag;
    std::unique_ptr<QWebSocket> m_socket;
    async::Completion<domain::Result<bool>> m_opened;
    async::Completion<bool> m_changed;
    net::MarkReader m_marks;
    //! What the service's own shell says before the command begins.
    QByteArray m_before;
    bool m_began = false;
    //! The last bytes of the command, of m_size.
    QByteArray m_kept;
    qint64 m_size = 0;
    std::weak_ptr<net::StreamedExecution> m_execution;
    int m_follower = 0;
    std::optional<domain::Outcome> m_outcome;
};

//! "berth-<run>-<tag>", as terminals of ours are called; nullopt for another one's.
std::optional<RunMark> terminalMark(const QString &terminalId);

domain::Async<std::shared_ptr<domain::Execution>> startTerminal(BoxPtr box,
                                                                domain::CommandSpec command,
                                                                std::stop_token stop);
//! NotFound: it is not there any more.
domain::Async<std::shared_ptr<domain::Execution>> attachTerminal(BoxPtr box, RunMark mark,
                                                                 qint64 offset,
                                                                 std::stop_token stop);
//! Those that this connection or another one began.
domain::Async<QList<RunMark>> listTerminals(BoxPtr box, std::stop_token stop);

} // namespace berth::daytona
