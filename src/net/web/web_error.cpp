// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/web/web_error.h"

#include "net/web/web_client.h"

#include <QtNetwork/QNetworkReply>
#include <QtNetwork/QNetworkRequest>
#include <QtNetwork/QSslCertificate>
#include <QtNetwork/QSslError>

namespace berth::net {

using domain::Error;
using domain::ErrorKind;

namespace {

QString placeOf(const QUrl &url)
{
    const QString origin = originOf(url);
    return origin.isEmpty() ? url.host() : origin;
}

Error webCertificateError(const QString &host, const WebFacts &facts)
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
    for (const QSslError &one : facts.certificate) {
        const QSslCertificate certificate = one.certificate();
        all << one.errorString();
        switch (one.error()) {
        case QSslError::CertificateExpired:
            say(4, QStringLiteral("The certificate of %1 has expired").arg(host),
                QStringLiteral("It was good until %1. It has to be renewed on the server; if it "
                               "was, check this machine's clock")
                    .arg(certificate.expiryDate().toUTC().toString(Qt::ISODate)));
            break;
        case QSslError::CertificateNotYetValid:
            say(4, QStringLiteral("The certificate of %1 is not valid yet").arg(host),
                QStringLiteral("It is good from %1. Check this machine's clock")
                    .arg(certificate.effectiveDate().toUTC().toString(Qt::ISODate)));
            break;
        case QSslError::HostNameMismatch: {
            QStringList names = certificate.subjectAlternativeNames().values();
            if (names.isEmpty())
                names = certificate.subjectInfo(QSslCertificate::CommonName);
            say(2, QStringLiteral("The certificate is not for %1").arg(host),
                QStringLiteral("It is for %1. Check the address")
                    .arg(names.isEmpty() ? QStringLiteral("nobody")
                                         : names.join(QStringLiteral(", "))));
            break;
        }
        case QSslError::UnableToGetIssuerCertificate:
        case QSslError::UnableToGetLocalIssuerCertificate:
        case QSslError::UnableToVerifyFirstCertificate:
        case QSslError::SelfSignedCertificate:
        case QSslError::SelfSignedCertificateInChain:
        case QSslError::CertificateUntrusted:
        case QSslError::CertificateSignatureFailed:
            say(3, QStringLiteral("The certificate of %1 is from an unknown authority").arg(host),
                facts.ownAuthority
                    ? QStringLiteral("It was issued by \"%1\", which neither this system nor the "
                                     "authority's file (CA file) of the settings names")
                          .arg(certificate.issuerDisplayName())
                    : QStringLiteral("It was issued by \"%1\". If that is your own service or your "
                                     "company's proxy, name the authority's certificate as CA "
                                     "file in the settings")
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

QString arrival(const QNetworkReply &reply)
{
    const QNetworkAccessManager::Operation operation = reply.operation();
    if (operation == QNetworkAccessManager::GetOperation
        || operation == QNetworkAccessManager::HeadOperation)
        return {};
    return QStringLiteral("Nobody can tell whether the request was carried out");
}

//! Of the connection, not of what HTTP says: Qt has ProtocolInvalidOperationError for the status
//! 400, too.
bool isConnections(QNetworkReply::NetworkError error)
{
    return error < QNetworkReply::ContentAccessDenied || error == QNetworkReply::ContentReSendError
        || error == QNetworkReply::ProtocolUnknownError || error == QNetworkReply::ProtocolFailure;
}

} // namespace

std::optional<Error> transportError(const QNetworkReply &reply, const WebFacts &facts)
{
    const QNetworkReply::NetworkError code = reply.error();
    if (code == QNetworkReply::NoError)
        return std::nullopt;
    const int status = reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status >= 400 && !isConnections(code))
        return std::nullopt;

    const QString where = placeOf(reply.url());
    const auto error = [](ErrorKind kind, QString message, QString detail = {}) {
        return Error{kind, std::move(message), std::move(detail), {}, {}};
    };
    if (status != 0 && code != QNetworkReply::ProtocolFailure
        && code != QNetworkReply::ProxyAuthenticationRequiredError)
        return error(ErrorKind::Unavailable,
                     QStringLiteral("The answer of %1 was cut short").arg(where));
    // Where Qt says nothing of the sending, an open connection that was closed shows it.
    const bool sent = facts.sent || code == QNetworkReply::ContentReSendError;
    if (!facts.certificate.isEmpty())
        return webCertificateError(reply.url().host(), facts);
    switch (code) {
    case QNetworkReply::ConnectionRefusedError:
        return error(ErrorKind::Unavailable, QStringLiteral("Nobody listens at %1").arg(where));
    case QNetworkReply::HostNotFoundError:
        return error(ErrorKind::Unavailable,
                     QStringLiteral("There is no host named %1").arg(reply.url().host()),
                     QStringLiteral("Check the address and this machine's network"));
    case QNetworkReply::TimeoutError:
        return error(ErrorKind::Timeout,
                     QStringLiteral("%1 does not take the connection").arg(where));
    case QNetworkReply::SslHandshakeFailedError:
        return error(ErrorKind::Protocol,
                     QStringLiteral("No encrypted connection to %1").arg(where),
                     QStringLiteral("%1. Is it an address for https?").arg(reply.errorString()));
    case QNetworkReply::ProxyConnectionRefusedError:
    case QNetworkReply::ProxyConnectionClosedError:
    case QNetworkReply::ProxyNotFoundError:
    case QNetworkReply::UnknownProxyError:
        return error(ErrorKind::Unavailable,
                     QStringLiteral("The proxy %1 does not connect to %2").arg(facts.proxy, where),
                     QStringLiteral("Check the proxy's address, and whether it lets this one "
                                    "through"));
    case QNetworkReply::ProxyTimeoutError:
        return error(ErrorKind::Timeout,
                     QStringLiteral("The proxy %1 does not answer").arg(facts.proxy));
    case QNetworkReply::ProxyAuthenticationRequiredError:
        return error(ErrorKind::Unauthorized,
                     QStringLiteral("The proxy %1 asks for a user and a password").arg(facts.proxy),
                     QStringLiteral("Write them into the proxy's address: "
                                    "http://user:password@host:port"));
    case QNetworkReply::ProtocolUnknownError:
    case QNetworkReply::ProtocolInvalidOperationError:
    case QNetworkReply::ProtocolFailure:
        return error(ErrorKind::Protocol,
                     QStringLiteral("The answer of %1 makes no sense").arg(where),
                     reply.errorString());
    default:
        // Closed, reset, no route: Qt has one code for many of them, and its words for the rest.
        if (sent)
            return error(ErrorKind::Unavailable,
                         QStringLiteral("%1 closed the connection without an answer").arg(where),
                         arrival(reply));
        return error(
            ErrorKind::Unavailable,
            facts.proxy.isEmpty()
                ? QStringLiteral("Cannot connect to %1").arg(where)
                : QStringLiteral("Cannot connect to %1 by the proxy %2").arg(where, facts.proxy),
            reply.errorString());
    }
}

} // namespace berth::net
