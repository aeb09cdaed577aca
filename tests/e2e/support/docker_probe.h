// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QJsonArray>
#include <QtCore/QJsonObject>
#include <QtCore/QString>

// Looks at the Docker engine past Berth: what a test says of containers must not come from Berth
// itself.
namespace berth::test {

[[nodiscard]] bool hasEngine();
//! The image that the tests' engine has; it has no bridge, so containers need network "none".
[[nodiscard]] QString engineImage();
//! All containers, also stopped ones, of an installation.
[[nodiscard]] QJsonArray containersOf(const QString &installation);
[[nodiscard]] QJsonObject container(const QString &id);
//! As somebody else would: "pause", "unpause", "stop", "kill".
[[nodiscard]] bool actOn(const QString &id, const QString &verb);

} // namespace berth::test

//! CI starts an engine and sets BERTH_REQUIRE_ENGINE, so that nothing is skipped there.
#define BERTH_NEEDS_ENGINE()                                                                       \
    do {                                                                                           \
        if (!::berth::test::hasEngine()) {                                                         \
            QVERIFY(!qEnvironmentVariableIsSet("BERTH_REQUIRE_ENGINE"));                           \
            QSKIP("no Docker engine is reachable");                                                \
        }                                                                                          \
    } while (false)
