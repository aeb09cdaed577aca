// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/endpoint.h"

#include "net/json_fields.h"
#include "providers/docker/address.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QFile>

#include <nlohmann/json.hpp>

namespace berth::docker {

using nlohmann::json;

namespace {

constexpr qint64 kLargestFile = 1024 * 1024;

json jsonFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || file.size() > kLargestFile)
        return {};
    return net::parsed(file.read(kLargestFile));
}

QString at(const json &object, std::initializer_list<const char *> path)
{
    const json *value = &object;
    for (const char *key : path) {
        if (!value->is_object() || !value->contains(key))
            return {};
        value = &value->at(key);
    }
    return value->is_string() ? QString::fromStdString(value->get<std::string>()) : QString();
}

QString existing(const QString &path)
{
    return QFile::exists(path) ? path : QString();
}

//! The three of a directory that are there.
TlsFiles filesIn(const QString &directory)
{
    TlsFiles files;
    files.authorities = existing(directory + QStringLiteral("/ca.pem"));
    files.certificate = existing(directory + QStringLiteral("/cert.pem"));
    files.key = existing(directory + QStringLiteral("/key.pem"));
    return files;
}

//! What a context of the docker CLI says.
Endpoint contextEndpoint(const QString &configDirectory, const QString &context)
{
    const QString hash = QString::fromLatin1(
        QCryptographicHash::hash(context.toUtf8(), QCryptographicHash::Sha256).toHex());
    const QString path =
        configDirectory + QStringLiteral("/contexts/meta/") + hash + QStringLiteral("/meta.json");
    const json meta = jsonFile(path);
    Endpoint endpoint;
    endpoint.origin = QStringLiteral("context ") + context;
    endpoint.host = at(meta, {"Endpoints", "docker", "Host"});
    if (!QFile::exists(path))
        endpoint.problem =
            QStringLiteral("There is no docker context \"%1\" (no file %2)").arg(context, path);
    else if (endpoint.host.isEmpty())
        endpoint.problem =
            QStringLiteral("The docker context \"%1\" names no engine (%2)").arg(context, path);
    endpoint.tls = filesIn(configDirectory + QStringLiteral("/contexts/tls/") + hash
                           + QStringLiteral("/docker"));
    const bool skips = meta.is_object() && meta.contains("Endpoints")
        && meta["Endpoints"].is_object() && meta["Endpoints"].contains("docker")
        && meta["Endpoints"]["docker"].is_object()
        && meta["Endpoints"]["docker"].contains("SkipTLSVerify")
        && meta["Endpoints"]["docker"]["SkipTLSVerify"] == true;
    endpoint.tls.verifies = !skips;
    endpoint.tls.wanted = skips || !endpoint.tls.authorities.isEmpty()
        || !endpoint.tls.certificate.isEmpty() || !endpoint.tls.key.isEmpty();
    return endpoint;
}

//! The config's own files, or what the environment says for the docker CLI.
TlsFiles tlsFor(const EngineWish &wish, const QProcessEnvironment &environment,
                const QString &configDirectory)
{
    TlsFiles files;
    if (!wish.tlsDirectory.isEmpty()) {
        // All by name: one that is missing shall be told, not guessed around.
        files.authorities = wish.tlsDirectory + QStringLiteral("/ca.pem");
        const TlsFiles there = filesIn(wish.tlsDirectory);
        files.certificate = there.certificate;
        files.key = there.key;
        files.wanted = true;
    }
    if (!wish.authorities.isEmpty())
        files.authorities = wish.authorities;
    if (!wish.certificate.isEmpty())
        files.certificate = wish.certificate;
    if (!wish.key.isEmpty())
        files.key = wish.key;
    files.wanted = files.wanted || !files.authorities.isEmpty() || !files.certificate.isEmpty()
        || !files.key.isEmpty();
    if (files.wanted)
        return files;
    // Berth checks the server also where only DOCKER_TLS is set.
    if (environment.value(QStringLiteral("DOCKER_TLS_VERIFY")).isEmpty()
        && environment.value(QStringLiteral("DOCKER_TLS")).isEmpty())
        return files;
    const QString directory = environment.value(QStringLiteral("DOCKER_CERT_PATH"));
    files = filesIn(directory.isEmpty() ? configDirectory : directory);
    files.wanted = true;
    return files;
}

//! Sockets of Docker, rootless, Desktop, colima, OrbStack, Rancher and podman.
QStringList usualSockets(const QProcessEnvironment &environment, const QString &homeDirectory)
{
    const QString runtime = environment.value(QStringLiteral("XDG_RUNTIME_DIR"));
    QStringList paths{QStringLiteral("/var/run/docker.sock")};
    if (!runtime.isEmpty())
        paths << runtime + QStringLiteral("/docker.sock");
    for (const char *below :
         {"/.docker/run/docker.sock", "/.docker/desktop/docker.sock",
          "/.colima/default/docker.sock", "/.colima/docker.sock", "/.orbstack/run/docker.sock",
          "/.rd/docker.sock", "/.lima/docker/sock/docker.sock",
          "/.local/share/containers/podman/machine/podman.sock"})
        paths << homeDirectory + QLatin1String(below);
    paths << QStringLiteral("/run/podman/podman.sock");
    if (!runtime.isEmpty())
        paths << runtime + QStringLiteral("/podman/podman.sock");
    return paths;
}

} // namespace

EngineWish engineWish(const QMap<QString, QString> &values)
{
    const auto value = [&values](const char *key) {
        return values.value(QLatin1String(key)).trimmed();
    };
    return {value("docker_host"),
            value("context"),
            value("tls_dir"),
            value("tls_ca"),
            value("tls_cert"),
            value("tls_key"),
            value("plain_tcp") == QLatin1String("true")};
}

std::optional<QString> problemWith(const EngineWish &wish)
{
    if (!wish.host.isEmpty() && !wish.context.isEmpty())
        return QStringLiteral("Name an engine address or a docker context, not both");
    if (wish.host.isEmpty())
        return std::nullopt;
    const domain::Result<Address> address = parseAddress(wish.host);
    if (!address)
        return address.error().message;
    return std::nullopt;
}

EndpointSearch findEndpoints(const EngineWish &wish, const QProcessEnvironment &environment,
                             const QString &homeDirectory)
{
    QString configDirectory = environment.value(QStringLiteral("DOCKER_CONFIG"));
    if (configDirectory.isEmpty())
        configDirectory = homeDirectory + QStringLiteral("/.docker");
    const TlsFiles tls = tlsFor(wish, environment, configDirectory);
    const auto named = [&](const QString &host, const QString &origin) {
        Endpoint endpoint;
        endpoint.host = host;
        endpoint.origin = origin;
        endpoint.tls = tls;
        endpoint.plainAllowed = wish.plainAllowed;
        return EndpointSearch{{endpoint}, true};
    };
    const auto inContext = [&](const QString &context) {
        Endpoint endpoint = contextEndpoint(configDirectory, context);
        endpoint.plainAllowed = wish.plainAllowed;
        return EndpointSearch{{endpoint}, true};
    };
    // As measured: an address beats a context, and DOCKER_HOST beats both other ways to name one.
    if (!wish.host.isEmpty())
        return named(wish.host, QStringLiteral("docker_host of this config"));
    const QString theDefault = QStringLiteral("default");
    if (!wish.context.isEmpty() && wish.context != theDefault)
        return inContext(wish.context);
    const QString variable = environment.value(QStringLiteral("DOCKER_HOST"));
    if (!variable.isEmpty())
        return named(variable, QStringLiteral("DOCKER_HOST"));
    QString context = wish.context;
    if (context.isEmpty())
        context = environment.value(QStringLiteral("DOCKER_CONTEXT"));
    if (context.isEmpty())
        context =
            at(jsonFile(configDirectory + QStringLiteral("/config.json")), {"currentContext"});
    if (!context.isEmpty() && context != theDefault)
        return inContext(context);

    EndpointSearch search;
    const QStringList paths = usualSockets(environment, homeDirectory);
    for (const QString &path : paths) {
        Endpoint endpoint;
        endpoint.host = QStringLiteral("unix://") + path;
        endpoint.origin = QStringLiteral("usual place");
        search.endpoints.append(endpoint);
    }
    return search;
}

} // namespace berth::docker
