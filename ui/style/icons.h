// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGui/QIcon>
#include <QtGui/QPixmap>

class QPainter;
class QWidget;

namespace berth::ui {

//! The outline set of resources/icons/ui: 24 px grid, one stroke, drawn in the colour asked for.
enum class Glyph {
    Plus,
    Resources,
    Settings,
    ChevronDown,
    ChevronRight,
    ChevronUp,
    Check,
    Close,
    Lock,
    Stop,
    Send,
    Copy,
    Search,
    Refresh,
    Pause,
    Play,
    Trash,
    Warning,
    Error,
    Info,
    Ok,
    Terminal,
    Edit,
    Save,
    External,
    Sidebar,
    ArrowDown,
    Key,
    More,
    Unplugged,
    Sun,
    Moon,
    Disk,
    Folder,
    Box,
    Radio,
    RadioOn,
};

QPixmap glyphPixmap(Glyph glyph, const QColor &color, int size, qreal devicePixelRatio);
//! Crisp at the painter's scale.
void paintGlyph(QPainter &painter, const QRectF &rect, Glyph glyph, const QColor &color);
//! An icon for buttons and menus of \a widget, in the colours of its theme. Ask again when the
//! palette changes.
QIcon glyphIcon(Glyph glyph, const QColor &color);
QIcon applicationIcon();

} // namespace berth::ui
