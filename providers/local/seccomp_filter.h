// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QByteArray>

namespace berth::local {

//! The compiled filter for bwrap --seccomp: everything a toolchain needs stays (ptrace of one's own
//! processes included, for gdb, strace and the traced working directory); what only serves to get
//! at the kernel or at other users is refused with EPERM, or with ENOSYS where programs then take
//! another way. Made once. Unavailable where this build or machine has none.
domain::Result<QByteArray> seccompFilter();

} // namespace berth::local
