// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/support/scripted_engine.h"

#include "domain/text.h"

#include <QtCore/QTimer>

namespace berth::test {

using namespace application;
using domain::ErrorKind;
using domain::ObservedState;
using domain::OutcomeKind;
using domain::OutputStream;

class ScriptedSession final : public EngineSession
{
    Q_OBJECT
public:
    explicit ScriptedSession(ScriptedEngine &engine) : m_engine(engine)
    {
        engine.m_sessions.append(this);
    }
    ~ScriptedSession() override { m_engine.m_sessions.removeOne(this); }

    void submit(const domain::RequestId &id, const QString &command,
                const Payload &arguments) override
    {
        m_engine.receive({this, id, arguments}, command);
    }
    void cancel(const domain::RequestId &id) override { m_engine.cancelled.append(id); }

private:
    ScriptedEngine &m_engine;
};

struct ScriptedEngine::Call
{
    ToolCallView view;
    Script script;
    qsizetype nextPiece = 0;
    qsizetype nextPreparing = 0;
    QByteArray output;
    QList<OutputSegment> segments;
    QList<std::shared_ptr<Reader>> readers;
    QList<Ask> stoppers;

    [[nodiscard]] qint64 total() const
    {
        return script.synthetic > 0 ? script.synthetic : output.size();
    }
    [[nodiscard]] bool isDone() const { return view.state == domain::ToolCallState::Done; }
};

void ScriptedEngine::Ask::answer(const Payload &payload) const
{
    if (session)
        Q_EMIT session->answered(id, payload);
}

void ScriptedEngine::Ask::fail(const domain::Error &error) const
{
    if (session)
        Q_EMIT session->answered(id, domain::failure(error));
}

QByteArray syntheticBytes(qint64 offset, qint64 length)
{
    QByteArray bytes(length, Qt::Uninitialized);
    for (qint64 at = 0; at < length; ++at) {
        const auto position = static_cast<quint64>(offset + at);
        bytes[at] = static_cast<char>((position * 2654435761u) >> 13);
    }
    return bytes;
}

ScriptedEngine::ScriptedEngine(QObject *parent) : QObject(parent)
{
    state.engine.version = QStringLiteral("0.0.0");
    state.agents = {{domain::AgentId(QStringLiteral("default")), QStringLiteral("Default")}};
    usualPlay();
}

ScriptedEngine::~ScriptedEngine() = default;

QString ScriptedEngine::uuid(char letter, int number)
{
    return QStringLiteral("%1%2-0000-4000-8000-000000000000")
        .arg(QLatin1Char(letter))
        .arg(number, 7, 10, QLatin1Char('0'));
}

std::unique_ptr<EngineSession> ScriptedEngine::openSession(ClientKind)
{
    return std::make_unique<ScriptedSession>(*this);
}

void ScriptedEngine::publish(EventBody body)
{
    const Event event{++state.seq, std::move(body)};
    const QList<ScriptedSession *> sessions = m_sessions;
    for (ScriptedSession *session : sessions)
        Q_EMIT session->event(event);
}

void ScriptedEngine::receive(const Ask &ask, const QString &command)
{
    received.append({command, ask.arguments.json});
    const auto player = players.constFind(command);
    if (player == players.constEnd())
        ask.fail({ErrorKind::Unsupported,
                  QStringLiteral("No such command: %1").arg(command),
                  {},
                  {},
                  {}});
    else
        (*player)(ask);
}

void ScriptedEngine::usualPlay()
{
    const auto play = [this](const char *name, Player player) {
        players.insert(QString::fromLatin1(name), std::move(player));
    };
    play(GetSnapshot::kName, [this](const Ask &ask) { ask.reply(state); });
    play(ListThreads::kName, [this](const Ask &ask) {
        const bool archived = decode<ListThreads>(ask.arguments)->archived;
        ThreadList list;
        for (const ThreadView &thread : state.threads) {
            if (archived || !thread.archived)
                list.threads.append(thread);
        }
        ask.reply(list);
    });
    play(GetThread::kName, [this](const Ask &ask) {
        const auto found = details.constFind(decode<GetThread>(ask.arguments)->thread);
        if (found == details.constEnd())
            return ask.fail(
                {ErrorKind::NotFound, QStringLiteral("There is no such thread"), {}, {}, {}});
        ask.reply(*found);
    });
    play(NewThread::kName, [this](const Ask &ask) { newThread(ask); });
    play(SendMessage::kName, [this](const Ask &ask) { sendMessage(ask); });
    play(Exec::kName, [this](const Ask &ask) { exec(ask); });
    play(ReadOutput::kName, [this](const Ask &ask) { readOutput(ask); });
    play(StopToolCall::kName, [this](const Ask &ask) { stop(ask); });
    play(GetToolCall::kName, [this](const Ask &ask) {
        const auto call = m_calls.value(decode<GetToolCall>(ask.arguments)->toolCall);
        if (!call)
            return ask.fail(
                {ErrorKind::NotFound, QStringLiteral("There is no such tool call"), {}, {}, {}});
        ask.reply(call->view);
    });
    play(ListRuntimes::kName, [this](const Ask &ask) {
        ask.reply(RuntimeList{state.runtimes, {}});
    });
    play(PauseRuntime::kName, [this](const Ask &ask) {
        changeRuntime(ask, decode<PauseRuntime>(ask.arguments)->runtime, ObservedState::Paused);
    });
    play(ResumeRuntime::kName, [this](const Ask &ask) {
        changeRuntime(ask, decode<ResumeRuntime>(ask.arguments)->runtime, ObservedState::Running);
    });
    play(DestroyRuntime::kName, [this](const Ask &ask) {
        changeRuntime(ask, decode<DestroyRuntime>(ask.arguments)->runtime, ObservedState::Gone);
    });
    play(GetMetrics::kName, [this](const Ask &ask) { ask.reply(sample); });
    play(WatchRuntimes::kName, [](const Ask &ask) { ask.reply(Nothing{}); });
    play(ListProviders::kName,
         [this](const Ask &ask) { ask.reply(ProviderList{state.providers}); });
    play(GetProviderForm::kName, [this](const Ask &ask) { ask.reply(form); });
    play(SaveProvider::kName, [this](const Ask &ask) { ask.reply(form.provider); });
    play(TrustProvider::kName, [this](const Ask &ask) {
        form.provider.unconfirmedOrigins.clear();
        form.provider.unconfirmedVariables.clear();
        ask.reply(form.provider);
    });
    play(StoreProviderKey::kName, [this](const Ask &ask) { ask.reply(form.provider); });
    play(TestProvider::kName, [this](const Ask &ask) { testProvider(ask); });
}

void ScriptedEngine::newThread(const Ask &ask)
{
    const NewThread command = *decode<NewThread>(ask.arguments);
    ThreadView thread;
    thread.id = domain::ThreadId(uuid('a', ++m_made));
    thread.title = command.text;
    thread.sandbox =
        command.sandbox.isNull() ? domain::SandboxId(uuid('b', m_made)) : command.sandbox;
    thread.lease = domain::LeaseId(uuid('c', m_made));
    thread.sandboxAlias =
        (command.config.isNull() ? QStringLiteral("docker") : command.config.toString())
        + QStringLiteral("-%1").arg(m_made);
    thread.createdAt = domain::nowUtc();
    state.threads.append(thread);
    details[thread.id].thread = thread;
    publish(ThreadChanged{thread});
    ask.reply(begin(thread.id, thread.sandbox, command.text));
}

void ScriptedEngine::sendMessage(const Ask &ask)
{
    const SendMessage command = *decode<SendMessage>(ask.arguments);
    for (const ThreadView &thread : std::as_const(state.threads)) {
        if (thread.id == command.thread)
            return ask.reply(begin(thread.id, thread.sandbox, command.text));
    }
    ask.fail({ErrorKind::NotFound, QStringLiteral("There is no such thread"), {}, {}, {}});
}

void ScriptedEngine::exec(const Ask &ask)
{
    const Exec command = *decode<Exec>(ask.arguments);
    ask.reply(begin({}, domain::SandboxId(command.target),
                    QLatin1Char('!') + command.argv.join(QLatin1Char(' '))));
}

Started ScriptedEngine::begin(const domain::ThreadId &thread, const domain::SandboxId &sandbox,
                              const QString &text)
{
    auto call = std::make_shared<Call>();
    call->view.id = domain::ToolCallId(uuid('d', ++m_made));
    call->view.run = domain::RunId(uuid('e', m_made));
    call->view.thread = thread;
    call->view.tool = QStringLiteral("shell");
    call->view.command = text.mid(1);
    call->view.startedAt = domain::nowUtc();
    call->script = scripts.value(call->view.command);
    m_calls.insert(call->view.id, call);
    Started started{thread, call->view.run, call->view.id, sandbox, {}, {}};
    for (const ThreadView &known : std::as_const(state.threads)) {
        if (known.id == thread) {
            started.lease = known.lease;
            started.sandboxAlias = known.sandboxAlias;
        }
    }
    QTimer::singleShot(0, this, [this, id = call->view.id] { advance(id); });
    return started;
}

void ScriptedEngine::advance(const domain::ToolCallId &id)
{
    const std::shared_ptr<Call> call = m_calls.value(id);
    if (call->isDone())
        return;
    const Script &script = call->script;
    if (call->nextPreparing < script.preparing.size()) {
        call->view.state = domain::ToolCallState::Preparing;
        call->view.preparing = script.preparing[call->nextPreparing++];
        publish(ToolCallChanged{call->view});
    } else if (call->nextPiece < script.pieces.size()) {
        call->view.state = domain::ToolCallState::Running;
        call->view.preparing.clear();
        const Script::Piece &piece = script.pieces[call->nextPiece++];
        call->output += piece.bytes;
        if (!call->segments.isEmpty() && call->segments.back().stream == piece.stream)
            call->segments.back().length += piece.bytes.size();
        else
            call->segments.append({piece.stream, piece.bytes.size()});
        publish(OutputGrew{id, call->total()});
        wakeReaders(*call);
    } else {
        if (!script.hangs)
            end(*call, script.outcome, script.exitCode, script.detail);
        return;
    }
    QTimer::singleShot(script.pace, this, [this, id] { advance(id); });
}

void ScriptedEngine::end(Call &call, OutcomeKind outcome, int exitCode, const QString &detail)
{
    call.view.state = domain::ToolCallState::Done;
    call.view.outcome = outcome;
    call.view.exitCode = exitCode;
    call.view.outcomeDetail = detail;
    call.view.outputBytes = call.total();
    call.view.endedAt = domain::nowUtc();
    call.view.durationMs = 1234;
    publish(ToolCallChanged{call.view});
    wakeReaders(call);
    const QList<Ask> stoppers = std::exchange(call.stoppers, {});
    for (const Ask &ask : stoppers)
        ask.reply(call.view);
}

void ScriptedEngine::readOutput(const Ask &ask)
{
    const ReadOutput command = *decode<ReadOutput>(ask.arguments);
    const std::shared_ptr<Call> call = m_calls.value(command.toolCall);
    if (!call)
        return ask.fail(
            {ErrorKind::NotFound, QStringLiteral("There is no such tool call"), {}, {}, {}});
    auto reader = std::make_shared<Reader>(Reader{ask, command});
    if (answerRead(*call, *reader, command.waitMs <= 0))
        return;
    call->readers.append(reader);
    QTimer::singleShot(std::chrono::milliseconds(command.waitMs), this, [this, call, reader] {
        if (call->readers.removeOne(reader))
            answerRead(*call, *reader, true);
    });
}

bool ScriptedEngine::answerRead(const Call &call, const Reader &reader, bool timedOut)
{
    OutputChunk chunk;
    chunk.toolCall = call.view.id;
    chunk.offset = reader.command.offset < 0 ? qMax<qint64>(0, call.total() + reader.command.offset)
                                             : reader.command.offset;
    chunk.total = call.total();
    chunk.complete = call.isDone();
    const qint64 length = qBound<qint64>(0, qMin<qint64>(reader.command.limit, 1024 * 1024),
                                         call.total() - chunk.offset);
    if (length == 0 && !chunk.complete && !timedOut)
        return false;
    if (call.script.synthetic > 0) {
        chunk.bytes = syntheticBytes(chunk.offset, length);
        chunk.segments = {{OutputStream::Stdout, length}};
    } else {
        chunk.bytes = call.output.mid(chunk.offset, length);
        qint64 start = 0;
        for (const OutputSegment &segment : call.segments) {
            const qint64 from = qMax(start, chunk.offset);
            const qint64 to = qMin(start + segment.length, chunk.offset + length);
            if (to > from)
                chunk.segments.append({segment.stream, to - from});
            start += segment.length;
        }
    }
    reader.ask.reply(chunk);
    return true;
}

void ScriptedEngine::wakeReaders(Call &call)
{
    const QList<std::shared_ptr<Reader>> readers = std::exchange(call.readers, {});
    for (const std::shared_ptr<Reader> &reader : readers) {
        if (!answerRead(call, *reader, false))
            call.readers.append(reader);
    }
}

void ScriptedEngine::stop(const Ask &ask)
{
    const std::shared_ptr<Call> call = m_calls.value(decode<StopToolCall>(ask.arguments)->toolCall);
    if (!call)
        return ask.fail(
            {ErrorKind::NotFound, QStringLiteral("There is no such tool call"), {}, {}, {}});
    call->stoppers.append(ask);
    if (call->isDone())
        ask.reply(call->view);
    else
        end(*call, OutcomeKind::Cancelled, 130, QStringLiteral("Stopped"));
}

RuntimeView *ScriptedEngine::runtime(const QString &id)
{
    for (RuntimeView &candidate : state.runtimes) {
        if (candidate.id == id)
            return &candidate;
    }
    return nullptr;
}

void ScriptedEngine::changeRuntime(const Ask &ask, const QString &id, ObservedState observed)
{
    RuntimeView *view = runtime(id);
    if (!view)
        return ask.fail(
            {ErrorKind::NotFound, QStringLiteral("There is no runtime %1").arg(id), {}, {}, {}});
    view->observed = observed;
    publish(RuntimeChanged{*view});
    ask.reply(*view);
}

void ScriptedEngine::testProvider(const Ask &ask)
{
    for (const domain::HealthStep &step : std::as_const(health.steps))
        publish(HealthStepDone{ask.id, step});
    ask.reply(health);
}

} // namespace berth::test

#include "scripted_engine.moc"
