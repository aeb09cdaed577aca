// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace berth::application {

//! Levels; deeper than any value of the contract. For domain::nestsDeeperThan().
inline constexpr int kDeepestJson = 64;

} // namespace berth::application
