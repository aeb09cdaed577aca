// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/engine_client.h"

namespace berth::application {

EngineClient::EngineClient(QObject *parent) : QObject(parent) {}

EngineClient::~EngineClient() = default;

} // namespace berth::application
