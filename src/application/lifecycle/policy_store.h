// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "domain/sandbox/lifecycle_policy.h"

#include <QtCore/QMap>
#include <QtCore/QString>

// Where a lifecycle is written down. An agent has it in config_json as {"exec": {"lifecycle":
// {"start", "stop", "idle_timeout_minutes"}}}; a sandbox row in its config as the object
// "lifecycle" with the same names, which the row's flat keys show as "lifecycle.start" and so on.
namespace berth::application {

//! What does not fit counts as not said.
domain::LifecycleOverride lifecycleOfAgent(const QString &configJson);
//! Everything else in the text is kept. InvalidInput when it is no JSON object.
domain::Result<QString> withAgentLifecycle(const QString &configJson,
                                           const domain::LifecycleOverride &own);

domain::LifecycleOverride lifecycleOfSandbox(const QMap<QString, QString> &config);
QMap<QString, QString> withSandboxLifecycle(QMap<QString, QString> config,
                                            const domain::LifecycleOverride &own);
//! What of a row's config is for the provider.
QMap<QString, QString> providerPart(QMap<QString, QString> config);

} // namespace berth::application
