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
    //! Reaches the network of this machine, its own services included.
    bool network = false;
    //! Where the workspace is inside; also HOME.
    QString home = QStringLiteral("/workspace");

    bool operator==(const LocalSettings &) const = default;
};

const domain::ProviderSchema &localSchema();

//! The sentence to show for values that the schema alone lets pass.
std::optional<QString> localProblem(const QMap<QString, QString> &values);

//! \a overrides win over \a values, key by key; "agent_home" is a row's name for "cwd".
domain::Result<LocalSettings> localSettings(const QMap<QString, QString> &values,
                                            const QMap<QString, QString> &overrides);

} // namespace berth::local
