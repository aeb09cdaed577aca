// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/web/web_pool.h"

#include <QtCore/QFile>
#include <QtCore/QTimer>
#include <QtNetwork/QNetworkAccessManager>
#include <QtNetwork/QNetworkReply>
#include <QtNetwork/QNetworkRequest>
#include <QtNetwork/QSslCertificate>
#include <QtNetwork/QSslSocket>

#include <algorithm>
#include <cstring>

namespace berth::net {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::failure;
using std::chrono::milliseconds;
using Lane = std::shared_ptr<WebLane>;

namespace {

//! Qt's limit for one host.
constexpr size_t kConnectionsPerLane = 6;
//! HTTP/2 has one connection with many streams; servers allow 100 and more.
constexpr size_t kHttp2StreamsPerLane = 50;
constexpr size_t kMostCallLanes = 4;
constexpr size_t kMostStreamLanes = 16;
//! Qt wants to know a body's length before. What goes up by hand stays far below.
constexpr qint64 kGrowingBody = 1024 * 1024 * 1024;

class RouteFactory : public QNetworkProxyFactory
{
public:
    explicit RouteFactory(std::weak_ptr<WebPool> pool) : m_pool(std::move(pool)) {}

    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery &query) override
    {
        const std::shared_ptr<WebPool> pool = m_pool.lock();
        return {pool ? pool->proxyFor(query.url()) : QNetworkProxy(QNetworkProxy::NoProxy)};
    }

private:
    std::weak_ptr<WebPool> m_pool;
};

bool isFieldName(const QByteArray &name)
{
    return !name.isEmpty() && std::all_of(name.begin(), name.end(), [](char c) {
        return c > ' ' && c < 0x7f && !std::strchr("()<>@,;:\\\"/[]?={}", c);
    });
}

bool isFieldValue(const QByteArray &value)
{
    return std::none_of(value.begin(), value.end(),
                        [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

//! Read once: it takes a third of a second.
const QList<QSslCertificate> &systemAuthorities()
{
    static const QList<QSslCertificate> authorities = QSslConfiguration::systemCaCertificates();
    return authorities;
}

QNetworkRequest preparedRequest(const WebRequest &request, const WebSettings &settings)
{
    QUrl url = request.url;
    url.setUserInfo({});
    url.setFragment({});
    QNetworkRequest prepared(url);
    prepared.setAttribute(QNetworkRequest::RedirectPolicyAttribute,
                          QNetworkRequest::ManualRedirectPolicy);
    prepared.setAttribute(QNetworkRequest::CacheLoadControlAttribute,
                          QNetworkRequest::AlwaysNetwork);
    prepared.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    prepared.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    prepared.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    prepared.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    const bool encrypted = url.scheme() == QLatin1String("https");
    const bool direct = !encrypted && settings.http2Cleartext;
    prepared.setAttribute(QNetworkRequest::Http2AllowedAttribute,
                          direct || (encrypted && settings.http2Required));
    prepared.setAttribute(QNetworkRequest::Http2DirectAttribute, direct);
    for (const auto &[name, value] : request.headers.fields()) {
        const QByteArray before = prepared.rawHeader(name);
        prepared.setRawHeader(name, before.isNull() ? value : before + ", " + value);
    }
    if (!request.headers.contains("User-Agent"))
        prepared.setRawHeader("User-Agent", "Berth/" BERTH_VERSION);
    // Else Qt would ask for compressed bodies, and unpack them.
    if (!request.headers.contains("Accept-Encoding"))
        prepared.setRawHeader("Accept-Encoding", "identity");
    return prepared;
}

} // namespace

WebPool::WebPool(WebSettings settings) : m_settings(std::move(settings))
{
    for (QString &origin : m_settings.origins) {
        const QString normal = originOf(QUrl(origin));
        if (!normal.isEmpty())
            origin = normal;
    }
    if (const auto problem = problemWithProxy(m_settings.proxy))
        m_unusable = Error{ErrorKind::InvalidInput, *problem, {}, {}, {}};
    else if (!m_settings.proxy.trimmed().isEmpty())
        m_proxy = proxyFromText(m_settings.proxy);
    if (const auto problem = problemWithCaFile(m_settings.caFile))
        m_unusable = Error{ErrorKind::InvalidInput, *problem, {}, {}, {}};
}

size_t WebPool::perLane() const
{
    return m_settings.http2Cleartext || m_settings.http2Required ? kHttp2StreamsPerLane
                                                                 : kConnectionsPerLane;
}

int WebPool::liveReplies() const
{
    qsizetype live = 0;
    for (const auto *lanes : {&m_calls, &m_streams}) {
        for (const Lane &lane : *lanes)
            live += lane->manager->findChildren<QNetworkReply *>().size();
    }
    return static_cast<int>(live);
}

QNetworkProxy WebPool::proxyFor(const QUrl &url)
{
    QNetworkProxy proxy(QNetworkProxy::NoProxy);
    // What is not encrypted goes to this machine because nobody can read it on the way.
    if (url.scheme() == QLatin1String("http") && isLoopbackHost(url.host()))
        return proxy;
    if (m_proxy) {
        proxy = *m_proxy;
    } else {
        const QString origin = originOf(url);
        auto known = m_routes.constFind(origin);
        if (known == m_routes.constEnd())
            known = m_routes.insert(origin, systemProxyFor(url));
        proxy = *known;
    }
    // A proxy that answers for the server knows nothing of HTTP/2.
    if (m_settings.http2Cleartext && proxy.type() == QNetworkProxy::HttpProxy)
        proxy.setCapabilities(QNetworkProxy::TunnelingCapability
                              | QNetworkProxy::HostNameLookupCapability);
    return proxy;
}

Lane WebPool::freeLane(Kind kind)
{
    std::vector<Lane> &lanes = kind == Kind::Call ? m_calls : m_streams;
    for (const Lane &lane : lanes) {
        // The first ones are filled first, as they have connections to use again.
        if (static_cast<size_t>(lane->live) < perLane())
            return lane;
    }
    if (lanes.size() >= (kind == Kind::Call ? kMostCallLanes : kMostStreamLanes))
        return {};
    lanes.push_back(std::make_shared<WebLane>());
    lanes.back()->manager->setProxyFactory(new RouteFactory(weak_from_this()));
    return lanes.back();
}

void WebPool::laneFreed()
{
    for (const async::Completion<int> &waiter : std::exchange(m_waiting, {}))
        waiter.complete(0);
}

Async<Lane> WebPool::lane(std::shared_ptr<WebPool> pool, Kind kind, milliseconds limit,
                          std::stop_token stop)
{
    enum { Freed, TooLate, Stopped };
    QTimer timer;
    timer.setSingleShot(true);
    std::optional<async::Completion<int>> waiting;
    QObject::connect(&timer, &QTimer::timeout, &timer, [&waiting] {
        if (waiting)
            waiting->complete(TooLate);
    });
    if (limit.count() > 0)
        timer.start(limit);
    for (;;) {
        if (stop.stop_requested())
            co_return failure(ErrorKind::Cancelled,
                              QStringLiteral("Cancelled before the request went out"));
        const Lane lane = pool->freeLane(kind);
        if (lane)
            co_return lane;
        if (kind == Kind::Stream)
            co_return failure(ErrorKind::Unavailable,
                              QStringLiteral("Too many answers are open at once"),
                              QStringLiteral("Close some of what is running"));
        const async::Completion<int> event;
        waiting = event;
        pool->m_waiting.push_back(event);
        int how = Freed;
        {
            const std::stop_callback onStop(stop, [event] { event.complete(Stopped); });
            how = co_await event;
        }
        if (how == TooLate)
            co_return failure(
                ErrorKind::Timeout,
                QStringLiteral("No connection was free within %1 s")
                    .arg(static_cast<double>(limit.count()) / 1000),
                QStringLiteral("Other requests to the same service take all of them"));
    }
}

std::optional<Error> WebPool::objection(const WebRequest &request) const
{
    if (m_unusable)
        return m_unusable;
    const QString origin = originOf(request.url);
    const auto refuse = [](ErrorKind kind, QString message) {
        return Error{kind, std::move(message), {}, {}, {}};
    };
    if (origin.isEmpty())
        return refuse(ErrorKind::InvalidInput,
                      QStringLiteral("This is no address of http or https"));
    if (!m_settings.origins.contains(origin))
        return refuse(ErrorKind::Forbidden,
                      QStringLiteral("%1 is not among the places that may be asked").arg(origin));
    if (!isFieldName(request.method))
        return refuse(ErrorKind::InvalidInput, QStringLiteral("This is no method of HTTP"));
    const bool isGet = request.method == "GET" || request.method == "HEAD";
    if (isGet && !request.body.isEmpty())
        return refuse(ErrorKind::InvalidInput, QStringLiteral("A body does not go with GET"));
    for (const auto &[name, value] : request.headers.fields()) {
        // A line break would begin a field, or a request, of somebody else's making. The value may
        // be a key, so only the name is told.
        if (!isFieldName(name))
            return refuse(ErrorKind::InvalidInput,
                          QStringLiteral("A header field has no proper name"));
        if (!isFieldValue(value))
            return refuse(ErrorKind::InvalidInput,
                          QStringLiteral("The header field %1 holds a line break")
                              .arg(QString::fromLatin1(name)));
    }
    if (origin.startsWith(QLatin1String("https")) && !QSslSocket::supportsSsl())
        return Error{ErrorKind::Unsupported,
                     QStringLiteral("This system's Qt has no TLS"),
                     QStringLiteral("Install OpenSSL and Qt's TLS plugin"),
                     {},
                     {}};
    return std::nullopt;
}

WebExchangePtr WebPool::begin(const Lane &lane, const WebRequest &request, bool growing,
                              WebBody **body)
{
    QNetworkRequest prepared = preparedRequest(request, m_settings);
    const QNetworkProxy proxy = proxyFor(request.url);
    if (request.url.scheme() == QLatin1String("https")) {
        if (!m_tls) {
            QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
            tls.setProtocol(QSsl::TlsV1_2OrLater);
            if (!m_settings.caFile.isEmpty()) {
                QFile file(m_settings.caFile);
                QList<QSslCertificate> trusted = systemAuthorities();
                if (file.open(QIODevice::ReadOnly))
                    trusted += QSslCertificate::fromData(file.readAll());
                tls.setCaCertificates(trusted);
            }
            m_tls = tls;
        }
        prepared.setSslConfiguration(*m_tls);
    } else if (proxy.type() == QNetworkProxy::HttpProxy && !proxy.user().isEmpty()
               && proxy.capabilities().testFlag(QNetworkProxy::CachingCapability)) {
        // Qt waits to be asked, and could not send the body again.
        prepared.setRawHeader(
            "Proxy-Authorization",
            "Basic " + (proxy.user() + QLatin1Char(':') + proxy.password()).toUtf8().toBase64());
    }

    WebExchange::Traits traits;
    traits.facts.proxy = proxyName(proxy);
    traits.facts.ownAuthority = !m_settings.caFile.isEmpty();
    traits.needsHttp2 = m_settings.http2Required;
    traits.onLaneFree = [weak = weak_from_this()] {
        if (const std::shared_ptr<WebPool> pool = weak.lock())
            pool->laneFreed();
    };
    QNetworkReply *reply = nullptr;
    if (request.method == "GET") {
        reply = lane->manager->get(prepared);
    } else if (request.method == "HEAD") {
        reply = lane->manager->head(prepared);
    } else {
        traits.tellsSent = !request.body.isEmpty() || growing;
        auto *device = new WebBody(request.body, growing, nullptr);
        prepared.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
        prepared.setHeader(QNetworkRequest::ContentLengthHeader,
                           growing ? kGrowingBody : request.body.size());
        if (!request.headers.contains("Content-Type"))
            prepared.setRawHeader("Content-Type", "application/octet-stream");
        reply = lane->manager->sendCustomRequest(prepared, request.method, device);
        device->setParent(reply);
        if (body)
            *body = device;
    }
    return std::make_shared<WebExchange>(lane, reply, std::move(traits));
}

} // namespace berth::net
