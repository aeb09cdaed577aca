// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "domain/secret.h"

#include <QtCore/QProcessEnvironment>

#include <stop_token>

// The user's logins at registries, as the docker command keeps them.
namespace berth::docker {

//! "ghcr.io" of "ghcr.io/a/b:1", "localhost:5000" of "localhost:5000/x"; images without a host are
//! at "docker.io".
QString registryOf(const QString &image);

//! What to say to the registry. Empty: nobody has logged in there.
struct RegistryLogin
{
    //! As the login was stored: "https://index.docker.io/v1/" for docker.io.
    QString server;
    QString user;
    domain::Secret password;
    //! In place of user and password.
    domain::Secret identityToken;
    //! Why a login that is configured could not be read; without secrets.
    QString problem;

    [[nodiscard]] bool isEmpty() const { return password.isEmpty() && identityToken.isEmpty(); }
};

//! Where a login may come from.
struct LoginSource
{
    //! Login itself, or who is to be asked: "docker-credential-<helper>".
    RegistryLogin stored;
    QString helper;
};
//! Of the text of the docker command's config.json. A broken one is told as a problem.
LoginSource loginSource(const QByteArray &config, const QString &registry);
//! What a helper printed; nullopt when that is no login.
std::optional<RegistryLogin> decodeHelperAnswer(const QByteArray &output, const QString &server);

//! The value of X-Registry-Auth.
domain::Secret registryAuthHeader(const RegistryLogin &login);

//! Reads config.json below DOCKER_CONFIG or \a home, and asks the helper that it names. Never
//! fails: an image may be public all the same.
domain::Async<RegistryLogin> findLogin(QString image, QProcessEnvironment environment, QString home,
                                       std::stop_token stop);

} // namespace berth::docker
