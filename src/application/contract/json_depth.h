// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>

namespace berth::application {

//! Deeper than any value of the contract.
inline constexpr int kDeepestJson = 64;

//! Whether no list or object of \a json is nested deeper than \a limit. Looks at brackets only, so
//! it costs nothing in memory and says nothing of validity. Copying and writing nested JSON goes
//! down level by level: hostile text has to be turned away before.
[[nodiscard]] bool isShallow(const QByteArray &json, int limit = kDeepestJson);

} // namespace berth::application
