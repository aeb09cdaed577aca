// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/client.h"

#include <nlohmann/json.hpp>

namespace berth::docker {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using net::HttpRequest;
using net::HttpResponse;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

//! Below what fork bombs need, above what large builds need.
constexpr int kMostProcesses = 4096;
//! Starting, removing and freezing take seconds on a busy machine.
constexpr std::chrono::milliseconds kSlow = 60s;
constexpr qint64 kLargestArchive = 8 * 1024 * 1024;

std::string utf8(const QString &text)
{
    return text.toStdString();
}

QByteArray dumped(const json &value)
{
    return QByteArray::fromStdString(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

json labelsJson(const domain::InstanceLabels &labels)
{
    json object = json::object();
    const QMap<QString, QString> map = labels.toMap();
    for (auto it = map.begin(); it != map.end(); ++it)
        object[utf8(it.key())] = utf8(it.value());
    return object;
}

QByteArray containerPath(const QString &id, const char *rest)
{
    return QByteArrayLiteral("/containers/") + net::percentEncoded(id.toUtf8()) + rest;
}

HttpRequest request(const EnginePtr &engine, const char *method, const QByteArray &path)
{
    HttpRequest made;
    made.method = method;
    made.target = engine->prefix + path;
    if (made.method != "GET")
        made.deadlines.firstByte = kSlow;
    return made;
}

HttpRequest jsonRequest(const EnginePtr &engine, const char *method, const QByteArray &path,
                        const json &body)
{
    HttpRequest made = request(engine, method, path);
    made.headers.append(QByteArrayLiteral("Content-Type"), QByteArrayLiteral("application/json"));
    made.body = dumped(body);
    return made;
}

//! The answer, whatever its status; only a failed connection is an error.
Async<HttpResponse> ask(EnginePtr engine, HttpRequest made, QString what, std::stop_token stop)
{
    Result<HttpResponse> response = co_await engine->http->send(made, stop);
    if (!response) {
        domain::Error error = response.error();
        error.detail = error.message
            + (error.detail.isEmpty() ? QString() : QStringLiteral(". ") + error.detail);
        error.message = what + QStringLiteral(" failed");
        if (error.kind == ErrorKind::Unavailable)
            error.detail +=
                QStringLiteral(". Is the Docker engine at %1 running?").arg(engine->socketPath);
        co_return failure(error);
    }
    co_return *response;
}

//! The body of a success.
Async<QByteArray> call(EnginePtr engine, HttpRequest made, QString what, std::stop_token stop)
{
    const Result<HttpResponse> response = co_await ask(engine, made, what, stop);
    if (!response)
        co_return failure(response.error());
    if (response->head.status >= 400)
        co_return failure(engineError(response->head.status, response->body, what));
    co_return response->body;
}

Async<void> callForNothing(EnginePtr engine, HttpRequest made, QString what, std::stop_token stop)
{
    const Result<QByteArray> body = co_await call(engine, made, what, stop);
    if (!body)
        co_return failure(body.error());
    co_return Result<void>{};
}

} // namespace

QByteArray encodeContainer(const ContainerPlan &plan)
{
    const SandboxSettings &settings = plan.settings;
    json host = {
        {"NetworkMode", settings.network == Network::None ? "none" : "bridge"},
        // The runner's stream is the only way in and out; the engine must not keep a copy of it.
        {"LogConfig", {{"Type", "none"}}},
        {"RestartPolicy", {{"Name", "no"}}},
        {"SecurityOpt", {"no-new-privileges"}},
        {"CapDrop", {"ALL"}},
        {"PidsLimit", kMostProcesses},
        {"Mounts",
         json::array({{{"Type", "volume"},
                       {"Source", utf8(plan.volume)},
                       {"Target", settings.home.toStdString()},
                       {"VolumeOptions", {{"Labels", labelsJson(plan.labels)}}}}})},
    };
    // What package managers need as root, and KILL because the runner ends the trees of commands
    // that changed their user. Not among them: SYS_PTRACE, with which a command could take the
    // runner over.
    if (plan.runsAsRoot)
        host["CapAdd"] = {"CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID"};
    if (settings.memoryBytes > 0) {
        host["Memory"] = settings.memoryBytes;
        host["MemorySwap"] = settings.memoryBytes;
    }
    if (settings.cpuShares > 0)
        host["CpuShares"] = settings.cpuShares;

    json body = {
        {"Image", utf8(settings.image)},
        {"Entrypoint", {kRunnerPath}},
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
        body["User"] = utf8(settings.user);
    return dumped(body);
}

Async<Container> inspectContainer(EnginePtr engine, QString id, bool withSize, std::stop_token stop)
{
    HttpRequest made =
        request(engine, "GET", containerPath(id, withSize ? "/json?size=1" : "/json"));
    if (withSize)
        made.deadlines.firstByte = kSlow;
    const Result<QByteArray> body =
        co_await call(engine, made, QStringLiteral("Looking at the container"), stop);
    if (!body)
        co_return failure(body.error());
    co_return decodeContainer(*body);
}

Async<QList<domain::Instance>> listContainers(EnginePtr engine, std::stop_token stop)
{
    const QByteArray filters = net::percentEncoded(R"({"label":["berth.installation"]})");
    const HttpRequest made =
        request(engine, "GET", QByteArrayLiteral("/containers/json?all=1&filters=") + filters);
    const Result<QByteArray> body =
        co_await call(engine, made, QStringLiteral("Listing the containers"), stop);
    if (!body) {
        // Nothing of ours is gone because a list has no answer.
        domain::Error error = body.error();
        if (error.kind == ErrorKind::NotFound)
            error.kind = ErrorKind::Protocol;
        co_return failure(error);
    }
    co_return decodeList(*body);
}

Async<QString> createContainer(EnginePtr engine, ContainerPlan plan, std::stop_token stop)
{
    const QString what = QStringLiteral("Creating the container");
    HttpRequest made = request(engine, "POST",
                               QByteArrayLiteral("/containers/create?name=")
                                   + net::percentEncoded(plan.name.toUtf8()));
    made.headers.append(QByteArrayLiteral("Content-Type"), QByteArrayLiteral("application/json"));
    made.body = encodeContainer(plan);
    const Result<HttpResponse> response = co_await ask(engine, made, what, stop);
    if (!response)
        co_return failure(response.error());
    if (response->head.status < 400)
        co_return decodeCreated(response->body);
    domain::Error error = engineError(response->head.status, response->body, what);
    if (isNameTaken(response->head.status, response->body))
        error.kind = ErrorKind::Conflict;
    else if (error.kind == ErrorKind::NotFound)
        error.kind = ErrorKind::InvalidInput; // the image went away after we had looked
    co_return failure(error);
}

Async<void> startContainer(EnginePtr engine, QString id, std::stop_token stop)
{
    const QString what = QStringLiteral("Starting the container");
    const HttpRequest made = request(engine, "POST", containerPath(id, "/start"));
    const Result<HttpResponse> response = co_await ask(engine, made, what, stop);
    if (!response)
        co_return failure(response.error());
    if (response->head.status < 400)
        co_return Result<void>{};
    domain::Error error = engineError(response->head.status, response->body, what);
    // The engine is well, but what it was asked to run is not: an unknown user, a foreign
    // architecture.
    if (error.kind == ErrorKind::Unavailable)
        error.kind = ErrorKind::InvalidInput;
    co_return failure(error);
}

Async<void> pauseContainer(EnginePtr engine, QString id, std::stop_token stop)
{
    return callForNothing(engine, request(engine, "POST", containerPath(id, "/pause")),
                          QStringLiteral("Pausing the container"), std::move(stop));
}

Async<void> unpauseContainer(EnginePtr engine, QString id, std::stop_token stop)
{
    return callForNothing(engine, request(engine, "POST", containerPath(id, "/unpause")),
                          QStringLiteral("Resuming the container"), std::move(stop));
}

Async<void> removeContainer(EnginePtr engine, QString id, std::stop_token stop)
{
    return callForNothing(engine, request(engine, "DELETE", containerPath(id, "?force=1&v=1")),
                          QStringLiteral("Removing the container"), std::move(stop));
}

Async<net::HijackedStream> attachContainer(EnginePtr engine, QString id, std::stop_token stop)
{
    const QString what = QStringLiteral("Connecting to the container");
    const HttpRequest made =
        request(engine, "POST", containerPath(id, "/attach?stream=1&stdin=1&stdout=1&stderr=1"));
    Result<net::HijackedStream> hijacked = co_await engine->http->hijack(made, stop);
    if (!hijacked) {
        domain::Error error = hijacked.error();
        error.detail = error.message;
        error.message = what + QStringLiteral(" failed");
        co_return failure(error);
    }
    if (!hijacked->stream)
        co_return failure(engineError(hijacked->head.status, hijacked->body, what));
    co_return *hijacked;
}

Async<void> putArchive(EnginePtr engine, QString id, QByteArray archive, std::stop_token stop)
{
    HttpRequest made = request(engine, "PUT", containerPath(id, "/archive?path=%2F"));
    made.headers.append(QByteArrayLiteral("Content-Type"), QByteArrayLiteral("application/x-tar"));
    made.body = std::move(archive);
    return callForNothing(engine, made, QStringLiteral("Putting the runner into the container"),
                          std::move(stop));
}

Async<QByteArray> getArchive(EnginePtr engine, QString id, QString path, std::stop_token stop)
{
    HttpRequest made = request(
        engine, "GET", containerPath(id, "/archive?path=") + net::percentEncoded(path.toUtf8()));
    made.largestBody = kLargestArchive;
    return call(engine, made, QStringLiteral("Reading %1 from the container").arg(path),
                std::move(stop));
}

Async<std::shared_ptr<net::HttpBodyStream>> openStats(EnginePtr engine, QString id,
                                                      std::stop_token stop)
{
    const HttpRequest made = request(engine, "GET", containerPath(id, "/stats?stream=1"));
    const Result<std::shared_ptr<net::HttpBodyStream>> opened =
        co_await engine->http->open(made, stop);
    if (!opened)
        co_return failure(opened.error());
    const int status = (*opened)->head().status;
    if (status < 400)
        co_return *opened;
    const Result<QByteArray> body = co_await (*opened)->rest(64 * 1024, 5s, stop);
    co_return failure(engineError(status, body.value_or(QByteArray()),
                                  QStringLiteral("Measuring the container")));
}

Async<Volume> createVolume(EnginePtr engine, QString name, domain::InstanceLabels labels,
                           std::stop_token stop)
{
    const HttpRequest made = jsonRequest(engine, "POST", QByteArrayLiteral("/volumes/create"),
                                         {{"Name", utf8(name)}, {"Labels", labelsJson(labels)}});
    const Result<QByteArray> body =
        co_await call(engine, made, QStringLiteral("Creating the workspace volume"), stop);
    if (!body)
        co_return failure(body.error());
    co_return decodeVolume(*body);
}

Async<Volume> inspectVolume(EnginePtr engine, QString name, std::stop_token stop)
{
    const HttpRequest made =
        request(engine, "GET", QByteArrayLiteral("/volumes/") + net::percentEncoded(name.toUtf8()));
    const Result<QByteArray> body =
        co_await call(engine, made, QStringLiteral("Looking at the volume"), stop);
    if (!body)
        co_return failure(body.error());
    co_return decodeVolume(*body);
}

Async<void> removeVolume(EnginePtr engine, QString name, std::stop_token stop)
{
    return callForNothing(
        engine,
        request(engine, "DELETE",
                QByteArrayLiteral("/volumes/") + net::percentEncoded(name.toUtf8())),
        QStringLiteral("Removing the workspace volume"), std::move(stop));
}

Async<bool> hasBridge(EnginePtr engine, std::stop_token stop)
{
    const Result<HttpResponse> response =
        co_await ask(engine, request(engine, "GET", "/networks/bridge"),
                     QStringLiteral("Looking for the bridge network"), stop);
    if (!response)
        co_return failure(response.error());
    co_return response->head.isSuccess();
}

Async<Image> inspectImage(EnginePtr engine, QString image, std::stop_token stop)
{
    const HttpRequest made =
        request(engine, "GET",
                QByteArrayLiteral("/images/") + net::percentEncoded(image.toUtf8()) + "/json");
    const Result<QByteArray> body =
        co_await call(engine, made, QStringLiteral("Looking for the image %1").arg(image), stop);
    if (!body)
        co_return failure(body.error());
    co_return decodeImage(*body);
}

} // namespace berth::docker
