// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/web/paging.h"
#include "net/web/retry.h"
#include "net/web/web_client.h"
#include "providers/e2b/decode.h"

#include <memory>

namespace berth::e2b {

//! The API of one account.
struct Api
{
    std::shared_ptr<net::WebClient> web;
    QString base;
    domain::Secret key;
    //! The server knows create and connect by their older paths only; learnt from its answers.
    mutable bool isOld = false;
    //! It has no call that only extends.
    mutable bool hasNoRefresh = false;
    //! Of calls that may be repeated.
    net::RetryPolicy retries{3, std::chrono::milliseconds(400), std::chrono::seconds(10),
                             std::chrono::seconds(25)};
    net::HttpDeadlines deadlines;
    //! For the answer of what writes or reads a whole memory.
    std::chrono::milliseconds slow{120000};
    //! Of a list; the service takes 100 at most.
    int pageSize = 100;
};
using ApiPtr = std::shared_ptr<const Api>;

// The calls, one each. NotFound means that the API itself said that there is no such sandbox, or
// that the account may not see it.

//! Not repeated but after a refusal for the rate of calls.
domain::Async<Access> createSandbox(ApiPtr api, SandboxSettings settings,
                                    QMap<QString, QString> metadata, std::stop_token stop);
//! Brings it to running and to live on for \a timeout at least; answers how to reach it.
domain::Async<Access> connectSandbox(ApiPtr api, QString id, std::chrono::seconds timeout,
                                     std::stop_token stop);
//! A second one as this one is now; not repeated but after a refusal for the rate of calls.
//! Unsupported: the server has no such call.
domain::Async<Access> forkSandbox(ApiPtr api, QString id, std::chrono::seconds timeout,
                                  std::stop_token stop);
domain::Async<Record> lookAtSandbox(ApiPtr api, QString id, std::stop_token stop);
//! All pages, any state, or those that carry \a metadata; an error unless all are there.
domain::Async<QList<Record>> listSandboxes(ApiPtr api, QMap<QString, QString> metadata,
                                           std::stop_token stop);
//! Conflict: it is paused already, or just changes.
domain::Async<void> pauseSandbox(ApiPtr api, QString id, std::stop_token stop);
domain::Async<void> killSandbox(ApiPtr api, QString id, std::stop_token stop);
//! It lives on for \a timeout at least.
domain::Async<void> extendSandbox(ApiPtr api, QString id, std::chrono::seconds timeout,
                                  std::stop_token stop);
domain::Async<std::optional<domain::ResourceSample>> measureSandbox(ApiPtr api, QString id,
                                                                    std::stop_token stop);

//! Answers at all; no key is sent.
domain::Async<void> pingApi(ApiPtr api, std::stop_token stop);

} // namespace berth::e2b
