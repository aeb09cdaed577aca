// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/usage_table.h"

#include <algorithm>

namespace berth::storage {

using domain::ObservedState;
using domain::UsageInterval;

namespace {

constexpr int kMonthsKept = 13;

Result<void> usageDone(const Result<qint64> &changed)
{
    if (!changed)
        return failure(changed.error());
    return {};
}

bool mayCost(ObservedState state)
{
    return state != ObservedState::Gone && state != ObservedState::Unknown;
}

} // namespace

Result<void> UsageTable::record(Connection &connection, const UsageInterval &interval)
{
    Result<std::optional<Row>> row = connection.selectOne(
        QStringLiteral("SELECT id, state, provider_config, started_at FROM usage_intervals "
                       "WHERE lease_id = ? AND ended_at IS NULL"),
        {column(interval.lease.toString())});
    if (!row)
        return failure(row.error());
    if (*row) {
        const qint64 id = (*row)->integer();
        const QString state = (*row)->text();
        const QString config = (*row)->text();
        const QDateTime startedAt = (*row)->time();
        const bool same =
            state == wireName(interval.state) && config == interval.providerConfig.toString();
        if (same && !interval.endedAt.isValid())
            return {};
        // A clock set back must not make an interval of negative length.
        const QDateTime end = same ? interval.endedAt : interval.startedAt;
        const Result<void> ended = usageDone(connection.execute(
            QStringLiteral("UPDATE usage_intervals SET ended_at = ? WHERE id = ?"),
            {column(std::max(end, startedAt)), column(id)}));
        if (!ended || same)
            return ended;
    }
    if (!mayCost(interval.state))
        return {};
    return usageDone(connection.execute(
        QStringLiteral(
            "INSERT INTO usage_intervals (lease_id, provider_config, state, started_at, ended_at) "
            "VALUES (?, ?, ?, ?, ?)"),
        {column(interval.lease.toString()), column(interval.providerConfig.toString()),
         column(wireName(interval.state)), column(interval.startedAt), column(interval.endedAt)}));
}

Result<void> UsageTable::endUnwatched(Connection &connection)
{
    // Not before its own start: a lease whose instance was never seen has no time to go by.
    return usageDone(connection.execute(
        QStringLiteral(
            "UPDATE usage_intervals SET ended_at = max(started_at, coalesce("
            "(SELECT max(last_seen_at) FROM sandbox_instances "
            "WHERE sandbox_instances.lease_id = usage_intervals.lease_id), started_at)) "
            "WHERE ended_at IS NULL AND state IN ('running', 'starting', 'stopping', 'error')"),
        {}));
}

Result<void> UsageTable::prune(Connection &connection, const QDateTime &now)
{
    return usageDone(
        connection.execute(QStringLiteral("DELETE FROM usage_intervals WHERE ended_at < ?"),
                           {column(now.addMonths(-kMonthsKept))}));
}

} // namespace berth::storage
