// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoro/QCoroTask>

namespace berth::async {

//! A coroutine. It starts in the caller's thread and runs until its first suspension.
template <typename T>
using Task = QCoro::Task<T>;

} // namespace berth::async
