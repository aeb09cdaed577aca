// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/health.h"
#include "providers/docker/decode.h"

#include <QtCore/QMap>

namespace berth::docker {

//! Adds the lines of a pull up to what a person wants to know.
class PullProgress
{
public:
    explicit PullProgress(QString image) : m_image(std::move(image)) {}

    void take(const PullLine &line);
    //! "Pulling python:3.12-slim: 2 of 5 layers, 12.3 of 48.1 MB".
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

} // namespace berth::docker
