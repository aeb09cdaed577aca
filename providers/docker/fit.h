// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "providers/docker/core.h"

// Whether the engine can give what the settings ask for; asked before anything is made.
namespace berth::docker {

//! InvalidInput for more processors than there are.
domain::Result<void> cpusFit(const EngineFacts &facts, const SandboxSettings &settings);
//! What is to be known about the network, empty when it is as wished. InvalidInput when a named
//! one, or a bridge that was asked for, does not exist.
domain::Async<QString> networkNote(EnginePtr engine, SandboxSettings settings,
                                   std::stop_token stop);
//! The checked directory; empty: none is wanted. InvalidInput, with the reason, for one that cannot
//! be a workspace.
domain::Result<QString> chosenWorkspace(const CorePtr &core, const EnginePtr &engine,
                                        const QString &wanted);

} // namespace berth::docker
