// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/plan.h"

#include "net/json_fields.h"

#include <nlohmann/json.hpp>

namespace berth::docker {

using nlohmann::json;

namespace {

std::string asUtf8(const QString &text)
{
    return text.toStdString();
}

std::string networkMode(const SandboxSettings &settings)
{
    switch (settings.network) {
    case Network::None:
        return "none";
    case Network::Named:
        return asUtf8(settings.networkName);
    case Network::Auto:
    case Network::Bridge:
        break;
    }
    return "bridge";
}

json workspaceMount(const ContainerPlan &plan)
{
    json mount = {{"Target", plan.settings.home.toStdString()}};
    if (!plan.hostWorkspace.isEmpty()) {
        mount["Type"] = "bind";
        mount["Source"] = asUtf8(plan.hostWorkspace);
        return mount;
    }
    mount["Type"] = "volume";
    mount["Source"] = asUtf8(plan.volume);
    mount["VolumeOptions"] = {{"Labels", labelsJson(plan.labels)}};
    return mount;
}

json mounts(const ContainerPlan &plan)
{
    json list = json::array({workspaceMount(plan)});
    if (!plan.linkDirectory.isEmpty())
        list.push_back({{"Type", "bind"},
                        {"Source", asUtf8(plan.linkDirectory)},
                        {"Target", kLinkPath},
                        {"ReadOnly", true}});
    return list;
}

void harden(json &host, bool runsAsRoot)
{
    host["SecurityOpt"] = {"no-new-privileges"};
    host["CapDrop"] = {"ALL"};
    // What package managers need as root, and KILL because the runner ends the trees of commands
    // that changed their user. Not among them: SYS_PTRACE, with which a command could take the
    // runner over. Other users need none: the runner has the commands' user and, as the first
    // process, cannot be killed from inside.
    if (runsAsRoot)
        host["CapAdd"] = {"CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID"};
}

} // namespace

json labelsJson(const domain::InstanceLabels &labels)
{
    json object = json::object();
    const QMap<QString, QString> map = labels.toMap();
    for (auto it = map.begin(); it != map.end(); ++it)
        object[asUtf8(it.key())] = asUtf8(it.value());
    return object;
}

QByteArray encodeContainer(const ContainerPlan &plan)
{
    const SandboxSettings &settings = plan.settings;
    json host = {
        {"NetworkMode", networkMode(settings)},
        // The runner's stream is the only way in and out; the engine must not keep a copy of it.
        {"LogConfig", {{"Type", "none"}}},
        {"RestartPolicy", {{"Name", "no"}}},
        {"Mounts", mounts(plan)},
    };
    if (settings.hardened)
        harden(host, plan.runsAsRoot);
    if (settings.processes > 0)
        host["PidsLimit"] = settings.processes;
    else if (settings.hardened)
        host["PidsLimit"] = kHardenedProcesses;
    if (settings.memoryBytes > 0) {
        host["Memory"] = settings.memoryBytes;
        // Memory and swap together: no swap.
        host["MemorySwap"] = settings.memoryBytes;
    }
    if (settings.cpuShares > 0)
        host["CpuShares"] = settings.cpuShares;
    if (settings.milliCpus > 0)
        host["NanoCpus"] = qint64{settings.milliCpus} * 1'000'000;

    json body = {
        {"Image", asUtf8(settings.image)},
        {"Entrypoint", {plan.isRunnerMounted ? kMountedRunnerPath : kRunnerPath}},
        {"Cmd", {"run", "--eof=stay"}},
        {"WorkingDir", settings.home.toStdString()},
        {"Labels", labelsJson(plan.labels)},
        {"Tty", false},
        {"OpenStdin", true},
        // Another Berth process, or this one after a restart, attaches to the same runner.
        {"StdinOnce", false},
        {"AttachStdin", true},
        {"AttachStdout", true},
        {"AttachStderr", true},
        {"StopSignal", "SIGTERM"},
        {"Healthcheck", {{"Test", {"NONE"}}}},
        {"HostConfig", host},
    };
    if (!settings.user.isEmpty())
        body["User"] = asUtf8(settings.user);
    return net::dumped(body);
}

} // namespace berth::docker
