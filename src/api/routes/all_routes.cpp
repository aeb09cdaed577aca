// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/routes/routes.h"

namespace berth::api {

QList<Route> allRoutes()
{
    return systemRoutes() + threadRoutes() + toolCallRoutes() + runtimeRoutes() + agentRoutes()
        + accessRoutes() + sandboxRoutes() + decisionRoutes() + lifecycleRoutes() + providerRoutes()
        + processRoutes() + fileRoutes();
}

} // namespace berth::api
