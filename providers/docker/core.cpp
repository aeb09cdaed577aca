// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/core.h"

#include <QtCore/QDir>
#include <QtCore/QRegularExpression>

namespace berth::docker {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

EndpointSearch Core::endpoints() const
{
    return findEndpoints(engineWish(settings.values), QProcessEnvironment::systemEnvironment(),
                         QDir::homePath());
}

void Core::dropConnection(const QString &id, const QString &reason)
{
    if (const ConnectionPtr open = connections.take(id).lock())
        open->close(reason);
    if (const ConnectionPtr open = fresh.take(id))
        open->close(reason);
}

void Core::note(const domain::Error &error)
{
    if (error.kind == ErrorKind::Unavailable && !error.httpStatus)
        engine.reset();
}

Async<EnginePtr> readyEngine(CorePtr core, std::stop_token stop)
{
    // A copy: QCoro moves from a value that is not const.
    const EnginePtr known = core->engine;
    if (known)
        co_return known;
    const Result<EnginePtr> found = co_await findEngine(core->endpoints(), {}, stop);
    if (!found)
        co_return failure(found.error());
    const QString id = (*found)->facts.id;
    if (!core->engineId.isEmpty() && core->engineId != id)
        co_return failure(
            ErrorKind::Unavailable,
            QStringLiteral("Another Docker engine answers at %1 than before")
                .arg((*found)->address),
            QStringLiteral(
                "Its sandboxes are not the ones known here. Start the former engine, or save "
                "the provider's settings again to go on with this one"));
    core->engineId = id;
    core->engine = *found;
    co_return *found;
}

Async<Container> ownContainer(CorePtr core, EnginePtr engine, domain::ExternalId id,
                              std::stop_token stop)
{
    const Result<void> shaped = plausible(id);
    if (!shaped)
        co_return failure(shaped.error());
    const Result<Container> container =
        co_await inspectContainer(engine, id.toString(), false, stop);
    if (!container) {
        core->note(container.error());
        co_return failure(container.error());
    }
    const domain::InstallationId owner = container->instance.labels.installation;
    if (owner.isNull())
        co_return failure(ErrorKind::Forbidden,
                          QStringLiteral("This container was not made by Berth"));
    if (owner != core->installation)
        co_return failure(ErrorKind::Forbidden,
                          QStringLiteral("This container belongs to another Berth"));
    co_return *container;
}

Result<void> plausible(const domain::ExternalId &id)
{
    static const QRegularExpression shape(QStringLiteral("^[a-zA-Z0-9][a-zA-Z0-9_.-]*$"));
    if (shape.match(id.toString()).hasMatch())
        return {};
    return failure(ErrorKind::NotFound, QStringLiteral("There is no such container"));
}

} // namespace berth::docker
