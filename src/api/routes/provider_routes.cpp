// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/routes/forward.h"
#include "api/routes/routes.h"

namespace berth::api {

using namespace application;

QList<Route> providerRoutes()
{
    return {
        withQuery(route("GET", "/api/providers", "listProviders",
                        "List the places where sandboxes run", Scope::Read, &forward<ListProviders>,
                        "ProviderList"),
                  {{"refresh", FieldType::Boolean, false, "Check their state first"}}),
        route("GET", "/api/providers/{config}", "getProvider",
              "The settings of a provider config, without secrets", Scope::Read,
              &forward<GetProviderForm>, "ProviderForm"),
        withBody(route("PUT", "/api/providers/{config}", "saveProvider",
                       "Change settings of a provider config", Scope::Admin, &forward<SaveProvider>,
                       "Provider"),
                 {{"values", FieldType::TextMap, true,
                   "By key; an empty text goes back to the default"}}),
    };
}

} // namespace berth::api
