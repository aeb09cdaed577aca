// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of SandboxService that puts sandboxes to rest when Berth ends, and destroys what is due.
#include "application/sandboxes/sandbox_service.h"
#include "domain/log.h"

namespace berth::application {

using domain::Async;
using domain::DesiredState;
using domain::ObservedState;
using domain::Result;

async::Task<void> SandboxService::destroyWhenDue(domain::LeaseId lease, std::stop_token stop)
{
    for (;;) {
        LeaseController *controller = controllerOf(lease);
        if (!controller || !controller->isDestroyPending())
            co_return;
        const std::chrono::milliseconds left(
            m_clock->wall().msecsTo(controller->lease().destroyDueAt));
        if (left.count() <= 0) {
            const Result<void> done =
                co_await controller->destroyIfDue(QStringLiteral("policy"), stop);
            if (!done)
                domain::log(domain::LogLevel::Warning, "sandbox", done.error().message);
            co_return;
        }
        const bool elapsed = co_await m_clock->sleepFor(left, stop);
        if (!elapsed)
            co_return;
    }
}

async::Task<void> SandboxService::restOne(LeaseController *controller, std::shared_ptr<int> done,
                                          int total, ExitSink tell, std::stop_token stop)
{
    const QString source = QStringLiteral("on_exit");
    Result<void> rested;
    if (controller->lease().desired == DesiredState::Destroyed)
        rested = co_await controller->destroy(source, stop);
    else
        rested = co_await controller->pause(source, stop);
    if (!rested)
        domain::log(domain::LogLevel::Warning, "sandbox", rested.error().message);
    ++*done;
    tell(QStringLiteral("Putting sandboxes to rest"), *done, total);
}

Async<void> SandboxService::applyOnExit(std::chrono::milliseconds bound, ExitSink tell)
{
    QList<LeaseController *> acting;
    for (const auto &[id, controller] : m_controllers) {
        const bool runs =
            controller->isControlled() && controller->lease().observed == ObservedState::Running;
        const bool canRest =
            controller->lease().onExit == domain::OnExit::Destroy || controller->canPause();
        if ((runs && canRest) || controller->isDestroyPending())
            acting << controller.get();
    }
    if (acting.isEmpty())
        co_return Result<void>();
    const int total = static_cast<int>(acting.size());
    tell(total == 1 ? QStringLiteral("Putting 1 sandbox to rest")
                    : QStringLiteral("Putting %1 sandboxes to rest").arg(total),
         0, total);
    // All wishes first: whatever happens from here on, the next start finishes it.
    for (LeaseController *controller : acting) {
        const bool destroys =
            controller->lease().onExit == domain::OnExit::Destroy || controller->isDestroyPending();
        const DesiredState wanted = destroys ? DesiredState::Destroyed : DesiredState::Paused;
        const Result<void> noted = co_await controller->want(wanted, QStringLiteral("on_exit"));
        if (!noted)
            domain::log(domain::LogLevel::Warning, "sandbox", noted.error().message);
    }
    struct Limit
    {
        static async::Task<void> run(std::shared_ptr<Clock> clock, std::chrono::milliseconds bound,
                                     async::Scope *scope, std::stop_token stop)
        {
            const bool elapsed = co_await clock->sleepFor(bound, stop);
            if (elapsed)
                scope->requestStop();
        }
    };
    async::Scope scope;
    std::stop_source limitStop;
    const auto done = std::make_shared<int>(0);
    for (LeaseController *controller : acting)
        scope.spawn(restOne(controller, done, total, tell, scope.token()));
    Limit::run(m_clock, bound, &scope, limitStop.get_token());
    co_await scope.drained();
    limitStop.request_stop();
    co_return Result<void>();
}

} // namespace berth::application
