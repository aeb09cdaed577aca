// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/execution/execution.h"

namespace berth::domain {

Execution::Execution(QObject *parent) : QObject(parent) {}

Execution::~Execution() = default;

} // namespace berth::domain
