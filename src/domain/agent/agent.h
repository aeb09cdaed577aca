// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"

#include <QtCore/QDateTime>

namespace berth::domain {

//! Who acts. Agent "default" exists from the first start.
struct Agent
{
    //! Fixed at creation; matches isValidName().
    AgentId id;
    QString name;
    QString modelRef;
    QString instructions;
    //! JSON texts.
    QString config = QStringLiteral("{}");
    QString security = QStringLiteral("{}");
    QDateTime createdAt;
    QDateTime updatedAt;
};

} // namespace berth::domain
