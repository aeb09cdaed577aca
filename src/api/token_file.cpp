// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/token_file.h"

#include "domain/constant_time.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QRandomGenerator>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace berth::api {

using domain::ErrorKind;
using domain::failure;
using domain::Result;
using domain::Secret;

namespace {

constexpr qsizetype kLongestToken = 256;

QByteArray freshToken()
{
    std::array<quint32, 8> words{};
    QRandomGenerator::system()->fillRange(words.data(), static_cast<qsizetype>(words.size()));
    return "berth_"
        + QByteArray(reinterpret_cast<const char *>(words.data()), sizeof words)
              .toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
}

Result<Secret> written(const QString &path, bool replace)
{
    const QByteArray token = freshToken();
    const QByteArray name = QFile::encodeName(path);
    const QByteArray made = replace ? name + ".new" : name;
    if (replace)
        ::unlink(made.constData());
    const int file =
        ::open(made.constData(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) {
        if (errno == EEXIST)
            return failure(
                ErrorKind::Conflict, QStringLiteral("There is a token already"),
                QStringLiteral("\"berth-cli token rotate\" puts a new one in its place."));
        return failure(ErrorKind::Storage, QStringLiteral("%1 cannot be written").arg(path),
                       QString::fromLocal8Bit(std::strerror(errno)));
    }
    const QByteArray line = token + '\n';
    const bool whole = ::write(file, line.constData(), static_cast<size_t>(line.size()))
        == static_cast<ssize_t>(line.size());
    const bool stored = whole && ::fsync(file) == 0;
    ::close(file);
    if (!stored || (replace && ::rename(made.constData(), name.constData()) != 0)) {
        ::unlink(made.constData());
        return failure(ErrorKind::Storage, QStringLiteral("%1 cannot be written").arg(path));
    }
    return Secret(token);
}

} // namespace

QString wireName(Scope scope)
{
    switch (scope) {
    case Scope::Read:
        return QStringLiteral("read");
    case Scope::Run:
        return QStringLiteral("run");
    case Scope::Approve:
        return QStringLiteral("approve");
    case Scope::Admin:
        return QStringLiteral("admin");
    }
    return {};
}

QStringList wireNames(Scopes scopes)
{
    QStringList names;
    for (const Scope scope : {Scope::Read, Scope::Run, Scope::Approve, Scope::Admin}) {
        if (scopes.testFlag(scope))
            names.append(wireName(scope));
    }
    return names;
}

Scopes scopesFrom(const QStringList &names)
{
    Scopes scopes;
    for (const Scope scope : {Scope::Read, Scope::Run, Scope::Approve, Scope::Admin})
        scopes.setFlag(scope, names.contains(wireName(scope)));
    return scopes;
}

TokenFile::TokenFile(const QString &dataDirectory, Scopes granted)
    : m_path(QDir(dataDirectory).filePath(QStringLiteral("api-token"))), m_granted(granted)
{}

Result<Secret> TokenFile::read() const
{
    const int file = ::open(QFile::encodeName(m_path).constData(),
                            O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return failure(errno == ENOENT ? ErrorKind::NotFound : ErrorKind::Forbidden,
                       errno == ENOENT ? QStringLiteral("There is no token yet")
                                       : QStringLiteral("%1 cannot be read").arg(m_path),
                       QStringLiteral("\"berth-cli token new\" makes one."));
    struct stat facts = {};
    QByteArray bytes(kLongestToken, '\0');
    const bool ours = ::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)
        && facts.st_uid == ::geteuid() && (facts.st_mode & 077) == 0;
    const ssize_t length = ours ? ::read(file, bytes.data(), static_cast<size_t>(bytes.size())) : 0;
    ::close(file);
    if (!ours)
        return failure(
            ErrorKind::Forbidden, QStringLiteral("%1 is not private to this user").arg(m_path),
            QStringLiteral("Others may know the token. \"berth-cli token rotate\" puts a "
                           "new one in its place."));
    bytes.truncate(std::max<qsizetype>(length, 0));
    bytes = bytes.trimmed();
    if (bytes.size() < 16)
        return failure(ErrorKind::NotFound, QStringLiteral("%1 holds no token").arg(m_path),
                       QStringLiteral("\"berth-cli token rotate\" makes one."));
    return Secret(bytes);
}

Result<Secret> TokenFile::make() const
{
    return written(m_path, false);
}

Result<Secret> TokenFile::rotate() const
{
    return written(m_path, true);
}

Result<Secret> TokenFile::readOrMake() const
{
    Result<Secret> token = read();
    if (!token && token.error().kind == ErrorKind::NotFound && !QFile::exists(m_path))
        return make();
    return token;
}

Scopes TokenFile::scopesOf(const QByteArray &token) const
{
    const Result<Secret> ours = read();
    if (!ours || token.isEmpty() || token.size() > kLongestToken)
        return {};
    return domain::equalsInConstantTime(token, ours->exposeForWire()) ? m_granted : Scopes();
}

QByteArray TokenFile::markOf(const QByteArray &token)
{
    return QCryptographicHash::hash(token, QCryptographicHash::Sha256);
}

QByteArray TokenFile::mark() const
{
    const Result<Secret> ours = read();
    return ours ? markOf(ours->exposeForWire()) : QByteArray();
}

} // namespace berth::api
