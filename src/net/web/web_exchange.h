// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"
#include "net/web/web_client.h"
#include "net/web/web_error.h"

#include <QtCore/QIODevice>
#include <QtCore/QObject>

#include <functional>
#include <map>

class QNetworkAccessManager;
class QNetworkReply;

namespace berth::net {

//! One of Qt's managers with its few connections to each host.
struct WebLane
{
    WebLane();
    ~WebLane();
    WebLane(const WebLane &) = delete;
    WebLane &operator=(const WebLane &) = delete;

    //! Deleted from the event loop: it may be in the middle of a signal.
    QNetworkAccessManager *const manager;
    int live = 0;
};

//! A body for which Qt asks piece by piece. A sequential device cannot be read twice, and that is
//! its point: Qt silently repeats any request, also a POST, whose connection is closed before an
//! answer, unless its body cannot be had again.
class WebBody : public QIODevice
{
    Q_OBJECT
public:
    //! \a growing: more comes by give().
    WebBody(QByteArray bytes, bool growing, QObject *parent);

    void give(const QByteArray &bytes);
    [[nodiscard]] qsizetype waiting() const { return m_bytes.size() - m_taken; }

    [[nodiscard]] bool isSequential() const override { return true; }
    [[nodiscard]] bool atEnd() const override { return !m_growing && waiting() == 0; }
    [[nodiscard]] qint64 bytesAvailable() const override;
    //! Without Qt's warning.
    bool reset() override { return false; }

Q_SIGNALS:
    void taken();

protected:
    qint64 readData(char *data, qint64 most) override;
    qint64 writeData(const char *data, qint64 size) override;

private:
    QByteArray m_bytes;
    qsizetype m_taken = 0;
    bool m_growing;
};

//! One request under way and its answer. Dropping it gives it up at once.
class WebExchange
{
public:
    enum class Event { Moved, TimedOut, Stopped };

    struct Traits
    {
        WebFacts facts;
        bool needsHttp2 = false;
        bool tellsSent = true;
        //! Called when the lane has room again.
        std::function<void()> onLaneFree;
    };

    //! Owns \a reply, whose manager is of \a lane.
    WebExchange(std::shared_ptr<WebLane> lane, QNetworkReply *reply, Traits traits);
    ~WebExchange();
    WebExchange(const WebExchange &) = delete;
    WebExchange &operator=(const WebExchange &) = delete;

    [[nodiscard]] const HttpHead &head() const { return m_head; }
    [[nodiscard]] const HttpHeaders &trailers() const { return m_trailers; }
    [[nodiscard]] bool hasHead() const { return m_hasHead; }
    [[nodiscard]] bool isHttp2() const { return m_http2; }
    [[nodiscard]] bool isSent() const { return m_facts.sent; }
    //! Qt says nothing when a request without a body, which is not GET, goes out.
    [[nodiscard]] bool tellsSent() const { return m_tellsSent; }
    //! It answered over HTTP/1.1 where that is of no use.
    [[nodiscard]] bool lacksHttp2() const { return m_hasHead && m_needsHttp2 && !m_http2; }
    [[nodiscard]] bool isEnded() const { return m_ended; }
    //! Once ended.
    [[nodiscard]] const std::optional<domain::Error> &problem() const { return m_problem; }
    //! When the request, or the last piece of its body, went out.
    [[nodiscard]] std::chrono::steady_clock::time_point lastSent() const { return m_lastSent; }
    //! What has come of the body and was not taken yet.
    QByteArray take();
    //! Gives the request up.
    void abandon();
    //! Its being read is an event, too.
    void follow(const WebBody &body);

    //! Something happened, one of many things: look again. 0: no limit.
    static async::Task<Event> moved(std::shared_ptr<WebExchange> exchange,
                                    std::chrono::milliseconds limit, std::stop_token stop);

private:
    void wake();
    void noteSent();
    void readHead();
    void end();
    void freeLane();

    std::shared_ptr<WebLane> m_lane;
    QNetworkReply *m_reply;
    WebFacts m_facts;
    bool m_needsHttp2;
    bool m_tellsSent;
    std::function<void()> m_onLaneFree;
    HttpHead m_head;
    HttpHeaders m_trailers;
    std::optional<domain::Error> m_problem;
    std::chrono::steady_clock::time_point m_lastSent;
    bool m_hasHead = false;
    bool m_http2 = false;
    bool m_ended = false;
    bool m_laneFreed = false;
    std::map<int, async::Completion<Event>> m_waiters;
    int m_lastWaiter = 0;
    QObject m_context;
};

using WebExchangePtr = std::shared_ptr<WebExchange>;

//! The end of the head, within the request's deadlines; \a begun is when it was asked for.
domain::Async<void> awaitWebHead(WebExchangePtr exchange, HttpDeadlines deadlines, QString where,
                                 std::chrono::steady_clock::time_point begun, std::stop_token stop);
//! As WebStream::next() and rest().
domain::Async<QByteArray> nextOfWeb(WebExchangePtr exchange, std::chrono::milliseconds idle,
                                    std::stop_token stop);
domain::Async<QByteArray> restOfWeb(WebExchangePtr exchange, qint64 largest,
                                    std::chrono::milliseconds idle, std::stop_token stop);

} // namespace berth::net
