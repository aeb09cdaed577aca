// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "net/web/envelopes.h"
#include "net/web/web_client.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>

// gRPC over HTTP/2 with the whole request known up front: one message or several, then half-closed.
namespace berth::tenki {

//! gRPC's own numbers.
enum class GrpcStatus {
    Ok = 0,
    Cancelled = 1,
    Unknown = 2,
    InvalidArgument = 3,
    DeadlineExceeded = 4,
    NotFound = 5,
    AlreadyExists = 6,
    PermissionDenied = 7,
    ResourceExhausted = 8,
    FailedPrecondition = 9,
    Aborted = 10,
    OutOfRange = 11,
    Unimplemented = 12,
    Internal = 13,
    Unavailable = 14,
    DataLoss = 15,
    Unauthenticated = 16,
};

//! nullopt for a number that gRPC does not have.
std::optional<GrpcStatus> grpcStatusFrom(const QByteArray &number);
//! \a text, in lower case, tells apart what Tenki says with one status.
domain::ErrorKind kindOf(GrpcStatus status, const QString &text);

//! What went wrong with one call.
struct CallError
{
    domain::Error error;
    //! The service itself said so; nullopt: it was not reached, or only something before it.
    std::optional<GrpcStatus> status;
    //! Its words.
    QString text;
    //! HTTP 404 without a word of gRPC: the edge does not lead there (yet).
    bool isEdgeMiss = false;
};

template <typename T>
using CallResult = tl::expected<T, CallError>;
template <typename T>
using Call = async::Task<CallResult<T>>;

inline tl::unexpected<CallError> callFailure(CallError error)
{
    return tl::unexpected<CallError>(std::move(error));
}
inline tl::unexpected<CallError> callFailure(domain::Error error)
{
    return tl::unexpected<CallError>(CallError{std::move(error), {}, {}, false});
}

//! One server, with the headers that every call to it has. The credential among them is sent to the
//! base's origin only.
struct GrpcChannel
{
    std::shared_ptr<net::WebClient> client;
    QUrl base;
    net::HttpHeaders headers;
    //! "/tenki.sandbox.v1.SandboxService/"
    QByteArray service;
    //! For the end of an answer's head, and between two pieces of it.
    std::chrono::milliseconds answerWithin{30000};
};

struct GrpcCall
{
    //! "GetSession"
    QByteArray method;
    //! Messages with their envelopes.
    QByteArray body;
    //! What is tried, for errors: "Looking at the sandbox".
    QString what;
    //! In place of the channel's; 0: the channel's.
    std::chrono::milliseconds answerWithin{0};
    //! Told to the server; 0: none.
    std::chrono::milliseconds serverLimit{0};
};

std::chrono::milliseconds answerLimit(const GrpcChannel &channel, const GrpcCall &call);
GrpcCall grpcCall(const char *method, const QByteArray &message, const QString &what);

//! The messages of an answer as they come. Dropping it gives the call up.
class GrpcStream
{
public:
    GrpcStream(std::shared_ptr<net::WebStream> stream, QString what);

    //! The next message; nullopt once the server ended the call with OK. Timeout after \a idle
    //! (0: no limit); it may be asked again then.
    Call<std::optional<QByteArray>> next(std::chrono::milliseconds idle, std::stop_token stop);

private:
    static Call<std::optional<QByteArray>> nextNow(std::shared_ptr<net::WebStream> stream,
                                                   std::shared_ptr<net::EnvelopeParser> parser,
                                                   QString what, std::chrono::milliseconds idle,
                                                   std::stop_token stop);

    std::shared_ptr<net::WebStream> m_stream;
    std::shared_ptr<net::EnvelopeParser> m_parser;
    QString m_what;
};

//! Answers at the end of the head; a call that failed without a message fails here.
Call<std::shared_ptr<GrpcStream>> openCall(GrpcChannel channel, GrpcCall call,
                                           std::stop_token stop);
//! The only message of the answer.
Call<QByteArray> unaryCall(GrpcChannel channel, GrpcCall call, std::stop_token stop);
//! Asks again, a few times, after Unavailable, Timeout and RateLimited: for what does no harm
//! twice.
Call<QByteArray> repeatableCall(GrpcChannel channel, GrpcCall call, std::stop_token stop);

} // namespace berth::tenki
