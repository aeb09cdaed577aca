// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/berth_style.h"
#include "ui/style/paint.h"
#include "ui/style/type_scale.h"

#include <QtGui/QPainter>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QStyleOption>
#include <QtWidgets/QTextEdit>

namespace berth::ui {

namespace {

bool hasKeyboardFocus(const QStyleOption &option)
{
    return option.state.testFlag(QStyle::State_HasFocus)
        && option.state.testFlag(QStyle::State_KeyboardFocusChange);
}

bool isTextEdit(const QWidget *widget)
{
    return qobject_cast<const QPlainTextEdit *>(widget) || qobject_cast<const QTextEdit *>(widget);
}

} // namespace

void BerthStyle::drawField(const QStyleOption &option, QPainter &painter) const
{
    const bool enabled = option.state.testFlag(State_Enabled);
    const bool focused = enabled && option.state.testFlag(State_HasFocus);
    const QColor fill = enabled ? m_tokens.panel : m_tokens.window;
    const bool invalid =
        enabled && option.styleObject && option.styleObject->property(kFieldInvalid).toBool();
    const QColor idle = invalid ? m_tokens.error : enabled ? m_tokens.control : m_tokens.line;
    paintRounded(painter, option.rect, metrics::kControlRadius, fill,
                 focused && !invalid ? m_tokens.accent : idle, focused ? 2 : 1);
}

void BerthStyle::drawIndicator(const QStyleOption &option, QPainter &painter, bool round) const
{
    const bool enabled = option.state.testFlag(State_Enabled);
    const bool on = option.state.testFlag(State_On) || option.state.testFlag(State_NoChange);
    const QRectF box = QRectF(option.rect).adjusted(1, 1, -1, -1);
    const double radius = round ? box.height() / 2 : 4;
    QColor accent = m_tokens.accent;
    if (!enabled)
        accent = mixed(accent, m_tokens.panel, 0.5);
    if (!round) {
        paintRounded(painter, box, radius, on ? accent : m_tokens.panel,
                     on ? accent : m_tokens.control, 1.5);
        if (on)
            paintGlyph(painter, box, Glyph::Check, m_tokens.onAccent);
        return;
    }
    paintRounded(painter, box, radius, m_tokens.panel, on ? accent : m_tokens.control, 1.5);
    if (on)
        paintRounded(painter, box.adjusted(4, 4, -4, -4), radius, accent);
}

void BerthStyle::drawButton(const QStyleOptionButton &option, QPainter &painter,
                            const QWidget *widget) const
{
    const Tokens &t = m_tokens;
    const QVariant given = widget ? widget->property(kButtonKind) : QVariant();
    auto kind = given.isValid() ? static_cast<ButtonKind>(given.toInt()) : ButtonKind::Secondary;
    if (!given.isValid() && option.features.testFlag(QStyleOptionButton::DefaultButton))
        kind = ButtonKind::Primary;
    const bool enabled = option.state.testFlag(State_Enabled);
    const bool pressed = option.state.testFlag(State_Sunken) && enabled;
    const bool hovered = option.state.testFlag(State_MouseOver) && enabled;
    const bool checked = option.state.testFlag(State_On);
    QColor fill = t.panel;
    QColor border = t.control;
    QColor text = t.text;
    switch (kind) {
    case ButtonKind::Primary:
        fill = border = t.accent;
        text = t.onAccent;
        break;
    case ButtonKind::Secondary:
        break;
    case ButtonKind::Ghost:
        fill = border = QColor();
        text = t.textSecondary;
        break;
    case ButtonKind::Danger:
        text = t.error;
        break;
    }
    if (checked && kind != ButtonKind::Primary) {
        fill = t.accentSoft;
        border = t.accent;
        text = t.accent;
    }
    if (!enabled) {
        if (kind == ButtonKind::Primary) {
            fill = border = mixed(t.control, t.panel, 0.25);
            text = mixed(t.text, t.panel, 0.6);
        } else {
            border = border.isValid() ? t.line : border;
            text = mixed(text, t.panel, 0.5);
        }
    } else if (pressed) {
        fill = fill.isValid() ? mixed(t.text, fill, 0.14) : mixed(t.text, t.window, 0.12);
    } else if (hovered) {
        fill = fill.isValid() ? mixed(t.text, fill, 0.06) : mixed(t.text, t.window, 0.06);
    }
    const QRectF box(option.rect);
    paintRounded(painter, box, metrics::kControlRadius, fill, border);
    if (hasKeyboardFocus(option)) {
        paintFocusRing(painter, box, metrics::kControlRadius, t.accent);
        if (kind == ButtonKind::Primary)
            paintRounded(painter, box.adjusted(2, 2, -2, -2), metrics::kControlRadius - 2, {},
                         t.onAccent, 1.5);
    }
    const bool opens = widget && widget->property(kButtonOpens).toBool();
    QRect content = option.rect.adjusted(12, 0, -12, 0);
    if (option.text.isEmpty())
        content = option.rect;
    if (opens) {
        const QRect arrow =
            visualRect(option.direction, option.rect,
                       QRect(option.rect.right() - 24, option.rect.center().y() - 7, 14, 14));
        paintGlyph(painter, arrow, Glyph::ChevronDown, text);
        content = visualRect(option.direction, option.rect, option.rect.adjusted(12, 0, -30, 0));
    }
    const int gap = option.icon.isNull() || option.text.isEmpty() ? 0 : 6;
    const int icon = option.icon.isNull() ? 0 : option.iconSize.width();
    const int textWidth = option.fontMetrics.size(Qt::TextShowMnemonic, option.text).width();
    const int used = qMin(content.width(), icon + gap + textWidth);
    QRect line(content.left() + (opens ? 0 : (content.width() - used) / 2), content.top(), used,
               content.height());
    if (opens)
        line = visualRect(option.direction, content, line);
    if (icon) {
        const QRect at =
            visualRect(option.direction, line,
                       QRect(line.left(), line.center().y() - icon / 2 + 1, icon, icon));
        option.icon.paint(&painter, at, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
        line = visualRect(option.direction, line, line.adjusted(icon + gap, 0, 0, 0));
    }
    painter.save();
    painter.setPen(text);
    const int flags = Qt::AlignVCenter | Qt::AlignLeading | Qt::TextSingleLine
        | (proxy()->styleHint(SH_UnderlineShortcut, &option, widget) ? Qt::TextShowMnemonic
                                                                     : Qt::TextHideMnemonic);
    painter.drawText(line, flags,
                     option.fontMetrics.elidedText(option.text, Qt::ElideRight, line.width() + 1,
                                                   Qt::TextShowMnemonic));
    painter.restore();
}

void BerthStyle::drawToolButton(const QStyleOptionToolButton &option, QPainter &painter,
                                const QWidget *) const
{
    const bool enabled = option.state.testFlag(State_Enabled);
    const bool down = option.state.testFlag(State_Sunken) || option.state.testFlag(State_On);
    const QRect r = option.rect;
    if (enabled && (down || option.state.testFlag(State_MouseOver)))
        paintRounded(painter, r, metrics::kControlRadius,
                     mixed(m_tokens.text, m_tokens.panel, down ? 0.12 : 0.06));
    if (hasKeyboardFocus(option))
        paintFocusRing(painter, r, metrics::kControlRadius, m_tokens.accent);
    const bool withText =
        option.toolButtonStyle == Qt::ToolButtonTextBesideIcon && !option.text.isEmpty();
    const QSize size = option.iconSize;
    QRect iconRect(r.center().x() - size.width() / 2 + 1, r.center().y() - size.height() / 2 + 1,
                   size.width(), size.height());
    if (withText)
        iconRect = visualRect(option.direction, r,
                              QRect(r.left() + 8, iconRect.top(), size.width(), size.height()));
    if (!option.icon.isNull())
        option.icon.paint(&painter, iconRect, Qt::AlignCenter,
                          enabled ? QIcon::Normal : QIcon::Disabled);
    if (withText || option.icon.isNull()) {
        painter.save();
        painter.setPen(enabled ? m_tokens.text : mixed(m_tokens.text, m_tokens.panel, 0.5));
        painter.drawText(
            withText ? visualRect(option.direction, r, r.adjusted(size.width() + 14, 0, -8, 0)) : r,
            withText ? int(Qt::AlignVCenter | Qt::AlignLeading) : int(Qt::AlignCenter),
            option.text);
        painter.restore();
    }
}

void BerthStyle::drawComboBox(const QStyleOptionComboBox &option, QPainter &painter) const
{
    drawField(option, painter);
    const bool enabled = option.state.testFlag(State_Enabled);
    const QRect arrow =
        visualRect(option.direction, option.rect,
                   QRect(option.rect.right() - 26, option.rect.center().y() - 7, 16, 16));
    paintGlyph(painter, arrow, Glyph::ChevronDown,
               enabled ? m_tokens.textSecondary
                       : mixed(m_tokens.textSecondary, m_tokens.panel, 0.5));
}

void BerthStyle::drawSpinBox(const QStyleOptionSpinBox &option, QPainter &painter,
                             const QWidget *widget) const
{
    if (option.frame)
        drawField(option, painter);
    for (const SubControl part : {SC_SpinBoxUp, SC_SpinBoxDown}) {
        if (!option.subControls.testFlag(part))
            continue;
        const QRect rect = proxy()->subControlRect(CC_SpinBox, &option, part, widget);
        const bool possible =
            option.stepEnabled.testFlag(part == SC_SpinBoxUp ? QAbstractSpinBox::StepUpEnabled
                                                             : QAbstractSpinBox::StepDownEnabled);
        QColor color =
            possible ? m_tokens.textSecondary : mixed(m_tokens.textSecondary, m_tokens.panel, 0.4);
        if (option.activeSubControls == part && possible)
            color = m_tokens.accent;
        const QRect glyph(rect.center().x() - 6,
                          rect.center().y() - 6 + (part == SC_SpinBoxUp ? 2 : -2), 13, 13);
        paintGlyph(painter, glyph, part == SC_SpinBoxUp ? Glyph::ChevronUp : Glyph::ChevronDown,
                   color);
    }
}

void BerthStyle::drawScrollBar(const QStyleOptionSlider &option, QPainter &painter,
                               const QWidget *widget) const
{
    if (option.minimum >= option.maximum)
        return;
    const QRect slider = proxy()->subControlRect(CC_ScrollBar, &option, SC_ScrollBarSlider, widget);
    const bool active =
        option.state.testFlag(State_MouseOver) || option.state.testFlag(State_Sunken);
    QRectF thumb(slider);
    const double inset = active ? 2.5 : 3.5;
    if (option.orientation == Qt::Horizontal)
        thumb.adjust(2, inset, -2, -inset);
    else
        thumb.adjust(inset, 2, -inset, -2);
    const double radius = qMin(thumb.width(), thumb.height()) / 2;
    paintRounded(painter, thumb, radius,
                 active ? m_tokens.control : mixed(m_tokens.control, m_tokens.window, 0.6));
}

void BerthStyle::drawMenuItem(const QStyleOptionMenuItem &option, QPainter &painter) const
{
    const QRect r = option.rect;
    if (option.menuItemType == QStyleOptionMenuItem::Separator) {
        painter.fillRect(QRect(r.left() + 4, r.center().y(), r.width() - 8, 1), m_tokens.line);
        return;
    }
    const bool enabled = option.state.testFlag(State_Enabled);
    if (option.state.testFlag(State_Selected) && enabled)
        paintRounded(painter, r, metrics::kControlRadius, m_tokens.accentSoft);
    const QColor text = enabled ? m_tokens.text : mixed(m_tokens.text, m_tokens.panel, 0.5);
    const QRect mark =
        visualRect(option.direction, r, QRect(r.left() + 8, r.center().y() - 7, 16, 16));
    if (option.checkType != QStyleOptionMenuItem::NotCheckable) {
        if (option.checked)
            paintGlyph(painter, mark, Glyph::Check, m_tokens.accent);
    } else if (!option.icon.isNull()) {
        option.icon.paint(&painter, mark, Qt::AlignCenter,
                          enabled ? QIcon::Normal : QIcon::Disabled);
    }
    const auto tab = option.text.indexOf(QLatin1Char('\t'));
    const QRect line = visualRect(option.direction, r, r.adjusted(32, 0, -12, 0));
    painter.save();
    painter.setFont(option.font);
    painter.setPen(text);
    painter.drawText(
        line, Qt::AlignVCenter | Qt::AlignLeading | Qt::TextShowMnemonic | Qt::TextSingleLine,
        tab < 0 ? option.text : option.text.left(tab));
    if (tab >= 0) {
        painter.setPen(m_tokens.textCaption);
        painter.setFont(fontFor(TextRole::Caption, option.font));
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignTrailing | Qt::TextSingleLine,
                         option.text.mid(tab + 1));
    }
    if (option.menuItemType == QStyleOptionMenuItem::SubMenu)
        paintGlyph(
            painter,
            visualRect(option.direction, r, QRect(r.right() - 22, r.center().y() - 7, 16, 16)),
            Glyph::ChevronRight, m_tokens.textSecondary);
    painter.restore();
}

void BerthStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option,
                               QPainter *painter, const QWidget *widget) const
{
    const Tokens &t = m_tokens;
    switch (element) {
    case PE_FrameFocusRect:
        if (!option->state.testFlag(State_KeyboardFocusChange))
            return;
        paintFocusRing(*painter, option->rect, metrics::kControlRadius - 2, t.accent);
        return;
    case PE_PanelLineEdit: {
        const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
        if (frame && frame->lineWidth > 0)
            drawField(*option, *painter);
        return;
    }
    case PE_FrameLineEdit:
        return;
    case PE_Frame:
        if (isTextEdit(widget))
            drawField(*option, *painter);
        else
            paintRounded(*painter, option->rect, metrics::kControlRadius, {}, t.line);
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        drawIndicator(*option, *painter, false);
        return;
    case PE_IndicatorRadioButton:
        drawIndicator(*option, *painter, true);
        return;
    case PE_FrameMenu:
        return;
    case PE_PanelMenu:
        paintRounded(*painter, option->rect, metrics::kCardRadius, t.panel, t.line);
        return;
    case PE_PanelTipLabel:
        painter->fillRect(option->rect, t.panel);
        paintRounded(*painter, option->rect, 0, t.panel, t.line);
        return;
    case PE_PanelItemViewItem: {
        const QRectF box = QRectF(option->rect);
        if (option->state.testFlag(State_Selected))
            paintRounded(*painter, box, metrics::kControlRadius, t.accentSoft);
        else if (option->state.testFlag(State_MouseOver) && option->state.testFlag(State_Enabled))
            paintRounded(*painter, box, metrics::kControlRadius, t.hover);
        return;
    }
    case PE_PanelScrollAreaCorner:
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void BerthStyle::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                             const QWidget *widget) const
{
    switch (element) {
    case CE_PushButton:
        if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option)) {
            drawButton(*button, *painter, widget);
            return;
        }
        break;
    case CE_MenuItem:
        if (const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option)) {
            if (qobject_cast<const QComboBox *>(widget))
                break;
            drawMenuItem(*item, *painter);
            return;
        }
        break;
    case CE_MenuEmptyArea:
        return;
    case CE_ComboBoxLabel:
        if (const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option)) {
            const QRect field =
                proxy()->subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget);
            if (combo->editable)
                return;
            painter->save();
            painter->setPen(combo->state.testFlag(State_Enabled)
                                ? m_tokens.text
                                : mixed(m_tokens.text, m_tokens.panel, 0.5));
            painter->drawText(
                field, Qt::AlignVCenter | Qt::AlignLeading | Qt::TextSingleLine,
                combo->fontMetrics.elidedText(combo->currentText, Qt::ElideRight, field.width()));
            painter->restore();
            return;
        }
        break;
    case CE_ProgressBarGroove:
        paintRounded(*painter, option->rect, qMin(4.0, option->rect.height() / 2.0),
                     m_tokens.lineSoft);
        return;
    case CE_ProgressBarContents:
        if (const auto *bar = qstyleoption_cast<const QStyleOptionProgressBar *>(option);
            bar && bar->maximum > bar->minimum) {
            QRectF done(bar->rect);
            done.setWidth(done.width() * (bar->progress - bar->minimum)
                          / (bar->maximum - bar->minimum));
            paintRounded(*painter, visualRect(bar->direction, bar->rect, done.toAlignedRect()),
                         qMin(4.0, bar->rect.height() / 2.0), m_tokens.accent);
            return;
        }
        break;
    case CE_HeaderSection:
        painter->fillRect(option->rect, m_tokens.panel);
        painter->fillRect(
            QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
            m_tokens.lineSoft);
        return;
    case CE_HeaderEmptyArea:
        painter->fillRect(option->rect, m_tokens.panel);
        return;
    case CE_ShapedFrame:
        if (const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
            frame && (frame->frameShape == QFrame::HLine || frame->frameShape == QFrame::VLine)) {
            const QRect r = frame->rect;
            painter->fillRect(frame->frameShape == QFrame::HLine
                                  ? QRect(r.left(), r.center().y(), r.width(), 1)
                                  : QRect(r.center().x(), r.top(), 1, r.height()),
                              m_tokens.line);
            return;
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void BerthStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
                                    QPainter *painter, const QWidget *widget) const
{
    if (const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option);
        combo && control == CC_ComboBox)
        return drawComboBox(*combo, *painter);
    if (const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option);
        spin && control == CC_SpinBox)
        return drawSpinBox(*spin, *painter, widget);
    if (const auto *tool = qstyleoption_cast<const QStyleOptionToolButton *>(option);
        tool && control == CC_ToolButton)
        return drawToolButton(*tool, *painter, widget);
    if (const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
        bar && control == CC_ScrollBar)
        return drawScrollBar(*bar, *painter, widget);
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

} // namespace berth::ui
