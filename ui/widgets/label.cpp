// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/label.h"

#include "ui/widgets/tool_tip.h"

#include <QtCore/QEvent>

namespace berth::ui {

Label::Label(TextRole role, Ink ink, QWidget *parent) : Label(QString(), role, ink, parent) {}

Label::Label(const QString &text, TextRole role, Ink ink, QWidget *parent)
    : QLabel(text, parent), m_role(role), m_ink(ink)
{
    setTextFormat(Qt::PlainText);
    applyTheme();
}

void Label::setRole(TextRole role)
{
    m_role = role;
    applyTheme();
}

void Label::setInk(Ink ink)
{
    m_ink = ink;
    applyTheme();
}

void Label::setWrapped(bool wrapped)
{
    setWordWrap(wrapped);
    QSizePolicy policy = sizePolicy();
    policy.setHeightForWidth(wrapped);
    policy.setVerticalPolicy(wrapped ? QSizePolicy::Minimum : QSizePolicy::Preferred);
    setSizePolicy(policy);
}

void Label::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange
        || event->type() == QEvent::ApplicationFontChange)
        applyTheme();
}

void Label::applyTheme()
{
    if (const QFont wanted = fontFor(m_role); font() != wanted)
        setFont(wanted);
    QPalette changed = palette();
    const QColor color = tokens(this).ink(m_ink);
    // Comparing first ends the round that setPalette() starts.
    if (changed.color(QPalette::WindowText) == color)
        return;
    changed.setColor(QPalette::WindowText, color);
    changed.setColor(QPalette::Disabled, QPalette::WindowText,
                     mixed(color, tokens(this).panel, 0.5));
    setPalette(changed);
}

SectionLabel::SectionLabel(const QString &text, QWidget *parent)
    : Label(text, TextRole::Caption, Ink::Caption, parent)
{}

ElidedLabel::ElidedLabel(TextRole role, Ink ink, QWidget *parent) : Label(role, ink, parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::setFullText(const QString &text)
{
    if (m_full == text)
        return;
    m_full = text;
    setAccessibleName(text);
    elide();
    updateGeometry();
}

void ElidedLabel::setElideMode(Qt::TextElideMode mode)
{
    m_mode = mode;
    elide();
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_full) + 2, fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {qMin(sizeHint().width(), fontMetrics().averageCharWidth() * 6), fontMetrics().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent *event)
{
    Label::resizeEvent(event);
    elide();
}

void ElidedLabel::changeEvent(QEvent *event)
{
    Label::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        elide();
}

void ElidedLabel::elide()
{
    const QString shown = fontMetrics().elidedText(m_full, m_mode, width());
    if (shown != text())
        setText(shown);
    setToolTip(shown == m_full ? QString() : toolTipOf(m_full));
}

} // namespace berth::ui
