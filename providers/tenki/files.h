// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/file_system.h"
#include "providers/tenki/connection.h"

namespace berth::tenki {

//! Files by scripts; large reads by Tenki's own stream.
std::unique_ptr<domain::FileSystem> makeFileSystem(LinkPtr link);

} // namespace berth::tenki
