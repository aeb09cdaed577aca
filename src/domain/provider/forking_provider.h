// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/instance.h"
#include "domain/result.h"

#include <stop_token>

namespace berth::domain {

//! What a Provider is besides, where its service copies a running instance.
class ForkingProvider
{
public:
    virtual ~ForkingProvider() = default;

    //! Makes a second instance out of \a original as it is now. It carries the labels and the name
    //! of the original, so only its id tells the two apart. Not idempotent, and never repeated:
    //! after Unavailable, Timeout and Protocol there may be one.
    virtual Async<Instance> fork(ExternalId original, std::stop_token stop) = 0;
};

} // namespace berth::domain
