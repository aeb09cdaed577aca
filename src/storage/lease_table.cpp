// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/lease_table.h"

#include <QtCore/QHash>

namespace berth::storage {

using domain::InstanceRecord;
using domain::InstanceStatus;
using domain::Lease;
using domain::LeaseEvent;
using domain::LeaseId;
using domain::LeaseWithInstance;

namespace {

constexpr qint64 kEventDays = 90;

const QString kSelect = QStringLiteral("SELECT lease_id, sandbox_id, agent_id, alias, "
                                       "installation, provider_name, provider_config, engine_id, "
                                       "desired_state, observed_state, observed_at, "
                                       "destroy_due_at, last_error, on_exit, version, created_at, "
                                       "updated_at FROM sandbox_leases ");

QString nameOf(InstanceStatus status)
{
    switch (status) {
    case InstanceStatus::Creating:
        return QStringLiteral("creating");
    case InstanceStatus::Live:
        return QStringLiteral("live");
    case InstanceStatus::Gone:
        return QStringLiteral("gone");
    }
    return {};
}

Lease leaseFrom(Row row)
{
    Lease lease;
    lease.id = LeaseId(row.text());
    lease.sandbox = domain::SandboxId(row.text());
    lease.agent = domain::AgentId(row.text());
    lease.alias = row.text();
    lease.installation = domain::InstallationId(row.text());
    lease.providerName = row.text();
    lease.providerConfig = domain::ConfigName(row.text());
    lease.engineId = row.text();
    lease.desired = domain::desiredStateFromWire(row.text()).value_or(domain::DesiredState::Paused);
    lease.observed =
        domain::observedStateFromWire(row.text()).value_or(domain::ObservedState::Unknown);
    lease.observedAt = row.time();
    lease.destroyDueAt = row.time();
    lease.lastError = row.text();
    lease.onExit = domain::onExitFromWire(row.text()).value_or(domain::OnExit::Pause);
    lease.version = row.integer();
    lease.createdAt = row.time();
    lease.updatedAt = row.time();
    return lease;
}

InstanceRecord instanceFrom(Row row)
{
    InstanceRecord instance;
    instance.id = domain::InstanceId(row.text());
    instance.lease = LeaseId(row.text());
    instance.externalId = domain::ExternalId(row.text());
    instance.name = row.text();
    instance.image = row.text();
    instance.status =
        row.text() == QLatin1String("live") ? InstanceStatus::Live : InstanceStatus::Creating;
    instance.initialised = row.integer() != 0;
    instance.createdAt = row.time();
    instance.lastSeenAt = row.time();
    return instance;
}

} // namespace

Result<QList<LeaseWithInstance>> LeaseTable::all(Connection &connection)
{
    Result<QList<Row>> instanceRows = connection.select(QStringLiteral(
        "SELECT instance_id, lease_id, provider_session_id, name, image, status, initialised, "
        "created_at, last_seen_at FROM sandbox_instances WHERE status <> 'gone' "
        "ORDER BY created_at, instance_id"));
    if (!instanceRows)
        return failure(instanceRows.error());
    QHash<LeaseId, InstanceRecord> newest;
    for (const Row &row : std::as_const(*instanceRows)) {
        const InstanceRecord instance = instanceFrom(row);
        newest.insert(instance.lease, instance);
    }
    Result<QList<Row>> rows =
        connection.select(kSelect + QStringLiteral("ORDER BY created_at, lease_id"));
    if (!rows)
        return failure(rows.error());
    QList<LeaseWithInstance> leases;
    for (const Row &row : std::as_const(*rows)) {
        LeaseWithInstance entry{leaseFrom(row), std::nullopt};
        if (const auto it = newest.constFind(entry.lease.id); it != newest.constEnd())
            entry.instance = *it;
        leases << entry;
    }
    return leases;
}

Result<Lease> LeaseTable::add(Connection &connection, Lease lease, const QDateTime &now)
{
    lease.version = 1;
    if (!lease.createdAt.isValid())
        lease.createdAt = now;
    lease.updatedAt = now;
    const Result<qint64> added = connection.execute(
        QStringLiteral(
            "INSERT INTO sandbox_leases (lease_id, sandbox_id, agent_id, alias, installation, "
            "provider_name, provider_config, engine_id, desired_state, observed_state, "
            "observed_at, "
            "destroy_due_at, last_error, on_exit, version, created_at, updated_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        {column(lease.id.toString()), column(lease.sandbox.toString()),
         column(lease.agent.toString()), column(lease.alias), column(lease.installation.toString()),
         column(lease.providerName), column(lease.providerConfig.toString()),
         column(lease.engineId), column(wireName(lease.desired)), column(wireName(lease.observed)),
         column(lease.observedAt), column(lease.destroyDueAt), column(lease.lastError),
         column(wireName(lease.onExit)), column(lease.version), column(lease.createdAt),
         column(lease.updatedAt)});
    if (!added)
        return failure(added.error());
    return lease;
}

Result<std::optional<domain::ObservedState>> LeaseTable::observedState(Connection &connection,
                                                                       const LeaseId &lease)
{
    Result<std::optional<Row>> row = connection.selectOne(
        QStringLiteral("SELECT observed_state FROM sandbox_leases WHERE lease_id = ?"),
        {column(lease.toString())});
    if (!row)
        return failure(row.error());
    if (!*row)
        return std::optional<domain::ObservedState>();
    return domain::observedStateFromWire((*row)->text());
}

Result<Lease> LeaseTable::swap(Connection &connection, Lease lease, const QDateTime &now)
{
    const qint64 expected = lease.version;
    lease.version = expected + 1;
    lease.updatedAt = now;
    const Result<qint64> changed = connection.execute(
        QStringLiteral(
            "UPDATE sandbox_leases SET provider_config = ?, engine_id = ?, desired_state = ?, "
            "observed_state = ?, observed_at = ?, destroy_due_at = ?, last_error = ?, on_exit = ?, "
            "version = ?, updated_at = ? WHERE lease_id = ? AND version = ?"),
        {column(lease.providerConfig.toString()), column(lease.engineId),
         column(wireName(lease.desired)), column(wireName(lease.observed)),
         column(lease.observedAt), column(lease.destroyDueAt), column(lease.lastError),
         column(wireName(lease.onExit)), column(lease.version), column(lease.updatedAt),
         column(lease.id.toString()), column(expected)});
    if (!changed)
        return failure(changed.error());
    Result<std::optional<Row>> row = connection.selectOne(
        kSelect + QStringLiteral("WHERE lease_id = ?"), {column(lease.id.toString())});
    if (!row)
        return failure(row.error());
    if (!*row)
        return failure(ErrorKind::NotFound,
                       QStringLiteral("There is no lease %1").arg(lease.id.toString()));
    if (*changed == 0) {
        return failure(ErrorKind::Conflict,
                       QStringLiteral("The lease of %1 changed meanwhile").arg(lease.alias),
                       QStringLiteral("Look at it again before the next step."));
    }
    return leaseFrom(**row);
}

Result<void> LeaseTable::saveInstance(Connection &connection, const InstanceRecord &instance,
                                      const QDateTime &now)
{
    const Result<qint64> saved = connection.execute(
        QStringLiteral("INSERT INTO sandbox_instances (instance_id, lease_id, provider_session_id, "
                       "name, image, "
                       "status, initialised, created_at, last_seen_at) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
                       "ON CONFLICT (instance_id) DO UPDATE SET "
                       "provider_session_id = excluded.provider_session_id, name = excluded.name, "
                       "image = excluded.image, status = excluded.status, "
                       "initialised = excluded.initialised, "
                       // An intent that is tried again is as young as its last attempt.
                       "created_at = CASE excluded.status WHEN 'creating' "
                       "THEN excluded.created_at ELSE sandbox_instances.created_at END, "
                       "last_seen_at = excluded.last_seen_at "
                       "WHERE sandbox_instances.lease_id = excluded.lease_id"),
        {column(instance.id.toString()), column(instance.lease.toString()),
         columnOrNull(instance.externalId.toString()), column(instance.name),
         column(instance.image), column(nameOf(instance.status)),
         column(qint64(instance.initialised ? 1 : 0)),
         column(instance.createdAt.isValid() ? instance.createdAt : now),
         column(instance.lastSeenAt)});
    if (!saved)
        return failure(saved.error());
    if (*saved == 0) {
        return failure(
            ErrorKind::Conflict,
            QStringLiteral("The instance %1 belongs to another lease").arg(instance.name));
    }
    return {};
}

Result<void> LeaseTable::noteSeen(Connection &connection, const LeaseId &lease, const QDateTime &at)
{
    // Never back: a moment that was written later may be older.
    const Result<qint64> noted = connection.execute(
        QStringLiteral("UPDATE sandbox_instances SET last_seen_at = ? WHERE lease_id = ? "
                       "AND status = 'live' AND (last_seen_at IS NULL OR last_seen_at < ?)"),
        {column(at), column(lease.toString()), column(at)});
    if (!noted)
        return failure(noted.error());
    return {};
}

Result<void> LeaseTable::addEvent(Connection &connection, const LeaseEvent &event,
                                  const QDateTime &now)
{
    const Result<qint64> added = connection.execute(
        QStringLiteral(
            "INSERT INTO lease_events (lease_id, type, source, payload, error, created_at) "
            "VALUES (?, ?, ?, ?, ?, ?)"),
        {column(event.lease.toString()), column(event.type), column(event.source),
         column(event.payload), column(event.error), column(event.at.isValid() ? event.at : now)});
    if (!added)
        return failure(added.error());
    return {};
}

Result<QList<LeaseEvent>> LeaseTable::events(Connection &connection, const LeaseId &lease,
                                             int limit)
{
    Result<QList<Row>> rows = connection.select(
        QStringLiteral(
            "SELECT type, source, payload, error, created_at FROM lease_events WHERE lease_id = ? "
            "ORDER BY id DESC LIMIT ?"),
        {column(lease.toString()), column(qint64(qMax(0, limit)))});
    if (!rows)
        return failure(rows.error());
    QList<LeaseEvent> events;
    for (Row &row : *rows) {
        LeaseEvent event;
        event.lease = lease;
        event.type = row.text();
        event.source = row.text();
        event.payload = row.text();
        event.error = row.text();
        event.at = row.time();
        events << event;
    }
    return events;
}

Result<void> LeaseTable::pruneEvents(Connection &connection, const QDateTime &now)
{
    const Result<qint64> pruned =
        connection.execute(QStringLiteral("DELETE FROM lease_events WHERE created_at < ?"),
                           {column(now.addDays(-kEventDays))});
    if (!pruned)
        return failure(pruned.error());
    return {};
}

} // namespace berth::storage
