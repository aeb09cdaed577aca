// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/route.h"

// One file per resource.
namespace berth::api {

[[nodiscard]] QList<Route> systemRoutes();
[[nodiscard]] QList<Route> threadRoutes();
[[nodiscard]] QList<Route> toolCallRoutes();
[[nodiscard]] QList<Route> runtimeRoutes();
[[nodiscard]] QList<Route> agentRoutes();
[[nodiscard]] QList<Route> accessRoutes();
[[nodiscard]] QList<Route> sandboxRoutes();
[[nodiscard]] QList<Route> decisionRoutes();
[[nodiscard]] QList<Route> lifecycleRoutes();
[[nodiscard]] QList<Route> providerRoutes();
[[nodiscard]] QList<Route> processRoutes();
[[nodiscard]] QList<Route> fileRoutes();

//! The whole table.
[[nodiscard]] QList<Route> allRoutes();

} // namespace berth::api
