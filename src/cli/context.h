// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_client.h"
#include "async/completion.h"
#include "cli/options.h"
#include "cli/output_sink.h"
#include "cli/terminal.h"
#include "domain/result.h"

#include <QtCore/QPointer>
#include <QtCore/QSet>

#include <functional>
#include <memory>

namespace berth::cli {

//! Where a verb's words go. The sinks outlive the CliApplication.
struct CliStreams
{
    OutputSink &out;
    OutputSink &err;
    TerminalFacts terminal;
    //! Asked when somebody is at a terminal; calls back with what was typed.
    std::function<void(QObject *context, std::function<void(QString)>)> readLine;
    //! The same for a key: the terminal shows nothing of it.
    std::function<void(QObject *context, std::function<void(QString)>)> readHiddenLine;
};

//! What a verb under way has in its hands; shared by its coroutines.
struct CliContext
{
    CliContext(CliOptions givenOptions, application::EngineClient &givenClient,
               CliStreams givenStreams, QObject *givenGuard)
        : options(std::move(givenOptions)),
          client(givenClient),
          streams(std::move(givenStreams)),
          guard(givenGuard)
    {}

    CliOptions options;
    application::EngineClient &client;
    CliStreams streams;
    //! Goes with the run; answers that come later find nobody. The sinks may be gone with it.
    QPointer<QObject> guard;
    //! The number of the signal that asked to stop; 0: none.
    int interrupt = 0;
    //! Set while there is something to be stopped in order.
    std::function<void()> onInterrupt;
    QSet<domain::RequestId> asked;

    void print(const QString &text) { streams.out.write(text.toUtf8()); }
    void note(const QString &text) { streams.err.write(text.toUtf8() + '\n'); }
};

using Context = std::shared_ptr<CliContext>;
//! Answers with the exit code.
using VerbFunction = domain::Async<int> (*)(Context);

//! Sends \a command; co_await the result. The command has to be a named variable: GCC 12 destroys a
//! braced temporary inside a co_await expression twice.
template <typename Command>
async::Completion<domain::Result<typename Command::Reply>> ask(const Context &context,
                                                               const Command &command)
{
    const async::Completion<domain::Result<typename Command::Reply>> completion;
    const auto id = std::make_shared<domain::RequestId>();
    // A std::function, not the lambda itself: GCC 12 looks through the latter and warns of members
    // that an error has not.
    const std::function<void(domain::Result<typename Command::Reply>)> landed =
        [context, completion, id](domain::Result<typename Command::Reply> reply) {
            context->asked.remove(*id);
            completion.complete(std::move(reply));
        };
    *id = application::deliver(context->guard, context->client, command, landed);
    context->asked.insert(*id);
    return completion;
}

} // namespace berth::cli
