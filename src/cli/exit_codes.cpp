// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/exit_codes.h"

namespace berth::cli {

// No default: a new kind has to be given a code here.
int exitCodeOf(domain::ErrorKind kind)
{
    switch (kind) {
    case domain::ErrorKind::InvalidInput:
        return kUsage;
    case domain::ErrorKind::Conflict:
        return 65;
    case domain::ErrorKind::NotFound:
        return 66;
    case domain::ErrorKind::Unauthorized:
        return 67;
    case domain::ErrorKind::Quota:
        return 68;
    case domain::ErrorKind::Unavailable:
        return 69;
    case domain::ErrorKind::Internal:
        return 70;
    case domain::ErrorKind::RateLimited:
        return 71;
    case domain::ErrorKind::Unsupported:
        return 72;
    case domain::ErrorKind::Cancelled:
        return 73;
    case domain::ErrorKind::Storage:
        return 74;
    case domain::ErrorKind::Timeout:
        return 75;
    case domain::ErrorKind::Protocol:
        return 76;
    case domain::ErrorKind::Forbidden:
        return 77;
    }
    return 70;
}

} // namespace berth::cli
