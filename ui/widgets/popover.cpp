// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/popover.h"

#include "ui/style/paint.h"

#include <QtGui/QPainter>
#include <QtGui/QScreen>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

Popover::Popover(QWidget *parent)
    : QFrame(parent, Qt::Popup | Qt::FramelessWindowHint | Qt::NoDropShadowWindowHint),
      m_content(new QVBoxLayout(this))
{
    setAttribute(Qt::WA_TranslucentBackground);
    m_content->setContentsMargins(kShadow + 6, kShadow + 6, kShadow + 6, kShadow + 6);
    m_content->setSpacing(0);
}

void Popover::openAt(QWidget *anchor)
{
    adjustSize();
    QPoint below = anchor->mapToGlobal(QPoint(0, anchor->height()));
    if (anchor->layoutDirection() == Qt::RightToLeft)
        below.rx() += anchor->width() - (width() - 2 * kShadow);
    QPoint at = below + QPoint(-kShadow, 6 - kShadow);
    const QRect screen = anchor->screen()->availableGeometry();
    if (at.y() + height() - kShadow > screen.bottom()) {
        const int above = anchor->mapToGlobal(QPoint(0, 0)).y() - 6 - height() + kShadow;
        at.setY(qMax(screen.top() - kShadow, above));
    }
    at.setX(qBound(screen.left() - kShadow, at.x(), screen.right() - width() + kShadow));
    move(at);
    show();
}

void Popover::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &t = tokens(this);
    const QRectF box = QRectF(rect()).adjusted(kShadow, kShadow, -kShadow, -kShadow);
    paintShadow(painter, box, metrics::kCardRadius, t);
    paintRounded(painter, box, metrics::kCardRadius, t.panel, t.line);
}

void Popover::hideEvent(QHideEvent *event)
{
    QFrame::hideEvent(event);
    Q_EMIT closed();
}

} // namespace berth::ui
