// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of LeaseController that opens a sandbox only to see what runs in it.
#include "application/sandboxes/lease_controller.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Instance;
using domain::ObservedState;
using domain::Result;

Async<ReadySandbox> LeaseController::look(std::stop_token stop)
{
    const QString source = QStringLiteral("engine");
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    if (!hasLiveInstance())
        co_return failure(ErrorKind::Conflict, QStringLiteral("The sandbox has not started"));
    const Result<std::shared_ptr<domain::Provider>> found =
        m_providers.provider(m_lease.providerConfig);
    if (!found)
        co_return failure(found.error());
    const std::shared_ptr<domain::Provider> provider = *found;
    const bool known = isConnected() && m_lease.observed == ObservedState::Running;
    if (!known || !isFreshlySeen()) {
        const Result<Instance> seen = co_await ask(provider, stop);
        if (!seen && seen.error().kind == ErrorKind::NotFound) {
            const Result<void> gone = co_await markGone(source);
            if (!gone)
                co_return failure(gone.error());
            co_return failure(seen.error());
        }
        if (!seen) {
            observeFailure(seen.error());
            co_return failure(seen.error());
        }
        const Result<void> noted = co_await applySeen(*seen, source);
        if (!noted)
            co_return failure(noted.error());
        if (seen->state != ObservedState::Running)
            co_return failure(ErrorKind::Conflict, QStringLiteral("The sandbox does not run"));
    }
    const Result<ReadySandbox> ready = co_await connect(provider, source, stop);
    co_return ready;
}

} // namespace berth::application
