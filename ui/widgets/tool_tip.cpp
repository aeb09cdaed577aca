// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tool_tip.h"

#include "ui/conversation/ansi_text.h"

#include <QtGui/QTextDocument>

namespace berth::ui {

namespace {

//! More is no tooltip.
constexpr qsizetype kLongestToolTip = 4000;

} // namespace

QString toolTipOf(const QString &text)
{
    if (text.isEmpty())
        return {};
    const QString shown =
        text.size() > kLongestToolTip ? text.left(kLongestToolTip) + QStringLiteral(" …") : text;
    return Qt::convertFromPlainText(visibleText(shown), Qt::WhiteSpaceNormal);
}

} // namespace berth::ui
