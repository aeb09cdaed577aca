// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace berth::application {

//! A unified diff with three lines of context, "--- path" and "+++ path" first; at most about 200
//! KiB. Empty when nothing differs. Text that is no UTF-8 is said to be binary.
QString unifiedDiff(const QString &path, const QByteArray &before, const QByteArray &after,
                    bool isNew = false);

} // namespace berth::application
