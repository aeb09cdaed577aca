// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/key_store.h"

#include <memory>

namespace berth::storage {

//! The key store of this desktop: Secret Service or KWallet. Null without a session bus, so that
//! none is ever started for it. Used on the thread that made it, which needs an event loop.
std::shared_ptr<domain::KeyStore> desktopKeyStore();

} // namespace berth::storage
