// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGui/QFont>

namespace berth::ui {

//! Sizes relative to the system font's.
enum class TextRole { Caption, Body, BodyStrong, Control, Header, Title, Mono, MonoSmall };

//! \a base: the application's font unless given.
QFont fontFor(TextRole role);
QFont fontFor(TextRole role, const QFont &base);

} // namespace berth::ui
