// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/tenki/client.h"

#include "net/web/paging.h"

namespace berth::tenki {

using domain::Result;
using namespace std::chrono_literals;

namespace {

const QString kLooking = QStringLiteral("Looking at the sandbox");
const QString kListing = QStringLiteral("Listing the sandboxes");

template <typename T>
using Decoder = Result<T> (*)(const QByteArray &);

template <typename T>
CallResult<T> read(const CallResult<QByteArray> &answer, Decoder<T> decode, const QString &what)
{
    if (!answer)
        return callFailure(answer.error());
    Result<T> value = decode(*answer);
    if (value)
        return std::move(*value);
    domain::Error error = value.error();
    error.message = what + QStringLiteral(" did not work: ") + error.message;
    return callFailure(error);
}

template <typename T>
Call<T> ask(GrpcChannel channel, GrpcCall call, Decoder<T> decode, std::stop_token stop)
{
    const CallResult<QByteArray> answer = co_await repeatableCall(channel, call, stop);
    co_return read<T>(answer, decode, call.what);
}

Call<Reached> createNow(GrpcChannel channel, CreatePlan plan, std::stop_token stop)
{
    GrpcCall call =
        grpcCall("CreateSession", encodeCreate(plan), QStringLiteral("Creating the sandbox"));
    // Making a machine may take the service a while even before it answers.
    call.answerWithin = channel.answerWithin * 2;
    const CallResult<QByteArray> answer = co_await unaryCall(channel, call, stop);
    co_return read<Reached>(answer, decodeReached, call.what);
}

//! Carries the whole error of a page past the port of collectPages().
struct PageError
{
    std::optional<CallError> error;
};

domain::Async<net::Page<Session>> fetchPage(GrpcChannel channel, QString workspaceId,
                                            bool withTerminated, QByteArray token,
                                            std::shared_ptr<PageError> trouble,
                                            std::stop_token stop)
{
    const GrpcCall call = grpcCall("ListWorkspaceSandboxes",
                                   encodeList(workspaceId, token, withTerminated), kListing);
    const CallResult<QByteArray> answer = co_await repeatableCall(channel, call, stop);
    CallResult<SessionPage> page = read<SessionPage>(answer, decodeList, kListing);
    if (!page) {
        trouble->error = page.error();
        co_return domain::failure(page.error().error);
    }
    const net::Page<Session> made{page->sessions, page->next};
    co_return made;
}

Call<QList<Session>> listNow(GrpcChannel channel, QString workspaceId, bool withTerminated,
                             std::stop_token stop)
{
    const auto trouble = std::make_shared<PageError>();
    const net::PageFetch<Session> fetch = [channel, workspaceId, withTerminated,
                                           trouble](QByteArray token, std::stop_token byWhom) {
        return fetchPage(channel, workspaceId, withTerminated, std::move(token), trouble,
                         std::move(byWhom));
    };
    const net::PageLimits limits;
    const Result<net::Paged<Session>> all =
        co_await net::collectPages<Session>(fetch, limits, stop);
    if (!all)
        co_return callFailure(trouble->error ? *trouble->error
                                             : CallError{all.error(), {}, {}, false});
    if (all->incomplete) {
        CallError error =
            trouble->error ? *trouble->error : CallError{*all->incomplete, {}, {}, false};
        error.error.detail =
            (QStringLiteral("A later page of the list is missing. ") + error.error.detail)
                .trimmed();
        // Whatever it was, it says nothing about a sandbox.
        if (error.error.kind == domain::ErrorKind::NotFound)
            error.error.kind = domain::ErrorKind::Unavailable;
        co_return callFailure(error);
    }
    const QList<Session> sessions = all->items;
    co_return sessions;
}

} // namespace

Call<Account> whoAmI(GrpcChannel channel, std::stop_token stop)
{
    return ask<Account>(std::move(channel),
                        grpcCall("WhoAmI", {}, QStringLiteral("Asking whose key it is")),
                        decodeAccount, std::move(stop));
}

Call<Reached> createSession(GrpcChannel channel, CreatePlan plan, std::stop_token stop)
{
    return createNow(std::move(channel), std::move(plan), std::move(stop));
}

Call<Session> getSession(GrpcChannel channel, QString id, std::stop_token stop)
{
    return ask<Session>(std::move(channel), grpcCall("GetSession", encodeSession(id), kLooking),
                        decodeSession, std::move(stop));
}

Call<Session> pauseSession(GrpcChannel channel, QString id, std::stop_token stop)
{
    return ask<Session>(
        std::move(channel),
        grpcCall("PauseSession", encodeSession(id), QStringLiteral("Pausing the sandbox")),
        decodeSession, std::move(stop));
}

Call<Session> resumeSession(GrpcChannel channel, QString id, std::stop_token stop)
{
    return ask<Session>(
        std::move(channel),
        grpcCall("ResumeSession", encodeSession(id), QStringLiteral("Resuming the sandbox")),
        decodeSession, std::move(stop));
}

Call<Session> terminateSession(GrpcChannel channel, QString id, std::stop_token stop)
{
    return ask<Session>(
        std::move(channel),
        grpcCall("TerminateSession", encodeSession(id), QStringLiteral("Destroying the sandbox")),
        decodeSession, std::move(stop));
}

Call<Session> extendSession(GrpcChannel channel, QString id, std::chrono::seconds more,
                            std::stop_token stop)
{
    // Not repeated: twice is twice as long.
    const GrpcCall call = grpcCall("ExtendSession", encodeExtend(id, more),
                                   QStringLiteral("Extending the sandbox's life"));
    const CallResult<QByteArray> answer = co_await unaryCall(channel, call, stop);
    co_return read<Session>(answer, decodeSession, call.what);
}

Call<Route> createCredential(GrpcChannel channel, QString id, std::stop_token stop)
{
    return ask<Route>(std::move(channel),
                      grpcCall("CreateSessionCredential", encodeSession(id),
                               QStringLiteral("Asking for the way to the sandbox")),
                      decodeRoute, std::move(stop));
}

Call<QList<Session>> listSessions(GrpcChannel channel, QString workspaceId, bool withTerminated,
                                  std::stop_token stop)
{
    return listNow(std::move(channel), std::move(workspaceId), withTerminated, std::move(stop));
}

Call<std::shared_ptr<GrpcStream>> waitSession(GrpcChannel channel, QString id,
                                              std::chrono::milliseconds limit, std::stop_token stop)
{
    GrpcCall call =
        grpcCall("WaitSession", encodeSession(id), QStringLiteral("Waiting for the sandbox"));
    call.serverLimit = limit;
    return openCall(std::move(channel), std::move(call), std::move(stop));
}

} // namespace berth::tenki
