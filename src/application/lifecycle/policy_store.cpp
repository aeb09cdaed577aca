// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/lifecycle/policy_store.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

namespace berth::application {

using domain::LifecycleOverride;

namespace {

const QString kExec = QStringLiteral("exec");
const QString kLifecycle = QStringLiteral("lifecycle");
const QString kPrefix = QStringLiteral("lifecycle.");
const QString kStart = QStringLiteral("start");
const QString kStop = QStringLiteral("stop");
const QString kIdle = QStringLiteral("idle_timeout_minutes");

LifecycleOverride checked(LifecycleOverride read)
{
    if (read.problem())
        read.idleTimeoutMinutes.reset();
    return read;
}

} // namespace

LifecycleOverride lifecycleOfAgent(const QString &configJson)
{
    const QJsonObject block = QJsonDocument::fromJson(configJson.toUtf8())
                                  .object()
                                  .value(kExec)
                                  .toObject()
                                  .value(kLifecycle)
                                  .toObject();
    LifecycleOverride own;
    own.start = domain::startPolicyFromWire(block.value(kStart).toString());
    own.stop = domain::stopPolicyFromWire(block.value(kStop).toString());
    if (block.value(kIdle).isDouble())
        own.idleTimeoutMinutes = block.value(kIdle).toInt(-1);
    return checked(own);
}

domain::Result<QString> withAgentLifecycle(const QString &configJson, const LifecycleOverride &own)
{
    const QJsonDocument before = QJsonDocument::fromJson(configJson.toUtf8());
    if (!before.isObject())
        return domain::failure(domain::ErrorKind::InvalidInput,
                               QStringLiteral("The agent's config is not a JSON object"));
    QJsonObject config = before.object();
    QJsonObject exec = config.value(kExec).toObject();
    QJsonObject block;
    if (own.start)
        block.insert(kStart, domain::wireName(*own.start));
    if (own.stop)
        block.insert(kStop, domain::wireName(*own.stop));
    if (own.idleTimeoutMinutes)
        block.insert(kIdle, *own.idleTimeoutMinutes);
    if (block.isEmpty())
        exec.remove(kLifecycle);
    else
        exec.insert(kLifecycle, block);
    if (exec.isEmpty())
        config.remove(kExec);
    else
        config.insert(kExec, exec);
    return QString::fromUtf8(QJsonDocument(config).toJson(QJsonDocument::Compact));
}

LifecycleOverride lifecycleOfSandbox(const QMap<QString, QString> &config)
{
    LifecycleOverride own;
    own.start = domain::startPolicyFromWire(config.value(kPrefix + kStart));
    own.stop = domain::stopPolicyFromWire(config.value(kPrefix + kStop));
    bool isNumber = false;
    const int minutes = config.value(kPrefix + kIdle).toInt(&isNumber);
    if (isNumber)
        own.idleTimeoutMinutes = minutes;
    return checked(own);
}

QMap<QString, QString> withSandboxLifecycle(QMap<QString, QString> config,
                                            const LifecycleOverride &own)
{
    config = providerPart(std::move(config));
    if (own.start)
        config.insert(kPrefix + kStart, domain::wireName(*own.start));
    if (own.stop)
        config.insert(kPrefix + kStop, domain::wireName(*own.stop));
    if (own.idleTimeoutMinutes)
        config.insert(kPrefix + kIdle, QString::number(*own.idleTimeoutMinutes));
    return config;
}

QMap<QString, QString> providerPart(QMap<QString, QString> config)
{
    config.removeIf([](const QMap<QString, QString>::iterator &entry) {
        return entry.key().startsWith(kPrefix);
    });
    return config;
}

} // namespace berth::application
