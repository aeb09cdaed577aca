// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "net/tcp_dialer.h"

#include <QtCore/QList>
#include <QtCore/QMap>
#include <QtCore/QProcessEnvironment>
#include <QtCore/QString>

#include <optional>

namespace berth::domain {
struct SchemaField;
}

// Where an engine may be found.
namespace berth::docker {

//! The files of an encrypted connection; an empty path: none.
struct TlsFiles
{
    bool wanted = false;
    QString authorities;
    QString certificate;
    QString key;
    //! False only where a context of the docker CLI says so.
    bool verifies = true;
};

struct Endpoint
{
    //! As in DOCKER_HOST: "unix:///var/run/docker.sock".
    QString host;
    //! Who named it: "docker_host", "DOCKER_HOST", "context colima", "usual place".
    QString origin;
    TlsFiles tls;
    //! The user said that an address without encryption is fine.
    bool plainAllowed = false;
    //! Why it cannot even be tried, e.g. a context that is not there.
    QString problem;
};

struct EndpointSearch
{
    //! To be tried in this order.
    QList<Endpoint> endpoints;
    //! Somebody named this one: no other will do when it fails.
    bool isExplicit = false;
};

//! What the config says about the connection.
struct EngineWish
{
    QString host;
    QString context;
    //! With ca.pem, cert.pem and key.pem, as DOCKER_CERT_PATH.
    QString tlsDirectory;
    QString authorities;
    QString certificate;
    QString key;
    bool plainAllowed = false;
};
//! The fields of the form for all but the host, which is docker_host.
QList<domain::SchemaField> connectionFields();
//! \a values: the config's, as ProviderSettings::values.
EngineWish engineWish(const QMap<QString, QString> &values);
//! What cannot be, whatever the world is like; nullopt: nothing.
std::optional<QString> problemWith(const EngineWish &wish);

//! Reads the environment and the context files of the docker CLI, nothing else.
EndpointSearch findEndpoints(const EngineWish &wish, const QProcessEnvironment &environment,
                             const QString &homeDirectory);

//! Reads the files; the error names the one that is missing or wrong.
domain::Result<net::TlsOptions> readTls(const TlsFiles &files);

} // namespace berth::docker
