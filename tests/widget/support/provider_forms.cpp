// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widget/support/provider_forms.h"

namespace berth::test {

using application::FieldView;

namespace {

FieldView field(const QString &key, const QString &type, const QString &label,
                const QString &help = {})
{
    FieldView made;
    made.key = key;
    made.type = type;
    made.label = label;
    made.help = help;
    made.origin = QStringLiteral("default");
    return made;
}

FieldView onExit()
{
    FieldView made = field(QStringLiteral("on_exit"), QStringLiteral("choice"),
                           QStringLiteral("When Berth quits"));
    made.defaultValue = QStringLiteral("pause");
    made.choices = {{QStringLiteral("pause"), QStringLiteral("Pause, keep everything")},
                    {QStringLiteral("destroy"), QStringLiteral("Destroy, clean slate")}};
    return made;
}

FieldView initCommands()
{
    FieldView made = field(
        QStringLiteral("init_commands"), QStringLiteral("string_list"),
        QStringLiteral("Set-up commands"),
        QStringLiteral("Run once in a new sandbox, one per line; a failing one stops the start"));
    made.advanced = true;
    return made;
}

} // namespace

QList<FieldView> dockerFields()
{
    FieldView image =
        field(QStringLiteral("docker.image"), QStringLiteral("text"), QStringLiteral("Image"),
              QStringLiteral("Pulled when the engine does not have it"));
    image.defaultValue = QStringLiteral("python:3.12-slim");
    image.required = true;
    image.pattern = QStringLiteral("[A-Za-z0-9][A-Za-z0-9._/:@-]*");
    image.patternHint = QStringLiteral("a name such as python:3.12-slim, without spaces");
    FieldView home = field(
        QStringLiteral("docker.mount_path"), QStringLiteral("path"), QStringLiteral("Mount path"),
        QStringLiteral(
            "Working directory inside the container; the workspace volume is mounted here"));
    home.defaultValue = QStringLiteral("/workspace");
    home.required = true;
    home.value = QStringLiteral("/workspace");
    home.origin = QStringLiteral("file");
    FieldView memory = field(QStringLiteral("docker.memory_limit"), QStringLiteral("text"),
                             QStringLiteral("Memory limit"), QStringLiteral("Empty: no limit"));
    memory.placeholder = QStringLiteral("2g");
    memory.pattern = QStringLiteral("[0-9]+[bkmgBKMG]?");
    memory.patternHint = QStringLiteral("a number with k, m or g, such as 512m");
    FieldView network =
        field(QStringLiteral("docker.network"), QStringLiteral("choice"), QStringLiteral("Network"),
              QStringLiteral("What the sandbox can reach"));
    network.defaultValue = QStringLiteral("bridge");
    network.choices = {
        {QStringLiteral("bridge"), QStringLiteral("The engine's bridge: Internet and LAN")},
        {QStringLiteral("none"), QStringLiteral("Off")}};
    FieldView host =
        field(QStringLiteral("docker.docker_host"), QStringLiteral("text"),
              QStringLiteral("Engine address"),
              QStringLiteral("Empty: DOCKER_HOST, the current context, then the usual sockets"));
    host.placeholder = QStringLiteral("unix:///var/run/docker.sock");
    host.advanced = true;
    FieldView shares =
        field(QStringLiteral("docker.cpu_shares"), QStringLiteral("integer"),
              QStringLiteral("CPU shares"),
              QStringLiteral(
                  "Weight against other containers when the processor is busy; 1024 is usual"));
    shares.minimum = 2;
    shares.maximum = 262144;
    shares.advanced = true;
    return {image, home, memory, network, onExit(), host, shares, initCommands()};
}

QList<FieldView> localFields()
{
    FieldView network = field(
        QStringLiteral("local.network"), QStringLiteral("boolean"), QStringLiteral("Network"),
        QStringLiteral("On: reaches the Internet, and services of this machine and the LAN too"));
    network.defaultValue = QStringLiteral("false");
    FieldView timeout =
        field(QStringLiteral("local.timeout_ms"), QStringLiteral("integer"),
              QStringLiteral("Time per command"), QStringLiteral("Empty: as long as it takes"));
    timeout.unit = QStringLiteral("ms");
    timeout.minimum = 100;
    return {network, timeout, onExit(), initCommands()};
}

QList<FieldView> e2bFields()
{
    FieldView key =
        field(QStringLiteral("e2b.api_key"), QStringLiteral("secret"), QStringLiteral("API key"));
    key.required = true;
    key.origin = QStringLiteral("environment:E2B_API_KEY");
    key.hint = QStringLiteral("\u20267f3a");
    key.environmentVariables = {QStringLiteral("E2B_API_KEY")};
    FieldView base =
        field(QStringLiteral("e2b.template"), QStringLiteral("text"), QStringLiteral("Template"));
    base.defaultValue = QStringLiteral("base");
    FieldView cwd = field(QStringLiteral("e2b.cwd"), QStringLiteral("path"),
                          QStringLiteral("Working directory"));
    cwd.defaultValue = QStringLiteral("/home/user");
    FieldView timeout =
        field(QStringLiteral("e2b.timeout"), QStringLiteral("integer"), QStringLiteral("Timeout"),
              QStringLiteral("The sandbox pauses when it runs out"));
    timeout.defaultValue = QStringLiteral("300");
    timeout.minimum = 1;
    timeout.maximum = 86400;
    timeout.unit = QStringLiteral("s");
    return {key, base, cwd, timeout, onExit(), initCommands()};
}

QList<FieldView> daytonaFields()
{
    FieldView key = field(QStringLiteral("daytona.api_key"), QStringLiteral("secret"),
                          QStringLiteral("API key"));
    key.required = true;
    key.origin = QStringLiteral("missing");
    key.environmentVariables = {QStringLiteral("DAYTONA_API_KEY")};
    FieldView url =
        field(QStringLiteral("daytona.api_url"), QStringLiteral("text"), QStringLiteral("API URL"));
    url.defaultValue = QStringLiteral("https://app.daytona.io/api");
    FieldView target =
        field(QStringLiteral("daytona.target"), QStringLiteral("text"), QStringLiteral("Target"));
    FieldView cwd = field(QStringLiteral("daytona.cwd"), QStringLiteral("path"),
                          QStringLiteral("Working directory"));
    cwd.defaultValue = QStringLiteral("/home/daytona");
    return {key, url, target, cwd, onExit(), initCommands()};
}

QList<application::FormExample> daytonaExamples()
{
    return {{QStringLiteral("SaaS"),
             {},
             {{QStringLiteral("daytona.api_url"), QStringLiteral("https://app.daytona.io/api")},
              {QStringLiteral("daytona.cwd"), QStringLiteral("/home/daytona")},
              {QStringLiteral("daytona.target"), QString()}}},
            {QStringLiteral("Self-hosted"),
             QStringLiteral("Needs bash at /usr/bin/bash in runner and workspace image, the runner "
                            "on the bridge network, and the proxy on port 4000"),
             {{QStringLiteral("daytona.api_url"), QStringLiteral("http://localhost:3986/api")},
              {QStringLiteral("daytona.cwd"), QStringLiteral("/workspace")},
              {QStringLiteral("daytona.target"), QStringLiteral("us")}}}};
}

} // namespace berth::test
