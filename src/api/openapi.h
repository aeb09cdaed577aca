// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/router.h"

namespace berth::api {

//! The OpenAPI 3.1 document of the table.
[[nodiscard]] QByteArray openApiDocument(const Router &router, const QString &version);

} // namespace berth::api
