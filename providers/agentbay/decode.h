// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/provider.h"
#include "net/http_message.h"
#include "net/script/script_runner.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace berth::agentbay {

//! What came with success, of either form.
struct Answer
{
    //! The member Data: object, array, text or null.
    std::shared_ptr<const nlohmann::json> data;
    //! The whole answer, for what stands beside Data.
    std::shared_ptr<const nlohmann::json> whole;
};

//! An answer with status 200 may still be a failure, at two levels: Success, and Data.Success.
//! \a mustSay: a missing Success is one, too (lists). NotFound only for the code that says that the
//! session does not exist. \a what: for the words, "Creating a sandbox".
domain::Result<Answer> decodeAnswer(const net::HttpResponse &response, const QString &what,
                                    bool mustSay = false);

//! "RUNNING", whatever its case.
domain::ObservedState stateOf(const QString &status);
//! The service will not have it again.
bool isGone(const QString &status);

struct Session
{
    QString id;
    QString status;
};
struct SessionPage
{
    QList<Session> sessions;
    QByteArray next;
};
domain::Result<SessionPage> decodeSessions(const Answer &answer);
domain::Result<QString> decodeCreated(const Answer &answer);
domain::Result<QString> decodeStatus(const Answer &answer);
domain::Result<QMap<QString, QString>> decodeLabels(const Answer &answer);
domain::Result<QString> decodeContextId(const Answer &answer);

//! How the copies of a context stand; Data.ContextStatus is JSON in JSON in JSON.
struct ContextState
{
    bool isDone = true;
    //! Of a copy that failed.
    QString problem;
};
domain::Result<ContextState> decodeContextState(const Answer &answer);

//! Of the tool "shell", in its new form (JSON with exit_code) or its old one (plain text).
domain::Result<net::ScriptResult> decodeShell(const Answer &answer);

QByteArray labelsText(const QMap<QString, QString> &labels);
//! A context mounted at \a path, copied back before the machine is released.
QByteArray persistenceText(const QString &contextId, const QByteArray &path);
QByteArray shellArguments(const QByteArray &command, std::chrono::milliseconds timeout);

//! "+" for a space would be read as such: everything but unreserved characters becomes %XX.
QByteArray formBody(const QList<std::pair<QByteArray, QByteArray>> &fields);

} // namespace berth::agentbay
