// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/endpoint.h"

#include <QtCore/QFile>

namespace berth::docker {

using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

constexpr qint64 kLargestPem = 1024 * 1024;

Result<QByteArray> contents(const QString &path, const char *what)
{
    if (path.isEmpty())
        return QByteArray();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("The file of the %1 cannot be read: %2").arg(QLatin1String(what), path),
            file.errorString());
    const QByteArray bytes = file.read(kLargestPem);
    if (bytes.trimmed().isEmpty())
        return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("The file of the %1 is empty: %2").arg(QLatin1String(what), path));
    return bytes;
}

} // namespace

Result<net::TlsOptions> readTls(const TlsFiles &files)
{
    net::TlsOptions options;
    options.verifies = files.verifies;
    const Result<QByteArray> authorities = contents(files.authorities, "authority");
    if (!authorities)
        return failure(authorities.error());
    const Result<QByteArray> certificate = contents(files.certificate, "client certificate");
    if (!certificate)
        return failure(certificate.error());
    const Result<QByteArray> key = contents(files.key, "client key");
    if (!key)
        return failure(key.error());
    options.authorities = *authorities;
    options.certificate = *certificate;
    options.key = *key;
    if (const std::optional<QString> problem = net::problemWith(options)) {
        QStringList names;
        for (const QString &path : {files.authorities, files.certificate, files.key}) {
            if (!path.isEmpty())
                names << path;
        }
        return failure(ErrorKind::InvalidInput, *problem,
                       QStringLiteral("Used are: %1").arg(names.join(QStringLiteral(", "))));
    }
    return options;
}

} // namespace berth::docker
