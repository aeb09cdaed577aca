// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/api_server.h"

#include "api/event_feed.h"
#include "api/http_front.h"
#include "api/json_body.h"
#include "api/reach.h"
#include "api/routes/routes.h"
#include "api/status.h"
#include "async/post.h"
#include "async/sleep.h"
#include "domain/agent/default_agent.h"
#include "domain/log.h"

#include <QtCore/QDir>
#include <QtCore/QHash>
#include <QtCore/QPointer>
#include <QtCore/QTimer>

#include <nlohmann/json.hpp>
#include <sched.h>
#include <sys/socket.h>

namespace berth::api {

using domain::ErrorKind;
using domain::Result;

namespace {

constexpr std::chrono::milliseconds kDeadlineCheck{250};
//! At the end, for the last answers to go out.
constexpr qint64 kLastAnswersMs = 500;
constexpr std::chrono::milliseconds kDrainPause{2};
constexpr qsizetype kMostSessions = 10'000;

//! A streamed body: asks the front for more when somebody wants it.
class StreamedBody final : public BodyPieces
{
public:
    domain::Async<QByteArray> next() override;

    //! What lets the library go on reading; null once the client has gone.
    std::function<void()> wantMore;
    QByteArray piece;
    bool hasPiece = false;
    bool ended = false;
    bool gone = false;
    std::optional<async::Completion<bool>> waiting;

    void wake()
    {
        if (waiting)
            std::exchange(waiting, std::nullopt)->complete(true);
    }
};

domain::Async<QByteArray> nextPiece(StreamedBody *body)
{
    if (!body->hasPiece && !body->ended && !body->gone) {
        const async::Completion<bool> arrived;
        body->waiting = arrived;
        if (body->wantMore)
            body->wantMore();
        const bool there = co_await arrived;
        Q_UNUSED(there)
    }
    if (body->gone)
        co_return domain::failure(ErrorKind::Cancelled, QStringLiteral("The client has gone"));
    body->hasPiece = false;
    const QByteArray piece = std::exchange(body->piece, {});
    co_return piece;
}

domain::Async<QByteArray> StreamedBody::next()
{
    return nextPiece(this);
}

//! One exchange as the Engine's thread sees it.
struct Live
{
    std::shared_ptr<Exchange> exchange;
    //! It is our turn.
    bool ours = false;
    bool over = false;
    bool answered = false;
    std::shared_ptr<StreamedBody> body;
    std::shared_ptr<Source> source;
    //! One that was ready while the library had the turn; put down at our next one.
    std::optional<Reply> ready;
};

} // namespace

struct ApiServer::Inside
{
    explicit Inside(ApiSettings givenSettings)
        : settings(std::move(givenSettings)),
          router(allRoutes()),
          token(settings.dataDirectory, settings.granted)
    {}
    ApiSettings settings;
    Router router;
    TokenFile token;
    std::unique_ptr<HttpFront> front;
    std::shared_ptr<ServerState> state = std::make_shared<ServerState>();
    QHash<Exchange *, std::shared_ptr<Live>> lives;
    QList<std::weak_ptr<ClientSocket>> sockets;
    QTimer deadlines;
    //! stop() has begun; everything is done.
    bool ending = false;
    bool ended = false;

    void drain(const std::shared_ptr<Inside> &self);
    void giveBack(const std::shared_ptr<Live> &live);
    void answer(const std::shared_ptr<Live> &live, Reply reply);
    void begin(const std::shared_ptr<Inside> &self, const std::shared_ptr<Live> &live);
    void over(const std::shared_ptr<Live> &live);
    void endExchange(const std::shared_ptr<Live> &live, bool answered);
    void cutLate();
    void cutRotated();
    static async::Task<void> perform(std::shared_ptr<Inside> self, std::shared_ptr<Live> live,
                                     Call call);
    static async::Task<void> pump(std::shared_ptr<Inside> self, std::shared_ptr<Live> live);
};

void ApiServer::Inside::giveBack(const std::shared_ptr<Live> &live)
{
    if (std::exchange(live->ours, false) && front)
        front->resume(live->exchange);
}

void ApiServer::Inside::answer(const std::shared_ptr<Live> &live, Reply reply)
{
    if (live->over || live->answered)
        return;
    live->answered = true;
    ++state->answered[reply.status];
    live->source = reply.source;
    if (live->ours) {
        live->exchange->reply = std::move(reply);
        giveBack(live);
    } else {
        live->ready = std::move(reply);
    }
}

namespace {

std::string textIn(const nlohmann::json &object, const char *key)
{
    return object.is_object() ? object.value(key, std::string()) : std::string();
}

//! What later requests are judged by: who began a thread, and on which thread a session is.
async::Task<void> remember(Call call, Reply reply)
{
    const bool isThread = call->route->name == QLatin1String("newThread");
    const bool isSession = call->route->name == QLatin1String("openSession");
    if (!isThread && !isSession)
        co_return;
    const nlohmann::json body =
        nlohmann::json::parse(reply.body.cbegin(), reply.body.cend(), nullptr, false);
    const domain::ThreadId thread(QString::fromStdString(textIn(body, "thread_id")));
    if (isSession) {
        // The Engine ends them by itself; of very many the memory begins anew.
        if (call->server->sessions.size() > kMostSessions)
            call->server->sessions.clear();
        call->server->sessions.insert(QString::fromStdString(textIn(body, "session_id")), thread);
        co_return;
    }
    const std::shared_ptr<application::AccessTable> access = call->server->access;
    if (call->request.user.isEmpty() || !access || !access->noteThread)
        co_return;
    const QString user = call->request.user;
    const Result<void> noted = co_await access->noteThread(thread, user);
    if (!noted)
        domain::log(domain::LogLevel::Warning, "api", noted.error().message);
}

//! A guest sees no thread but those that he began, and its first events come before the Engine's
//! answer says which one it is: his events wait for that. Others' do not, and their first message
//! may wait for an approval.
class FirstWords
{
public:
    explicit FirstWords(const Call &call) : m_server(call->server)
    {
        if (call->route->name != QLatin1String("newThread") || !call->viewer
            || call->viewer->user().isEmpty() || !m_server->feed)
            return;
        const nlohmann::json arguments = nlohmann::json::parse(
            call->request.body.cbegin(), call->request.body.cend(), nullptr, false);
        const std::string named = textIn(arguments, "agent_id");
        const domain::AgentId agent =
            named.empty() ? domain::defaultAgent() : domain::AgentId(QString::fromStdString(named));
        if (call->viewer->sees(agent, application::Role::User))
            return;
        m_user = call->viewer->user();
        m_server->feed->hold(m_user);
    }
    ~FirstWords()
    {
        if (!m_user.isEmpty() && m_server->feed)
            m_server->feed->release(m_user);
    }
    FirstWords(const FirstWords &) = delete;
    FirstWords &operator=(const FirstWords &) = delete;

private:
    std::shared_ptr<ServerState> m_server;
    QString m_user;
};

async::Task<Reply> performChecked(Call call)
{
    const Result<void> reached = co_await mayReach(call);
    if (!reached)
        co_return errorReply(reached.error());
    // The checked arguments, so that it does not matter how they were written.
    if (!call->request.idempotencyKey.isEmpty() && call->route->takesKey()
        && !call->server->keys.admit(call->requestId(), call->request.body))
        co_return refusal(422, "idempotency_key_reused",
                          QStringLiteral("This Idempotency-Key was used for another request"),
                          QStringLiteral("Use a new key for a new request."));
    const auto firstWords = std::make_shared<const FirstWords>(call);
    const Result<Reply> answered = co_await call->route->run(call);
    if (!answered)
        co_return errorReply(answered.error());
    const Reply reply = *answered;
    co_await remember(call, reply);
    co_return reply;
}

} // namespace

async::Task<void> ApiServer::Inside::perform(std::shared_ptr<Inside> self,
                                             std::shared_ptr<Live> live, Call call)
{
    Result<QByteArray> body = checkedBody(*call->route, call->request);
    Reply reply;
    if (!body) {
        reply = errorReply(body.error());
    } else {
        call->request.body = *body;
        reply = co_await performChecked(call);
    }
    self->answer(live, reply);
}

async::Task<void> ApiServer::Inside::pump(std::shared_ptr<Inside> self, std::shared_ptr<Live> live)
{
    const std::shared_ptr<Source> source = live->source;
    if (!source) {
        live->exchange->outboundFailed = true;
        self->giveBack(live);
        co_return;
    }
    const Result<QByteArray> bytes = co_await source->next();
    if (!live->ours)
        co_return;
    Exchange &exchange = *live->exchange;
    exchange.outbound = bytes ? *bytes : QByteArray();
    exchange.outboundTaken = 0;
    exchange.outboundEnded = bytes && bytes->isEmpty();
    exchange.outboundFailed = !bytes;
    self->giveBack(live);
}

void ApiServer::Inside::begin(const std::shared_ptr<Inside> &self,
                              const std::shared_ptr<Live> &live)
{
    auto call = std::make_shared<CallContext>();
    call->server = state;
    call->route = live->exchange->route;
    call->request = live->exchange->request;
    if (state->access && (!call->request.user.isEmpty() || !call->request.agent.isNull()))
        call->viewer =
            std::make_shared<Viewer>(state->access, call->request.user, call->request.agent);
    if (state->access && state->access->noteUse && !call->request.tokenId.isEmpty())
        state->access->noteUse(call->request.tokenId);
    if (call->route->bodyKind == BodyKind::Stream) {
        live->body = std::make_shared<StreamedBody>();
        live->body->wantMore = [this, weak = std::weak_ptr<Live>(live)] {
            if (const std::shared_ptr<Live> there = weak.lock())
                giveBack(there);
        };
        call->pieces = live->body;
    }
    state->scope.spawn(perform(self, live, call));
}

void ApiServer::Inside::over(const std::shared_ptr<Live> &live)
{
    live->over = true;
    if (live->source)
        live->source->close();
    if (live->body) {
        live->body->gone = !live->body->ended;
        live->body->wantMore = nullptr;
        live->body->wake();
    }
    lives.remove(live->exchange.get());
}

//! The server ends: 503, or what is being sent is cut, so that nobody takes it for the whole.
void ApiServer::Inside::endExchange(const std::shared_ptr<Live> &live, bool answered)
{
    if (answered)
        live->exchange->outboundFailed = true;
    else
        live->exchange->reply = errorReply(endingError());
    live->answered = true;
    giveBack(live);
}

void ApiServer::Inside::drain(const std::shared_ptr<Inside> &self)
{
    if (!front)
        return;
    const QList<Message> messages = front->takeMessages();
    for (const Message &message : messages) {
        if (message.turn == Turn::Connected) {
            sockets.append(message.socket);
            continue;
        }
        message.exchange->baton.load(std::memory_order_acquire);
        std::shared_ptr<Live> &slot = lives[message.exchange.get()];
        if (!slot) {
            slot = std::make_shared<Live>();
            slot->exchange = message.exchange;
        }
        const std::shared_ptr<Live> live = slot;
        if (message.turn == Turn::Over) {
            over(live);
            continue;
        }
        live->ours = true;
        if (state->ending) {
            endExchange(live, message.turn == Turn::More);
        } else if (live->ready) {
            live->exchange->reply = std::exchange(live->ready, std::nullopt);
            giveBack(live);
        } else if (message.turn == Turn::Begin) {
            begin(self, live);
        } else if (message.turn == Turn::More) {
            state->scope.spawn(pump(self, live));
        } else if (live->body) {
            live->body->piece = std::exchange(live->exchange->inbound, {});
            live->body->hasPiece = !live->body->piece.isEmpty();
            live->body->ended = live->exchange->inboundEnded;
            live->body->wake();
        }
    }
}

void ApiServer::Inside::cutLate()
{
    const qint64 now = steadyMs();
    sockets.removeIf([now](const std::weak_ptr<ClientSocket> &weak) {
        const std::shared_ptr<ClientSocket> socket = weak.lock();
        if (!socket)
            return true;
        const qint64 deadline = socket->deadline;
        if (deadline != 0 && now > deadline)
            ::shutdown(socket->descriptor, SHUT_RDWR);
        return false;
    });
}

//! Ends what is under way of those whose token was replaced, revoked, or lost its scope.
void ApiServer::Inside::cutRotated()
{
    if (lives.isEmpty())
        return;
    const QByteArray mark = token.mark();
    const std::shared_ptr<const application::AccessFacts> facts =
        state->access ? state->access->facts() : nullptr;
    const auto holds = [&mark, &facts](const Live &live) {
        const Request &request = live.exchange->request;
        // Without a token, or with the one of the file.
        if (!live.exchange->route->scope || request.tokenMark == mark)
            return true;
        const application::KnownToken *known = facts ? facts->tokenOf(request.tokenMark) : nullptr;
        return known && scopesFrom(facts->scopesOf(*known)).testFlag(*live.exchange->route->scope);
    };
    const QList<std::shared_ptr<Live>> all = lives.values();
    for (const std::shared_ptr<Live> &live : all) {
        if (holds(*live))
            continue;
        ::shutdown(live->exchange->socket->descriptor, SHUT_RDWR);
        if (live->source)
            live->source->close();
    }
}

ApiServer::ApiServer(ApiSettings settings, std::unique_ptr<application::EngineClient> client,
                     std::unique_ptr<application::EngineClient> approver, QObject *parent)
    : QObject(parent), m_inside(std::make_shared<Inside>(std::move(settings)))
{
    ServerState &state = *m_inside->state;
    state.client = std::move(client);
    state.approver = std::move(approver);
    state.feed = std::make_unique<EventFeed>(m_inside->settings.ping);
    state.router = &m_inside->router;
    state.access = m_inside->settings.access;
    state.keys = KeyMemory(
        QDir(m_inside->settings.dataDirectory).filePath(QStringLiteral("api-requests.txt")));
    state.version = m_inside->settings.version;
    connect(state.client.get(), &application::EngineClient::event, this,
            [this](const application::Event &event) { m_inside->state->feed->add(event); });
    connect(state.client.get(), &application::EngineClient::connectionChanged, this,
            [this, was = false](bool connected) mutable {
                if (connected && std::exchange(was, true))
                    m_inside->state->feed->breakOff();
            });
    connect(&m_inside->deadlines, &QTimer::timeout, this, [this] {
        m_inside->cutLate();
        m_inside->cutRotated();
    });
}

ApiServer::~ApiServer()
{
    m_inside->ending = true;
    if (!m_inside->ended) {
        beginEnd();
        finishEnd();
    }
}

Result<ListenAddress> ApiServer::listen()
{
    const Result<domain::Secret> made = m_inside->token.readOrMake();
    if (!made)
        return domain::failure(made.error());
    FrontSettings settings;
    settings.listen = m_inside->settings.listen;
    settings.maximumClients = m_inside->settings.maximumClients;
    settings.headDeadline = m_inside->settings.headDeadline;
    settings.bodyDeadline = m_inside->settings.bodyDeadline;
    settings.idle = m_inside->settings.idle;
    settings.access = m_inside->settings.access;
    auto front = std::make_unique<HttpFront>(m_inside->router, m_inside->token, settings, [this] {
        async::post(this, [inside = m_inside] { inside->drain(inside); });
    });
    const Result<ListenAddress> listening = front->listen();
    if (!listening)
        return listening;
    m_inside->front = std::move(front);
    m_inside->state->refused = [inside = m_inside.get()] {
        return inside->front ? inside->front->refused() : QMap<int, qint64>();
    };
    m_inside->deadlines.start(kDeadlineCheck);
    // What came before the front was in its place.
    m_inside->drain(m_inside);
    return listening;
}

//! From here on nothing new begins.
void ApiServer::beginEnd()
{
    Inside &inside = *m_inside;
    inside.state->ending = true;
    inside.deadlines.stop();
    if (!inside.front)
        return;
    inside.front->beginStop();
    const QHash<Exchange *, std::shared_ptr<Live>> lives = inside.lives;
    for (const std::shared_ptr<Live> &live : lives) {
        if (live->ours)
            inside.endExchange(live, live->answered);
    }
}

void ApiServer::finishEnd()
{
    Inside &inside = *m_inside;
    ServerState &state = *inside.state;
    if (std::exchange(inside.ended, true))
        return;
    if (inside.front) {
        // Those that the library is handing over just now; a matter of microseconds.
        while (inside.front->handedOver() > 0) {
            inside.drain(m_inside);
            ::sched_yield();
        }
        inside.front->stop();
        inside.drain(m_inside);
        inside.front.reset();
    }
    const QHash<Exchange *, std::shared_ptr<Live>> left = inside.lives;
    for (const std::shared_ptr<Live> &live : left)
        inside.over(live);
    const QHash<domain::RequestId, std::function<void()>> asked = std::exchange(state.asked, {});
    for (auto entry = asked.cbegin(); entry != asked.cend(); ++entry) {
        for (application::EngineClient *client : {state.client.get(), state.approver.get()}) {
            if (client)
                client->cancel(entry.key());
        }
        entry.value()();
    }
    state.scope.requestStop();
    state.client.reset();
    state.approver.reset();
}

//! The last answers go out while this thread does other things.
async::Task<void> ApiServer::stop()
{
    const std::shared_ptr<Inside> inside = m_inside;
    if (!std::exchange(inside->ending, true)) {
        beginEnd();
        const QPointer<ApiServer> self(this);
        const qint64 patience = steadyMs() + kLastAnswersMs;
        while (inside->front && !inside->lives.isEmpty() && steadyMs() < patience) {
            const bool slept = co_await async::sleepFor(kDrainPause);
            Q_UNUSED(slept)
            if (!self)
                co_return;
            inside->drain(inside);
        }
        finishEnd();
    }
    co_await inside->state->scope.drained();
}

int ApiServer::live() const
{
    return m_inside->state->scope.live();
}

} // namespace berth::api
