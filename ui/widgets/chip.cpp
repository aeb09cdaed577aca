// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/chip.h"

#include "ui/style/type_scale.h"
#include "ui/widgets/tool_tip.h"

#include <QtCore/QEvent>
#include <QtGui/QFontMetrics>
#include <QtGui/QPainter>

namespace berth::ui {

Chip::Chip(const QString &text, Tone tone, Dot dot, QWidget *parent)
    : QWidget(parent), m_text(text), m_tone(tone), m_dot(dot)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setFont(fontFor(TextRole::Caption));
    setAccessibleName(text);
    // Not setVisible(true): without a parent that would open a window.
    if (text.isEmpty())
        hide();
}

void Chip::set(const QString &text, Tone tone, Dot dot)
{
    if (text == m_text && tone == m_tone && dot == m_dot)
        return;
    const bool resized = text != m_text || (dot == Dot::None) != (m_dot == Dot::None);
    m_text = text;
    m_tone = tone;
    m_dot = dot;
    setAccessibleName(text);
    setToolTip(toolTipOf(text));
    setVisible(!text.isEmpty());
    if (resized)
        updateGeometry();
    update();
}

QSize Chip::sizeHint() const
{
    return chipSize(m_text, m_dot, font());
}

QSize Chip::minimumSizeHint() const
{
    return {qMin(sizeHint().width(), 64), sizeHint().height()};
}

void Chip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setLayoutDirection(layoutDirection());
    const int height = qMin(this->height(), sizeHint().height());
    paintChip(painter, QRect(0, (this->height() - height) / 2, width(), height), m_text, m_tone,
              m_dot, font(), tokens(this));
}

void Chip::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange) {
        setFont(fontFor(TextRole::Caption));
        updateGeometry();
    }
}

ProviderMark::ProviderMark(const QString &mark, int size, QWidget *parent)
    : QWidget(parent), m_mark(mark), m_size(size)
{
    setFixedSize(size, size);
}

void ProviderMark::setMark(const QString &mark)
{
    m_mark = mark;
    update();
}

QSize ProviderMark::sizeHint() const
{
    return {m_size, m_size};
}

void ProviderMark::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintMark(painter, rect(), m_mark, tokens(this));
}

} // namespace berth::ui
