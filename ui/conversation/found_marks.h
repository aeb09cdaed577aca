// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/style/tokens.h"

#include <QtCore/QPointF>
#include <QtGui/QTextLayout>

namespace berth::ui {

//! A text of a row as it is laid out, and where it stands within the row's shape.
struct ShownText
{
    const QTextLayout *layout = nullptr;
    QPointF at;
};

//! What a search has found, to be marked where it is painted. Big and small letters are the same.
struct FoundMarks
{
    //! Empty: nothing is marked.
    QString text;
    //! The match that is looked at now; nullptr: none of this row.
    const QTextLayout *current = nullptr;
    qsizetype at = -1;

    [[nodiscard]] QList<QTextLayout::FormatRange> in(const QTextLayout &layout,
                                                     const Tokens &tokens) const;
};

//! Where \a text occurs in \a in, at most \a most times.
QList<qsizetype> occurrences(const QString &in, const QString &text, qsizetype most);

} // namespace berth::ui
