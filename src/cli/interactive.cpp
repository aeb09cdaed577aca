// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/interactive.h"

#include "cli/human.h"
#include "cli/ids.h"
#include "cli/raw_terminal.h"
#include "cli/table.h"

#include <algorithm>
#include <unistd.h>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;

namespace {

constexpr char kFirstKey = 0x10;
constexpr char kSecondKey = 0x11;
constexpr qint64 kTerminalPiece = 256 * 1024;
constexpr qint64 kTerminalPending = 256 * 1024;
constexpr qint64 kTerminalWaitMs = 20'000;
//! Keys that wait for the sandbox; then the keyboard waits.
constexpr qsizetype kMostTyped = 64 * 1024;

//! What goes from the keyboard to the sandbox.
class Keyboard final : public QObject
{
public:
    Keyboard(const Context &context, const domain::ProcessId &process, Leaving leaving)
        : m_context(context), m_process(process), m_leaving(leaving)
    {
        connect(&m_terminal, &RawTerminal::typed, this, [this](const QByteArray &bytes) {
            m_typed += m_keys.taken(bytes);
            if (m_keys.areComplete())
                leave();
            send();
        });
        connect(&m_terminal, &RawTerminal::closed, this, [this] {
            detached = true;
            wakeReader();
        });
        connect(&m_terminal, &RawTerminal::resized, this, [this] {
            const domain::TerminalSize size = RawTerminal::size();
            deliver(this, m_context->client, ResizeProcess{m_process, size.columns, size.rows},
                    [](const Result<Nothing> &) {});
        });
        connect(&m_context->client, &EngineClient::event, this, [this](const Event &event) {
            const auto *changed = std::get_if<ProcessChanged>(&event.body);
            if (changed && changed->process.id == m_process
                && changed->process.state == ProcessState::Unknown)
                tell(onOneLine(changed->process.detail));
        });
    }

    bool detached = false;

private:
    void tell(const QString &text)
    {
        m_context->streams.err.write("\r\n[" + text.toUtf8() + "]\r\n");
    }
    void leave()
    {
        m_keys = {};
        if (m_leaving == Leaving::Refused) {
            tell(QStringLiteral("It would end with this program, which is Berth's only one now: "
                                "end the shell to leave"));
            return;
        }
        detached = true;
        wakeReader();
    }
    //! Whoever waits for output looks again.
    void wakeReader()
    {
        for (const domain::RequestId &id : std::as_const(m_context->asked))
            m_context->client.cancel(id);
    }
    void send()
    {
        m_terminal.setReading(m_typed.size() < kMostTyped);
        if (m_sending || m_typed.isEmpty())
            return;
        m_sending = true;
        WriteProcess write;
        write.process = m_process;
        write.bytes = std::exchange(m_typed, {});
        deliver(this, m_context->client, write, [this](const Result<Nothing> &) {
            // An end is told by the output; what was typed into nothing is lost, as on any line.
            m_sending = false;
            send();
        });
    }

    Context m_context;
    domain::ProcessId m_process;
    Leaving m_leaving;
    RawTerminal m_terminal;
    DetachKeys m_keys;
    QByteArray m_typed;
    bool m_sending = false;
};

} // namespace

QByteArray DetachKeys::taken(const QByteArray &typed)
{
    QByteArray pass;
    for (const char key : typed) {
        if (m_held && key == kSecondKey) {
            m_held = false;
            m_complete = true;
            break;
        }
        if (m_held)
            pass += kFirstKey;
        m_held = key == kFirstKey;
        if (!m_held)
            pass += key;
    }
    return pass;
}

Async<Interaction> interact(Context context, ProcessView process, Leaving leaving, qint64 from)
{
    Interaction result;
    {
        Keyboard keyboard(context, process.id, leaving);
        qint64 offset = from;
        while (!keyboard.detached) {
            const bool open = co_await context->streams.out.room(kTerminalPending);
            if (!context->guard)
                co_return failure(domain::ErrorKind::Cancelled, QStringLiteral("Ended"));
            if (!open)
                break;
            ReadProcess read;
            read.process = process.id;
            read.offset = offset;
            read.limit = kTerminalPiece;
            read.waitMs = kTerminalWaitMs;
            const Result<OutputChunk> chunk = co_await ask(context, read);
            if (keyboard.detached)
                break;
            if (!chunk)
                co_return failure(chunk.error());
            context->streams.out.write(chunk->bytes);
            offset = std::max(offset, chunk->offset + chunk->bytes.size());
            if (chunk->complete && (offset >= chunk->total || chunk->bytes.isEmpty()))
                break;
        }
        result.detached = keyboard.detached;
    }
    const Result<ProcessView> now = co_await resolveProcess(context, process.id.toString());
    if (!now)
        co_return failure(now.error());
    result.process = *now;
    co_return result;
}

Async<bool> endsWithThisProgram(Context context, ProcessView process)
{
    const Result<Snapshot> snapshot = co_await ask(context, GetSnapshot{});
    if (!snapshot)
        co_return failure(snapshot.error());
    // A running one has a detail only where it does not outlive its Engine.
    co_return snapshot->engine.pid == ::getpid() && !process.detail.isEmpty()
        && process.state == ProcessState::Running;
}

Async<ProcessView> resolveProcess(Context context, QString typed)
{
    const ListProcesses listProcesses;
    const Result<ProcessList> list = co_await ask(context, listProcesses);
    if (!list)
        co_return failure(list.error());
    QList<Candidate> candidates;
    for (const ProcessView &process : list->processes) {
        candidates.append({process.id.toString(),
                           {},
                           QStringLiteral("%1  %2").arg(process.id.toString(),
                                                        fitted(onOneLine(process.title), 40))});
    }
    const Result<QString> id = pick(typed, candidates, QStringLiteral("process"),
                                    QStringLiteral("berth-cli process list shows all of them."));
    if (!id)
        co_return failure(id.error());
    const auto found =
        std::find_if(list->processes.cbegin(), list->processes.cend(),
                     [&id](const ProcessView &process) { return process.id.toString() == *id; });
    co_return *found;
}

QString stateText(const ProcessView &process)
{
    switch (process.state) {
    case ProcessState::Starting:
        return QStringLiteral("starting");
    case ProcessState::Running:
        return QStringLiteral("running");
    case ProcessState::Unknown:
        return QStringLiteral("unknown");
    case ProcessState::Ended:
        break;
    }
    const domain::OutcomeKind outcome = process.outcome.value_or(domain::OutcomeKind::Interrupted);
    if (outcome == domain::OutcomeKind::Exited)
        return QStringLiteral("exited %1").arg(process.exitCode);
    if (outcome == domain::OutcomeKind::Signalled)
        return domain::signalName(process.exitCode - 128);
    return outcome == domain::OutcomeKind::Cancelled ? QStringLiteral("stopped")
                                                     : QStringLiteral("ended");
}

} // namespace berth::cli
