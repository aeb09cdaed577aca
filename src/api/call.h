// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/router.h"
#include "api/viewer.h"
#include "application/engine_client.h"
#include "async/completion.h"
#include "async/scope.h"

#include <QtCore/QHash>

#include <deque>
#include <functional>

// What a request under way has in its hands, on the Engine's thread.
namespace berth::api {

class EventFeed;

//! What the requests with an Idempotency-Key asked, so that a key is not used for two things.
class KeyMemory
{
public:
    KeyMemory() = default;
    //! Kept in this file over restarts, as long as the Engine keeps the answers.
    explicit KeyMemory(QString path);
    //! False when \a id was used for other \a arguments within 24 h. Of very many keys the oldest
    //! are forgotten.
    bool admit(const domain::RequestId &id, const QByteArray &arguments);

    static constexpr size_t kMost = 20'000;

private:
    struct Use
    {
        domain::RequestId id;
        //! Seconds of the wall clock, which goes on over restarts.
        qint64 at = 0;
    };
    void forgetOld(qint64 now);
    void load();
    void rewrite();
    void append(const domain::RequestId &id, const QByteArray &mark, qint64 at);

    QString m_path;
    //! Lines in the file, those of forgotten ones included.
    size_t m_lines = 0;
    QHash<domain::RequestId, QByteArray> m_marks;
    std::deque<Use> m_oldestFirst;
};

//! Shared by the server and everything that still runs for it.
struct ServerState
{
    std::unique_ptr<application::EngineClient> client;
    //! The same for requests whose token may approve: what that allows is the Engine's to say.
    //! Null: no token may.
    std::unique_ptr<application::EngineClient> approver;
    std::unique_ptr<EventFeed> feed;
    const Router *router = nullptr;
    QString version;
    //! Commands under way, and how to end the wait for each.
    QHash<domain::RequestId, std::function<void()>> asked;
    async::Scope scope;
    bool ending = false;
    //! For /metrics: answers by status.
    QMap<int, qint64> answered;
    KeyMemory keys;
    //! Refusals that the front gave by itself.
    std::function<QMap<int, qint64>()> refused;
    std::shared_ptr<application::AccessTable> access;
    //! Sessions that were opened here, and on which thread.
    QHash<QString, domain::ThreadId> sessions;
};

//! The pieces of a streamed body.
class BodyPieces
{
public:
    virtual ~BodyPieces();
    //! Empty at the end; Cancelled when the client has gone.
    virtual domain::Async<QByteArray> next() = 0;
};

struct CallContext
{
    std::shared_ptr<ServerState> server;
    const Route *route = nullptr;
    Request request;
    std::shared_ptr<BodyPieces> pieces;
    //! Null: the owner, who sees everything.
    std::shared_ptr<const Viewer> viewer;

    [[nodiscard]] QString parameter(const char *name) const
    {
        return request.parameters.value(QString::fromLatin1(name));
    }
    [[nodiscard]] QString query(const char *name) const
    {
        return request.query.value(QString::fromLatin1(name));
    }
    //! Of an Idempotency-Key, so that a repeated request is one for the Engine; else a fresh one.
    [[nodiscard]] domain::RequestId requestId() const;
};

//! The same as domain::failure of Cancelled, for a server that ends.
[[nodiscard]] domain::Error endingError();

//! As whom the server asks the Engine.
struct Asker
{
    std::shared_ptr<ServerState> server;
    bool mayApprove = false;
    //! Takes out of lists what is not his; null: nothing.
    std::shared_ptr<const Viewer> viewer;

    [[nodiscard]] application::EngineClient *client() const
    {
        return mayApprove && server->approver ? server->approver.get() : server->client.get();
    }
};

inline Asker askerOf(const Call &call)
{
    return {call->server, call->request.scopes.testFlag(Scope::Approve), call->viewer};
}

//! Sends \a command; co_await the result. The command has to be a named variable: GCC 12 destroys a
//! braced temporary inside a co_await expression twice.
template <typename Command>
async::Completion<domain::Result<typename Command::Reply>> ask(
    const Asker &asker, const Command &command,
    const domain::RequestId &id = domain::RequestId::create())
{
    using Answer = domain::Result<typename Command::Reply>;
    const std::shared_ptr<ServerState> &server = asker.server;
    const async::Completion<Answer> completion;
    if (server->ending || !server->client || server->asked.contains(id)) {
        completion.complete(Answer(
            tl::unexpect,
            server->asked.contains(id)
                ? domain::Error{domain::ErrorKind::Conflict,
                                QStringLiteral("A request with this Idempotency-Key is under way"),
                                {},
                                {},
                                {}}
                : endingError()));
        return completion;
    }
    server->asked.insert(
        id, [completion] { completion.complete(Answer(tl::unexpect, endingError())); });
    const application::EngineClient::Done landed =
        [weak = std::weak_ptr<ServerState>(server), id, viewer = asker.viewer,
         completion](domain::Result<application::Payload> answer) {
            if (const std::shared_ptr<ServerState> state = weak.lock())
                state->asked.remove(id);
            if (answer) {
                Answer decoded = application::decode<typename Command::Reply>(*answer);
                if (viewer && decoded)
                    keepVisible(*viewer, *decoded);
                completion.complete(std::move(decoded));
            } else {
                completion.complete(Answer(tl::unexpect, std::move(answer.error())));
            }
        };
    asker.client()->submit(id, QString::fromLatin1(Command::kName), application::encode(command),
                           landed);
    return completion;
}

template <typename Command>
async::Completion<domain::Result<typename Command::Reply>> ask(
    const Call &call, const Command &command,
    const domain::RequestId &id = domain::RequestId::create())
{
    return ask(askerOf(call), command, id);
}

} // namespace berth::api
