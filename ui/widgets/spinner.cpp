// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/spinner.h"

#include "ui/style/tokens.h"

#include <QtCore/QTimerEvent>
#include <QtGui/QPainter>

namespace berth::ui {

Spinner::Spinner(int size, QWidget *parent) : QWidget(parent)
{
    setFixedSize(size, size);
    setAccessibleName(tr("Working"));
}

void Spinner::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens &t = tokens(this);
    const QRectF box = QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5);
    painter.setPen(QPen(t.line, 2));
    painter.drawEllipse(box);
    painter.setPen(QPen(t.accent, 2, Qt::SolidLine, Qt::RoundCap));
    painter.drawArc(box, -m_angle * 16, 100 * 16);
}

void Spinner::timerEvent(QTimerEvent *)
{
    m_angle = (m_angle + 15) % 360;
    update();
}

void Spinner::showEvent(QShowEvent *)
{
    m_timer.start(40, this);
}

void Spinner::hideEvent(QHideEvent *)
{
    m_timer.stop();
}

} // namespace berth::ui
