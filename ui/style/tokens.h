// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGui/QColor>

class QWidget;

namespace berth::ui {

//! What a chip, a dot or a banner says. Never by colour alone: a word or a shape stands beside it.
enum class Tone { Neutral, Ok, Warn, Error, Info, Accent };

//! Colours of written text.
enum class Ink { Text, Secondary, Caption, Accent, Ok, Warn, Error, Info, OnAccent };

//! Every colour of the window, in one place. Nothing outside ui/style writes a colour down.
struct Tokens
{
    QColor window;
    QColor panel;
    QColor sidebar;
    //! Borders of cards and between areas.
    QColor line;
    //! Dividers inside a card; ground of neutral chips, provider marks and the user's turn.
    QColor lineSoft;
    //! Borders of what can be operated.
    QColor control;
    QColor text;
    QColor textSecondary;
    QColor textCaption;
    QColor ok;
    QColor okSoft;
    QColor warn;
    QColor warnSoft;
    QColor error;
    QColor errorSoft;
    QColor info;
    QColor infoSoft;
    QColor accent;
    QColor accentSoft;
    QColor onAccent;
    QColor code;
    QColor chartCpu;
    QColor chartRam;
    QColor chartDisk;
    //! Under popovers and sheets.
    QColor shadow;
    //! Over what the pointer is on.
    QColor hover;
    bool dark = false;
    bool highContrast = false;

    static Tokens light();
    static Tokens darkTheme();
    static Tokens highContrastLight();
    static Tokens highContrastDark();

    [[nodiscard]] QColor ink(Ink ink) const;
    [[nodiscard]] QColor tone(Tone tone) const;
    [[nodiscard]] QColor soft(Tone tone) const;
    //! Colour 0..255 of a terminal, legible on code.
    [[nodiscard]] QColor ansi(int index) const;
    //! \a color moved towards the text colour until it can be read on \a ground (4.5 : 1).
    [[nodiscard]] QColor legible(const QColor &color, const QColor &ground) const;

    bool operator==(const Tokens &) const = default;
};

//! WCAG contrast, 1 to 21.
double contrast(const QColor &a, const QColor &b);
//! \a share of \a a, the rest of \a b.
QColor mixed(const QColor &a, const QColor &b, double share);

//! Tokens of the style that paints \a widget; of the application's style for nullptr.
const Tokens &tokens(const QWidget *widget);

//! Sizes in device-independent pixels.
namespace metrics {
inline constexpr int kGrid = 8;
inline constexpr int kChipRadius = 12;
inline constexpr int kControlRadius = 8;
inline constexpr int kCardRadius = 12;
inline constexpr int kMarkRadius = 7;
inline constexpr int kTarget = 32;
inline constexpr int kField = 36;
inline constexpr int kHeader = 56;
inline constexpr int kSidebar = 248;
inline constexpr int kSidebarCollapsed = 56;
inline constexpr int kColumn = 760;
inline constexpr int kIcon = 16;
} // namespace metrics

} // namespace berth::ui
