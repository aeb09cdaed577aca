// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QString>

namespace berth::ui {

//! \a text as a tooltip that shows just that: Qt takes what looks like HTML for HTML, and text of
//! programs, models and services may look like anything. Empty stays empty.
QString toolTipOf(const QString &text);

} // namespace berth::ui
