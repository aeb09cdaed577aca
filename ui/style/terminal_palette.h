// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/style/tokens.h"

#include <QtCore/QHash>

namespace berth::ui {

//! Colours of a terminal in a theme. Text keeps its contrast to what is behind it (4.5 : 1);
//! grounds stay what the program asked for.
class TerminalPalette
{
public:
    explicit TerminalPalette(const Tokens &tokens);

    //! -1: as nothing was asked for; 0..255; or 0x1000000 | rgb.
    [[nodiscard]] QColor foreground(qint32 value) const;
    [[nodiscard]] QColor background(qint32 value) const;
    //! \a ink, moved towards dark or light until it can be read on \a ground.
    [[nodiscard]] QColor readable(const QColor &ink, const QColor &ground) const;

    [[nodiscard]] QColor ground() const { return m_tokens.code; }
    [[nodiscard]] QColor selection() const { return m_selection; }
    [[nodiscard]] QColor match() const { return m_match; }
    [[nodiscard]] QColor currentMatch() const { return m_tokens.warn; }
    [[nodiscard]] const Tokens &tokens() const { return m_tokens; }

private:
    Tokens m_tokens;
    QColor m_selection;
    QColor m_match;
    mutable QHash<quint64, QRgb> m_readable;
};

} // namespace berth::ui
