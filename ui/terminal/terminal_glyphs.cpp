// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_glyphs.h"

#include <QtCore/QRectF>
#include <QtGui/QPainter>

#include <cmath>

namespace berth::ui {

namespace {

enum Weight { None, Light, Heavy, Double };

struct Arms
{
    int left = None;
    int up = None;
    int right = None;
    int down = None;
};

//! Arms of a box character, each as a digit: left, up, right, down.
Arms arms(int code)
{
    return {code / 1000, code / 100 % 10, code / 10 % 10, code % 10};
}

//! The boxes that programs use; 0 for the others (dashes, mixed weights), which the font draws.
int boxCode(char32_t c)
{
    switch (c) {
    case 0x2500:
        return 1010;
    case 0x2501:
        return 2020;
    case 0x2502:
        return 101;
    case 0x2503:
        return 202;
    case 0x250c:
    case 0x256d:
        return 11;
    case 0x250f:
        return 22;
    case 0x2510:
    case 0x256e:
        return 1001;
    case 0x2513:
        return 2002;
    case 0x2514:
    case 0x2570:
        return 110;
    case 0x2517:
        return 220;
    case 0x2518:
    case 0x256f:
        return 1100;
    case 0x251b:
        return 2200;
    case 0x251c:
        return 111;
    case 0x2523:
        return 222;
    case 0x2524:
        return 1101;
    case 0x252b:
        return 2202;
    case 0x252c:
        return 1011;
    case 0x2533:
        return 2022;
    case 0x2534:
        return 1110;
    case 0x253b:
        return 2220;
    case 0x253c:
        return 1111;
    case 0x254b:
        return 2222;
    case 0x2550:
        return 3030;
    case 0x2551:
        return 303;
    case 0x2554:
        return 33;
    case 0x2557:
        return 3003;
    case 0x255a:
        return 330;
    case 0x255d:
        return 3300;
    case 0x2560:
        return 333;
    case 0x2563:
        return 3303;
    case 0x2566:
        return 3033;
    case 0x2569:
        return 3330;
    case 0x256c:
        return 3333;
    case 0x2574:
        return 1000;
    case 0x2575:
        return 100;
    case 0x2576:
        return 10;
    case 0x2577:
        return 1;
    default:
        return 0;
    }
}

void paintBox(QPainter &painter, const QRectF &box, const Arms &to, const QColor &color)
{
    const double light = qMax(1.0, std::round(box.height() / 16));
    const double x = std::floor(box.left() + (box.width() - light) / 2);
    const double y = std::floor(box.top() + (box.height() - light) / 2);
    const auto horizontal = [&](double from, double end, int weight) {
        if (weight == Heavy)
            painter.fillRect(QRectF(from, y - light / 2, end - from, 2 * light), color);
        else if (weight == Light)
            painter.fillRect(QRectF(from, y, end - from, light), color);
        if (weight == Double) {
            painter.fillRect(QRectF(from, y - light, end - from, light), color);
            painter.fillRect(QRectF(from, y + light, end - from, light), color);
        }
    };
    const auto vertical = [&](double from, double end, int weight) {
        if (weight == Heavy)
            painter.fillRect(QRectF(x - light / 2, from, 2 * light, end - from), color);
        else if (weight == Light)
            painter.fillRect(QRectF(x, from, light, end - from), color);
        if (weight == Double) {
            painter.fillRect(QRectF(x - light, from, light, end - from), color);
            painter.fillRect(QRectF(x + light, from, light, end - from), color);
        }
    };
    const bool twice = to.left == Double || to.right == Double || to.up == Double;
    const double over = twice ? 2 * light : light;
    horizontal(box.left(), x + over, to.left);
    horizontal(twice ? x - light : x, box.right(), to.right);
    vertical(box.top(), y + over, to.up);
    vertical(twice ? y - light : y, box.bottom(), to.down);
}

bool paintBlock(QPainter &painter, const QRectF &box, char32_t c, const QColor &color)
{
    const auto part = [&](double left, double top, double right, double bottom) {
        const auto across = [&box](double share) {
            return std::round(box.left() + box.width() * share);
        };
        const auto downward = [&box](double share) {
            return std::round(box.top() + box.height() * share);
        };
        painter.fillRect(
            QRectF(QPointF(across(left), downward(top)), QPointF(across(right), downward(bottom))),
            color);
    };
    if (c == 0x2580) {
        part(0, 0, 1, 0.5);
    } else if (c >= 0x2581 && c <= 0x2588) {
        part(0, 1 - (c - 0x2580) / 8.0, 1, 1);
    } else if (c >= 0x2589 && c <= 0x258f) {
        part(0, 0, (0x2590 - c) / 8.0, 1);
    } else if (c == 0x2590) {
        part(0.5, 0, 1, 1);
    } else if (c >= 0x2591 && c <= 0x2593) {
        QColor shade = color;
        shade.setAlphaF(0.25F * static_cast<float>(c - 0x2590));
        painter.fillRect(box, shade);
    } else if (c == 0x2594) {
        part(0, 0, 1, 0.125);
    } else if (c == 0x2595) {
        part(0.875, 0, 1, 1);
    } else if (c >= 0x2596 && c <= 0x259f) {
        // Quarters: upper left 1, upper right 2, lower left 4, lower right 8.
        constexpr int kQuarters[] = {4, 8, 1, 13, 9, 7, 11, 2, 6, 14};
        const int quarters = kQuarters[c - 0x2596];
        if (quarters & 1)
            part(0, 0, 0.5, 0.5);
        if (quarters & 2)
            part(0.5, 0, 1, 0.5);
        if (quarters & 4)
            part(0, 0.5, 0.5, 1);
        if (quarters & 8)
            part(0.5, 0.5, 1, 1);
    } else {
        return false;
    }
    return true;
}

} // namespace

bool paintTerminalGlyph(QPainter &painter, const QRectF &box, char32_t character,
                        const QColor &color)
{
    if (character < 0x2500 || character > 0x259f)
        return false;
    if (character >= 0x2580)
        return paintBlock(painter, box, character, color);
    const int code = boxCode(character);
    if (code == 0)
        return false;
    paintBox(painter, box, arms(code), color);
    return true;
}

} // namespace berth::ui
