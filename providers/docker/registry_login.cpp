// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/registry_login.h"

#include "async/completion.h"
#include "net/json_fields.h"
#include "providers/docker/settings.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QRegularExpression>
#include <QtCore/QStandardPaths>
#include <QtCore/QTimer>

#include <nlohmann/json.hpp>

namespace berth::docker {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using domain::Secret;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

const QString kDockerHub = QStringLiteral("docker.io");
const QString kDockerHubServer = QStringLiteral("https://index.docker.io/v1/");
constexpr qint64 kLargestConfig = 1024 * 1024;
constexpr qsizetype kLargestAnswer = 64 * 1024;
constexpr auto kHelperLimit = 10s;

//! "https://ghcr.io/v2/" is the registry "ghcr.io".
QString hostOf(const QString &server)
{
    QString host = server;
    const qsizetype scheme = host.indexOf(QLatin1String("://"));
    if (scheme >= 0)
        host = host.mid(scheme + 3);
    host = host.section(QLatin1Char('/'), 0, 0);
    if (host == QLatin1String("index.docker.io") || host == QLatin1String("registry-1.docker.io"))
        return kDockerHub;
    return host;
}

//! Under which name the docker command asks and stores.
QString serverOf(const QString &registry)
{
    return registry == kDockerHub ? kDockerHubServer : registry;
}

//! The entry of \a registry, by whichever of its names; null: none.
std::pair<QString, json> entryOf(const json &map, const QString &registry)
{
    if (!map.is_object())
        return {};
    const std::string exact = serverOf(registry).toStdString();
    if (const auto it = map.find(exact); it != map.end())
        return {serverOf(registry), *it};
    for (const auto &[key, value] : map.items()) {
        const QString server = QString::fromStdString(key);
        if (hostOf(server) == registry)
            return {server, value};
    }
    return {};
}

RegistryLogin storedLogin(const QString &server, const json &entry)
{
    RegistryLogin login;
    login.server = server;
    login.user = net::textIn(entry, "username");
    login.password = Secret(net::textIn(entry, "password").toUtf8());
    login.identityToken = Secret(net::textIn(entry, "identitytoken").toUtf8());
    const QString encoded = net::textIn(entry, "auth");
    if (!encoded.isEmpty()) {
        const auto decoded = QByteArray::fromBase64Encoding(
            encoded.toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
        const qsizetype colon = decoded ? (*decoded).indexOf(':') : -1;
        if (colon > 0) {
            login.user = QString::fromUtf8((*decoded).left(colon));
            QByteArray password = (*decoded).mid(colon + 1);
            // Old versions of the docker command pad with zeros.
            while (password.endsWith('\0'))
                password.chop(1);
            login.password = Secret(password);
        } else {
            login.problem =
                QStringLiteral("The login for %1 in Docker's config.json is not readable")
                    .arg(server);
        }
    }
    return login;
}

enum class Ending { Finished, NotStarted, TimedOut, Stopped };

struct HelperEnd
{
    QByteArray output;
    int code = -1;
};

//! From the event loop, outside its own signals, and only once it has ended.
void dispose(QProcess *process)
{
    if (process->state() == QProcess::NotRunning) {
        process->deleteLater();
        return;
    }
    QObject::connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->kill();
}

//! Its output is a secret: no error tells it.
Async<HelperEnd> runHelper(QString program, QString server, QProcessEnvironment environment,
                           std::stop_token stop)
{
    if (stop.stop_requested())
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Stopped"));
    QProcess *process = new QProcess;
    const std::shared_ptr<QProcess> owner(process, dispose);
    const auto end = std::make_shared<HelperEnd>();
    const async::Completion<Ending> done;
    process->setProcessEnvironment(environment);
    process->setStandardErrorFile(QProcess::nullDevice());
    const auto take = [process, end] {
        end->output += process->readAllStandardOutput().left(kLargestAnswer - end->output.size());
    };
    QObject::connect(process, &QProcess::readyReadStandardOutput, process, take);
    QObject::connect(process, &QProcess::finished, process,
                     [take, end, done](int code, QProcess::ExitStatus status) {
                         take();
                         end->code = status == QProcess::NormalExit ? code : -1;
                         done.complete(Ending::Finished);
                     });
    QObject::connect(process, &QProcess::errorOccurred, process,
                     [done](QProcess::ProcessError error) {
                         if (error == QProcess::FailedToStart)
                             done.complete(Ending::NotStarted);
                     });
    QTimer timer;
    timer.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, process,
                     [done] { done.complete(Ending::TimedOut); });
    const std::stop_callback onStop(stop, [done] { done.complete(Ending::Stopped); });
    timer.start(kHelperLimit);
    process->start(program, {QStringLiteral("get")});
    process->write(server.toUtf8());
    process->closeWriteChannel();
    const Ending ending = co_await done;
    timer.stop();
    switch (ending) {
    case Ending::Finished:
        break;
    case Ending::NotStarted:
        co_return failure(ErrorKind::Unavailable, QStringLiteral("it could not be started"));
    case Ending::TimedOut:
        co_return failure(ErrorKind::Timeout, QStringLiteral("it did not answer within 10 s"));
    case Ending::Stopped:
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Stopped"));
    }
    co_return *end;
}

//! Keys for clouds are none of its business.
QProcessEnvironment withoutKeys(QProcessEnvironment environment)
{
    for (const char *key : {"E2B_API_KEY", "DAYTONA_API_KEY", "AGENTBAY_API_KEY", "TENKI_API_KEY",
                            "TENKI_AUTH_TOKEN", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"})
        environment.remove(QLatin1String(key));
    return environment;
}

} // namespace

Async<RegistryLogin> findLogin(QString image, QProcessEnvironment environment, QString home,
                               std::stop_token stop)
{
    const QString registry = registryOf(image);
    const QString chosen = environment.value(QStringLiteral("DOCKER_CONFIG"));
    QFile file((chosen.isEmpty() ? home + QStringLiteral("/.docker") : chosen)
               + QStringLiteral("/config.json"));
    if (!file.open(QIODevice::ReadOnly))
        co_return RegistryLogin();
    const QByteArray config = file.read(kLargestConfig);
    const LoginSource source = loginSource(config, registry);
    if (source.helper.isEmpty()) {
        const RegistryLogin stored = source.stored;
        co_return stored;
    }
    const QString name = QStringLiteral("docker-credential-") + source.helper;
    const QStringList path =
        environment.value(QStringLiteral("PATH")).split(QLatin1Char(':'), Qt::SkipEmptyParts);
    const QString program = path.isEmpty() ? QString() : QStandardPaths::findExecutable(name, path);
    RegistryLogin login = source.stored;
    if (program.isEmpty()) {
        login.problem =
            QStringLiteral("%1, which Docker's config.json names, is not installed").arg(name);
        const RegistryLogin answer = login;
        co_return answer;
    }
    const Result<HelperEnd> end =
        co_await runHelper(program, serverOf(registry), withoutKeys(environment), stop);
    if (!end && end.error().kind == ErrorKind::Cancelled)
        co_return failure(end.error());
    if (!end) {
        login.problem = QStringLiteral("%1 was asked for the login at %2, but %3")
                            .arg(name, registry, end.error().message);
    } else if (const auto told = end->code == 0
                   ? decodeHelperAnswer(end->output, serverOf(registry))
                   : std::nullopt) {
        login = *told;
    } else if (!end->output.contains("credentials not found")) {
        login.problem = QStringLiteral("%1 gave no login for %2 (it ended with %3)")
                            .arg(name, registry)
                            .arg(end->code);
    }
    const RegistryLogin answer = login;
    co_return answer;
}

QString registryOf(const QString &image)
{
    const QString first = image.section(QLatin1Char('/'), 0, 0);
    const bool isHost = image.contains(QLatin1Char('/'))
        && (first.contains(QLatin1Char('.')) || first.contains(QLatin1Char(':'))
            || first == QLatin1String("localhost"));
    return isHost ? hostOf(first) : kDockerHub;
}

LoginSource loginSource(const QByteArray &config, const QString &registry)
{
    LoginSource source;
    source.stored.server = serverOf(registry);
    const json document = net::parsed(config);
    if (!document.is_object()) {
        source.stored.problem = QStringLiteral("Docker's config.json is not readable");
        return source;
    }
    const auto [server, entry] = entryOf(document.value("auths", json()), registry);
    if (entry.is_object())
        source.stored = storedLogin(server, entry);
    const auto [helped, helper] = entryOf(document.value("credHelpers", json()), registry);
    source.helper = helper.is_string() ? QString::fromStdString(helper.get<std::string>())
                                       : net::textIn(document, "credsStore");
    // Part of a program's name; nothing else may hide in it.
    static const QRegularExpression shape(QStringLiteral("\\A[A-Za-z0-9._-]+\\z"));
    if (!source.helper.isEmpty() && !shape.match(source.helper).hasMatch()) {
        source.helper.clear();
        source.stored.problem =
            QStringLiteral("Docker's config.json names a credential helper with an odd name");
    }
    return source;
}

std::optional<RegistryLogin> decodeHelperAnswer(const QByteArray &output, const QString &server)
{
    const json answer = net::parsed(output);
    const QString user = net::textIn(answer, "Username");
    const QString secret = net::textIn(answer, "Secret");
    if (secret.isEmpty())
        return std::nullopt;
    RegistryLogin login;
    login.server = server;
    // How helpers mark a token.
    if (user == QLatin1String("<token>")) {
        login.identityToken = Secret(secret.toUtf8());
    } else {
        login.user = user;
        login.password = Secret(secret.toUtf8());
    }
    return login;
}

Secret registryAuthHeader(const RegistryLogin &login)
{
    json object = {{"serveraddress", login.server.toStdString()}};
    if (!login.identityToken.isEmpty()) {
        object["identitytoken"] = login.identityToken.exposeForWire().toStdString();
    } else {
        object["username"] = login.user.toStdString();
        object["password"] = login.password.exposeForWire().toStdString();
    }
    return Secret(net::dumped(object).toBase64(QByteArray::Base64UrlEncoding));
}

} // namespace berth::docker
