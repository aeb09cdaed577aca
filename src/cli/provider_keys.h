// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "domain/result.h"

#include <QtCore/QMap>

namespace berth::cli {

//! As people may type them: "image" for "docker.image" where that is clear.
[[nodiscard]] QStringList keysOf(const application::ProviderForm &form);
//! The settings under the keys that the provider knows; InvalidInput names what it does not know.
domain::Result<QMap<QString, QString>> valuesFor(const application::ProviderForm &form,
                                                 const QList<QPair<QString, QString>> &pairs);

} // namespace berth::cli
