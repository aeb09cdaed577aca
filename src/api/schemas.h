// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace berth::api {

//! The components of the OpenAPI document: what the values of the contract look like, made from the
//! same list of fields that writes them.
[[nodiscard]] nlohmann::json schemaComponents();

} // namespace berth::api
