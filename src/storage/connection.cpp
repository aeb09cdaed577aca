// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/connection.h"

#include "domain/log.h"
#include "domain/text.h"
#include "storage/sqlite_dialect.h"

#include <QtCore/QVariant>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>
#include <QtSql/QSqlRecord>

#include <atomic>

namespace berth::storage {

QVariant column(const QString &text)
{
    return text.isNull() ? QStringLiteral("") : text;
}

QVariant column(const QDateTime &time)
{
    return time.isValid() ? QVariant(domain::toWireTime(time))
                          : QVariant(QMetaType::fromType<QString>());
}

QVariant column(const QByteArray &bytes)
{
    return bytes.isNull() ? QByteArrayLiteral("") : bytes;
}

QVariant column(qint64 number)
{
    return QVariant::fromValue(number);
}

QVariant columnOrNull(const QString &text)
{
    return text.isEmpty() ? QVariant(QMetaType::fromType<QString>()) : QVariant(text);
}

QVariant columnOrNull(const std::optional<qint64> &number)
{
    return number ? QVariant::fromValue(*number) : QVariant(QMetaType::fromType<qint64>());
}

QDateTime Row::time()
{
    return domain::fromWireTime(text());
}

std::optional<qint64> Row::optionalInteger()
{
    const QVariant value = next();
    return value.isNull() ? std::nullopt : std::optional(value.toLongLong());
}

std::optional<QByteArray> Row::optionalBytes()
{
    const QVariant value = next();
    return value.isNull() ? std::nullopt : std::optional(value.toByteArray());
}

struct Connection::Handle
{
    explicit Handle(const QString &connectionName)
        : name(connectionName),
          database(QSqlDatabase::addDatabase(SqliteDialect::driver(), connectionName))
    {}
    ~Handle()
    {
        database.close();
        // removeDatabase() complains while a copy is alive.
        database = QSqlDatabase();
        QSqlDatabase::removeDatabase(name);
    }
    Handle(const Handle &) = delete;
    Handle &operator=(const Handle &) = delete;

    QString name;
    QSqlDatabase database;
};

Connection::Connection(QString path, std::unique_ptr<Handle> handle)
    : m_path(std::move(path)), m_handle(std::move(handle))
{}

Connection::~Connection() = default;

Result<std::unique_ptr<Connection>> Connection::open(const QString &path, Mode mode)
{
    static std::atomic<int> opened{0};
    auto handle = std::make_unique<Handle>(QStringLiteral("berth-%1").arg(++opened));
    if (!handle->database.isValid()) {
        return failure(ErrorKind::Storage, QStringLiteral("Qt's SQLite driver is missing"),
                       QStringLiteral("Install the package libqt6sql6-sqlite and start again."));
    }
    handle->database.setConnectOptions(SqliteDialect::connectOptions(mode == Mode::ReadOnly));
    handle->database.setDatabaseName(path);
    if (!handle->database.open())
        return failure(SqliteDialect::error(handle->database.lastError(), path));
    return std::unique_ptr<Connection>(new Connection(path, std::move(handle)));
}

Result<qint64> Connection::execute(const QString &sql, const Values &values)
{
    QSqlQuery query(m_handle->database);
    query.setForwardOnly(true);
    if (!query.prepare(sql))
        return failure(SqliteDialect::error(query.lastError(), m_path));
    for (const QVariant &value : values)
        query.addBindValue(value);
    if (!query.exec())
        return failure(SqliteDialect::error(query.lastError(), m_path));
    return query.numRowsAffected();
}

Result<QList<Row>> Connection::select(const QString &sql, const Values &values)
{
    QSqlQuery query(m_handle->database);
    query.setForwardOnly(true);
    if (!query.prepare(sql))
        return failure(SqliteDialect::error(query.lastError(), m_path));
    for (const QVariant &value : values)
        query.addBindValue(value);
    if (!query.exec())
        return failure(SqliteDialect::error(query.lastError(), m_path));
    const int columns = query.record().count();
    QList<Row> rows;
    while (query.next()) {
        QVariantList row;
        for (int i = 0; i < columns; ++i)
            row << query.value(i);
        rows << Row(row);
    }
    if (query.lastError().isValid())
        return failure(SqliteDialect::error(query.lastError(), m_path));
    return rows;
}

Result<std::optional<Row>> Connection::selectOne(const QString &sql, const Values &values)
{
    Result<QList<Row>> rows = select(sql, values);
    if (!rows)
        return failure(rows.error());
    return rows->isEmpty() ? std::nullopt : std::optional(rows->first());
}

Result<void> Connection::setDurable(bool durable)
{
    if (m_durable == durable)
        return {};
    const Result<qint64> set = execute(SqliteDialect::durable(durable));
    if (!set)
        return failure(set.error());
    m_durable = durable;
    return {};
}

Result<void> Connection::begin()
{
    const Result<qint64> begun = execute(SqliteDialect::beginWrite());
    if (!begun)
        return failure(begun.error());
    return {};
}

Result<void> Connection::commit()
{
    const Result<qint64> committed = execute(QStringLiteral("COMMIT"));
    if (committed)
        return {};
    rollback();
    return failure(committed.error());
}

void Connection::rollback()
{
    // SQLite has rolled back by itself after some errors (full disk); "no transaction is active" is
    // fine then.
    const Result<qint64> done = execute(QStringLiteral("ROLLBACK"));
    if (!done)
        domain::log(domain::LogLevel::Debug, "storage", done.error().message);
}

} // namespace berth::storage
