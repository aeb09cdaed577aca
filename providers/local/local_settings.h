// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/schema.h"
#include "domain/result.h"

#include <QtCore/QMap>

namespace berth::local {

//! What one Local sandbox is made with; fixed when it is created.
struct LocalSettings
{
    //! False: passthrough, "isolation": "none".
    bool isolated = true;
    //! Reaches the network of this machine, its own services included.
    bool network = false;
    //! Where the workspace is inside; also HOME.
    QString home = QStringLiteral("/workspace");
    //! Limits; 0: none.
    qint64 memoryBytes = 0;
    double cpus = 0;
    int pids = 0;

    bool operator==(const LocalSettings &) const = default;
};

const domain::ProviderSchema &localSchema();

//! Said wherever something runs without isolation.
QString noIsolationWords();

//! Set by the Engine when passthrough was allowed in Settings; no file, preset or row can hold it.
bool passthroughAllowed(const QMap<QString, QString> &values);
//! Forbidden, with the switch named.
domain::Error passthroughIsOff();

//! The sentence to show for values that the schema alone lets pass.
std::optional<QString> localProblem(const QMap<QString, QString> &values);

//! \a overrides win over \a values, key by key; "agent_home" is a row's name for "cwd".
domain::Result<LocalSettings> localSettings(const QMap<QString, QString> &values,
                                            const QMap<QString, QString> &overrides);

} // namespace berth::local
