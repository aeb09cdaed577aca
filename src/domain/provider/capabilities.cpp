// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/provider/capabilities.h"

#include <utility>

namespace berth::domain {

Capabilities &Capabilities::allow(Capability capability)
{
    m_denied.remove(static_cast<int>(capability));
    m_allowed.insert(static_cast<int>(capability), true);
    return *this;
}

Capabilities &Capabilities::deny(Capability capability, QString reason)
{
    m_allowed.remove(static_cast<int>(capability));
    m_denied.insert(static_cast<int>(capability), std::move(reason));
    return *this;
}

bool Capabilities::has(Capability capability) const
{
    return m_allowed.contains(static_cast<int>(capability));
}

QString Capabilities::reasonAgainst(Capability capability) const
{
    if (has(capability))
        return {};
    return m_denied.value(static_cast<int>(capability),
                          QStringLiteral("This provider does not offer it"));
}

} // namespace berth::domain
