// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/error.h"

#include <QtCore/QByteArray>

namespace berth::api {

//! The one table from errors to answers. Unauthorized is what a provider said of its own key: 401
//! is for this server's token alone, so it is 424 (Failed Dependency).
[[nodiscard]] int httpStatus(domain::ErrorKind kind);
//! {"error":{"code","message"[,"detail"]}}
[[nodiscard]] QByteArray errorBody(const QString &code, const QString &message,
                                   const QString &detail = {});
[[nodiscard]] QByteArray errorBody(const domain::Error &error);

} // namespace berth::api
