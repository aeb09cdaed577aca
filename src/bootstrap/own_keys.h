// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QProcessEnvironment>

namespace berth::bootstrap {

//! Takes the keys of all providers and models out of this process' environment, so that no child
//! inherits one, whoever starts it. First thing in main(), before there is any other thread.
void takeKeysOutOfEnvironment();
//! The environment as it was before that.
[[nodiscard]] QProcessEnvironment environmentWithKeys();

} // namespace berth::bootstrap
