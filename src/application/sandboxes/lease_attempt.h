// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/sandboxes/lease_controller.h"

namespace berth::application {

//! The provider cannot have made anything when it failed like this.
[[nodiscard]] bool isSurelyNotCreated(const domain::Error &error);

//! One shared ensure.
struct LeaseController::Attempt
{
    async::Completion<domain::Result<ReadySandbox>> done;
    QList<domain::ProgressSink> sinks;
    std::stop_source stop;
    int waiting = 0;

    void tell(const domain::Progress &progress) const
    {
        for (const domain::ProgressSink &sink : sinks) {
            if (sink)
                sink(progress);
        }
    }
};

} // namespace berth::application
