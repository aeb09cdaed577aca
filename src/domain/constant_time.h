// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>

namespace berth::domain {

//! For secrets: the time it takes tells neither where the two differ nor whether their lengths do.
[[nodiscard]] bool equalsInConstantTime(const QByteArray &left, const QByteArray &right);

} // namespace berth::domain
