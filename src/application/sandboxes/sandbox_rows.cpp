// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of SandboxService that adds and takes away rows.
#include "application/sandboxes/sandbox_service.h"

#include "domain/log.h"

#include <algorithm>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using domain::Sandbox;
using domain::SandboxId;
using domain::SandboxStatus;

QList<SandboxView> SandboxService::rows(const domain::AgentId &agent, bool deleted) const
{
    QList<SandboxView> list;
    for (const auto &[id, row] : m_sandboxes) {
        if ((agent.isNull() || row.agent == agent)
            && (deleted || row.status != SandboxStatus::Deleted))
            list << viewOf(row);
    }
    return list;
}

Async<SandboxView> SandboxService::addRow(Sandbox row)
{
    const Result<Sandbox> stored = co_await m_berth.addSandbox(row);
    if (!stored)
        co_return failure(stored.error());
    addSandbox(*stored);
    co_return viewOf(*stored);
}

Async<SandboxView> SandboxService::removeRow(SandboxId id, bool destroy, QString source,
                                             std::stop_token stop)
{
    const auto found = m_sandboxes.find(id.toString());
    if (found == m_sandboxes.end() || found->second.status == SandboxStatus::Deleted)
        co_return failure(ErrorKind::NotFound,
                          QStringLiteral("There is no sandbox \"%1\"").arg(id.toString()));
    LeaseController *controller = controllerOf(id);
    if (controller && controller->commands() > 0)
        co_return failure(
            ErrorKind::Conflict,
            QStringLiteral("A command runs in the sandbox %1").arg(found->second.alias),
            QStringLiteral("Stop it first, or wait for its end."));
    Sandbox next = found->second;
    next.status = SandboxStatus::Deleted;
    next.updatedAt = m_clock->wall();
    // The row first: nothing that comes late makes it live again.
    const Result<void> stored = co_await m_berth.updateSandbox(next);
    if (!stored)
        co_return failure(stored.error());
    Sandbox &known = m_sandboxes[id.toString()];
    known.status = next.status;
    known.updatedAt = next.updatedAt;
    Result<void> rested;
    if (controller) {
        controller->setSandbox(known);
        if (destroy)
            rested = co_await controller->destroy(source, stop);
        else if (keepsUntilPurge(known) && controller->canPause())
            rested = co_await controller->pause(source, stop);
        // The row is gone all the same; the runtime stays in sight with what went wrong.
        if (!rested)
            domain::log(domain::LogLevel::Warning, "sandbox", rested.error().message);
    }
    SandboxView view = viewOf(known);
    if (!rested)
        view.notice =
            (destroy ? QStringLiteral("not destroyed: %1") : QStringLiteral("not stopped: %1"))
                .arg(rested.error().message);
    m_bus.publish(SandboxChanged{view});
    co_return view;
}

//! Without an account nothing is paid for while it stands still: kept for a restore. One in a cloud
//! is left as it is.
bool SandboxService::keepsUntilPurge(const Sandbox &row) const
{
    const std::shared_ptr<const domain::ProviderKind> kind = m_providers.kind(row.type);
    if (!kind)
        return false;
    const QList<domain::SchemaField> fields = kind->schema().fields;
    return std::none_of(fields.begin(), fields.end(), [](const domain::SchemaField &field) {
        return field.type == domain::FieldType::Secret;
    });
}

Async<SandboxView> SandboxService::restoreRow(SandboxId id)
{
    const Result<Sandbox> restored = co_await m_berth.restoreSandbox(id);
    if (!restored)
        co_return failure(restored.error());
    Sandbox row = *restored;
    // Its instance may still be there: then it is provisioned, and looked for before one is made.
    if (!row.externalId.isEmpty()) {
        row.status = SandboxStatus::Provisioned;
        const Result<void> stored = co_await m_berth.updateSandbox(row);
        if (!stored)
            co_return failure(stored.error());
    }
    m_sandboxes[id.toString()] = row;
    if (LeaseController *controller = controllerOf(id))
        controller->setSandbox(row);
    const SandboxView view = viewOf(row);
    m_bus.publish(SandboxChanged{view});
    co_return view;
}

Async<SandboxView> SandboxService::purgeRow(SandboxId id, QString source, std::stop_token stop)
{
    const auto found = m_sandboxes.find(id.toString());
    if (found == m_sandboxes.end())
        co_return failure(ErrorKind::NotFound,
                          QStringLiteral("There is no sandbox \"%1\"").arg(id.toString()));
    if (found->second.status != SandboxStatus::Deleted)
        co_return failure(ErrorKind::Conflict,
                          QStringLiteral("The sandbox %1 is not deleted").arg(found->second.alias),
                          QStringLiteral("Remove it first; a purge cannot be undone."));
    if (LeaseController *controller = controllerOf(id)) {
        const Result<void> destroyed = co_await controller->destroy(source, stop);
        if (!destroyed)
            co_return failure(destroyed.error());
    }
    const SandboxView view = viewOf(m_sandboxes[id.toString()]);
    m_bus.publish(SandboxChanged{view});
    co_return view;
}

} // namespace berth::application
