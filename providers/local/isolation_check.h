// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/health.h"
#include "providers/local/runtimes.h"

namespace berth::local {

//! Test connection: the settings, bubblewrap, and a sandbox that really runs a command and is
//! really isolated.
domain::Async<domain::HealthReport> checkIsolation(std::shared_ptr<Runtimes> runtimes,
                                                   QMap<QString, QString> values,
                                                   domain::StepSink step, std::stop_token stop);

} // namespace berth::local
