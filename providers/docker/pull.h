// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "providers/docker/client.h"
#include "providers/docker/registry_login.h"

#include <QtCore/QMap>

namespace berth::docker {

//! Adds the lines of a pull up to what a person wants to know.
class PullProgress
{
public:
    explicit PullProgress(QString image) : m_image(std::move(image)) {}

    void take(const PullLine &line);
    //! "Pulling python:3.12-slim · 43 of 99 MB · 3 of 5 layers".
    [[nodiscard]] domain::Progress told() const;
    //! The same, when nothing has come for \a seconds.
    [[nodiscard]] domain::Progress stalled(qint64 seconds) const;

private:
    struct Layer
    {
        qint64 current = 0;
        qint64 total = 0;
        bool downloaded = false;
        bool done = false;
    };
    QString m_image;
    QMap<QString, Layer> m_layers;
};

//! How patient a pull is.
struct PullPace
{
    //! After so long without a byte the user is told; there is no limit for the whole.
    std::chrono::milliseconds tellStall{30'000};
    //! After so long nobody is at the other end any more.
    std::chrono::milliseconds giveUp{600'000};
};

//! In words what the engine said of a pull. Unauthorized: the registry wants a (better) login;
//! InvalidInput: there is no such image; Unavailable: the registry is out of reach.
//! \a status: of the engine's answer; 200 for an error within the stream.
domain::Error pullError(const QString &image, int status, const QString &said,
                        const RegistryLogin &login);

domain::Async<void> pullImage(EnginePtr engine, QString image, RegistryLogin login,
                              domain::ProgressSink progress, PullPace pace, std::stop_token stop);

} // namespace berth::docker
