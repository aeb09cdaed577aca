// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <type_traits>

namespace berth::application::wire {

//! T, const or not.
template <typename V, typename T>
concept Of = std::is_same_v<std::remove_const_t<V>, T>;

} // namespace berth::application::wire
