// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/picture_view.h"

#include "ui/style/tokens.h"

#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtGui/QScreen>

namespace berth::ui {

namespace {

constexpr int kAround = 16;

} // namespace

PictureView::PictureView(const QImage &image, const QString &words, QWidget *parent)
    : QDialog(parent), m_image(image)
{
    setObjectName(QStringLiteral("pictureView"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(words);
    setAccessibleName(words);
    setMinimumSize(320, 240);
    setFocusPolicy(Qt::StrongFocus);
    const QSize room = parent ? parent->window()->size() : screen()->availableSize() * 0.8;
    const QSize wanted = m_image.size() + QSize(2 * kAround, 2 * kAround);
    resize(wanted.boundedTo(room).expandedTo(minimumSize()));
}

bool PictureView::event(QEvent *event)
{
    // Esc closes this, and stops nothing in the thread behind it.
    if (event->type() == QEvent::ShortcutOverride
        && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QDialog::event(event);
}

void PictureView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &t = tokens(this);
    painter.fillRect(rect(), t.window);
    const QRect room = rect().adjusted(kAround, kAround, -kAround, -kAround);
    QSize size = m_image.size();
    if (size.width() > room.width() || size.height() > room.height())
        size.scale(room.size(), Qt::KeepAspectRatio);
    const QRect where(room.center() - QPoint(size.width() / 2, size.height() / 2), size);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(where, m_image);
}

} // namespace berth::ui
