// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/registry/provider_kinds.h"

#include "providers/agentbay/agentbay_kind.h"
#include "providers/daytona/daytona_kind.h"
#include "providers/docker/docker_kind.h"
#include "providers/e2b/e2b_kind.h"
#include "providers/local/local_kind.h"
#include "providers/tenki/tenki_kind.h"

namespace berth::providers {

domain::ProviderKinds builtinProviderKinds()
{
    return {
        local::makeLocalKind(),     docker::makeDockerKind(),     e2b::makeE2bKind(),
        daytona::makeDaytonaKind(), agentbay::makeAgentBayKind(), tenki::makeTenkiKind(),
    };
}

} // namespace berth::providers
