// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/trust_table.h"

namespace berth::storage {

using domain::ConfigName;
using domain::Confirmations;

namespace {

const QString kOrigins = QStringLiteral("confirmed_origins");
const QString kVariables = QStringLiteral("confirmed_variables");

Result<void> readConfirmed(Connection &connection, const QString &table,
                           QStringList Confirmations::*into, QMap<ConfigName, Confirmations> &all)
{
    Result<QList<Row>> rows = connection.select(
        QStringLiteral("SELECT config, value FROM %1 ORDER BY config, value").arg(table));
    if (!rows)
        return failure(rows.error());
    for (Row row : std::as_const(*rows)) {
        const ConfigName config(row.text());
        (all[config].*into) << row.text();
    }
    return {};
}

Result<void> addConfirmed(Connection &connection, const QString &table, const ConfigName &config,
                          const QStringList &values, const QDateTime &now)
{
    for (const QString &value : values) {
        const Result<qint64> added = connection.execute(
            QStringLiteral("INSERT INTO %1 (config, value, confirmed_at) VALUES (?, ?, ?) "
                           "ON CONFLICT (config, value) DO NOTHING")
                .arg(table),
            {column(config.toString()), column(value), column(now)});
        if (!added)
            return failure(added.error());
    }
    return {};
}

} // namespace

Result<QMap<ConfigName, Confirmations>> TrustTable::all(Connection &connection)
{
    QMap<ConfigName, Confirmations> all;
    const Result<void> origins = readConfirmed(connection, kOrigins, &Confirmations::origins, all);
    if (!origins)
        return failure(origins.error());
    const Result<void> variables =
        readConfirmed(connection, kVariables, &Confirmations::variables, all);
    if (!variables)
        return failure(variables.error());
    return all;
}

Result<void> TrustTable::add(Connection &connection, const ConfigName &config,
                             const Confirmations &added, const QDateTime &now)
{
    const Result<void> origins = addConfirmed(connection, kOrigins, config, added.origins, now);
    if (!origins)
        return origins;
    return addConfirmed(connection, kVariables, config, added.variables, now);
}

} // namespace berth::storage
