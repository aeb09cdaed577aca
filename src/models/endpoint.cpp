// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/endpoint.h"

namespace berth::models {

using domain::Error;
using domain::ErrorKind;
using std::chrono::milliseconds;
using namespace std::chrono_literals;

namespace {

constexpr milliseconds kNearWait = 10min;
constexpr milliseconds kFarWait = 2min;

QString withoutSlash(QString text)
{
    while (text.endsWith(QLatin1Char('/')))
        text.chop(1);
    return text;
}

} // namespace

Link::Link(ModelEndpoint settings)
    : m_settings(std::move(settings)),
      m_isAnthropic(m_settings.dialect.startsWith(QLatin1String("anthropic")))
{
    const QString version = QStringLiteral("/v1");
    m_base = withoutSlash(m_settings.baseUrl.trimmed());
    const QUrl url(m_base, QUrl::StrictMode);
    m_origin = net::originOf(url);
    if (m_origin.isEmpty() || !url.userInfo().isEmpty() || url.hasQuery() || url.hasFragment()) {
        m_problem = Error{ErrorKind::InvalidInput,
                          QStringLiteral("The base URL of %1 is of no use").arg(m_settings.name),
                          QStringLiteral("It must be an address such as http://127.0.0.1:8080/v1, "
                                         "without a user, \"?\" and \"#\""),
                          {},
                          {}};
        return;
    }
    const bool encrypted = url.scheme() == QLatin1String("https");
    m_isNear = !encrypted || net::isLoopbackHost(url.host());
    if (!m_settings.key.isEmpty() && !encrypted && !net::isLoopbackHost(url.host())) {
        m_problem =
            Error{ErrorKind::Forbidden,
                  QStringLiteral("The key of %1 is not sent to %2").arg(m_settings.name, m_origin),
                  QStringLiteral("Without encryption a key is sent only to this machine: "
                                 "use https:// or no key"),
                  {},
                  {}};
        return;
    }
    m_root = m_base.endsWith(version) ? m_base.chopped(version.size()) : m_base;
    if (m_isAnthropic)
        m_base = m_root;
    else if (url.path().isEmpty())
        m_base += version;
    net::WebSettings web;
    web.origins = {m_origin};
    web.proxy = m_settings.proxy;
    web.caFile = m_settings.caFile;
    m_web = std::make_shared<net::WebClient>(web);
}

QString Link::shownName() const
{
    return m_settings.name.isEmpty() ? m_origin : m_settings.name;
}

QUrl Link::url(const QString &path) const
{
    return QUrl(m_base + path);
}

QUrl Link::rootUrl(const QString &path) const
{
    return QUrl(m_root + path);
}

net::WebRequest Link::request(const QByteArray &method, const QUrl &url,
                              const QByteArray &body) const
{
    net::WebRequest request;
    request.method = method;
    request.url = url;
    request.body = body;
    request.headers.append("Accept", "application/json");
    if (method == "POST")
        request.headers.append("Content-Type", "application/json");
    const bool bearer = m_settings.dialect != QLatin1String("anthropic");
    if (m_isAnthropic)
        request.headers.append("anthropic-version", bearer ? "2026-10-21" : "2023-06-01");
    if (!m_settings.key.isEmpty()) {
        const QByteArray &key = m_settings.key.exposeForWire();
        if (bearer)
            request.headers.append("Authorization", "Bearer " + key);
        else
            request.headers.append("x-api-key", key);
    }
    request.deadlines.connect = m_settings.connect;
    request.deadlines.firstByte = 30s;
    request.deadlines.idle = 30s;
    return request;
}

net::WebRequest Link::replyRequest(const domain::ModelRequest &request) const
{
    net::WebRequest asked = m_isAnthropic
        ? Link::request("POST", url(QStringLiteral("/v1/messages")), anthropicBody(*this, request))
        : Link::request("POST", url(QStringLiteral("/chat/completions")),
                        openAiBody(*this, request));
    // llama-server promises to keep a connection and closes it behind each stream: the next request
    // on it would be lost.
    if (asked.url.scheme() == QLatin1String("http"))
        asked.headers.append("Connection", "close");
    asked.deadlines.firstByte = firstEvent();
    asked.deadlines.idle = idle();
    return asked;
}

std::unique_ptr<ReplyReader> Link::reader(const domain::ModelRequest &request) const
{
    ReplyContext context{m_origin, request.model, {}};
    for (const domain::ModelTurn &turn : request.turns) {
        for (const domain::ModelCall &call : turn.calls)
            context.usedIds.insert(call.id);
    }
    return m_isAnthropic ? anthropicReader(std::move(context)) : openAiReader(std::move(context));
}

milliseconds Link::firstEvent() const
{
    if (m_settings.firstEvent.count() > 0)
        return m_settings.firstEvent;
    return m_isNear ? kNearWait : kFarWait;
}

milliseconds Link::idle() const
{
    if (m_settings.idle.count() > 0)
        return m_settings.idle;
    return m_isNear ? kNearWait : kFarWait;
}

} // namespace berth::models
