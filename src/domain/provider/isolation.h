// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QString>

namespace berth::domain {

//! What stands for a place without isolation wherever it is shown. A provider view whose isolation
//! is this sentence has none.
inline QString noIsolationText()
{
    return QStringLiteral("No isolation: everything that you can do, Berth's own files included");
}

} // namespace berth::domain
