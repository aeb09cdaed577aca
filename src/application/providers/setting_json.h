// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/schema.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

// One setting, as it stands in a text box and as it stands in a JSON file.
namespace berth::application {

//! Keeps the order of a file that a person wrote.
using SettingJson = nlohmann::ordered_json;

//! nullopt: the value has a type that the field does not take.
std::optional<QString> settingText(const domain::SchemaField &field, const SettingJson &value);
SettingJson settingJson(const domain::SchemaField &field, const QString &text);

} // namespace berth::application
