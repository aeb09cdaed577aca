// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QObject>

#include <functional>

namespace berth::async {

//! Runs \a work on the thread of \a context, later, from its event loop. Safe from any thread; does
//! nothing when \a context is gone by then. \a context must not be deleted while this call runs.
void post(QObject *context, std::function<void()> work);

//! Runs \a work later on the calling thread, which must have an event loop.
void postHere(std::function<void()> work);

} // namespace berth::async
