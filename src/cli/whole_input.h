// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"

#include <QtCore/QByteArray>

class QObject;

namespace berth::cli {

//! Standard input up to its end, read while events go on; of more than \a most bytes the first
//! most + 1. Nothing when it cannot be read. Ends with \a context.
async::Completion<std::optional<QByteArray>> wholeInput(QObject *context, qsizetype most);

} // namespace berth::cli
