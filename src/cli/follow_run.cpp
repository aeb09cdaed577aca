// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/follow_run.h"

#include "async/completion.h"
#include "async/sleep.h"
#include "cli/human.h"
#include "cli/json_output.h"

#include <QtCore/QSet>

#include <nlohmann/json.hpp>

#include <type_traits>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;
using domain::RunState;

namespace {

//! Between two looks at the whole thread, however much happens.
constexpr std::chrono::milliseconds kLookEvery{100};

domain::ThreadId threadOf(const EventBody &body)
{
    return std::visit(
        [](const auto &event) {
            using T = std::decay_t<decltype(event)>;
            if constexpr (std::is_same_v<T, MessageAdded>)
                return event.message.thread;
            else if constexpr (std::is_same_v<T, RunChanged>)
                return event.run.thread;
            else if constexpr (std::is_same_v<T, ToolCallChanged>)
                return event.toolCall.thread;
            else if constexpr (std::is_same_v<T, ApprovalAsked>)
                return event.approval.thread;
            else if constexpr (std::is_same_v<T, RunNotice>)
                return event.thread;
            else
                return domain::ThreadId();
        },
        body);
}

//! Wakes whoever follows when something happened in the thread.
class ThreadNews : public QObject
{
public:
    ThreadNews(const Context &context, const domain::ThreadId &thread)
    {
        connect(&context->client, &EngineClient::event, this, [this, thread](const Event &event) {
            // Behind a gap anything may have happened.
            const bool missed = m_newest != 0 && event.seq != m_newest + 1;
            m_newest = event.seq;
            if (missed || threadOf(event.body) == thread)
                m_news.complete(true);
        });
        connect(&context->client, &EngineClient::connectionChanged, this, [this] {
            m_newest = 0;
            m_news.complete(true);
        });
    }
    //! What happened since the last call counts, too.
    async::Completion<bool> next() { return m_news; }
    void taken() { m_news = {}; }

private:
    async::Completion<bool> m_news;
    qint64 m_newest = 0;
};

//! Prints what is new of the run.
struct RunPrinter
{
    QSet<qint64> messages;
    QSet<QString> calls;
    QSet<QString> asked;

    void print(const Context &context, const ThreadDetail &detail, const domain::RunId &run)
    {
        for (const MessageView &message : detail.messages) {
            if (message.run != run || message.role != domain::MessageRole::Agent
                || messages.contains(message.seq))
                continue;
            messages.insert(message.seq);
            if (!message.text.isEmpty())
                context->print(message.text + QLatin1Char('\n'));
        }
        for (const ToolCallView &call : detail.toolCalls) {
            if (call.run != run)
                continue;
            const QString id = call.id.toString();
            const QString what = call.tool + QStringLiteral(": ") + onOneLine(call.command);
            if (call.awaitsApproval && !asked.contains(id)) {
                asked.insert(id);
                context->note(QStringLiteral("? %1\n  It waits for you: berth-cli approval allow "
                                             "%2 (or deny)")
                                  .arg(what, id));
            }
            if (call.state != domain::ToolCallState::Done || calls.contains(id))
                continue;
            calls.insert(id);
            context->note(QStringLiteral("> %1 [%2]").arg(what).arg(call.exitCode));
        }
    }
};

} // namespace

Async<int> followRun(Context context, Started started)
{
    const std::weak_ptr<CliContext> weak = context;
    context->onInterrupt = [weak, thread = started.thread] {
        if (const Context self = weak.lock())
            deliver(self->guard, self->client, StopRun{thread}, [](const Result<Nothing> &) {});
    };
    if (context->interrupt != 0)
        context->onInterrupt();
    ThreadNews news(context, started.thread);
    RunPrinter printer;
    for (;;) {
        news.taken();
        const GetThread getThread{started.thread};
        const Result<ThreadDetail> detail = co_await ask(context, getThread);
        if (!detail)
            co_return failure(detail.error());
        if (!context->options.json)
            printer.print(context, *detail, started.run);
        for (const RunView &run : detail->runs) {
            if (run.id != started.run
                || (run.state == RunState::Queued || run.state == RunState::Running
                    || run.state == RunState::AwaitingApproval))
                continue;
            context->onInterrupt = nullptr;
            if (context->options.json)
                printView(context, *detail);
            else if (!run.detail.isEmpty())
                context->note(onOneLine(run.detail));
            co_return run.state == RunState::Done ? 0 : 1;
        }
        const async::Completion<bool> next = news.next();
        const bool happened = co_await next;
        Q_UNUSED(happened)
        const bool waited = co_await async::sleepFor(kLookEvery);
        Q_UNUSED(waited)
        if (!context->guard)
            co_return failure(domain::ErrorKind::Cancelled, QStringLiteral("Ended"));
    }
}

} // namespace berth::cli
