// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/resources/resource_sample.h"
#include "net/guest/guest_channel.h"

#include <optional>

namespace berth::net {

//! What the sandbox uses, as the guest sees it. Rates need two samples, so keep one of these for
//! each sandbox.
class GuestMetrics
{
public:
    //! \a diskPath: whose file system is measured; empty: none.
    GuestMetrics(std::shared_ptr<GuestChannel> channel, QByteArray diskPath);
    domain::Async<domain::ResourceSample> sample(std::stop_token stop);

private:
    struct Clock
    {
        quint64 wallMicros = 0;
        quint64 cpuMicros = 0;
    };
    struct State
    {
        std::optional<Clock> before;
    };
    static domain::Async<domain::ResourceSample> sampleNow(std::shared_ptr<GuestChannel> channel,
                                                           QByteArray diskPath,
                                                           std::shared_ptr<State> state,
                                                           std::stop_token stop);

    std::shared_ptr<GuestChannel> m_channel;
    QByteArray m_diskPath;
    std::shared_ptr<State> m_state;
};

} // namespace berth::net
