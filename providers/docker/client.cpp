// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/client.h"

#include "net/json_fields.h"

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

//! Starting, removing and freezing take seconds on a busy machine.
constexpr std::chrono::milliseconds kSlow = 60s;
constexpr qint64 kLargestArchive = 8 * 1024 * 1024;

std::string utf8(const QString &text)
{
    return text.toStdString();
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
    made.body = net::dumped(body);
    return made;
}

domain::Error unanswered(const EnginePtr &engine, domain::Error error, const QString &what)
{
    error.detail =
        error.message + (error.detail.isEmpty() ? QString() : QStringLiteral(". ") + error.detail);
    error.message = what + QStringLiteral(" failed");
    if (error.kind == ErrorKind::Unavailable)
        error.detail +=
            QStringLiteral(". Is the Docker engine at %1 running?").arg(engine->address);
    return error;
}

//! An engine of another version came back in the meantime and does not speak the old one's API:
//! changes \a made so that it can be asked again.
bool speaksAnother(const EnginePtr &engine, const net::HttpHead &head, HttpRequest &made)
{
    // Its words differ from release to release; its version does not lie.
    const QByteArray offered = head.headers.value("Api-Version");
    if (head.status != 400 || offered.isEmpty() || !made.target.startsWith(engine->prefix + '/'))
        return false;
    const Result<QByteArray> prefix = negotiated(offered);
    if (!prefix || *prefix == engine->prefix)
        return false;
    made.target = *prefix + made.target.mid(engine->prefix.size());
    engine->prefix = *prefix;
    return true;
}

//! The answer, whatever its status; only a failed connection is an error.
Async<HttpResponse> ask(EnginePtr engine, HttpRequest made, QString what, std::stop_token stop)
{
    for (;;) {
        const Result<HttpResponse> response = co_await engine->http->send(made, stop);
        if (!response)
            co_return failure(unanswered(engine, response.error(), what));
        if (!speaksAnother(engine, response->head, made))
            co_return response;
    }
}

//! An answer that goes on.
Async<std::shared_ptr<net::HttpBodyStream>> openBody(EnginePtr engine, HttpRequest made,
                                                     QString what, std::stop_token stop)
{
    for (;;) {
        const Result<std::shared_ptr<net::HttpBodyStream>> opened =
            co_await engine->http->open(made, stop);
        if (!opened)
            co_return failure(unanswered(engine, opened.error(), what));
        const std::shared_ptr<net::HttpBodyStream> stream = *opened;
        if (stream->head().status < 400)
            co_return stream;
        const Result<QByteArray> body = co_await stream->rest(64 * 1024, 5s, stop);
        if (!speaksAnother(engine, stream->head(), made))
            co_return failure(
                engineError(stream->head().status, body.value_or(QByteArray()), what));
    }
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
    HttpRequest made =
        request(engine, "POST", containerPath(id, "/attach?stream=1&stdin=1&stdout=1&stderr=1"));
    for (;;) {
        const Result<net::HijackedStream> hijacked = co_await engine->http->hijack(made, stop);
        if (!hijacked)
            co_return failure(unanswered(engine, hijacked.error(), what));
        if (hijacked->stream)
            co_return hijacked;
        if (!speaksAnother(engine, hijacked->head, made))
            co_return failure(engineError(hijacked->head.status, hijacked->body, what));
    }
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
    return openBody(std::move(engine), made, QStringLiteral("Measuring the container"),
                    std::move(stop));
}

Async<QByteArray> sampleOnce(EnginePtr engine, QString id, std::stop_token stop)
{
    const HttpRequest made =
        request(engine, "GET", containerPath(id, "/stats?stream=false&one-shot=true"));
    return call(std::move(engine), made, QStringLiteral("Measuring the container"),
                std::move(stop));
}

Async<std::shared_ptr<net::HttpBodyStream>> openEvents(EnginePtr engine,
                                                       domain::InstallationId installation,
                                                       std::stop_token stop)
{
    const json filters = {
        {"type", {"container"}},
        {"label", {"berth.installation=" + installation.toString().toStdString()}}};
    HttpRequest made =
        request(engine, "GET",
                QByteArrayLiteral("/events?filters=") + net::percentEncoded(net::dumped(filters)));
    return openBody(std::move(engine), std::move(made), QStringLiteral("Watching the containers"),
                    std::move(stop));
}

Async<void> pingEngine(EnginePtr engine, std::chrono::milliseconds limit, std::stop_token stop)
{
    HttpRequest made;
    made.target = QByteArrayLiteral("/_ping");
    made.deadlines.firstByte = limit;
    return callForNothing(std::move(engine), made, QStringLiteral("Asking the engine"),
                          std::move(stop));
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

Async<bool> hasNetwork(EnginePtr engine, QString name, std::stop_token stop)
{
    const HttpRequest made = request(
        engine, "GET", QByteArrayLiteral("/networks/") + net::percentEncoded(name.toUtf8()));
    const Result<HttpResponse> response =
        co_await ask(engine, made, QStringLiteral("Looking for the network %1").arg(name), stop);
    if (!response)
        co_return failure(response.error());
    co_return response->head.isSuccess();
}

Async<bool> hasBridge(EnginePtr engine, std::stop_token stop)
{
    return hasNetwork(std::move(engine), QStringLiteral("bridge"), std::move(stop));
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
