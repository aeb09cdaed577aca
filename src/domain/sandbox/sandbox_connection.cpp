// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/sandbox/sandbox_connection.h"

namespace berth::domain {

SandboxConnection::SandboxConnection(QObject *parent) : QObject(parent) {}

SandboxConnection::~SandboxConnection() = default;

} // namespace berth::domain
