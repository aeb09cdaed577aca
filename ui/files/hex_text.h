// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace berth::ui {

//! Sixteen bytes to a line: offset, bytes, and what of them is printable ASCII.
QString hexText(const QByteArray &bytes);
//! UTF-8 without control characters other than tab and line ends; \a isCut: the end may be in the
//! middle of a character.
bool isPlainText(const QByteArray &bytes, bool isCut);

} // namespace berth::ui
