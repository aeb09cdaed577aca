// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QString>

namespace berth::storage {

//! A copy of the database \a path under its name in \a folder, as it is at one moment, also while
//! somebody writes it. NotFound when it is not there.
domain::Result<void> copyDatabase(const QString &path, const QString &folder);

} // namespace berth::storage
