// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/layers.h"
#include "domain/provider/schema.h"
#include "domain/result.h"

namespace berth::application {

//! The settings of a sandbox row or a preset from a JSON object as text: flat keys, "lifecycle" as
//! "lifecycle.start" and so on. InvalidInput names the first key that the provider does not have,
//! that only a provider config may set, or whose value is out of its bounds.
domain::Result<domain::SettingValues> rowConfigFrom(const QString &json,
                                                    const domain::ProviderSchema &schema);
//! The same the other way round, with the types of the schema.
QString rowConfigText(const domain::SettingValues &config, const domain::ProviderSchema &schema);

} // namespace berth::application
