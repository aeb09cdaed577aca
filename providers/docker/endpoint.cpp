// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/endpoint.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QFile>

#include <nlohmann/json.hpp>

namespace berth::docker {

using domain::ErrorKind;
using domain::failure;
using nlohmann::json;

namespace {

constexpr qint64 kLargestFile = 1024 * 1024;

json jsonFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || file.size() > kLargestFile)
        return {};
    const QByteArray bytes = file.read(kLargestFile);
    return json::parse(bytes.begin(), bytes.end(), nullptr, false);
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

//! The address of a context of the docker CLI; empty when it has none.
QString contextHost(const QString &configDirectory, const QString &context)
{
    const QByteArray hash =
        QCryptographicHash::hash(context.toUtf8(), QCryptographicHash::Sha256).toHex();
    const json meta = jsonFile(configDirectory + QStringLiteral("/contexts/meta/")
                               + QString::fromLatin1(hash) + QStringLiteral("/meta.json"));
    return at(meta, {"Endpoints", "docker", "Host"});
}

} // namespace

EndpointSearch findEndpoints(const QString &setting, const QProcessEnvironment &environment,
                             const QString &homeDirectory)
{
    if (!setting.trimmed().isEmpty())
        return {{{setting.trimmed(), QStringLiteral("docker_host of this config")}}, true};
    const QString variable = environment.value(QStringLiteral("DOCKER_HOST"));
    if (!variable.isEmpty())
        return {{{variable, QStringLiteral("DOCKER_HOST")}}, true};

    QString configDirectory = environment.value(QStringLiteral("DOCKER_CONFIG"));
    if (configDirectory.isEmpty())
        configDirectory = homeDirectory + QStringLiteral("/.docker");
    QString context = environment.value(QStringLiteral("DOCKER_CONTEXT"));
    if (context.isEmpty())
        context =
            at(jsonFile(configDirectory + QStringLiteral("/config.json")), {"currentContext"});
    if (!context.isEmpty() && context != QLatin1String("default"))
        return {{{contextHost(configDirectory, context), QStringLiteral("context ") + context}},
                true};

    const QString runtime = environment.value(QStringLiteral("XDG_RUNTIME_DIR"));
    QStringList paths{QStringLiteral("/var/run/docker.sock")};
    if (!runtime.isEmpty())
        paths << runtime + QStringLiteral("/docker.sock");
    for (const char *below :
         {"/.docker/run/docker.sock", "/.docker/desktop/docker.sock",
          "/.colima/default/docker.sock", "/.orbstack/run/docker.sock", "/.rd/docker.sock"})
        paths << homeDirectory + QLatin1String(below);
    paths << QStringLiteral("/run/podman/podman.sock");
    if (!runtime.isEmpty())
        paths << runtime + QStringLiteral("/podman/podman.sock");

    EndpointSearch search;
    for (const QString &path : paths)
        search.endpoints.append({QStringLiteral("unix://") + path, QStringLiteral("usual place")});
    return search;
}

domain::Result<QString> socketPathOf(const QString &host)
{
    static const QString unixScheme = QStringLiteral("unix://");
    if (host.startsWith(unixScheme) && host.size() > unixScheme.size())
        return host.mid(unixScheme.size());
    if (host.startsWith(QLatin1Char('/')))
        return host;
    for (const char *scheme : {"tcp://", "http://", "https://", "ssh://", "npipe://", "fd://"}) {
        if (host.startsWith(QLatin1String(scheme)))
            return failure(
                ErrorKind::Unsupported,
                QStringLiteral("Engines at %1 are not supported yet").arg(QLatin1String(scheme)),
                QStringLiteral("Name a unix socket, such as unix:///var/run/docker.sock"));
    }
    return failure(ErrorKind::InvalidInput,
                   host.isEmpty()
                       ? QStringLiteral("The address of the engine is empty")
                       : QStringLiteral("\"%1\" is not the address of an engine").arg(host),
                   QStringLiteral("Name a unix socket, such as unix:///var/run/docker.sock"));
}

} // namespace berth::docker
