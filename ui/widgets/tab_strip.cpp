// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tab_strip.h"

#include "ui/style/paint.h"
#include "ui/style/type_scale.h"

#include <QtGui/QPainter>

namespace berth::ui {

namespace {
constexpr int kBetween = 20;
constexpr int kSide = 2;
} // namespace

TabStrip::TabStrip(QWidget *parent) : QTabBar(parent)
{
    setDrawBase(false);
    setExpanding(false);
    setUsesScrollButtons(false);
    setFocusPolicy(Qt::TabFocus);
}

QSize TabStrip::tabSizeHint(int index) const
{
    const QFontMetrics fm(fontFor(TextRole::BodyStrong, font()));
    return {fm.horizontalAdvance(tabText(index)) + 2 * kSide + kBetween, fm.height() + 20};
}

QSize TabStrip::minimumTabSizeHint(int index) const
{
    return tabSizeHint(index);
}

void TabStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &colors = tokens(this);
    for (int i = 0; i < count(); ++i) {
        const bool shown = i == currentIndex();
        QRect box = tabRect(i);
        if (isRightToLeft())
            box.adjust(kBetween, 0, 0, 0);
        else
            box.adjust(0, 0, -kBetween, 0);
        painter.setFont(fontFor(shown ? TextRole::BodyStrong : TextRole::Body, font()));
        painter.setPen(shown ? colors.text : colors.textSecondary);
        painter.drawText(box, Qt::AlignCenter, tabText(i));
        if (shown)
            painter.fillRect(QRect(box.left(), box.bottom() - 1, box.width(), 2), colors.accent);
        if (shown && hasFocus())
            paintFocusRing(painter, QRectF(box).adjusted(0, 4, 0, -6), metrics::kControlRadius,
                           colors.accent);
    }
}

} // namespace berth::ui
