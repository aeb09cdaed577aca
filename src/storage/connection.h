// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QDateTime>
#include <QtCore/QList>
#include <QtCore/QVariant>

#include <functional>
#include <memory>
#include <optional>

namespace berth::storage {

using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

//! Bound values, in the order of the question marks.
using Values = QVariantList;

//! A text column: never NULL, unlike what a null QString would bind.
QVariant column(const QString &text);
//! NULL for an invalid time.
QVariant column(const QDateTime &time);
//! A blob, never NULL.
QVariant column(const QByteArray &bytes);
QVariant column(qint64 number);
QVariant columnOrNull(const QString &text);
QVariant columnOrNull(const std::optional<qint64> &number);

//! One row; its columns are taken from left to right.
class Row
{
public:
    explicit Row(QVariantList values) : m_values(std::move(values)) {}

    QString text() { return next().toString(); }
    QByteArray bytes() { return next().toByteArray(); }
    qint64 integer() { return next().toLongLong(); }
    bool flag() { return integer() != 0; }
    QDateTime time();
    std::optional<qint64> optionalInteger();
    std::optional<QByteArray> optionalBytes();

private:
    QVariant next() { return m_values.value(m_next++); }

    QVariantList m_values;
    int m_next = 0;
};

//! One database file, used on the thread that opened it only.
class Connection
{
public:
    enum class Mode { ReadWrite, ReadOnly };

    static Result<std::unique_ptr<Connection>> open(const QString &path, Mode mode);
    ~Connection();
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    [[nodiscard]] const QString &path() const { return m_path; }

    //! One statement; answers how many rows it changed.
    Result<qint64> execute(const QString &sql, const Values &values = {});
    Result<QList<Row>> select(const QString &sql, const Values &values = {});
    Result<std::optional<Row>> selectOne(const QString &sql, const Values &values = {});

    //! All of \a work or nothing.
    template <typename T>
    Result<T> transaction(const std::function<Result<T>(Connection &)> &work)
    {
        if (const Result<void> begun = begin(); !begun)
            return failure(begun.error());
        Result<T> result = work(*this);
        if (!result) {
            rollback();
            return result;
        }
        if (const Result<void> committed = commit(); !committed)
            return failure(committed.error());
        return result;
    }

    Result<void> begin();
    //! Rolls back when it fails.
    Result<void> commit();
    void rollback();
    //! Whether further transactions are on the disk, not only with the system, once committed.
    Result<void> setDurable(bool durable);

private:
    struct Handle;
    Connection(QString path, std::unique_ptr<Handle> handle);

    QString m_path;
    std::unique_ptr<Handle> m_handle;
    std::optional<bool> m_durable;
};

} // namespace berth::storage
