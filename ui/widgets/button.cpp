// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/button.h"

#include "ui/style/paint.h"
#include "ui/style/type_scale.h"

#include <QtCore/QEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QStyleOptionToolButton>

namespace berth::ui {

Button::Button(const QString &text, ButtonKind kind, QWidget *parent) : QPushButton(text, parent)
{
    setFont(fontFor(TextRole::Control));
    setIconSize({metrics::kIcon, metrics::kIcon});
    setAutoDefault(false);
    setKind(kind);
}

void Button::setKind(ButtonKind kind)
{
    m_kind = kind;
    setProperty(kButtonKind, static_cast<int>(kind));
    applyTheme();
    update();
}

void Button::setGlyph(std::optional<Glyph> glyph)
{
    m_glyph = glyph;
    applyTheme();
    updateGeometry();
}

void Button::setOpens(bool opens)
{
    setProperty(kButtonOpens, opens);
    updateGeometry();
    update();
}

void Button::changeEvent(QEvent *event)
{
    QPushButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange
        || event->type() == QEvent::EnabledChange)
        applyTheme();
    else if (event->type() == QEvent::ApplicationFontChange)
        setFont(fontFor(TextRole::Control));
}

void Button::applyTheme()
{
    if (!m_glyph) {
        setIcon(QIcon());
        return;
    }
    const Tokens &t = tokens(this);
    QColor color = t.text;
    if (m_kind == ButtonKind::Primary)
        color = isEnabled() ? t.onAccent : t.text;
    else if (m_kind == ButtonKind::Danger)
        color = t.error;
    else if (m_kind == ButtonKind::Ghost)
        color = t.textSecondary;
    setIcon(glyphIcon(*m_glyph, color));
}

IconButton::IconButton(Glyph glyph, const QString &name, QWidget *parent)
    : QToolButton(parent), m_glyph(glyph)
{
    setIconSize({metrics::kIcon + 2, metrics::kIcon + 2});
    setFocusPolicy(Qt::StrongFocus);
    setFixedSize(metrics::kTarget, metrics::kTarget);
    setName(name);
    applyTheme();
}

void IconButton::setGlyph(Glyph glyph)
{
    m_glyph = glyph;
    applyTheme();
}

void IconButton::setName(const QString &name)
{
    setAccessibleName(name);
    setToolTip(name);
}

void IconButton::changeEvent(QEvent *event)
{
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        applyTheme();
}

void IconButton::applyTheme()
{
    setIcon(glyphIcon(m_glyph, tokens(this).textSecondary));
}

LinkButton::LinkButton(const QString &text, QWidget *parent) : QToolButton(parent)
{
    setText(text);
    setToolTip(QString());
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
}

QSize LinkButton::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(text()) + 16,
            qMax(metrics::kTarget, fontMetrics().height() + 8)};
}

void LinkButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    QStyleOptionToolButton option;
    initStyleOption(&option);
    const Tokens &t = tokens(this);
    QFont written = font();
    if (option.state.testFlag(QStyle::State_MouseOver))
        written.setUnderline(true);
    painter.setFont(written);
    painter.setPen(isEnabled() ? t.accent : mixed(t.accent, t.panel, 0.5));
    painter.drawText(rect(), Qt::AlignCenter, text());
    if (hasFocus() && option.state.testFlag(QStyle::State_KeyboardFocusChange))
        paintFocusRing(painter, rect(), metrics::kControlRadius, t.accent);
}

void LinkButton::changeEvent(QEvent *event)
{
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        update();
}

} // namespace berth::ui
