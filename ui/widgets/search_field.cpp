// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/search_field.h"

#include "ui/style/icons.h"
#include "ui/style/tokens.h"

#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>

namespace berth::ui {

SearchField::SearchField(const QString &placeholder, QWidget *parent) : QLineEdit(parent)
{
    setPlaceholderText(placeholder);
    setAccessibleName(placeholder);
    if (layoutDirection() == Qt::RightToLeft)
        setTextMargins(9, 0, 28, 0);
    else
        setTextMargins(28, 0, 9, 0);
}

void SearchField::paintEvent(QPaintEvent *event)
{
    QLineEdit::paintEvent(event);
    QPainter painter(this);
    const int x = layoutDirection() == Qt::RightToLeft ? width() - 26 : 10;
    paintGlyph(painter, QRectF(x, (height() - 16) / 2.0, 16, 16), Glyph::Search,
               tokens(this).textCaption);
}

void SearchField::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
        clear();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

} // namespace berth::ui
