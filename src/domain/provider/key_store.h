// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"
#include "domain/result.h"
#include "domain/secret.h"

#include <chrono>
#include <optional>
#include <stop_token>

namespace berth::domain {

//! The desktop's key store, with one entry for each provider config: "berth/<config>". Engine
//! thread. No call blocks; each ends by its deadline (Timeout), since a locked store asks its user,
//! who may not be there. Unsupported: there is none after all. Forbidden: the user or the store
//! refused.
class KeyStore
{
public:
    virtual ~KeyStore() = default;

    //! As far as is known now; false once a call has found that there is none.
    [[nodiscard]] virtual bool isPresent() const = 0;
    //! nullopt: it has no such entry.
    virtual Async<std::optional<Secret>> read(ConfigName config, std::chrono::milliseconds deadline,
                                              std::stop_token stop) = 0;
    virtual Async<void> store(ConfigName config, Secret key, std::chrono::milliseconds deadline,
                              std::stop_token stop) = 0;
    //! No such entry is success.
    virtual Async<void> remove(ConfigName config, std::chrono::milliseconds deadline,
                               std::stop_token stop) = 0;
};

} // namespace berth::domain
