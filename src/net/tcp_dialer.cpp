// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/tcp_dialer.h"

#include "async/completion.h"

#include <QtCore/QDateTime>
#include <QtCore/QTimer>
#include <QtNetwork/QNetworkProxy>
#include <QtNetwork/QSslCertificate>
#include <QtNetwork/QSslConfiguration>
#include <QtNetwork/QSslError>
#include <QtNetwork/QSslKey>
#include <QtNetwork/QSslSocket>

namespace berth::net {

using domain::Error;
using domain::ErrorKind;
using domain::failure;

namespace {

//! The kind of a key is not said in PEM's newer header.
QSslKey keyFrom(const QByteArray &pem)
{
    for (const QSsl::KeyAlgorithm algorithm : {QSsl::Rsa, QSsl::Ec, QSsl::Dsa}) {
        QSslKey key(pem, algorithm);
        if (!key.isNull())
            return key;
    }
    return {};
}

QString place(const QString &host, quint16 port)
{
    const QString shown =
        host.contains(QLatin1Char(':')) ? QLatin1Char('[') + host + QLatin1Char(']') : host;
    return QStringLiteral("%1:%2").arg(shown).arg(port);
}

QString names(const QSslCertificate &certificate)
{
    QStringList all = certificate.subjectAlternativeNames().values();
    if (all.isEmpty())
        all = certificate.subjectInfo(QSslCertificate::CommonName);
    return all.isEmpty() ? QStringLiteral("nobody") : all.join(QStringLiteral(", "));
}

//! The one of several that says most.
Error certificateError(const QList<QSslError> &errors, const QSslCertificate &certificate,
                       const QString &host, bool ownAuthorities)
{
    Error error{ErrorKind::Forbidden,
                QStringLiteral("The certificate of %1 cannot be trusted").arg(host),
                {},
                {},
                {}};
    QStringList all;
    int weight = 0;
    const auto say = [&error, &weight](int heavier, const QString &message, const QString &detail) {
        if (heavier <= weight)
            return;
        weight = heavier;
        error.message = message;
        error.detail = detail;
    };
    for (const QSslError &one : errors) {
        all << one.errorString();
        switch (one.error()) {
        case QSslError::CertificateExpired:
            say(4, QStringLiteral("The certificate of %1 has expired").arg(host),
                QStringLiteral("It was good until %1. Renew it on the server")
                    .arg(certificate.expiryDate().toUTC().toString(Qt::ISODate)));
            break;
        case QSslError::CertificateNotYetValid:
            say(4, QStringLiteral("The certificate of %1 is not valid yet").arg(host),
                QStringLiteral("It is good from %1. Check the clocks of both machines")
                    .arg(certificate.effectiveDate().toUTC().toString(Qt::ISODate)));
            break;
        case QSslError::HostNameMismatch:
            say(2, QStringLiteral("The certificate is not for %1").arg(host),
                QStringLiteral("It is for %1. Use one of these names, or another certificate")
                    .arg(names(certificate)));
            break;
        case QSslError::UnableToGetIssuerCertificate:
        case QSslError::UnableToGetLocalIssuerCertificate:
        case QSslError::UnableToVerifyFirstCertificate:
        case QSslError::SelfSignedCertificate:
        case QSslError::SelfSignedCertificateInChain:
        case QSslError::CertificateUntrusted:
        case QSslError::CertificateSignatureFailed:
            say(3, QStringLiteral("The certificate of %1 is from an unknown authority").arg(host),
                ownAuthorities
                    ? QStringLiteral("The given authority (ca.pem) has not signed it. It was "
                                     "issued by \"%1\"")
                          .arg(certificate.issuerDisplayName())
                    : QStringLiteral("Name the authority's file (ca.pem) of \"%1\"")
                          .arg(certificate.issuerDisplayName()));
            break;
        default:
            break;
        }
    }
    if (weight == 0)
        error.detail = all.join(QStringLiteral(". "));
    return error;
}

Error connectError(const QAbstractSocket &socket, const QString &host, quint16 port)
{
    const QString where = place(host, port);
    switch (socket.error()) {
    case QAbstractSocket::ConnectionRefusedError:
        return {
            ErrorKind::Unavailable, QStringLiteral("Nobody listens at %1").arg(where), {}, {}, {}};
    case QAbstractSocket::HostNotFoundError:
        return {ErrorKind::Unavailable,
                QStringLiteral("There is no host named %1").arg(host),
                {},
                {},
                {}};
    case QAbstractSocket::RemoteHostClosedError:
        return {ErrorKind::Unavailable,
                QStringLiteral("%1 closed the connection at once").arg(where),
                {},
                {},
                {}};
    case QAbstractSocket::SslHandshakeFailedError:
        return {ErrorKind::Protocol,
                QStringLiteral("No encrypted connection to %1").arg(where),
                QStringLiteral("%1. Is it an address for TLS?").arg(socket.errorString()),
                {},
                {}};
    default:
        return {ErrorKind::Unavailable,
                QStringLiteral("Cannot connect to %1: %2").arg(where, socket.errorString()),
                {},
                {},
                {}};
    }
}

domain::Async<ByteStream> dialTcp(QString host, quint16 port, std::optional<TlsOptions> tls,
                                  std::chrono::milliseconds timeout, std::stop_token stop)
{
    if (tls && !QSslSocket::supportsSsl())
        co_return failure(ErrorKind::Unsupported, QStringLiteral("This system's Qt has no TLS"),
                          QStringLiteral("Install OpenSSL and Qt's TLS plugin"));
    auto *socket = tls ? new QSslSocket : new QTcpSocket;
    const ByteStream stream = ownedStream(socket);
    socket->setReadBufferSize(kReadBuffer);
    socket->setProxy(QNetworkProxy::NoProxy);

    enum class Ended { Connected, Failed, TimedOut, Stopped };
    const async::Completion<Ended> ended;
    QList<QSslError> refused;
    QSslCertificate theirs;
    QObject context;
    QObject::connect(socket, &QAbstractSocket::errorOccurred, &context,
                     [ended] { ended.complete(Ended::Failed); });
    QTimer timer;
    timer.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, &context,
                     [ended] { ended.complete(Ended::TimedOut); });
    if (timeout.count() > 0)
        timer.start(timeout);
    if (auto *encrypted = qobject_cast<QSslSocket *>(socket)) {
        QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
        configuration.setProtocol(QSsl::TlsV1_2OrLater);
        configuration.setPeerVerifyMode(tls->verifies ? QSslSocket::VerifyPeer
                                                      : QSslSocket::VerifyNone);
        if (!tls->authorities.isEmpty())
            configuration.setCaCertificates(QSslCertificate::fromData(tls->authorities));
        if (!tls->certificate.isEmpty()) {
            configuration.setLocalCertificateChain(QSslCertificate::fromData(tls->certificate));
            configuration.setPrivateKey(keyFrom(tls->key));
        }
        encrypted->setSslConfiguration(configuration);
        QObject::connect(encrypted, &QSslSocket::encrypted, &context,
                         [ended] { ended.complete(Ended::Connected); });
        QObject::connect(encrypted, &QSslSocket::sslErrors, &context,
                         [&refused, &theirs, encrypted](const QList<QSslError> &errors) {
                             refused = errors;
                             theirs = encrypted->peerCertificate();
                         });
        encrypted->connectToHostEncrypted(host, port);
    } else {
        QObject::connect(socket, &QAbstractSocket::connected, &context,
                         [ended] { ended.complete(Ended::Connected); });
        socket->connectToHost(host, port);
    }
    Ended how = Ended::Failed;
    {
        const std::stop_callback onStop(stop, [ended] { ended.complete(Ended::Stopped); });
        how = co_await ended;
    }
    if (how == Ended::Connected && socket->state() == QAbstractSocket::ConnectedState) {
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        // A machine that went away says nothing: without this a quiet stream waits for ever.
        socket->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
        co_return stream;
    }
    if (how == Ended::Stopped)
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled while connecting"));
    if (how == Ended::TimedOut)
        co_return failure(
            ErrorKind::Timeout,
            QStringLiteral("%1 does not take the connection").arg(place(host, port)),
            QStringLiteral("Check the address, and firewalls between here and there"));
    if (!refused.isEmpty() && tls->verifies)
        co_return failure(certificateError(refused, theirs, host, !tls->authorities.isEmpty()));
    co_return failure(connectError(*socket, host, port));
}

} // namespace

std::optional<QString> problemWith(const TlsOptions &options)
{
    if (!options.authorities.isEmpty() && QSslCertificate::fromData(options.authorities).isEmpty())
        return QStringLiteral("The authority's file holds no certificate");
    if (options.certificate.isEmpty() != options.key.isEmpty())
        return options.key.isEmpty()
            ? QStringLiteral("There is a client certificate, but no key for it")
            : QStringLiteral("There is a client key, but no certificate for it");
    if (options.certificate.isEmpty())
        return std::nullopt;
    if (QSslCertificate::fromData(options.certificate).isEmpty())
        return QStringLiteral("The client certificate's file holds no certificate");
    if (options.key.contains("ENCRYPTED"))
        return QStringLiteral("The client key asks for a passphrase; use one without");
    if (keyFrom(options.key).isNull())
        return QStringLiteral("The client key's file holds no key");
    return std::nullopt;
}

TcpDialer::TcpDialer(QString host, quint16 port, std::optional<TlsOptions> tls)
    : m_host(std::move(host)), m_port(port), m_tls(std::move(tls))
{}

domain::Async<ByteStream> TcpDialer::dial(std::chrono::milliseconds timeout, std::stop_token stop)
{
    return dialTcp(m_host, m_port, m_tls, timeout, std::move(stop));
}

} // namespace berth::net
