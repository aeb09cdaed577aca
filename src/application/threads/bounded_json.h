// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArrayView>

#include <nlohmann/json_fwd.hpp>

namespace berth::application {

//! Of what a model, a user or an older version of Berth wrote: discarded when \a text is no JSON or
//! nests deeper than kDeepestJson: copying and freeing a
//! value goes down level by level.
[[nodiscard]] nlohmann::json boundedJson(QByteArrayView text);

} // namespace berth::application
