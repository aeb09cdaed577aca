// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lock_chip.h"

#include "ui/style/paint.h"
#include "ui/style/type_scale.h"

#include <QtGui/QFontMetrics>
#include <QtGui/QPainter>
#include <QtWidgets/QStyle>

namespace berth::ui {

LockChip::LockChip(QWidget *parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setToolTip(tr("A thread keeps its sandbox for life."));
}

void LockChip::setText(const QString &text)
{
    if (text == m_text)
        return;
    m_text = text;
    setAccessibleName(tr("Sandbox of this thread: %1").arg(text));
    updateGeometry();
    update();
}

QSize LockChip::sizeHint() const
{
    const QFontMetrics fm(fontFor(TextRole::Control));
    return {fm.horizontalAdvance(m_text) + 12 + 16 + 6 + 12,
            qMax(metrics::kTarget, fm.height() + 12)};
}

QSize LockChip::minimumSizeHint() const
{
    return {qMin(sizeHint().width(), 96), sizeHint().height()};
}

void LockChip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &t = tokens(this);
    paintRounded(painter, rect(), metrics::kControlRadius, t.panel, t.line);
    const auto place = [this](const QRect &r) {
        return QStyle::visualRect(layoutDirection(), rect(), r);
    };
    paintGlyph(painter, place(QRect(11, (height() - 16) / 2, 16, 16)), Glyph::Lock,
               t.textSecondary);
    const QFont font = fontFor(TextRole::Control);
    painter.setFont(font);
    painter.setPen(t.textSecondary);
    const QRect words = place(rect().adjusted(33, 0, -10, 0));
    painter.setLayoutDirection(layoutDirection());
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeading | Qt::TextSingleLine,
                     QFontMetrics(font).elidedText(m_text, Qt::ElideRight, words.width()));
}

} // namespace berth::ui
