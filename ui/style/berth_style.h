// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/style/theme.h"
#include "ui/style/tokens.h"

#include <QtWidgets/QProxyStyle>

class QStyleOptionButton;
class QStyleOptionComboBox;
class QStyleOptionMenuItem;
class QStyleOptionSlider;
class QStyleOptionSpinBox;
class QStyleOptionToolButton;

namespace berth::ui {

//! Kind of a QPushButton, as its dynamic property kButtonKind.
enum class ButtonKind { Primary, Secondary, Ghost, Danger };
inline constexpr const char *kButtonKind = "berthKind";
//! A button that opens something below it: bool property, draws a chevron behind the text.
inline constexpr const char *kButtonOpens = "berthOpens";
//! A field whose value is not accepted: bool property, its border is in the error colour.
inline constexpr const char *kFieldInvalid = "berthInvalid";

//! Berth's look: Fusion's behaviour with our own paint.
class BerthStyle final : public QProxyStyle
{
    Q_OBJECT
public:
    explicit BerthStyle(ThemeMode mode = ThemeMode::System);

    [[nodiscard]] ThemeMode mode() const { return m_mode; }
    void setMode(ThemeMode mode);
    [[nodiscard]] bool highContrast() const { return m_highContrast; }
    void setHighContrast(bool on);
    [[nodiscard]] const Tokens &tokens() const { return m_tokens; }

    using QProxyStyle::polish;
    void polish(QPalette &palette) override;
    void polish(QWidget *widget) override;
    int pixelMetric(PixelMetric metric, const QStyleOption *option = nullptr,
                    const QWidget *widget = nullptr) const override;
    int styleHint(StyleHint hint, const QStyleOption *option = nullptr,
                  const QWidget *widget = nullptr,
                  QStyleHintReturn *returnData = nullptr) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                           const QWidget *widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex *option,
                         SubControl subControl, const QWidget *widget = nullptr) const override;
    QRect subElementRect(SubElement element, const QStyleOption *option,
                         const QWidget *widget = nullptr) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget = nullptr) const override;
    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget = nullptr) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
                            QPainter *painter, const QWidget *widget = nullptr) const override;

private:
    void choose();
    void drawButton(const QStyleOptionButton &option, QPainter &painter,
                    const QWidget *widget) const;
    void drawToolButton(const QStyleOptionToolButton &option, QPainter &painter,
                        const QWidget *widget) const;
    void drawComboBox(const QStyleOptionComboBox &option, QPainter &painter) const;
    void drawSpinBox(const QStyleOptionSpinBox &option, QPainter &painter,
                     const QWidget *widget) const;
    void drawScrollBar(const QStyleOptionSlider &option, QPainter &painter,
                       const QWidget *widget) const;
    void drawMenuItem(const QStyleOptionMenuItem &option, QPainter &painter) const;
    void drawIndicator(const QStyleOption &option, QPainter &painter, bool round) const;
    void drawField(const QStyleOption &option, QPainter &painter) const;

    ThemeMode m_mode;
    bool m_highContrast = false;
    bool m_systemDark = false;
    Tokens m_tokens;
};

} // namespace berth::ui
