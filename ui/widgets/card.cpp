// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/card.h"

#include "ui/style/paint.h"

#include <QtGui/QPainter>

namespace berth::ui {

Card::Card(QWidget *parent) : QFrame(parent)
{
    // One more at the bottom, where the soft edge is.
    setContentsMargins(1, 1, 1, 2);
}

void Card::setAccent(std::optional<Tone> tone)
{
    m_tone = tone;
    update();
}

void Card::setFocusFrame(bool on)
{
    m_focusFrame = on;
    update();
}

void Card::setRadius(int radius)
{
    m_radius = radius;
    update();
}

void Card::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &t = tokens(this);
    const QRectF box = QRectF(rect()).adjusted(0, 0, 0, -1);
    paintCard(painter, box, t, m_tone ? t.tone(*m_tone) : QColor(), m_radius);
    if (m_focusFrame)
        paintFocusRing(painter, box, m_radius, t.accent);
}

Divider::Divider(QWidget *parent) : QWidget(parent)
{
    setFixedHeight(1);
}

void Divider::paintEvent(QPaintEvent *)
{
    QPainter(this).fillRect(rect(), tokens(this).lineSoft);
}

} // namespace berth::ui
