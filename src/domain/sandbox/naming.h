// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"

namespace berth::domain {

//! Names of agents, aliases and presets: [a-z0-9][a-z0-9_-]{0,31}.
bool isValidName(QStringView name);
//! "berth-<first 8 of installation>-<agent>-<alias>".
QString sandboxName(const InstallationId &installation, const AgentId &agent, const QString &alias);
//! A name made of \a text by dropping and lowering what is not allowed; "agent" when nothing is
//! left.
QString nameFrom(const QString &text);

} // namespace berth::domain
