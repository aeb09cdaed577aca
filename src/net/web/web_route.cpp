// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/web/web_route.h"

#include "net/web/web_client.h"

#include <QtCore/QFile>
#include <QtNetwork/QHostAddress>
#include <QtNetwork/QSslCertificate>

namespace berth::net {

namespace {

QString fromEnvironment(std::initializer_list<const char *> names)
{
    for (const char *name : names) {
        const QString value = qEnvironmentVariable(name).trimmed();
        if (!value.isEmpty())
            return value;
    }
    return {};
}

int defaultPort(const QString &scheme)
{
    return scheme == QLatin1String("https") ? 443 : 80;
}

bool isSameOrBelow(QString host, QString name)
{
    while (name.startsWith(QLatin1Char('*')) || name.startsWith(QLatin1Char('.')))
        name.remove(0, 1);
    if (host.endsWith(QLatin1Char('.')))
        host.chop(1);
    return !name.isEmpty() && (host == name || host.endsWith(QLatin1Char('.') + name));
}

} // namespace

QString originOf(const QUrl &url)
{
    const QString scheme = url.scheme().toLower();
    if ((scheme != QLatin1String("http") && scheme != QLatin1String("https"))
        || url.host().isEmpty())
        return {};
    QString host = url.host(QUrl::FullyEncoded).toLower();
    if (host.contains(QLatin1Char(':')) && !host.startsWith(QLatin1Char('[')))
        host = QLatin1Char('[') + host + QLatin1Char(']');
    const int own = defaultPort(scheme);
    const int port = url.port(own);
    QString origin = scheme + QStringLiteral("://") + host;
    if (port != own)
        origin += QLatin1Char(':') + QString::number(port);
    return origin;
}

bool isLoopbackHost(const QString &host)
{
    const QString name = host.toLower();
    return name == QLatin1String("localhost") || name.endsWith(QLatin1String(".localhost"))
        || QHostAddress(name).isLoopback();
}

std::optional<QString> problemWithService(const QString &what, const QString &address,
                                          const QString &example)
{
    const QUrl url(address, QUrl::StrictMode);
    if (originOf(url).isEmpty())
        return QStringLiteral("%1 must be an address such as %2").arg(what, example);
    if (!url.userInfo().isEmpty() || url.hasQuery() || url.hasFragment())
        return QStringLiteral("%1 must be an address without a user, \"?\" and \"#\"").arg(what);
    if (url.scheme() != QLatin1String("https") && !isLoopbackHost(url.host()))
        return QStringLiteral("%1 must begin with https://: without encryption a key is sent only "
                              "to this machine")
            .arg(what);
    return std::nullopt;
}

std::optional<QNetworkProxy> proxyFromText(const QString &text)
{
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty() || trimmed == QLatin1String("none"))
        return QNetworkProxy(QNetworkProxy::NoProxy);
    // The variables are often without a scheme.
    const bool bare = !trimmed.contains(QLatin1String("://"));
    const QUrl url((bare ? QStringLiteral("http://") : QString()) + trimmed, QUrl::StrictMode);
    if (!url.isValid() || url.host().isEmpty())
        return std::nullopt;
    const QString scheme = url.scheme().toLower();
    QNetworkProxy proxy;
    if (scheme == QLatin1String("http")) {
        proxy.setType(QNetworkProxy::HttpProxy);
        proxy.setPort(static_cast<quint16>(url.port(bare ? 1080 : 80)));
    } else if (scheme == QLatin1String("socks5") || scheme == QLatin1String("socks5h")
               || scheme == QLatin1String("socks")) {
        proxy.setType(QNetworkProxy::Socks5Proxy);
        proxy.setPort(static_cast<quint16>(url.port(1080)));
    } else {
        return std::nullopt;
    }
    proxy.setHostName(url.host());
    proxy.setUser(url.userName(QUrl::FullyDecoded));
    proxy.setPassword(url.password(QUrl::FullyDecoded));
    return proxy;
}

bool isExcludedFromProxy(const QUrl &url, const QString &list)
{
    const QString host = url.host().toLower();
    const QHostAddress address(host);
    const QStringList entries = list.toLower().split(QLatin1Char(','), Qt::SkipEmptyParts);
    for (const QString &part : entries) {
        QString entry = part.trimmed();
        if (entry == QLatin1String("*"))
            return true;
        if (entry.contains(QLatin1Char('/'))) {
            if (!address.isNull() && address.isInSubnet(QHostAddress::parseSubnet(entry)))
                return true;
            continue;
        }
        const qsizetype colon = entry.lastIndexOf(QLatin1Char(':'));
        if (colon >= 0 && entry.count(QLatin1Char(':')) == 1) {
            if (entry.mid(colon + 1).toInt() != url.port(defaultPort(url.scheme().toLower())))
                continue;
            entry.truncate(colon);
        }
        if (entry.startsWith(QLatin1Char('[')) && entry.endsWith(QLatin1Char(']')))
            entry = entry.mid(1, entry.size() - 2);
        if (!address.isNull() ? address == QHostAddress(entry) : isSameOrBelow(host, entry))
            return true;
    }
    return false;
}

QNetworkProxy systemProxyFor(const QUrl &url)
{
    // HTTP_PROXY in capitals is left out as everywhere: a web server hands it to its programs.
    const bool encrypted = url.scheme().toLower() == QLatin1String("https");
    QString named = encrypted ? fromEnvironment({"https_proxy", "HTTPS_PROXY"})
                              : fromEnvironment({"http_proxy"});
    if (named.isEmpty())
        named = fromEnvironment({"all_proxy", "ALL_PROXY"});
    if (!named.isEmpty()) {
        if (isExcludedFromProxy(url, fromEnvironment({"no_proxy", "NO_PROXY"})))
            return QNetworkProxy(QNetworkProxy::NoProxy);
        return proxyFromText(named).value_or(QNetworkProxy(QNetworkProxy::NoProxy));
    }
    // The desktop's would read the same variables again, each in its own way.
    if (!fromEnvironment({"http_proxy", "https_proxy", "HTTPS_PROXY"}).isEmpty())
        return QNetworkProxy(QNetworkProxy::NoProxy);
    const QList<QNetworkProxy> found =
        QNetworkProxyFactory::systemProxyForQuery(QNetworkProxyQuery(url));
    return found.isEmpty() ? QNetworkProxy(QNetworkProxy::NoProxy) : found.first();
}

QString proxyName(const QNetworkProxy &proxy)
{
    if (proxy.hostName().isEmpty())
        return {};
    return QStringLiteral("%1:%2").arg(proxy.hostName()).arg(proxy.port());
}

std::optional<QString> problemWithProxy(const QString &proxy)
{
    if (proxyFromText(proxy))
        return std::nullopt;
    // The text may hold a password, so it is not repeated.
    return QStringLiteral("The proxy has to be \"none\", or like http://host:port or "
                          "socks5://host:port");
}

std::optional<QString> problemWithCaFile(const QString &path)
{
    if (path.isEmpty())
        return std::nullopt;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return QStringLiteral("The authority's file %1 cannot be read: %2")
            .arg(path, file.errorString());
    if (QSslCertificate::fromData(file.read(4 * 1024 * 1024)).isEmpty())
        return QStringLiteral("The authority's file %1 holds no certificate in PEM").arg(path);
    return std::nullopt;
}

} // namespace berth::net
