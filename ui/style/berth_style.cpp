// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/berth_style.h"

#include "ui/style/paint.h"
#include "ui/style/type_scale.h"

#include <QtGui/QGuiApplication>
#include <QtGui/QStyleHints>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QAbstractSpinBox>
#include <QtWidgets/QApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QStyleOption>
#include <QtWidgets/QTextEdit>
#include <QtWidgets/QToolButton>

namespace berth::ui {

const Tokens &tokens(const QWidget *widget)
{
    const QStyle *style = widget ? widget->style() : QApplication::style();
    if (const auto *ours = qobject_cast<const BerthStyle *>(style))
        return ours->tokens();
    static const Tokens fallback = Tokens::light();
    return fallback;
}

BerthStyle::BerthStyle(ThemeMode mode) : QProxyStyle(QStringLiteral("fusion")), m_mode(mode)
{
    setObjectName(QStringLiteral("berth"));
    choose();
}

void BerthStyle::choose()
{
    const bool dark = m_mode == ThemeMode::Dark || (m_mode == ThemeMode::System && m_systemDark);
    if (m_highContrast)
        m_tokens = dark ? Tokens::highContrastDark() : Tokens::highContrastLight();
    else
        m_tokens = dark ? Tokens::darkTheme() : Tokens::light();
}

void BerthStyle::setMode(ThemeMode mode)
{
    m_mode = mode;
    choose();
}

void BerthStyle::setHighContrast(bool on)
{
    m_highContrast = on;
    choose();
}

void BerthStyle::polish(QPalette &palette)
{
    // What comes in is the platform's palette: it tells whether the system is dark, at start and on
    // each change.
    m_systemDark = palette.color(QPalette::Active, QPalette::Window).lightness() < 128;
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    if (const Qt::ColorScheme scheme = QGuiApplication::styleHints()->colorScheme();
        scheme != Qt::ColorScheme::Unknown)
        m_systemDark = scheme == Qt::ColorScheme::Dark;
#endif
    choose();
    const Tokens &t = m_tokens;
    const auto all = [&palette](QPalette::ColorRole role, const QColor &color) {
        palette.setColor(QPalette::All, role, color);
    };
    all(QPalette::Window, t.window);
    all(QPalette::WindowText, t.text);
    all(QPalette::Base, t.panel);
    all(QPalette::AlternateBase, t.window);
    all(QPalette::Text, t.text);
    all(QPalette::Button, t.panel);
    all(QPalette::ButtonText, t.text);
    all(QPalette::BrightText, t.onAccent);
    all(QPalette::PlaceholderText, t.textCaption);
    all(QPalette::ToolTipBase, t.panel);
    all(QPalette::ToolTipText, t.text);
    all(QPalette::Highlight, t.accentSoft);
    all(QPalette::HighlightedText, t.text);
    all(QPalette::Link, t.accent);
    all(QPalette::LinkVisited, t.accent);
    all(QPalette::Light, t.panel);
    all(QPalette::Midlight, t.lineSoft);
    all(QPalette::Mid, t.line);
    all(QPalette::Dark, t.control);
    all(QPalette::Shadow, t.line);
    const QColor faded = mixed(t.text, t.panel, 0.5);
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, faded);
}

void BerthStyle::polish(QWidget *widget)
{
    QProxyStyle::polish(widget);
    if (qobject_cast<QPushButton *>(widget) || qobject_cast<QToolButton *>(widget)
        || qobject_cast<QScrollBar *>(widget) || qobject_cast<QComboBox *>(widget))
        widget->setAttribute(Qt::WA_Hover);
    if (auto *view = qobject_cast<QAbstractItemView *>(widget))
        view->viewport()->setAttribute(Qt::WA_Hover);
    if (auto *edit = qobject_cast<QLineEdit *>(widget); edit
        && !qobject_cast<QAbstractSpinBox *>(edit->parentWidget())
        && !qobject_cast<QComboBox *>(edit->parentWidget()) && edit->textMargins().isNull())
        edit->setTextMargins(9, 0, 9, 0);
    if (qobject_cast<QMenu *>(widget)) {
        widget->setWindowFlag(Qt::FramelessWindowHint);
        widget->setWindowFlag(Qt::NoDropShadowWindowHint);
        widget->setAttribute(Qt::WA_TranslucentBackground);
    }
}

int BerthStyle::pixelMetric(PixelMetric metric, const QStyleOption *option,
                            const QWidget *widget) const
{
    switch (metric) {
    case PM_DefaultFrameWidth:
        if (qobject_cast<const QPlainTextEdit *>(widget) || qobject_cast<const QTextEdit *>(widget))
            return 6;
        return 1;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_MenuHMargin:
        return 0;
    case PM_MenuVMargin:
        return 0;
    case PM_MenuPanelWidth:
        return 6;
    case PM_ScrollBarExtent:
        return 12;
    case PM_ScrollBarSliderMin:
        return 32;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return 18;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
        return 8;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return metrics::kGrid;
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
        return metrics::kIcon;
    case PM_ToolTipLabelFrameWidth:
        return 6;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int BerthStyle::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                          QStyleHintReturn *returnData) const
{
    switch (hint) {
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ComboBox_Popup:
    case SH_DialogButtonBox_ButtonsHaveIcons:
        return 0;
    case SH_ItemView_ActivateItemOnSingleClick:
        return 0;
    case SH_Menu_SloppySubMenus:
        return 1;
    case SH_ToolTipLabel_Opacity:
        return 255;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

QSize BerthStyle::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                                   const QWidget *widget) const
{
    switch (type) {
    case CT_PushButton: {
        const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
        if (!button)
            break;
        int width = 24;
        if (!button->text.isEmpty())
            width += button->fontMetrics.size(Qt::TextShowMnemonic, button->text).width();
        if (!button->icon.isNull())
            width += button->iconSize.width() + (button->text.isEmpty() ? 0 : 6);
        if (widget && widget->property(kButtonOpens).toBool())
            width += 20;
        const int height = qMax(metrics::kTarget, button->fontMetrics.height() + 12);
        return {qMax(height, width), height};
    }
    case CT_ToolButton:
        return QProxyStyle::sizeFromContents(type, option, size, widget)
            .expandedTo(QSize(metrics::kTarget, metrics::kTarget));
    case CT_LineEdit:
        return {size.width() + 8, qMax(metrics::kField, size.height() + 8)};
    case CT_ComboBox:
        return {size.width() + 12 + 30, qMax(metrics::kField, size.height() + 12)};
    case CT_SpinBox:
        return {size.width() + 12 + 30, qMax(metrics::kField, size.height() + 12)};
    case CT_CheckBox:
    case CT_RadioButton: {
        QSize base = QProxyStyle::sizeFromContents(type, option, size, widget);
        return base.expandedTo(QSize(0, metrics::kTarget));
    }
    case CT_MenuItem: {
        const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
        if (item && item->menuItemType == QStyleOptionMenuItem::Separator)
            return {size.width(), 9};
        return {size.width() + 56, qMax(metrics::kTarget, size.height() + 8)};
    }
    default:
        break;
    }
    return QProxyStyle::sizeFromContents(type, option, size, widget);
}

QRect BerthStyle::subControlRect(ComplexControl control, const QStyleOptionComplex *option,
                                 SubControl subControl, const QWidget *widget) const
{
    if (control == CC_ScrollBar) {
        const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
        if (!bar)
            return {};
        const bool horizontal = bar->orientation == Qt::Horizontal;
        const int length = horizontal ? bar->rect.width() : bar->rect.height();
        const int range = bar->maximum - bar->minimum;
        int slider = length;
        if (range > 0) {
            const qint64 total = static_cast<qint64>(range) + bar->pageStep;
            slider = qBound(
                qMin(32, length),
                static_cast<int>(qint64(bar->pageStep) * length / qMax<qint64>(1, total)), length);
        }
        const int start = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition,
                                                  length - slider, bar->upsideDown);
        QRect rect;
        switch (subControl) {
        case SC_ScrollBarGroove:
            rect = bar->rect;
            break;
        case SC_ScrollBarSlider:
            rect = horizontal ? QRect(start, 0, slider, bar->rect.height())
                              : QRect(0, start, bar->rect.width(), slider);
            break;
        case SC_ScrollBarSubPage:
            rect = horizontal ? QRect(0, 0, start, bar->rect.height())
                              : QRect(0, 0, bar->rect.width(), start);
            break;
        case SC_ScrollBarAddPage:
            rect = horizontal
                ? QRect(start + slider, 0, length - start - slider, bar->rect.height())
                : QRect(0, start + slider, bar->rect.width(), length - start - slider);
            break;
        default:
            return {};
        }
        return visualRect(bar->direction, bar->rect, rect);
    }
    if (control == CC_ComboBox) {
        switch (subControl) {
        case SC_ComboBoxEditField:
            return visualRect(option->direction, option->rect,
                              option->rect.adjusted(12, 2, -30, -2));
        case SC_ComboBoxArrow:
            return visualRect(
                option->direction, option->rect,
                QRect(option->rect.right() - 30, option->rect.top(), 30, option->rect.height()));
        case SC_ComboBoxListBoxPopup:
            return option->rect.adjusted(0, 2, 0, 2);
        default:
            break;
        }
    }
    if (control == CC_SpinBox) {
        const QRect r = option->rect;
        switch (subControl) {
        case SC_SpinBoxEditField:
            return visualRect(option->direction, r, r.adjusted(9, 2, -30, -2));
        case SC_SpinBoxUp:
            return visualRect(option->direction, r,
                              QRect(r.right() - 29, r.top() + 1, 28, r.height() / 2 - 1));
        case SC_SpinBoxDown:
            return visualRect(option->direction, r,
                              QRect(r.right() - 29, r.center().y() + 1, 28, r.height() / 2 - 1));
        default:
            break;
        }
    }
    return QProxyStyle::subControlRect(control, option, subControl, widget);
}

QRect BerthStyle::subElementRect(SubElement element, const QStyleOption *option,
                                 const QWidget *widget) const
{
    if (element == SE_LineEditContents)
        return option->rect.adjusted(2, 1, -2, -1);
    if (element == SE_PushButtonContents)
        return option->rect.adjusted(12, 0, -12, 0);
    return QProxyStyle::subElementRect(element, option, widget);
}

} // namespace berth::ui
