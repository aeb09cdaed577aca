// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/tokens.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace berth::ui {

namespace {

QColor rgb(unsigned value)
{
    return QColor::fromRgb(0xff000000U | value);
}

double channel(float value)
{
    const double v = static_cast<double>(value);
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &color)
{
    return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF())
        + 0.0722 * channel(color.blueF());
}

// Order of SGR 30..37, then 90..97. Black and white are what can be read, not what they are called.
constexpr std::array<unsigned, 16> kAnsiLight = {
    0x1f2328, 0xb3261e, 0x17713f, 0x855600, 0x2457a6, 0x8a2a8c, 0x0b6e6e, 0x565d67,
    0x636a74, 0xc4281f, 0x0f7a3d, 0x8f5b00, 0x2f63c0, 0xa0339f, 0x0a7676, 0x1f2328,
};
constexpr std::array<unsigned, 16> kAnsiDark = {
    0x959da8, 0xff8a80, 0x5ccf8f, 0xe8b64c, 0x8ab4f8, 0xd0a0f0, 0x4fc4c0, 0xe8eaed,
    0xa9b1bb, 0xffa79f, 0x86e0ad, 0xf2cc78, 0xadcbfb, 0xe2bdf8, 0x82dcd8, 0xffffff,
};

} // namespace

Tokens Tokens::light()
{
    Tokens t;
    t.window = rgb(0xf7f7f5);
    t.panel = rgb(0xffffff);
    t.sidebar = rgb(0xf0efec);
    t.line = rgb(0xe2e0db);
    t.lineSoft = rgb(0xecebe7);
    t.control = rgb(0x8b8f96);
    t.text = rgb(0x1f2328);
    t.textSecondary = rgb(0x565d67);
    t.textCaption = rgb(0x636a74);
    t.ok = rgb(0x17713f);
    t.okSoft = rgb(0xe3f4ea);
    t.warn = rgb(0x855600);
    t.warnSoft = rgb(0xfdf1d8);
    t.error = rgb(0xb3261e);
    t.errorSoft = rgb(0xfbe6e4);
    t.info = rgb(0x2457a6);
    t.infoSoft = rgb(0xe5edf9);
    t.accent = rgb(0x0b6e6e);
    t.accentSoft = rgb(0xe2f1f0);
    t.onAccent = rgb(0xffffff);
    t.code = rgb(0xf4f3f0);
    t.chartCpu = rgb(0x0b6e6e);
    t.chartRam = rgb(0x6b4fbb);
    t.chartDisk = rgb(0xb06a00);
    t.shadow = QColor::fromRgb(0, 0, 0, 36);
    t.hover = QColor::fromRgb(0, 0, 0, 11);
    return t;
}

Tokens Tokens::darkTheme()
{
    Tokens t;
    t.dark = true;
    t.window = rgb(0x16181b);
    t.panel = rgb(0x1e2125);
    t.sidebar = rgb(0x121416);
    t.line = rgb(0x30353b);
    t.lineSoft = rgb(0x282c31);
    t.control = rgb(0x757d8a);
    t.text = rgb(0xe8eaed);
    t.textSecondary = rgb(0xa9b1bb);
    t.textCaption = rgb(0x959da8);
    t.ok = rgb(0x5ccf8f);
    t.okSoft = rgb(0x173425);
    t.warn = rgb(0xe8b64c);
    t.warnSoft = rgb(0x3a2e13);
    t.error = rgb(0xff8a80);
    t.errorSoft = rgb(0x431f1d);
    t.info = rgb(0x8ab4f8);
    t.infoSoft = rgb(0x1c2b45);
    t.accent = rgb(0x4fc4c0);
    t.accentSoft = rgb(0x16363a);
    t.onAccent = rgb(0x12191a);
    t.code = rgb(0x14161a);
    t.chartCpu = rgb(0x4fc4c0);
    t.chartRam = rgb(0xb39ddb);
    t.chartDisk = rgb(0xe8b64c);
    t.shadow = QColor::fromRgb(0, 0, 0, 120);
    t.hover = QColor::fromRgb(255, 255, 255, 13);
    return t;
}

Tokens Tokens::highContrastLight()
{
    Tokens t = light();
    t.highContrast = true;
    t.window = t.panel = t.sidebar = t.code = rgb(0xffffff);
    t.line = t.control = t.text = rgb(0x000000);
    t.lineSoft = rgb(0xe6e6e6);
    t.textSecondary = t.textCaption = rgb(0x262626);
    t.ok = rgb(0x0b4a27);
    t.warn = rgb(0x5a3a00);
    t.error = rgb(0x8a0f09);
    t.info = rgb(0x0f3a7d);
    t.accent = rgb(0x044a4a);
    t.okSoft = t.warnSoft = t.errorSoft = t.infoSoft = rgb(0xffffff);
    t.accentSoft = rgb(0xd8eeee);
    t.chartCpu = rgb(0x044a4a);
    t.chartRam = rgb(0x40208f);
    t.chartDisk = rgb(0x6b3f00);
    return t;
}

Tokens Tokens::highContrastDark()
{
    Tokens t = darkTheme();
    t.highContrast = true;
    t.window = t.panel = t.sidebar = t.code = rgb(0x000000);
    t.line = t.control = t.text = rgb(0xffffff);
    t.lineSoft = rgb(0x2b2b2b);
    t.textSecondary = t.textCaption = rgb(0xe0e0e0);
    t.ok = rgb(0x8af0b8);
    t.warn = rgb(0xffd67a);
    t.error = rgb(0xffb3ac);
    t.info = rgb(0xb8d3ff);
    t.accent = rgb(0x7ff0ec);
    t.okSoft = t.warnSoft = t.errorSoft = t.infoSoft = rgb(0x000000);
    t.accentSoft = rgb(0x0e3a3a);
    t.onAccent = rgb(0x000000);
    return t;
}

QColor Tokens::ink(Ink which) const
{
    switch (which) {
    case Ink::Text:
        return text;
    case Ink::Secondary:
        return textSecondary;
    case Ink::Caption:
        return textCaption;
    case Ink::Accent:
        return accent;
    case Ink::Ok:
        return ok;
    case Ink::Warn:
        return warn;
    case Ink::Error:
        return error;
    case Ink::Info:
        return info;
    case Ink::OnAccent:
        return onAccent;
    }
    return text;
}

QColor Tokens::tone(Tone which) const
{
    switch (which) {
    case Tone::Neutral:
        return textSecondary;
    case Tone::Ok:
        return ok;
    case Tone::Warn:
        return warn;
    case Tone::Error:
        return error;
    case Tone::Info:
        return info;
    case Tone::Accent:
        return accent;
    }
    return textSecondary;
}

QColor Tokens::soft(Tone which) const
{
    switch (which) {
    case Tone::Neutral:
        return lineSoft;
    case Tone::Ok:
        return okSoft;
    case Tone::Warn:
        return warnSoft;
    case Tone::Error:
        return errorSoft;
    case Tone::Info:
        return infoSoft;
    case Tone::Accent:
        return accentSoft;
    }
    return lineSoft;
}

QColor Tokens::ansi(int index) const
{
    if (index < 0)
        return text;
    QColor color;
    if (index < 16) {
        const auto at = static_cast<size_t>(index);
        color = rgb(dark ? kAnsiDark[at] : kAnsiLight[at]);
    } else if (index < 232) {
        const auto level = [](int step) { return step == 0 ? 0 : 55 + step * 40; };
        const int cube = index - 16;
        color = QColor::fromRgb(level(cube / 36), level(cube / 6 % 6), level(cube % 6));
    } else {
        const int gray = 8 + (std::min(index, 255) - 232) * 10;
        color = QColor::fromRgb(gray, gray, gray);
    }
    return legible(color, code);
}

QColor Tokens::legible(const QColor &color, const QColor &ground) const
{
    QColor result = color;
    for (int step = 1; step <= 10 && contrast(result, ground) < 4.5; ++step)
        result = mixed(text, color, step / 10.0);
    return result;
}

double contrast(const QColor &a, const QColor &b)
{
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor mixed(const QColor &a, const QColor &b, double share)
{
    const auto blend = [share](int x, int y) {
        return static_cast<int>(std::lround(x * share + y * (1 - share)));
    };
    return QColor::fromRgb(blend(a.red(), b.red()), blend(a.green(), b.green()),
                           blend(a.blue(), b.blue()));
}

} // namespace berth::ui
