// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/schema.h"
#include "domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QMap>

namespace berth::docker {

//! Auto: the engine's bridge, and nothing, which is told, where it has none. Bridge: that or an
//! error.
enum class Network { Auto, Bridge, None, Named };
enum class PullPolicy { Missing, Always, Never };

//! What one sandbox shall be made of, after all layers.
struct SandboxSettings
{
    QString image;
    //! Where the workspace is mounted and commands start.
    QByteArray home;
    //! Empty: the image's own.
    QString user;
    qint64 memoryBytes = 0;
    int cpuShares = 0;
    //! Thousandths of a processor; 0: all of them.
    int milliCpus = 0;
    //! 0: kHardenedProcesses when hardened, else the engine's own.
    int processes = 0;
    bool hardened = true;
    Network network = Network::Auto;
    //! Of Network::Named.
    QString networkName;
    PullPolicy pull = PullPolicy::Missing;
    //! Directory of this machine; empty: a volume.
    QString workspaceDir;
};

//! Below what fork bombs need, above what large builds need.
constexpr int kHardenedProcesses = 1024;

const domain::ProviderSchema &schema();

//! \a config and \a overrides carry keys without the prefix "docker.". InvalidInput for values that
//! cannot be, also for keys of \a overrides that no sandbox row may set.
domain::Result<SandboxSettings> sandboxSettings(const QMap<QString, QString> &config,
                                                const QMap<QString, QString> &overrides);

//! "0.5", "2": thousandths of a processor; nullopt for anything else or less than a hundredth.
std::optional<int> milliCpusFrom(const QString &text);

//! "512m", "2g", "100000000": bytes; nullopt for anything else or no positive number.
std::optional<qint64> bytesFrom(const QString &text);

struct ImageReference
{
    QString name;
    //! A tag, or a digest such as "sha256:…".
    QString tag;
};
//! "host:5000/a/b:tag" taken apart; without a tag "latest", because without one the engine would
//! pull all.
ImageReference imageReference(const QString &image);

} // namespace berth::docker
