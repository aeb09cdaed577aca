// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/secret.h"
#include "net/web/retry.h"
#include "net/web/web_client.h"
#include "providers/daytona/decode.h"
#include "providers/daytona/settings.h"

#include <memory>
#include <optional>

namespace berth::daytona {

//! The control plane, or the toolbox of one sandbox: where it is and how it is asked.
struct Service
{
    std::shared_ptr<net::WebClient> http;
    //! Without a slash at the end.
    QUrl base;
    domain::Secret key;
    //! Sent with a token (JWT) only: a key belongs to one organization, and naming it is refused.
    QString organization;
    net::RetryPolicy retry;
    //! For the head of an answer, where a call does not say otherwise.
    std::chrono::milliseconds patience{30000};
    //! A log that says nothing for so long is opened again: it may be dead. Looking at the command
    //! meanwhile also tells the service that the sandbox is in use, which it else would stop in the
    //! middle of a long command.
    std::chrono::milliseconds quiet{45000};
    //! A session waits for the next command (Resident).
    bool keepsResidents = true;
    //! Of lists; the service takes 200.
    int pageSize = 200;

    [[nodiscard]] net::WebRequest request(const QByteArray &method, const QByteArray &path) const;
    [[nodiscard]] QUrl url(const QByteArray &path) const;
};
using ServicePtr = std::shared_ptr<const Service>;

//! A JSON web token in the key's place.
bool isToken(const domain::Secret &key);

struct Call
{
    QByteArray method = QByteArrayLiteral("GET");
    //! Below the base, with its query, percent-encoded.
    QByteArray path;
    //! JSON; without it the body of a POST is empty.
    std::optional<QByteArray> body;
    //! A second one does no harm.
    bool repeatable = false;
    //! Until the head of the answer; missing: the service's, 0: no limit.
    std::optional<std::chrono::milliseconds> patience;
    qint64 largest = 16 * 1024 * 1024;
};

//! The answer, whatever its status.
domain::Async<net::HttpResponse> ask(ServicePtr service, Call call, std::stop_token stop);
//! The body of a success; the errors are those of apiError().
domain::Async<QByteArray> askApi(ServicePtr service, Call call, QString what, std::stop_token stop);
//! Likewise with toolboxError().
domain::Async<QByteArray> askToolbox(ServicePtr service, Call call, QString what,
                                     std::stop_token stop);
//! The words for a request that had no answer.
domain::Error unanswered(domain::Error error, const QString &what, const QUrl &base);

// The control plane's calls, one each.
domain::Async<ServerFacts> getFacts(ServicePtr api, std::stop_token stop);
domain::Async<Sandbox> getSandbox(ServicePtr api, QString idOrName, std::stop_token stop);
//! All pages, or an error: a list that lacks some would make them look gone.
domain::Async<QList<Sandbox>> listSandboxes(ServicePtr api, std::stop_token stop);
//! The cheapest question that needs the key.
domain::Async<SandboxPage> probeList(ServicePtr api, std::stop_token stop);
//! Asked once: it is not idempotent. Conflict: the name is taken.
domain::Async<Sandbox> postSandbox(ServicePtr api, QByteArray body, std::stop_token stop);
//! "start", "stop", "recover". Conflict: another change is under way.
domain::Async<void> changeSandbox(ServicePtr api, QString id, QByteArray action,
                                  std::stop_token stop);
domain::Async<void> deleteSandbox(ServicePtr api, QString id, std::stop_token stop);
domain::Async<QString> getToolboxUrl(ServicePtr api, QString id, std::stop_token stop);
//! The last minutes of what the service recorded. Unsupported where it records nothing.
domain::Async<QByteArray> getTelemetry(ServicePtr api, QString id, QDateTime from, QDateTime to,
                                       std::stop_token stop);

//! What the create call says.
QByteArray encodeCreate(const SandboxSettings &settings, const QString &name,
                        const domain::InstanceLabels &labels);

} // namespace berth::daytona
