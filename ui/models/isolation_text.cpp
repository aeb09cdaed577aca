// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/isolation_text.h"

#include "domain/provider/isolation.h"

#include <QtCore/QCoreApplication>

#include <algorithm>

namespace berth::ui {

QString noIsolationWords()
{
    return QCoreApplication::translate(
        "Isolation", "No isolation: everything that you can do, Berth's own files included");
}

bool hasNoIsolation(const application::ProviderView &provider)
{
    return provider.isolation == domain::noIsolationText();
}

bool hasNoIsolation(const application::Snapshot &snapshot, const application::ThreadView &thread)
{
    const auto sandbox =
        std::find_if(snapshot.sandboxes.cbegin(), snapshot.sandboxes.cend(),
                     [&thread](const auto &one) { return one.id == thread.sandbox; });
    if (sandbox == snapshot.sandboxes.cend())
        return false;
    return std::any_of(
        snapshot.providers.cbegin(), snapshot.providers.cend(), [&sandbox](const auto &provider) {
            return provider.config == sandbox->providerConfig && hasNoIsolation(provider);
        });
}

} // namespace berth::ui
