// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of SandboxService that copies a sandbox.
#include "application/sandboxes/sandbox_service.h"

#include "domain/log.h"
#include "domain/provider/forking_provider.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::InstanceStatus;
using domain::Result;
using domain::Sandbox;

namespace {

constexpr qsizetype kLongestAlias = 32;

} // namespace

QString SandboxService::reasonAgainstFork(const LeaseController &controller) const
{
    if (!controller.instance() || controller.instance()->status != InstanceStatus::Live)
        return QStringLiteral("It has not started yet");
    const Result<std::shared_ptr<domain::Provider>> provider =
        m_providers.provider(controller.lease().providerConfig);
    if (!provider)
        return provider.error().message;
    if (!std::dynamic_pointer_cast<domain::ForkingProvider>(*provider))
        return QStringLiteral("Sandboxes of this provider cannot be copied");
    if (controller.lease().observed != domain::ObservedState::Running)
        return QStringLiteral("It is not running");
    if (!controller.busy().isEmpty())
        return QStringLiteral("It is %1").arg(controller.busy());
    return {};
}

QString SandboxService::freeAlias(const domain::AgentId &agent, const QString &original) const
{
    for (int number = 1;; ++number) {
        const QString end =
            number == 1 ? QStringLiteral("-copy") : QStringLiteral("-copy-%1").arg(number);
        const QString wanted = original.left(kLongestAlias - end.size()) + end;
        if (!findSandbox(agent, wanted))
            return wanted;
    }
}

Async<SandboxView> SandboxService::fork(QString runtime, QString alias, QString source,
                                        std::stop_token stop)
{
    if (findOrphan(runtime))
        co_return failure(ErrorKind::Unsupported,
                          QStringLiteral("A runtime that no agent has cannot be copied"));
    const Result<LeaseController *> controller = findLease(runtime);
    if (!controller)
        co_return failure(controller.error());
    const LeaseController *original = *controller;
    const std::optional<Sandbox> from = sandbox(original->lease().sandbox);
    if (!from)
        co_return failure(ErrorKind::NotFound, QStringLiteral("Its sandbox is not there any more"));
    const QString against = reasonAgainstFork(*original);
    if (!against.isEmpty()) {
        const bool isOfState = original->instance()
            && original->instance()->status == InstanceStatus::Live
            && (original->lease().observed != domain::ObservedState::Running
                || !original->busy().isEmpty());
        co_return failure(isOfState ? ErrorKind::Conflict : ErrorKind::Unsupported,
                          QStringLiteral("%1 cannot be copied").arg(from->alias), against);
    }
    const domain::InstanceRecord record = *original->instance();
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_forking.enter();
    Sandbox row;
    row.agent = from->agent;
    row.alias = alias.trimmed().isEmpty() ? freeAlias(from->agent, from->alias) : alias.trimmed();
    row.type = from->type;
    row.providerConfig = from->providerConfig;
    row.config = from->config;
    const Result<SandboxView> added = co_await addRow(row);
    if (!added)
        co_return failure(added.error());
    const domain::SandboxId id = added->id;
    const Result<LeaseController *> made = co_await leaseFor(id);
    Result<void> copied;
    if (made)
        copied = co_await (*made)->makeCopy(record, source, stop);
    else
        copied = failure(made.error());
    if (!copied) {
        // A row whose first message would make an empty one is not what was asked for.
        const Result<SandboxView> removed = co_await removeRow(id, false, source, {});
        if (!removed)
            domain::log(domain::LogLevel::Warning, "sandbox", removed.error().message);
        else if (made) {
            const Result<void> withdrawn =
                co_await (*made)->withdrawCopy(source, copied.error().message);
            if (!withdrawn)
                domain::log(domain::LogLevel::Warning, "sandbox", withdrawn.error().message);
        }
        co_return failure(copied.error());
    }
    const Result<void> synced = co_await syncRow(id);
    if (!synced)
        domain::log(domain::LogLevel::Warning, "sandbox", synced.error().message);
    const auto stored = m_sandboxes.find(id.toString());
    if (stored == m_sandboxes.end())
        co_return failure(ErrorKind::NotFound,
                          QStringLiteral("The copy %1 was removed meanwhile").arg(row.alias));
    const SandboxView view = viewOf(stored->second);
    m_bus.publish(SandboxChanged{view});
    co_return view;
}

//! A crash or a quit came between the asking for a copy and its answer.
async::Task<void> SandboxService::settleCopy(domain::LeaseId lease, std::stop_token stop)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_forking.enter();
    LeaseController *controller = controllerOf(lease);
    if (!controller || !controller->isCopyIntent())
        co_return;
    const QString source = QStringLiteral("reconciler");
    const domain::ConfigName config = controller->lease().providerConfig;
    const std::function<bool(const domain::ExternalId &)> isOwned =
        [this, config](const domain::ExternalId &id) {
            return controllerOf(config, id) != nullptr;
        };
    const Result<bool> isSettled = co_await controller->settleCopy(isOwned, source, stop);
    if (!isSettled)
        domain::log(domain::LogLevel::Info, "reconciler", isSettled.error().message);
    if (!isSettled || *isSettled)
        co_return;
    const QString why = QStringLiteral("The copying to %1 was interrupted, and no copy has "
                                       "appeared: the sandbox was removed")
                            .arg(controller->lease().alias);
    const Result<SandboxView> removed =
        co_await removeRow(controller->lease().sandbox, false, source, stop);
    // Else it stays as it is, as one without a row could begin empty.
    if (!removed && removed.error().kind != ErrorKind::NotFound) {
        domain::log(domain::LogLevel::Warning, "reconciler", removed.error().message);
        co_return;
    }
    domain::log(domain::LogLevel::Warning, "reconciler", why);
    const Result<void> withdrawn = co_await controller->withdrawCopy(source, why);
    if (!withdrawn)
        domain::log(domain::LogLevel::Warning, "reconciler", withdrawn.error().message);
}

} // namespace berth::application
