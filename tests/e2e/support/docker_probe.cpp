// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "e2e/support/docker_probe.h"

#include <QtCore/QFile>
#include <QtCore/QJsonDocument>
#include <QtCore/QProcess>

namespace berth::test {

namespace {

QString engineSocket()
{
    const QString host =
        qEnvironmentVariable("DOCKER_HOST", QStringLiteral("unix:///var/run/docker.sock"));
    return host.startsWith(QLatin1String("unix://")) ? host.mid(7) : QString();
}

QByteArray askEngine(const QString &path)
{
    QProcess curl;
    curl.start(QStringLiteral("curl"),
               {QStringLiteral("-s"), QStringLiteral("-g"), QStringLiteral("--max-time"),
                QStringLiteral("20"), QStringLiteral("--unix-socket"), engineSocket(),
                QStringLiteral("http://engine") + path});
    curl.waitForFinished(30'000);
    return curl.readAllStandardOutput();
}

} // namespace

bool hasEngine()
{
    return QFile::exists(engineSocket()) && askEngine(QStringLiteral("/_ping")) == "OK";
}

QString engineImage()
{
    return QStringLiteral("berth-test:latest");
}

QJsonArray containersOf(const QString &installation)
{
    const QString filters = QStringLiteral("{%22label%22:[%22berth.installation=%1%22]}");
    return QJsonDocument::fromJson(
               askEngine(QStringLiteral("/containers/json?all=1&filters=")
                         + QString(filters).replace(QLatin1String("%1"), installation)))
        .array();
}

QJsonObject container(const QString &id)
{
    return QJsonDocument::fromJson(askEngine(QStringLiteral("/containers/%1/json").arg(id)))
        .object();
}

bool actOn(const QString &id, const QString &verb)
{
    QProcess curl;
    curl.start(QStringLiteral("curl"),
               {QStringLiteral("-s"), QStringLiteral("-f"), QStringLiteral("-X"),
                QStringLiteral("POST"), QStringLiteral("--unix-socket"), engineSocket(),
                QStringLiteral("http://engine/containers/%1/%2").arg(id, verb)});
    return curl.waitForFinished(30'000) && curl.exitCode() == 0;
}

} // namespace berth::test
