// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/script/script_runner.h"
#include "providers/daytona/client.h"

#include <functional>

namespace berth::daytona {

//! Runs scripts in a sandbox by its toolbox, one answer each: for what is short. The service gives
//! standard output and error as one text, so the script keeps them apart itself.
class ToolboxRunner : public net::ScriptRunner
{
public:
    explicit ToolboxRunner(ServicePtr toolbox) : m_toolbox(std::move(toolbox)) {}

    domain::Async<net::ScriptResult> run(net::ScriptRequest request, std::stop_token stop) override;
    [[nodiscard]] qint64 largestInput() const override { return 8 * 1024 * 1024; }
    [[nodiscard]] qint64 largestOutput() const override { return 1024 * 1024; }

private:
    ServicePtr m_toolbox;
};

//! The command's text for one such run; \a id separates its parts. \a input: a file that has the
//! input and is removed afterwards; empty: it is in the text.
QByteArray executeText(const net::ScriptRequest &request, const QByteArray &id,
                       const QByteArray &input = {});
//! Its result, taken apart again; nullopt when the separator is missing.
std::optional<net::ScriptResult> executeResult(const Executed &executed, const QByteArray &id);

//! As the toolbox takes a file of that content: the body and its type.
std::pair<QByteArray, QByteArray> uploadForm(const QByteArray &content, const QByteArray &id);

// The calls of the toolbox, one each. NotFound means a session or command that is not there, and
// then surely nothing was done.
domain::Async<void> createSession(ServicePtr toolbox, QString session, std::stop_token stop);
domain::Async<void> deleteSession(ServicePtr toolbox, QString session, std::stop_token stop);
domain::Async<QList<Session>> listSessions(ServicePtr toolbox, std::stop_token stop);
//! Never repeated. Answers the command's id.
domain::Async<QString> executeInSession(ServicePtr toolbox, QString session, QByteArray command,
                                        std::stop_token stop);
domain::Async<SessionCommand> getCommand(ServicePtr toolbox, QString session, QString command,
                                         std::stop_token stop);
//! \a patience: 0 where the command may not read for long.
domain::Async<void> sendInput(ServicePtr toolbox, QString session, QString command, QByteArray line,
                              std::chrono::milliseconds patience, std::stop_token stop);
//! The whole log from its start, and what comes until the command ends.
domain::Async<std::shared_ptr<net::WebStream>> openLog(ServicePtr toolbox, QString session,
                                                       QString command, std::stop_token stop);

} // namespace berth::daytona
