// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/turnstile.h"
#include "providers/tenki/core.h"

#include <QtCore/QDateTime>

namespace berth::tenki {

//! A call under way with its first message, when there is one.
struct Opened
{
    std::shared_ptr<GrpcStream> stream;
    //! nullopt: the call has ended, well, without a message.
    std::optional<QByteArray> first;
};

//! Tenki refused because the session rests; it says so in words only.
bool saysPaused(const CallError &error);

//! The way into one session: where it is, and a credential that is renewed in time. Kept alive by
//! whoever calls.
class DataPlane : public std::enable_shared_from_this<DataPlane>
{
public:
    DataPlane(CorePtr core, Session session);

    [[nodiscard]] const QString &sessionId() const { return m_id; }
    [[nodiscard]] const CorePtr &core() const { return m_core; }

    //! What the control plane told along with something else.
    void take(const Route &route);
    //! Waits until the edge leads there. Conflict when the sandbox is paused.
    domain::Async<void> ready(domain::ProgressSink progress, std::stop_token stop);
    //! Answers with the first message, since only that shows that the credential was taken. Renews
    //! it once when not, and waits for an edge that does not lead there yet: in both cases nothing
    //! has been done by then.
    Call<Opened> open(GrpcCall call, std::stop_token stop);
    Call<QByteArray> unary(GrpcCall call, std::stop_token stop);
    //! Has the sandbox live long enough for a command of \a budget.
    domain::Async<void> outlive(std::chrono::milliseconds budget, std::stop_token stop);

private:
    [[nodiscard]] bool isFresh() const;
    [[nodiscard]] bool isValid() const;
    [[nodiscard]] domain::Result<GrpcChannel> channel();
    static domain::Async<void> readyNow(std::shared_ptr<DataPlane> self, bool anew,
                                        domain::ProgressSink progress, std::stop_token stop);
    static domain::Async<void> renewNow(std::shared_ptr<DataPlane> self,
                                        domain::ProgressSink progress, std::stop_token stop);
    static domain::Async<bool> probeNow(std::shared_ptr<DataPlane> self, std::stop_token stop);
    static Call<Opened> openNow(std::shared_ptr<DataPlane> self, GrpcCall call,
                                std::stop_token stop);
    static Call<QByteArray> unaryNow(std::shared_ptr<DataPlane> self, GrpcCall call,
                                     std::stop_token stop);
    static domain::Async<void> outliveNow(std::shared_ptr<DataPlane> self,
                                          std::chrono::milliseconds budget, std::stop_token stop);

    CorePtr m_core;
    QString m_id;
    QDateTime m_timeoutAt;
    Route m_route;
    QDateTime m_renewAt;
    //! Of the route's endpoint.
    std::shared_ptr<net::WebClient> m_client;
    async::Turnstile m_renewing;
};

} // namespace berth::tenki
