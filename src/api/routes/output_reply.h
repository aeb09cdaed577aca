// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/route.h"
#include "application/contract/output_contract.h"

namespace berth::api {

//! A chunk of output: with \a raw its bytes, else JSON with them as Base64.
[[nodiscard]] Reply outputReply(const application::OutputChunk &chunk, bool raw);

[[nodiscard]] QList<Field> outputQuery();

} // namespace berth::api
