// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/sandboxes/isolation.h"

#include "application/providers/provider_service.h"

namespace berth::application {

bool isPassthrough(const ProviderService &providers, const domain::Sandbox &sandbox)
{
    const QString key = QStringLiteral("isolation");
    const QString isolation =
        sandbox.config.value(key, providers.effective(sandbox.providerConfig).value(key));
    return isolation == QLatin1String("none");
}

} // namespace berth::application
