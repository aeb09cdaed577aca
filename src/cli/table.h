// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>

namespace berth::cli {

//! Cells that \a text takes on a terminal: two for wide East Asian characters and emoji, none for
//! combining marks.
[[nodiscard]] int displayWidth(const QString &text);
//! \a text cut to \a width cells, with "…" when something was cut.
[[nodiscard]] QString fitted(const QString &text, int width);

//! Columns with two spaces between them.
class Table
{
public:
    explicit Table(QStringList headers);
    void add(QStringList cells);
    [[nodiscard]] bool isEmpty() const { return m_rows.isEmpty(); }
    //! The widest column gives way when \a columns (0: no limit) are not enough.
    [[nodiscard]] QString text(int columns, bool colours) const;

private:
    QStringList m_headers;
    QList<QStringList> m_rows;
};

} // namespace berth::cli
