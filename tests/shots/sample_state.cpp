// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shots/sample_state.h"

#include "widget/support/provider_forms.h"

#include <cmath>

namespace berth::shots {

using namespace berth::application;
using domain::ObservedState;

namespace {

constexpr qint64 kMega = 1024 * 1024;
constexpr qint64 kGiga = 1024 * kMega;

QDateTime ago(qint64 seconds)
{
    return QDateTime::currentDateTimeUtc().addSecs(-seconds);
}

struct Given
{
    const char *alias;
    ObservedState observed;
    qint64 stateAge;
    const char *config;
    qint64 memory;
    qint64 memoryLimit;
    qint64 disk;
    double cpu;
    double cpuLimit;
};

//! cpu and memory 0: not measured.
const Given kRuntimes[]{
    {"docker-1", ObservedState::Running, 250, "docker", 412 * kMega, 2 * kGiga, 1228 * kMega, 1.24,
     2},
    {"docker-2", ObservedState::Running, 1860, "docker", 188 * kMega, 2 * kGiga, 640 * kMega, 0.36,
     2},
    {"docker-3", ObservedState::Paused, 7300, "docker", 96 * kMega, kGiga, 310 * kMega, 0, 2},
    {"docker-4", ObservedState::Stopped, 260'000, "docker", 0, kGiga, 290 * kMega, 0, 2},
    {"a-long-alias-of-thirty-two-chars", ObservedState::Running, 90'000, "docker", 1530 * kMega, 0,
     9216 * kMega, 0.05, 0},
    {"docker-6", ObservedState::Running, 35, "docker", 24 * kMega, 512 * kMega, 12 * kMega, 0.31,
     1},
    {"docker-gpu-1", ObservedState::Running, 5400, "docker-gpu", 700 * kMega, 8 * kGiga,
     4096 * kMega, 0.9, 8},
    {"local-1", ObservedState::Running, 720, "local", 61 * kMega, 0, 0, 0.07, 0},
    {"local-2", ObservedState::Stopped, 9000, "local", 0, 0, 0, 0, 0},
};

ProviderView provider(const QString &config, const QString &kind, const QString &label,
                      const QString &mark)
{
    ProviderView view;
    view.config = domain::ConfigName(config);
    view.kind = kind;
    view.label = label;
    view.mark = mark;
    view.path = QStringLiteral("/home/ada/.config/berth/sandboxes/%1.json").arg(config);
    view.cost = QStringLiteral("Free");
    return view;
}

//! One that is ready, one that asks where its key may go, two without a key.
QList<ProviderView> fillClouds(test::ScriptedEngine &engine)
{
    const QString proof = QStringLiteral("Tested against an imitation of the service only");
    ProviderView e2b = provider(QStringLiteral("e2b"), QStringLiteral("e2b"), QStringLiteral("E2B"),
                                QStringLiteral("E2"));
    e2b.isolation = QStringLiteral("Cloud");
    e2b.cost = QStringLiteral("$0.15/hr");
    e2b.bestFor = QStringLiteral("Ephemeral tasks, CI");
    e2b.state = ProviderState::Ready;
    e2b.stateText = QStringLiteral("Ready");
    e2b.summary = QStringLiteral("base");
    e2b.usable = true;
    e2b.saved = true;
    e2b.proof = proof;
    e2b.consoleUrl = QStringLiteral("https://e2b.dev/dashboard");
    ProviderView daytona = provider(QStringLiteral("daytona"), QStringLiteral("daytona"),
                                    QStringLiteral("Daytona"), QStringLiteral("Dy"));
    daytona.isolation = QStringLiteral("Cloud or self-hosted");
    daytona.cost = QStringLiteral("Free (self-hosted)");
    daytona.bestFor = QStringLiteral("Production, team environments");
    daytona.state = ProviderState::NotSetUp;
    daytona.stateText = QStringLiteral("Needs your confirmation");
    daytona.stateDetail = QStringLiteral(
        "daytona waits for your confirmation: its key would go to https://daytona.example.com");
    daytona.saved = true;
    daytona.proof = proof;
    daytona.consoleUrl = QStringLiteral("https://app.daytona.io/dashboard");
    daytona.unconfirmedOrigins = {QStringLiteral("https://daytona.example.com")};
    ProviderView agentbay = provider(QStringLiteral("agentbay"), QStringLiteral("agentbay"),
                                     QStringLiteral("AgentBay"), QStringLiteral("AB"));
    agentbay.isolation = QStringLiteral("Alibaba Cloud");
    agentbay.cost = QStringLiteral("¥1/hr");
    agentbay.bestFor = QStringLiteral("China region");
    ProviderView tenki = provider(QStringLiteral("tenki"), QStringLiteral("tenki"),
                                  QStringLiteral("Tenki"), QStringLiteral("T"));
    tenki.isolation = QStringLiteral("Cloud");
    tenki.cost = QStringLiteral("As Tenki bills it");
    tenki.bestFor = QStringLiteral("Longer work in a cloud machine of its own");
    for (ProviderView *view : {&agentbay, &tenki}) {
        view->state = ProviderState::NeedsKey;
        view->stateText = QStringLiteral("Needs an API key");
    }
    agentbay.stateDetail = QStringLiteral("Set AGENTBAY_API_KEY or store one in Settings");
    tenki.stateDetail =
        QStringLiteral("Set TENKI_API_KEY or TENKI_AUTH_TOKEN, or store one in Settings");
    const QString json = QStringLiteral("{\n    \"provider\": \"e2b\"\n}\n");
    engine.forms.insert(e2b.config, {e2b, test::e2bFields(), json, {}, true});
    QList<FieldView> own = test::daytonaFields();
    own[1].value = QStringLiteral("https://daytona.example.com/api");
    engine.forms.insert(daytona.config, {daytona, own, json, test::daytonaExamples(), true});
    engine.forms.insert(agentbay.config, {agentbay, test::e2bFields(), json, {}, false});
    engine.forms.insert(tenki.config, {tenki, test::e2bFields(), json, {}, false});
    return {e2b, daytona, agentbay, tenki};
}

void fillProviders(test::ScriptedEngine &engine)
{
    ProviderView local = provider(QStringLiteral("local"), QStringLiteral("local"),
                                  QStringLiteral("Local"), QStringLiteral("L"));
    local.isolation = QStringLiteral("Bubblewrap");
    local.bestFor = QStringLiteral("Trusted code, quick work");
    local.pauseKeeps = QStringLiteral("Files; processes end");
    local.state = ProviderState::Ready;
    local.stateText = QStringLiteral("Ready · isolated");
    local.summary = QStringLiteral("isolated with bubblewrap");
    local.usable = true;
    ProviderView docker = provider(QStringLiteral("docker"), QStringLiteral("docker"),
                                   QStringLiteral("Docker"), QStringLiteral("D"));
    docker.isolation = QStringLiteral("Container");
    docker.bestFor = QStringLiteral("Testing, reproducible environments");
    docker.pauseKeeps = QStringLiteral("Everything: processes are frozen, memory and files stay");
    docker.state = ProviderState::Ready;
    docker.stateText = QStringLiteral("Ready · engine 28.2");
    docker.summary = QStringLiteral("python:3.12-slim");
    docker.saved = true;
    docker.usable = true;
    ProviderView gpu = docker;
    gpu.config = domain::ConfigName(QStringLiteral("docker-gpu"));
    gpu.path.replace(QLatin1String("docker.json"), QLatin1String("docker-gpu.json"));
    gpu.state = ProviderState::Unreachable;
    gpu.stateText = QStringLiteral("Unreachable");
    gpu.stateDetail =
        QStringLiteral("Connection refused at /run/gpu/docker.sock. Is the engine running?");
    gpu.summary = QStringLiteral("nvidia/cuda:12.4.1-runtime-ubuntu22.04");
    gpu.usable = false;
    const QList<ProviderView> clouds = fillClouds(engine);
    engine.state.providers = QList<ProviderView>{local, docker, gpu} + clouds;
    engine.forms.insert(
        local.config,
        {local, test::localFields(), QStringLiteral("{\n    \"provider\": \"local\"\n}\n")});
    QList<FieldView> fields = test::dockerFields();
    const QString json = QStringLiteral(
        "{\n    \"provider\": \"docker\",\n    \"on_exit\": \"pause\",\n    \"docker\": {\n"
        "        \"image\": \"python:3.12-slim\",\n        \"mount_path\": \"/workspace\"\n"
        "    }\n}\n");
    for (const ProviderView &view : {docker, gpu})
        engine.forms.insert(view.config, {view, fields, json});
    engine.health.ok = true;
    engine.health.summary = QStringLiteral("engine 28.2");
    engine.health.durationMs = 310;
    using domain::StepState;
    using std::chrono::milliseconds;
    engine.health.steps = {
        {QStringLiteral("Find the engine"), StepState::Ok,
         QStringLiteral("unix:///var/run/docker.sock"), milliseconds(2)},
        {QStringLiteral("Agree on a version"), StepState::Ok,
         QStringLiteral("engine 28.2, API 1.50, linux/amd64"), milliseconds(11)},
        {QStringLiteral("Image"), StepState::Warning,
         QStringLiteral(
             "python:3.12-slim is not there yet; it is pulled at the first start (45 MB)"),
         milliseconds(6)},
        {QStringLiteral("Start and remove a container"), StepState::Skipped,
         QStringLiteral("needs the image"), milliseconds(0)}};
}

void fillRuntimes(test::ScriptedEngine &engine)
{
    for (const Given &given : kRuntimes) {
        RuntimeView view = engine.addRuntime(QString::fromLatin1(given.alias), given.observed);
        engine.state.runtimes.removeLast();
        view.providerConfig = domain::ConfigName(QString::fromLatin1(given.config));
        view.providerKind = view.providerConfig.toString().section(QLatin1Char('-'), 0, 0);
        view.providerLabel = view.providerKind == QLatin1String("local") ? QStringLiteral("Local")
                                                                         : QStringLiteral("Docker");
        if (view.providerConfig.toString() == QLatin1String("docker-gpu"))
            view.providerLabel = QStringLiteral("Docker · docker-gpu");
        view.image = view.providerKind == QLatin1String("local")
            ? QStringLiteral("bubblewrap")
            : QStringLiteral("python:3.12-slim");
        view.externalId = QStringLiteral("7f3a9c21d4e8b65010c2f7a9e3d1");
        view.name = QStringLiteral("berth-1c9e44b0-default-%1").arg(view.alias);
        view.startedAt = view.stateSince = ago(given.stateAge);
        view.createdAt = ago(given.stateAge + 90);
        view.destroyLoses = view.providerKind == QLatin1String("local")
            ? QStringLiteral("Its workspace on this machine (61 MB) and everything in it.")
            : QStringLiteral("The container %1 and its volume berth-1c9e44b0-%2 with all files in "
                             "/workspace. The image stays.")
                  .arg(view.name, view.alias);
        view.canResume =
            given.observed == ObservedState::Paused || given.observed == ObservedState::Stopped;
        domain::ResourceSample sample;
        sample.at = view.stateSince;
        if (given.cpu > 0)
            sample.cpuCores = given.cpu;
        if (given.cpuLimit > 0)
            sample.cpuLimitCores = given.cpuLimit;
        if (given.memory > 0)
            sample.memoryBytes = given.memory;
        if (given.memoryLimit > 0)
            sample.memoryLimitBytes = given.memoryLimit;
        if (given.disk > 0)
            sample.diskBytes = given.disk;
        // What runs gets its samples by tellHistory().
        if (given.observed != ObservedState::Running)
            view.sample = sample;
        engine.state.runtimes.append(view);
    }
    QList<RuntimeView> &all = engine.state.runtimes;
    all[5].busy = QStringLiteral("pausing");
    all[6].unreachable = true;
    all[6].observedAt = ago(5 * 60);
    all[6].lastError = QStringLiteral("Connection refused at /run/gpu/docker.sock");
    RuntimeView orphan = all[3];
    orphan.id = QStringLiteral("docker:9b1c");
    orphan.alias.clear();
    orphan.lease = {};
    orphan.name = QStringLiteral("berth-1c9e44b0-default-experiment");
    orphan.orphan = true;
    orphan.observed = ObservedState::Running;
    orphan.canPause = true;
    orphan.sample.reset();
    all.append(orphan);
}

} // namespace

void fill(test::ScriptedEngine &engine)
{
    engine.state.engine.version = QStringLiteral("0.1.0");
    engine.state.engine.dataDirectory = QStringLiteral("/home/ada/.local/share/berth");
    engine.state.engine.sandboxesDirectory = QStringLiteral("~/.config/berth/sandboxes");
    engine.state.engine.installation =
        domain::InstallationId(QStringLiteral("1c9e44b0-6a0f-4a57-9a53-0f2e6c1b7d10"));
    fillProviders(engine);
    fillRuntimes(engine);
    struct Title
    {
        const char *text;
        qint64 age;
        ThreadLifecycle lifecycle;
        int runtime;
    };
    const Title titles[]{
        {"Fix the flaky upload test", 250, ThreadLifecycle::Active, 0},
        {"Profile the CSV importer", 1860, ThreadLifecycle::Active, 1},
        {"为发布说明整理本周的改动，并检查所有链接", 5400, ThreadLifecycle::Active, 4},
        {"Scrape the tide tables", 7300, ThreadLifecycle::Paused, 2},
        {"Try the wheel build with the new compiler, then compare sizes and start-up times of both",
         80'000, ThreadLifecycle::Unreachable, 6},
        {"List what this image contains", 90'000, ThreadLifecycle::Active, 7},
        {"Reproduce the locale crash", 260'000, ThreadLifecycle::Stopped, 3},
        {"Draft the release notes", 400'000, ThreadLifecycle::Destroyed, -1},
    };
    for (const Title &title : titles) {
        const domain::ThreadId id =
            engine.addThread(QString::fromUtf8(title.text), ago(title.age), title.lifecycle);
        ThreadView &thread = engine.state.threads.last();
        if (title.runtime < 0)
            continue;
        RuntimeView &runtime = engine.state.runtimes[title.runtime];
        thread.sandbox = runtime.sandbox;
        thread.lease = runtime.lease;
        thread.sandboxAlias = runtime.alias;
        thread.sandboxType = runtime.providerKind;
        thread.sandboxLabel = QStringLiteral("%1 · %2").arg(runtime.providerKind, runtime.image);
        thread.lifecycleSince = runtime.stateSince;
        runtime.threads.append({id, thread.title});
        engine.details[id].thread = thread;
    }
    engine.state.runtimes[1].threads.append(
        {domain::ThreadId(QStringLiteral("x")), QStringLiteral("Draft the release notes")});
    for (const RuntimeView &runtime : std::as_const(engine.state.runtimes)) {
        if (runtime.sandbox.isNull() || runtime.orphan)
            continue;
        SandboxView sandbox;
        sandbox.id = runtime.sandbox;
        sandbox.agent = runtime.agent;
        sandbox.alias = runtime.alias;
        sandbox.type = runtime.providerKind;
        sandbox.providerConfig = runtime.providerConfig;
        sandbox.label = QStringLiteral("%1 · %2").arg(runtime.providerKind, runtime.image);
        sandbox.status = QStringLiteral("provisioned");
        sandbox.lease = runtime.lease;
        sandbox.observed = runtime.observed == ObservedState::Paused ? QStringLiteral("paused")
                                                                     : QStringLiteral("running");
        sandbox.threads = static_cast<int>(runtime.threads.size());
        sandbox.lastSeenAt = runtime.stateSince;
        engine.state.sandboxes.append(sandbox);
    }
}

void tellHistory(test::ScriptedEngine &engine, int minutes)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (qsizetype r = 0; r < engine.state.runtimes.size(); ++r) {
        const RuntimeView &runtime = engine.state.runtimes[r];
        if (runtime.observed != ObservedState::Running || runtime.orphan
            || r >= static_cast<qsizetype>(std::size(kRuntimes)))
            continue;
        const Given &given = kRuntimes[r];
        const qint64 end = runtime.unreachable ? 5 * 60 : 0;
        for (qint64 second = minutes * 60; second >= end; --second) {
            // One was not looked at for two minutes.
            if (r == 1 && second > 200 && second < 320)
                continue;
            const double t = static_cast<double>(second);
            const double wave = 0.5 + 0.22 * std::sin(t / 23 + static_cast<double>(r))
                + 0.16 * std::sin(t / 7.3) + 0.12 * std::sin(t / 2.1 + static_cast<double>(3 * r));
            domain::ResourceSample sample;
            sample.at = now.addSecs(-second);
            sample.cpuCores = qMax(0.0, given.cpu * (second == 0 ? 1 : 1.6 * wave));
            if (given.cpuLimit > 0)
                sample.cpuLimitCores = given.cpuLimit;
            sample.memoryBytes = static_cast<qint64>(static_cast<double>(given.memory)
                                                     * (second == 0 ? 1 : 0.92 + 0.12 * wave));
            if (given.memoryLimit > 0)
                sample.memoryLimitBytes = given.memoryLimit;
            if (given.disk > 0)
                sample.diskBytes = given.disk - second * 4096;
            sample.networkReceiveBytesPerSecond = qMax(0.0, 84'000 * (wave - 0.3));
            sample.networkSendBytesPerSecond = qMax(0.0, 9'000 * (wave - 0.4));
            engine.emitEvent(RuntimeSampled{runtime.id, sample});
        }
    }
}

domain::ThreadId conversation(test::ScriptedEngine &engine)
{
    const domain::ThreadId thread = engine.state.threads.first().id;
    const auto done = [&](const char *command, const QByteArray &out, const QByteArray &err,
                          int exit, qint64 ms) {
        const domain::ToolCallId call = engine.startCall(thread, QString::fromUtf8(command));
        if (!out.isEmpty())
            engine.write(call, out);
        if (!err.isEmpty())
            engine.write(call, err, domain::OutputStream::Stderr);
        engine.finish(call, domain::OutcomeKind::Exited, exit);
        engine.change(call, [ms](ToolCallView &view) { view.durationMs = ms; });
    };
    done("python3 --version", "Python 3.12.8\n", {}, 0, 42);
    QByteArray many;
    for (int i = 1; i <= 480; ++i)
        many +=
            "tests/test_upload.py::test_part_" + QByteArray::number(i) + " \x1b[32mPASSED\x1b[0m\n";
    done("pytest tests/test_upload.py -v --count 480", many, {}, 0, 18'400);
    done("pytest tests/test_upload.py -x", "tests/test_upload.py .............\x1b[31mF\x1b[0m\n",
         "E   AssertionError: expected 3 parts, got 2\n", 1, 3'120);
    const domain::ToolCallId running = engine.startCall(
        thread, QStringLiteral("for i in 1 2 3; do echo \"part $i of 3\"; sleep 1; done"));
    engine.write(running, "part 1 of 3\npart 2 of 3\n");
    return thread;
}

} // namespace berth::shots
