// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/lifecycle/policy_store.h"

#include <nlohmann/json.hpp>

namespace berth::application {

using domain::LifecycleOverride;
using Json = nlohmann::ordered_json;

namespace {

const char *const kExec = "exec";
const char *const kLifecycle = "lifecycle";
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

Json parsed(const QString &text)
{
    return Json::parse(text.toStdString(), nullptr, false);
}

//! The member when it is an object, else an empty one.
Json objectIn(const Json &object, const char *name)
{
    const auto found = object.is_object() ? object.find(name) : object.end();
    return found != object.end() && found->is_object() ? *found : Json::object();
}

QString textIn(const Json &object, const QString &name)
{
    const auto found = object.find(name.toStdString());
    return found != object.end() && found->is_string()
        ? QString::fromStdString(found->get<std::string>())
        : QString();
}

} // namespace

LifecycleOverride lifecycleOfAgent(const QString &configJson)
{
    const Json block = objectIn(objectIn(parsed(configJson), kExec), kLifecycle);
    LifecycleOverride own;
    own.start = domain::startPolicyFromWire(textIn(block, kStart));
    own.stop = domain::stopPolicyFromWire(textIn(block, kStop));
    const auto minutes = block.find(kIdle.toStdString());
    if (minutes != block.end() && minutes->is_number_integer()) {
        // Out of bounds as a whole number, too, counts as not said.
        const auto value = minutes->get<qint64>();
        own.idleTimeoutMinutes = value >= 0 && value < 1'000'000 ? static_cast<int>(value) : -1;
    }
    return checked(own);
}

domain::Result<QString> withAgentLifecycle(const QString &configJson, const LifecycleOverride &own)
{
    Json config = parsed(configJson);
    if (!config.is_object())
        return domain::failure(domain::ErrorKind::InvalidInput,
                               QStringLiteral("The agent's config is not a JSON object"));
    Json exec = objectIn(config, kExec);
    Json block = Json::object();
    if (own.start)
        block[kStart.toStdString()] = domain::wireName(*own.start).toStdString();
    if (own.stop)
        block[kStop.toStdString()] = domain::wireName(*own.stop).toStdString();
    if (own.idleTimeoutMinutes)
        block[kIdle.toStdString()] = *own.idleTimeoutMinutes;
    exec.erase(kLifecycle);
    if (!block.empty())
        exec[kLifecycle] = block;
    config.erase(kExec);
    if (!exec.empty())
        config[kExec] = exec;
    return QString::fromStdString(config.dump(-1, ' ', false, Json::error_handler_t::replace));
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
