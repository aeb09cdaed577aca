// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/raw_client.h"

#include <nlohmann/json.hpp>

namespace berth::test {

json Answer::parsed() const
{
    return json::parse(body.cbegin(), body.cend(), nullptr, false);
}

std::string Answer::code() const
{
    const json all = parsed();
    return all.is_object() && all.contains("error") ? all["error"].value("code", "") : "";
}

} // namespace berth::test
