// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/terminal_palette.h"

namespace berth::ui {

namespace {

constexpr qint32 kTrueColor = 0x1000000;
constexpr double kLegible = 4.5;
//! Programs that paint in true colour have few pairs; gradients have no end of them.
constexpr qsizetype kMostPairs = 8192;

QColor cube(qint32 index)
{
    if (index >= 232) {
        const int gray = 8 + (index - 232) * 10;
        return QColor::fromRgb(gray, gray, gray);
    }
    const auto level = [](int step) { return step == 0 ? 0 : 55 + step * 40; };
    const int at = index - 16;
    return QColor::fromRgb(level(at / 36), level(at / 6 % 6), level(at % 6));
}

} // namespace

TerminalPalette::TerminalPalette(const Tokens &tokens)
    : m_tokens(tokens),
      m_selection(mixed(tokens.accent, tokens.code, tokens.dark ? 0.38 : 0.24)),
      m_match(mixed(tokens.warn, tokens.code, tokens.dark ? 0.34 : 0.26))
{}

QColor TerminalPalette::foreground(qint32 value) const
{
    if (value < 0)
        return m_tokens.text;
    if (value & kTrueColor)
        return QColor::fromRgb(static_cast<QRgb>(value & 0xffffff) | 0xff000000U);
    return value < 16 ? m_tokens.ansi(value) : cube(value);
}

QColor TerminalPalette::background(qint32 value) const
{
    if (value < 0)
        return m_tokens.code;
    if (value >= 16)
        return foreground(value);
    // As text, black and white are what can be read; as grounds they are what they are called.
    switch (value) {
    case 0:
        return m_tokens.dark ? m_tokens.lineSoft : m_tokens.text;
    case 8:
        return m_tokens.dark ? m_tokens.line : m_tokens.textSecondary;
    case 7:
        return m_tokens.dark ? m_tokens.textSecondary : m_tokens.line;
    case 15:
        return m_tokens.dark ? m_tokens.text : m_tokens.panel;
    default:
        return m_tokens.ansi(value);
    }
}

QColor TerminalPalette::readable(const QColor &ink, const QColor &ground) const
{
    const quint64 key = quint64(ink.rgb()) << 32 | ground.rgb();
    if (const auto known = m_readable.constFind(key); known != m_readable.cend())
        return QColor::fromRgb(*known);
    QColor result = ink;
    if (contrast(result, ground) < kLegible) {
        const QColor black = QColor::fromRgb(0, 0, 0);
        const QColor white = QColor::fromRgb(255, 255, 255);
        const QColor end = contrast(black, ground) > contrast(white, ground) ? black : white;
        for (int step = 1; step <= 10 && contrast(result, ground) < kLegible; ++step)
            result = mixed(end, ink, step / 10.0);
    }
    if (m_readable.size() >= kMostPairs)
        m_readable.clear();
    m_readable.insert(key, result.rgb());
    return result;
}

} // namespace berth::ui
