// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/model/model_factory.h"

namespace berth::models {

class EndpointFactory : public domain::ModelFactory
{
public:
    [[nodiscard]] std::shared_ptr<domain::ModelClient> open(
        const domain::ModelEndpointSettings &settings) override;
    [[nodiscard]] domain::Async<QStringList> localServers(std::stop_token stop) override;
};

} // namespace berth::models
