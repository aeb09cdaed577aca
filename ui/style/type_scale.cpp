// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/type_scale.h"

#include <QtGui/QFontDatabase>
#include <QtWidgets/QApplication>

namespace berth::ui {

namespace {

QFont scaled(QFont font, double factor, QFont::Weight weight)
{
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * factor);
    else
        font.setPixelSize(qRound(font.pixelSize() * factor));
    font.setWeight(weight);
    return font;
}

QFont mono(const QFont &base, double factor)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setStyleHint(QFont::Monospace);
    font.setFixedPitch(true);
    if (base.pointSizeF() > 0)
        font.setPointSizeF(base.pointSizeF());
    else
        font.setPixelSize(base.pixelSize());
    return scaled(font, factor, QFont::Normal);
}

} // namespace

QFont fontFor(TextRole role)
{
    return fontFor(role, QApplication::font());
}

QFont fontFor(TextRole role, const QFont &base)
{
    switch (role) {
    case TextRole::Caption:
        return scaled(base, 0.85, QFont::Normal);
    case TextRole::Body:
        return scaled(base, 1, QFont::Normal);
    case TextRole::BodyStrong:
        return scaled(base, 1, QFont::DemiBold);
    case TextRole::Control:
        return scaled(base, 0.93, QFont::Medium);
    case TextRole::Header:
        return scaled(base, 1.15, QFont::DemiBold);
    case TextRole::Title:
        return scaled(base, 1.7, QFont::DemiBold);
    case TextRole::Mono:
        return mono(base, 0.93);
    case TextRole::MonoSmall:
        return mono(base, 0.85);
    }
    return base;
}

} // namespace berth::ui
