// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>

#include <nlohmann/json_fwd.hpp>

namespace berth::models {

//! Of a server's own words, and of arguments of tools within them.
inline constexpr int kDeepestReply = 200;
inline constexpr int kDeepestArguments = 64;

//! Discarded when it is no JSON, or nests deeper than \a levels: what is read here is copied,
//! written and walked through level by level.
nlohmann::json boundedJson(const QByteArray &bytes, int levels = kDeepestReply);

} // namespace berth::models
