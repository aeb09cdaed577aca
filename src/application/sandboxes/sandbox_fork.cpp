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
        const QString wanted = number == 1 ? original + QStringLiteral("-copy")
                                           : QStringLiteral("%1-copy-%2").arg(original).arg(number);
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
        co_return failure(copied.error());
    }
    const Result<void> synced = co_await syncRow(id);
    if (!synced)
        domain::log(domain::LogLevel::Warning, "sandbox", synced.error().message);
    const SandboxView view = viewOf(m_sandboxes[id.toString()]);
    m_bus.publish(SandboxChanged{view});
    co_return view;
}

} // namespace berth::application
