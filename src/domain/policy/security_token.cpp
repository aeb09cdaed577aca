// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/security_token.h"

#include "domain/constant_time.h"
#include "domain/policy/security_policy.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QMessageAuthenticationCode>
#include <QtCore/QRandomGenerator>
#include <QtCore/QStringList>

#include <array>
#include <optional>

namespace berth::domain {

namespace {

//! A check takes some 10 ms: a guesser is slowed down, a visitor is not.
constexpr int kRounds = 10'000;
constexpr int kMostRounds = 1'000'000;
constexpr qsizetype kSaltBytes = 16;
constexpr qsizetype kHashBytes = 32;

struct TokenHash
{
    int rounds = 0;
    QByteArray salt;
    QByteArray hash;
};

std::optional<TokenHash> readTokenHash(const QString &text)
{
    const QStringList parts = text.split(u'$');
    if (parts.size() != 4 || parts.at(0) != QLatin1String("pbkdf2-sha256"))
        return std::nullopt;
    bool isNumber = false;
    TokenHash read{parts.at(1).toInt(&isNumber), QByteArray::fromBase64(parts.at(2).toLatin1()),
                   QByteArray::fromBase64(parts.at(3).toLatin1())};
    if (!isNumber || read.rounds < 1 || read.rounds > kMostRounds || read.salt.isEmpty()
        || read.hash.size() != kHashBytes)
        return std::nullopt;
    return read;
}

//! PBKDF2 (RFC 8018) with HMAC-SHA-256, its first block; Qt's own is in Qt Network.
QByteArray derived(const QByteArray &password, const QByteArray &salt, int rounds)
{
    QMessageAuthenticationCode code(QCryptographicHash::Sha256, password);
    code.addData(salt);
    code.addData(QByteArray::fromHex("00000001"));
    QByteArray block = code.result();
    QByteArray all = block;
    for (int round = 1; round < rounds; ++round) {
        code.reset();
        code.addData(block);
        block = code.result();
        for (qsizetype i = 0; i < all.size(); ++i)
            all[i] = static_cast<char>(all.at(i) ^ block.at(i));
    }
    return all;
}

} // namespace

QString hashedToken(const Secret &token)
{
    std::array<quint32, kSaltBytes / sizeof(quint32)> random{};
    QRandomGenerator::system()->generate(random.begin(), random.end());
    const QByteArray salt(reinterpret_cast<const char *>(random.data()), kSaltBytes);
    const QByteArray hash = derived(token.exposeForWire(), salt, kRounds);
    return QStringLiteral("pbkdf2-sha256$%1$%2$%3")
        .arg(QString::number(kRounds), QString::fromLatin1(salt.toBase64()),
             QString::fromLatin1(hash.toBase64()));
}

bool isTokenHash(const QString &text)
{
    return readTokenHash(text).has_value();
}

bool isAccessToken(const SecurityPolicy &policy, const Secret &token)
{
    const std::optional<TokenHash> stored = readTokenHash(policy.accessTokenHash);
    if (!stored || token.isEmpty())
        return false;
    return equalsInConstantTime(derived(token.exposeForWire(), stored->salt, stored->rounds),
                                stored->hash);
}

} // namespace berth::domain
