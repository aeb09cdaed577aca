// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/schema.h"
#include "domain/result.h"

#include <QtCore/QMap>

// A sandbox row's own settings on top of the provider config, flat keys.
namespace berth::domain {

using SettingValues = QMap<QString, QString>;

//! What \a row chooses: an empty value is none, not a wish for the default. InvalidInput for a key
//! that the schema does not have, or that only a provider config may set; \a why says to users why
//! a row may not.
Result<SettingValues> rowValues(const ProviderSchema &schema, const SettingValues &row,
                                const QString &why);

//! InvalidInput with the first value that the schema does not allow; unknown keys pass.
Result<void> checkValues(const ProviderSchema &schema, const SettingValues &values);

//! Without spaces around it; empty when there is none.
QString settingValue(const SettingValues &values, const char *key);

//! Of two names for one thing the value that \a layer has; InvalidInput when they differ. \a
//! filledIn: a default of \a first, which is nobody's wish where it stands.
Result<QString> oneOfTwoNames(const SettingValues &layer, const char *first, const char *second,
                              const QString &filledIn);

} // namespace berth::domain
