// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/secret.h"
#include "net/web/retry.h"
#include "net/web/web_client.h"
#include "providers/agentbay/decode.h"
#include "providers/agentbay/settings.h"

namespace berth::agentbay {

struct Api
{
    std::shared_ptr<net::WebClient> web;
    Endpoint where;
    domain::Secret key;
    net::RetryPolicy retries;
    //! Of one call, beside what a tool itself may take.
    std::chrono::milliseconds slow{60000};
    std::chrono::milliseconds connect{10000};
};
using ApiPtr = std::shared_ptr<const Api>;

using Fields = QList<std::pair<QByteArray, QByteArray>>;

struct Call
{
    QByteArray action;
    Fields fields;
    //! For the words of an error: "Pausing a sandbox".
    QString what;
    //! Only reads: may be asked again.
    bool isSafe = false;
    //! A missing Success is a failure.
    bool mustSaySuccess = false;
    //! Of a tool, on top of the call's own.
    std::chrono::milliseconds takes{0};
    //! Waits there for something to happen: takes no connection from other calls.
    bool waits = false;
};

//! The key goes in the body, never into the address: addresses end in logs.
domain::Async<Answer> ask(ApiPtr api, Call call, std::stop_token stop);

//! All pages; a list that is not whole is an error.
domain::Async<QList<Session>> listSessions(ApiPtr api, QMap<QString, QString> labels,
                                           std::stop_token stop);
domain::Async<QString> statusOfSession(ApiPtr api, QString id, std::stop_token stop);
domain::Async<QMap<QString, QString>> labelsOfSession(ApiPtr api, QString id, std::stop_token stop);

//! A command by the tool "shell", which takes 50 s at most.
//! \a waits: see Call.
domain::Async<net::ScriptResult> runShell(ApiPtr api, QString session, net::ScriptRequest request,
                                          bool waits, std::stop_token stop);

} // namespace berth::agentbay
