// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/web/envelopes.h"
#include "net/web/web_client.h"
#include "providers/e2b/decode.h"

#include <memory>

namespace berth::e2b {

//! How patient one is with what is in a sandbox.
struct Pace
{
    //! What the stream of a silent command is asked to say meanwhile, in seconds; balancers on the
    //! way cut silent streams.
    int keepAliveSeconds = 50;
    //! After so long without even that a stream is taken for cut.
    std::chrono::milliseconds silence{130000};
    //! Beyond a command's own time, until the sandbox's service ends it.
    std::chrono::milliseconds margin{15000};
    net::HttpDeadlines deadlines;
    //! A shell waits in the sandbox for the next command (resident.h).
    bool keepsShells = true;
};

//! One running sandbox's own service ("envd"): commands by Connect RPC in JSON, files by HTTP.
struct Envd
{
    std::shared_ptr<net::WebClient> web;
    //! "https://49983-<id>.e2b.app"
    QString base;
    Access access;
    //! Empty: the template's own.
    QString user;
    Pace pace;

    [[nodiscard]] bool isAtLeast(int major, int minor, int micro) const;
};
using EnvdPtr = std::shared_ptr<const Envd>;

//! One command's events as they come.
class EventStream
{
public:
    EventStream(std::shared_ptr<net::WebStream> stream, QString what,
                std::chrono::milliseconds silence);

    //! The next event but those that only say that all is well; Over is the last. Unavailable: the
    //! stream was cut. Timeout: it went silent. One call at a time.
    domain::Async<ProcessEvent> next(std::stop_token stop);

private:
    friend domain::Async<ProcessEvent> nextOf(EventStream *stream, std::stop_token stop);

    std::shared_ptr<net::WebStream> m_stream;
    net::EnvelopeParser m_parser;
    QString m_what;
    std::chrono::milliseconds m_silence;
};
using EventStreamPtr = std::shared_ptr<EventStream>;

//! \a limit: after that the service kills the process that it started; 0: never.
domain::Async<EventStreamPtr> startProcess(EnvdPtr envd, StartRequest request,
                                           std::chrono::milliseconds limit, std::stop_token stop);
//! \a process: encodeProcess() or encodeProcessTag(). What it wrote before is not told again.
//! NotFound in the first event: it has ended.
domain::Async<EventStreamPtr> followProcess(EnvdPtr envd, QByteArray process, std::stop_token stop);
//! One question, one answer: "process.Process/List".
domain::Async<QByteArray> callEnvd(EnvdPtr envd, QByteArray method, QByteArray body, QString what,
                                   std::stop_token stop);
//! false: it is paused or dead. An error: not known.
domain::Async<bool> isRunning(EnvdPtr envd, std::stop_token stop);

//! Up to \a length bytes from \a offset; fewer only at the end of the file.
domain::Async<QByteArray> readFile(EnvdPtr envd, QByteArray path, qint64 offset, qint64 length,
                                   std::stop_token stop);
//! In place: not atomic.
domain::Async<void> writeFile(EnvdPtr envd, QByteArray path, QByteArray content,
                              std::stop_token stop);

} // namespace berth::e2b
