// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/support/cli_run.h"

#include <nlohmann/json.hpp>

namespace berth::test {

nlohmann::json CliRun::json() const
{
    const nlohmann::json object =
        nlohmann::json::parse(out.taken.begin(), out.taken.end(), nullptr, false);
    if (!object.is_object() || out.taken.count('\n') != 1)
        qFatal("not one JSON object: %s", out.taken.constData());
    return object;
}

QList<nlohmann::json> Stage::received(const char *name)
{
    QList<nlohmann::json> all;
    engine.onEngine([&](ScriptedEngine &scripted) {
        for (const auto &[command, json] : scripted.received) {
            if (command == QLatin1String(name))
                all.append(nlohmann::json::parse(json.begin(), json.end()));
        }
    });
    return all;
}

void furnish(ScriptedEngine &engine)
{
    using namespace application;
    const auto thread = [](char letter, int number, const QString &title, bool archived) {
        ThreadView view;
        view.id = domain::ThreadId(ScriptedEngine::uuid(letter, number));
        view.title = title;
        view.archived = archived;
        view.sandboxAlias = QStringLiteral("docker-1");
        view.sandbox = domain::SandboxId(ScriptedEngine::uuid('5', 1));
        view.lease = domain::LeaseId(ScriptedEngine::uuid('7', 1));
        view.lifecycle = ThreadLifecycle::Active;
        return view;
    };
    engine.state.threads = {thread('1', 1, QStringLiteral("first"), false),
                            thread('1', 2, QStringLiteral("\u6f22\u5b57 title"), false),
                            thread('2', 3, QStringLiteral("old one"), true)};
    for (const ThreadView &view : engine.state.threads)
        engine.details[view.id].thread = view;
    SandboxView sandbox;
    sandbox.id = domain::SandboxId(ScriptedEngine::uuid('5', 1));
    sandbox.agent = domain::AgentId(QStringLiteral("default"));
    sandbox.alias = QStringLiteral("docker-1");
    engine.state.sandboxes = {sandbox};
    const auto runtime = [](int number, const QString &alias, const QString &external) {
        RuntimeView view;
        view.lease = domain::LeaseId(ScriptedEngine::uuid('7', number));
        view.id = view.lease.toString();
        view.alias = alias;
        view.externalId = external;
        view.providerKind = QStringLiteral("docker");
        view.providerConfig = domain::ConfigName(QStringLiteral("docker"));
        view.observed = domain::ObservedState::Running;
        view.destroyLoses = QStringLiteral("The files in volume v are deleted.");
        return view;
    };
    engine.state.runtimes = {runtime(1, QStringLiteral("docker-1"), QStringLiteral("cafe01")),
                             runtime(2, QStringLiteral("docker-2"), QStringLiteral("cafe02"))};
    const auto provider = [](const char *name, const char *label, bool usable) {
        ProviderView view;
        view.config = domain::ConfigName(QString::fromLatin1(name));
        view.kind = view.config.toString();
        view.label = QString::fromLatin1(label);
        view.stateText = usable ? QStringLiteral("Ready") : QStringLiteral("No engine found");
        view.usable = usable;
        view.path = QStringLiteral("/etc/%1.json").arg(view.kind);
        return view;
    };
    engine.state.providers = {provider("docker", "Docker", true),
                              provider("local", "Local", false)};
    engine.form.provider = engine.state.providers[0];
    FieldView image;
    image.key = QStringLiteral("docker.image");
    image.type = QStringLiteral("text");
    image.defaultValue = QStringLiteral("python:3.12-slim");
    image.origin = QStringLiteral("default");
    FieldView init;
    init.key = QStringLiteral("init_commands");
    init.type = QStringLiteral("string_list");
    engine.form.fields = {image, init};
    engine.health.ok = true;
    engine.health.summary = QStringLiteral("Engine 28");
    engine.health.steps = {{QStringLiteral("Find the socket"), domain::StepState::Ok,
                            QStringLiteral("/run/x.sock"), std::chrono::milliseconds(3)},
                           {QStringLiteral("Ask the version"),
                            domain::StepState::Warning,
                            {},
                            std::chrono::milliseconds(1500)}};
    engine.sample.cpuCores = 0.5;
    engine.sample.memoryBytes = 50 * 1024 * 1024;
    engine.sample.memoryLimitBytes = qint64(2) * 1024 * 1024 * 1024;
    using Out = Script::Piece;
    const auto stdoutStream = domain::OutputStream::Stdout;
    const auto stderrStream = domain::OutputStream::Stderr;
    engine.scripts[QStringLiteral("greet")] = {.pieces = {Out{stdoutStream, "hi\n"},
                                                          Out{stderrStream, "err\n"},
                                                          Out{stdoutStream, "bye\n"}},
                                               .exitCode = 3};
    engine.scripts[QStringLiteral("binary")] = {
        .pieces = {Out{stdoutStream, QByteArray("\x00\xff\xfe\r\n\x1b[31m", 10)},
                   Out{stderrStream, "\xe6\xbc\xa2"}}};
    engine.scripts[QStringLiteral("forever")] = {.pieces = {Out{stdoutStream, "started\n"}},
                                                 .hangs = true};
    engine.scripts[QStringLiteral("late")] = {.outcome = domain::OutcomeKind::TimedOut};
    engine.scripts[QStringLiteral("late")].exitCode = 137;
    engine.scripts[QStringLiteral("none")] = {.exitCode = 125,
                                              .outcome = domain::OutcomeKind::NotStarted,
                                              .detail = QStringLiteral("The image is missing")};
    engine.scripts[QStringLiteral("pull")] = {
        .pieces = {Out{stdoutStream, "ready\n"}},
        .pace = std::chrono::milliseconds(20),
        .preparing = {QStringLiteral("Pulling x \u00b7 1 of 9 MB"),
                      QStringLiteral("Pulling x \u00b7 5 of 9 MB"), QStringLiteral("Starting")}};
    engine.scripts[QStringLiteral("slow")] = {
        .pieces = {Out{stdoutStream, "one"}, Out{stdoutStream, "two"}, Out{stderrStream, "three"}},
        .pace = std::chrono::milliseconds(60)};
}

} // namespace berth::test
