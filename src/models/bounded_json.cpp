// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/bounded_json.h"

#include "domain/json_depth.h"
#include "net/json_fields.h"

#include <nlohmann/json.hpp>

namespace berth::models {

nlohmann::json boundedJson(const QByteArray &bytes, int levels)
{
    if (domain::nestsDeeperThan(bytes, levels))
        return nlohmann::json(nlohmann::json::value_t::discarded);
    return net::parsed(bytes);
}

} // namespace berth::models
