// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/threads/bounded_json.h"

#include "application/contract/json_depth.h"
#include "domain/json_depth.h"

#include <nlohmann/json.hpp>

namespace berth::application {

nlohmann::json boundedJson(QByteArrayView text)
{
    if (domain::nestsDeeperThan(text, kDeepestJson))
        return nlohmann::json(nlohmann::json::value_t::discarded);
    return nlohmann::json::parse(text.cbegin(), text.cend(), nullptr, false);
}

} // namespace berth::application
