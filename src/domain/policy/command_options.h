// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/policy/shell_parser.h"

namespace berth::domain {

//! Why the options of \a segment, a call of the program \a name, ask always: they name further
//! programs (find -exec, tar --to-command, git -c) or may be such options once expanded. Empty:
//! they do not.
QString whyOptionsAsk(const ShellSegment &segment, const QString &name);

} // namespace berth::domain
