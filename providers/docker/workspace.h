// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/provider.h"

#include <QtCore/QProcessEnvironment>
#include <QtCore/QStringList>

// A directory of this machine as a sandbox's workspace.
namespace berth::docker {

//! What no sandbox may get at through its workspace.
struct GuardedPlaces
{
    //! Neither these, nor what holds them, nor what is in them: keys, Berth's data, sockets, the
    //! system. Each with what it is.
    QList<std::pair<QString, QString>> closed;
    //! Neither these, nor what holds them; a directory in them is fine.
    QList<std::pair<QString, QString>> tooWide;
};
//! \a sockets: addresses of engines.
GuardedPlaces guardedPlaces(const domain::ProviderPaths &paths,
                            const QProcessEnvironment &environment, const QString &home,
                            const QStringList &sockets);

//! The directory with all links resolved, for the engine to mount. InvalidInput, with the reason,
//! when it does not exist or reaches a guarded place.
domain::Result<QString> hostWorkspace(const QString &wanted, const GuardedPlaces &guarded);

} // namespace berth::docker
