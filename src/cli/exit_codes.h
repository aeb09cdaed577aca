// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/error.h"

// The exit codes of berth-cli.
//   0..255  thread new, thread send, exec: the command's own (137 after its timeout, 128 + n for
//   signal n) 64..77  Berth's own failures, by exitCodeOf(); the numbers follow sysexits.h where it
//   has a fitting one 125     Berth's own failures of thread and exec, where any other code could
//   be the command's 130     stopped by Ctrl-C (128 + the signal's number for others) 141 whoever
//   read the output has left
namespace berth::cli {

inline constexpr int kOwnFailure = 125;
inline constexpr int kUsage = 64;
inline constexpr int kBrokenPipe = 141;

[[nodiscard]] int exitCodeOf(domain::ErrorKind kind);

} // namespace berth::cli
