// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/instance.h"
#include "providers/docker/settings.h"

namespace berth::docker {

constexpr char kRunnerPath[] = "/.berth/guest";
//! Where the directory of the direct connection is mounted (link.h).
constexpr char kLinkPath[] = "/.berth/link";
//! The runner where it comes with that directory in place of a call of the engine.
constexpr char kMountedRunnerPath[] = "/.berth/link/guest";

//! What to make a container of.
struct ContainerPlan
{
    QString name;
    QString volume;
    //! A directory of this machine in the volume's place.
    QString hostWorkspace;
    //! A directory of this machine for the direct connection; empty: none.
    QString linkDirectory;
    //! The runner lies in it.
    bool isRunnerMounted = false;
    domain::InstanceLabels labels;
    SandboxSettings settings;
    bool runsAsRoot = true;
};

//! The body of the create call.
QByteArray encodeContainer(const ContainerPlan &plan);
nlohmann::json labelsJson(const domain::InstanceLabels &labels);

} // namespace berth::docker
