// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QList>
#include <QtCore/QProcessEnvironment>
#include <QtCore/QString>

// Where an engine may be found.
namespace berth::docker {

struct Endpoint
{
    //! As in DOCKER_HOST: "unix:///var/run/docker.sock".
    QString host;
    //! Who named it: "docker_host", "DOCKER_HOST", "context colima", "usual place".
    QString origin;
};

struct EndpointSearch
{
    //! To be tried in this order.
    QList<Endpoint> endpoints;
    //! Somebody named this one: no other will do when it fails.
    bool isExplicit = false;
};

//! \a setting is the config's docker_host. Reads the context files of the docker CLI, nothing else.
EndpointSearch findEndpoints(const QString &setting, const QProcessEnvironment &environment,
                             const QString &homeDirectory);

//! The path of a unix address; Unsupported for other kinds, InvalidInput for none.
domain::Result<QString> socketPathOf(const QString &host);

} // namespace berth::docker
