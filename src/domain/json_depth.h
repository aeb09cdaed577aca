// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArrayView>

namespace berth::domain {

//! Whether a list or object of \a json is nested within more than \a levels. Looks at brackets
//! only, so it costs nothing in memory and says nothing of validity. Copying and writing JSON goes
//! down level by level: hostile text has to be turned away before.
[[nodiscard]] bool nestsDeeperThan(QByteArrayView json, int levels);

} // namespace berth::domain
