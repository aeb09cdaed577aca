// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/web/web_exchange.h"
#include "net/web/web_route.h"

#include <QtCore/QHash>
#include <QtNetwork/QSslConfiguration>

#include <memory>
#include <optional>
#include <vector>

namespace berth::net {

//! The lanes of one WebSettings. Qt opens at most six connections to a host per manager and lets
//! further requests wait unseen, so no lane gets more than that, and streams have lanes of their
//! own.
class WebPool : public std::enable_shared_from_this<WebPool>
{
public:
    enum class Kind { Call, Stream };

    explicit WebPool(WebSettings settings);

    [[nodiscard]] const WebSettings &settings() const { return m_settings; }
    [[nodiscard]] int liveReplies() const;
    //! The system's settings are looked up once per origin.
    QNetworkProxy proxyFor(const QUrl &url);

    //! Null when all are busy and there may not be more.
    std::shared_ptr<WebLane> freeLane(Kind kind);
    //! For a call waits until one is free, within the request's connect; streams may stay open for
    //! ever, so none is waited for.
    static domain::Async<std::shared_ptr<WebLane>> lane(std::shared_ptr<WebPool> pool, Kind kind,
                                                        std::chrono::milliseconds limit,
                                                        std::stop_token stop);
    //! nullopt: it may go out.
    [[nodiscard]] std::optional<domain::Error> objection(const WebRequest &request) const;
    //! Sends it. \a body is set to what feeds a growing body, where \a growing.
    WebExchangePtr begin(const std::shared_ptr<WebLane> &lane, const WebRequest &request,
                         bool growing = false, WebBody **body = nullptr);

private:
    [[nodiscard]] size_t perLane() const;
    void laneFreed();

    WebSettings m_settings;
    std::optional<QNetworkProxy> m_proxy;
    std::optional<QSslConfiguration> m_tls;
    std::optional<domain::Error> m_unusable;
    QHash<QString, QNetworkProxy> m_routes;
    std::vector<std::shared_ptr<WebLane>> m_calls;
    std::vector<std::shared_ptr<WebLane>> m_streams;
    std::vector<async::Completion<int>> m_waiting;
};

} // namespace berth::net
