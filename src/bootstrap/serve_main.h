// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bootstrap/app_paths.h"
#include "cli/options.h"
#include "cli/output_sink.h"

namespace berth::bootstrap {

//! "berth-cli serve" and "berth-cli token …", in the caller's process; the exit code.
int runServeVerb(const cli::CliOptions &options, const AppPaths &paths, cli::OutputSink &out,
                 cli::OutputSink &err);

} // namespace berth::bootstrap
