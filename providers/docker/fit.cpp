// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/fit.h"

#include "providers/docker/address.h"
#include "providers/docker/workspace.h"

#include <QtCore/QDir>

namespace berth::docker {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

GuardedPlaces guardedBy(const CorePtr &core, const EnginePtr &engine)
{
    QStringList sockets{engine->address};
    for (const Endpoint &endpoint : core->endpoints().endpoints) {
        const Result<Address> address = parseAddress(endpoint.host);
        if (address && address->kind == Address::Kind::Unix)
            sockets << address->path;
    }
    return guardedPlaces(core->paths, QProcessEnvironment::systemEnvironment(), QDir::homePath(),
                         sockets);
}

} // namespace

Async<QString> networkNote(EnginePtr engine, SandboxSettings settings, std::stop_token stop)
{
    if (settings.network == Network::None)
        co_return QString();
    const bool named = settings.network == Network::Named;
    const QString name = named ? settings.networkName : QStringLiteral("bridge");
    const Result<bool> there = co_await hasNetwork(engine, name, stop);
    if (!there)
        co_return failure(there.error());
    if (*there)
        co_return QString();
    if (settings.network == Network::Bridge)
        // The engine would start it all the same, without a word and without a network.
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("The engine has no bridge network"),
                          QStringLiteral("Start the engine with one, or set \"network\" to "
                                         "\"auto\" or \"none\""));
    if (!named)
        co_return QStringLiteral("This engine has no bridge network: the sandbox has no network");
    co_return failure(ErrorKind::InvalidInput,
                      QStringLiteral("The engine has no network \"%1\"").arg(name),
                      QStringLiteral("Make it with: docker network create %1").arg(name));
}

Result<void> cpusFit(const EngineFacts &facts, const SandboxSettings &settings)
{
    if (facts.cpus <= 0 || settings.milliCpus <= facts.cpus * 1000)
        return {};
    return failure(ErrorKind::InvalidInput,
                   QStringLiteral("%1 CPUs are asked for, but the engine has %2")
                       .arg(settings.milliCpus / 1000.0)
                       .arg(facts.cpus),
                   QStringLiteral("Set \"cpus\" to %1 or less").arg(facts.cpus));
}

Result<QString> chosenWorkspace(const CorePtr &core, const EnginePtr &engine, const QString &wanted)
{
    if (wanted.isEmpty())
        return QString();
    if (!engine->isLocal)
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("%1 cannot be the workspace").arg(wanted),
                       QStringLiteral("The engine is not on this machine: its sandboxes have their "
                                      "workspace in a volume there"));
    return hostWorkspace(wanted, guardedBy(core, engine));
}

} // namespace berth::docker
