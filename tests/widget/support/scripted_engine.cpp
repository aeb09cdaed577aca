// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widget/support/scripted_engine.h"

#include "domain/text.h"

#include <QtCore/QPointer>

#include <algorithm>

namespace berth::test {

using namespace berth::application;
using domain::failure;

class ScriptedEngine::Session final : public EngineSession
{
public:
    explicit Session(ScriptedEngine &engine) : m_engine(&engine) { engine.m_sessions.append(this); }
    ~Session() override
    {
        if (m_engine)
            m_engine->m_sessions.removeOne(this);
    }
    void submit(const domain::RequestId &id, const QString &command,
                const Payload &arguments) override
    {
        if (m_engine)
            m_engine->serve(*this, id, command, arguments);
    }
    void cancel(const domain::RequestId &id) override
    {
        if (m_engine)
            m_engine->stop(*this, id);
    }

private:
    QPointer<ScriptedEngine> m_engine;
};

ScriptedEngine::ScriptedEngine()
{
    state.engine.version = QStringLiteral("0.1.0");
    state.engine.dataDirectory = QStringLiteral("/tmp/berth-data");
    state.engine.sandboxesDirectory = QStringLiteral("/tmp/berth-sandboxes");
    state.agents = {{domain::AgentId(QStringLiteral("default")), QStringLiteral("default")}};
    agents.step = [this](const domain::RequestId &id, const domain::HealthStep &step) {
        emitEvent(HealthStepDone{id, step});
    };
}

ScriptedEngine::~ScriptedEngine() = default;

std::unique_ptr<EngineSession> ScriptedEngine::openSession(ClientKind)
{
    return std::make_unique<Session>(*this);
}

std::unique_ptr<InProcessClient> ScriptedEngine::makeClient()
{
    return std::make_unique<InProcessClient>(*this, this, ClientKind::Window);
}

int ScriptedEngine::count(const QString &command) const
{
    return static_cast<int>(
        std::count_if(received.cbegin(), received.cend(),
                      [&command](const Received &r) { return r.command == command; }));
}

void ScriptedEngine::emitEvent(EventBody body)
{
    const Event event{++state.seq, std::move(body)};
    for (Session *session : std::as_const(m_sessions))
        Q_EMIT session->event(event);
}

void ScriptedEngine::serve(Session &session, const domain::RequestId &id, const QString &command,
                           const Payload &arguments)
{
    received.append({command, arguments});
    const QPointer<EngineSession> guard(&session);
    const auto respond = [this, guard, id, command, arguments] {
        if (!guard || cancelled.contains(id))
            return;
        if (const auto failed = failures.constFind(command); failed != failures.cend()) {
            Q_EMIT guard->answered(id, failure(*failed));
            return;
        }
        const auto later = [this, guard, id](const domain::Result<Payload> &result) {
            if (guard && !cancelled.contains(id))
                Q_EMIT guard->answered(id, result);
        };
        if (const auto ofFiles = files.serve(command, arguments)) {
            later(*ofFiles);
            return;
        }
        bool taken = false;
        const auto ofProcess = processes.serve(command, arguments, later, &taken);
        if (taken) {
            if (ofProcess)
                later(*ofProcess);
            return;
        }
        const domain::Result<Payload> result = answered(id, command, arguments);
        if (guard)
            Q_EMIT guard->answered(id, result);
    };
    if (held.contains(command))
        m_heldBack.append(respond);
    else
        respond();
}

domain::Result<Payload> ScriptedEngine::answered(const domain::RequestId &id,
                                                 const QString &command, const Payload &arguments)
{
    // With a model, a line that is no command goes to the agent.
    const bool isMessage = command == QLatin1String(SendMessage::kName);
    if (isMessage) {
        const domain::Result<SendMessage> message = decode<SendMessage>(arguments);
        if (!message || !state.engine.hasModel || message->asCommand
            || message->text.startsWith(QLatin1Char('!')))
            return answer(id, command, arguments);
    }
    if (const auto ofSecurity = security.serve(command, arguments))
        return *ofSecurity;
    if (const auto ofSandboxes = sandboxes.serve(command, arguments))
        return *ofSandboxes;
    const auto ofAgents = agents.serve(id, command, arguments);
    return ofAgents ? *ofAgents : answer(id, command, arguments);
}

void ScriptedEngine::stop(Session &session, const domain::RequestId &id)
{
    if (cancelled.contains(id))
        return;
    cancelled.append(id);
    Q_EMIT session.answered(id, failure(domain::ErrorKind::Cancelled, QStringLiteral("Cancelled")));
}

void ScriptedEngine::release()
{
    held.clear();
    for (const auto &respond : std::exchange(m_heldBack, {}))
        respond();
}

namespace {

template <typename T>
domain::Result<Payload> packed(const domain::Result<T> &result)
{
    if (!result)
        return tl::unexpected(result.error());
    return encode(*result);
}

template <typename Command, typename Handle>
bool handled(const QString &name, const Payload &arguments, domain::Result<Payload> &into,
             Handle handle)
{
    if (name != QLatin1String(Command::kName))
        return false;
    const domain::Result<Command> command = decode<Command>(arguments);
    if (!command)
        into = tl::unexpected(command.error());
    else
        into = packed<typename Command::Reply>(handle(*command));
    return true;
}

} // namespace

domain::Result<Payload> ScriptedEngine::answer(const domain::RequestId &id, const QString &name,
                                               const Payload &args)
{
    domain::Result<Payload> result =
        failure(domain::ErrorKind::Unsupported, QStringLiteral("Not scripted"), name);
    const auto notFound = [] {
        return failure(domain::ErrorKind::NotFound, QStringLiteral("There is no such thing"));
    };
    using domain::Result;
    // clang-format off
    handled<GetSnapshot>(name, args, result, [this](const auto &) -> Result<Snapshot> { return state; })
    || handled<ListThreads>(name, args, result, [this](const auto &) -> Result<ThreadList> { return ThreadList{state.threads}; })
    || handled<GetThread>(name, args, result, [&](const GetThread &c) -> Result<ThreadDetail> {
        if (!details.contains(c.thread))
            return notFound();
        ThreadDetail detail = details.value(c.thread);
        for (const ThreadView &view : std::as_const(state.threads)) {
            if (view.id == c.thread)
                detail.thread = view;
        }
        return detail;
    })
    || handled<NewThread>(name, args, result, [this](const NewThread &c) { return newThread(c); })
    || handled<SendMessage>(name, args, result, [this](const SendMessage &c) { return start(c.thread, c.text, c.asCommand); })
    || handled<UpdateThread>(name, args, result, [&](const UpdateThread &c) -> Result<ThreadView> {
        std::optional<ThreadView> after;
        change(c.thread, [&](ThreadView &view) {
            view.title = c.title.value_or(view.title);
            view.draft = c.draft.value_or(view.draft);
            view.archived = c.archived.value_or(view.archived);
            after = view;
        });
        if (!after)
            return notFound();
        return *after;
    })
    || handled<StopToolCall>(name, args, result, [&](const StopToolCall &c) -> Result<ToolCallView> {
        if (!call(c.toolCall))
            return notFound();
        finish(c.toolCall, domain::OutcomeKind::Cancelled, 130);
        return *call(c.toolCall);
    })
    || handled<GetToolCall>(name, args, result, [&](const GetToolCall &c) -> Result<ToolCallView> {
        if (!call(c.toolCall))
            return notFound();
        return *call(c.toolCall);
    })
    || handled<ReadOutput>(name, args, result, [this](const ReadOutput &c) { return output(c); })
    || handled<ListRuntimes>(name, args, result, [this](const auto &) -> Result<RuntimeList> { return RuntimeList{state.runtimes, {}}; })
    || handled<PauseRuntime>(name, args, result, [this](const PauseRuntime &c) {
        return drive(c.runtime, domain::ObservedState::Paused, domain::DesiredState::Paused);
    })
    || handled<ResumeRuntime>(name, args, result, [this](const ResumeRuntime &c) {
        return drive(c.runtime, domain::ObservedState::Running, domain::DesiredState::Running);
    })
    || handled<DestroyRuntime>(name, args, result, [this](const DestroyRuntime &c) -> Result<RuntimeView> {
        auto gone = drive(c.runtime, domain::ObservedState::Gone, domain::DesiredState::Destroyed);
        if (gone) {
            state.runtimes.removeIf([&c](const RuntimeView &r) { return r.id == c.runtime; });
            emitEvent(RuntimeRemoved{c.runtime});
        }
        return gone;
    })
    || handled<WatchRuntimes>(name, args, result, [](const auto &) -> Result<Nothing> { return Nothing{}; })
    || handled<ListProviders>(name, args, result, [this](const auto &) -> Result<ProviderList> { return ProviderList{state.providers}; })
    || handled<GetProviderForm>(name, args, result, [&](const GetProviderForm &c) -> Result<ProviderForm> {
        if (!forms.contains(c.config))
            return notFound();
        return forms.value(c.config);
    })
    || handled<PreviewProvider>(name, args, result, [&](const PreviewProvider &c) -> Result<ProviderForm> {
        if (!forms.contains(c.config))
            return notFound();
        ProviderForm form = forms.value(c.config);
        for (FieldView &field : form.fields)
            field.value = c.values.value(field.key);
        return form;
    })
    || handled<SaveProvider>(name, args, result, [&](const SaveProvider &c) -> Result<ProviderView> {
        if (!forms.contains(c.config))
            return notFound();
        ProviderForm &form = forms[c.config];
        for (FieldView &field : form.fields) {
            if (field.type == QLatin1String("secret"))
                continue;
            field.value = c.values.value(field.key);
            field.origin = field.value.isEmpty() ? QStringLiteral("default") : QStringLiteral("file");
        }
        form.provider.saved = true;
        for (ProviderView &provider : state.providers) {
            if (provider.config == c.config)
                provider.saved = true;
        }
        emitEvent(ProviderChanged{form.provider});
        return form.provider;
    })
    || handled<TrustProvider>(name, args, result, [&](const TrustProvider &c) -> Result<ProviderView> {
        ProviderView &view = forms[c.config].provider;
        view.unconfirmedOrigins.clear();
        view.unconfirmedVariables.clear();
        view.state = ProviderState::Ready;
        view.stateText = QStringLiteral("Ready");
        emitEvent(ProviderChanged{view});
        return view;
    })
    || handled<StoreProviderKey>(name, args, result, [&](const StoreProviderKey &c) -> Result<ProviderView> {
        for (FieldView &field : forms[c.config].fields) {
            if (field.key != c.field)
                continue;
            field.origin = c.key.isEmpty() ? QStringLiteral("missing") : QStringLiteral("key_store");
            field.hint = c.key.isEmpty() ? QString() : c.key.hint();
            field.value = c.key.isEmpty() ? QString() : QStringLiteral("${keyring:berth/%1}").arg(c.config.toString());
        }
        return forms.value(c.config).provider;
    })
    || handled<AllowPassthrough>(name, args, result, [&](const AllowPassthrough &c) -> Result<Nothing> {
        state.engine.passthroughAllowed = c.allowed;
        emitEvent(EngineChanged{state.engine});
        return Nothing{};
    })
    || handled<TestProvider>(name, args, result, [&](const TestProvider &) -> Result<HealthView> {
        for (const domain::HealthStep &step : std::as_const(health.steps))
            emitEvent(HealthStepDone{id, step});
        return health;
    });
    // clang-format on
    return result;
}

void ScriptedEngine::fillProviders()
{
    addProvider(QStringLiteral("local"), QStringLiteral("L"), QStringLiteral("Local"),
                QStringLiteral("isolated with bubblewrap"), ProviderState::Ready);
    addProvider(QStringLiteral("docker"), QStringLiteral("D"), QStringLiteral("Docker"),
                QStringLiteral("python:3.12-slim"), ProviderState::Ready);
}

ProviderView ScriptedEngine::addProvider(const QString &config, const QString &mark,
                                         const QString &label, const QString &summary,
                                         ProviderState providerState)
{
    ProviderView view;
    view.config = domain::ConfigName(config);
    view.kind = config;
    view.label = label;
    view.mark = mark;
    view.summary = summary;
    view.cost = QStringLiteral("Free");
    view.state = providerState;
    view.usable = providerState == ProviderState::Ready;
    view.stateText = view.usable ? QStringLiteral("Ready") : QStringLiteral("Not set up");
    view.stateDetail = view.usable ? QString() : QStringLiteral("No engine was found");
    state.providers.append(view);
    forms.insert(view.config, ProviderForm{view, {}, QStringLiteral("{\n}\n")});
    return view;
}

domain::ThreadId ScriptedEngine::addThread(const QString &title, const QDateTime &lastActivity,
                                           ThreadLifecycle lifecycle)
{
    ThreadView view;
    view.id = domain::ThreadId::create();
    view.agent = state.agents.first().id;
    view.title = title;
    view.createdAt = view.lastActivityAt = lastActivity;
    view.sandbox = domain::SandboxId::create();
    view.lease = domain::LeaseId::create();
    view.sandboxAlias = QStringLiteral("docker-%1").arg(state.threads.size() + 1);
    view.sandboxType = QStringLiteral("docker");
    view.sandboxLabel = QStringLiteral("docker · python:3.12-slim");
    view.lifecycle = lifecycle;
    view.lifecycleSince = lastActivity;
    state.threads.append(view);
    details.insert(view.id, ThreadDetail{view, {}, {}, {}});
    return view.id;
}

RuntimeView ScriptedEngine::addRuntime(const QString &alias, domain::ObservedState observed)
{
    RuntimeView view;
    view.lease = domain::LeaseId::create();
    view.id = view.lease.toString();
    view.sandbox = domain::SandboxId::create();
    view.agent = state.agents.first().id;
    view.alias = alias;
    view.providerKind = QStringLiteral("docker");
    view.providerLabel = QStringLiteral("Docker");
    view.providerConfig = domain::ConfigName(QStringLiteral("docker"));
    view.image = QStringLiteral("python:3.12-slim");
    view.observed = observed;
    view.observedAt = view.createdAt = view.startedAt = view.stateSince = domain::nowUtc();
    view.canPause = observed == domain::ObservedState::Running;
    view.canResume = observed == domain::ObservedState::Paused;
    view.destroyLoses = QStringLiteral("The container and its volume");
    view.cost = QStringLiteral("Free");
    state.runtimes.append(view);
    return view;
}

ToolCallView *ScriptedEngine::call(const domain::ToolCallId &id)
{
    for (ThreadDetail &detail : details) {
        for (ToolCallView &view : detail.toolCalls) {
            if (view.id == id)
                return &view;
        }
    }
    return nullptr;
}

void ScriptedEngine::change(const domain::ToolCallId &id,
                            const std::function<void(ToolCallView &)> &how)
{
    if (ToolCallView *view = call(id)) {
        how(*view);
        emitEvent(ToolCallChanged{*view});
    }
}

void ScriptedEngine::change(const domain::ThreadId &thread,
                            const std::function<void(ThreadView &)> &how)
{
    for (ThreadView &view : state.threads) {
        if (view.id != thread)
            continue;
        how(view);
        details[thread].thread = view;
        emitEvent(ThreadChanged{view});
        return;
    }
}

domain::ToolCallId ScriptedEngine::startCall(const domain::ThreadId &thread, const QString &command)
{
    const auto started = start(thread, QStringLiteral("!") + command, false);
    return started ? started->toolCall : domain::ToolCallId();
}

domain::Result<Started> ScriptedEngine::start(const domain::ThreadId &thread, const QString &text,
                                              bool asCommand)
{
    if (!details.contains(thread))
        return failure(domain::ErrorKind::NotFound, QStringLiteral("There is no such thread"));
    if (!asCommand && !text.startsWith(QLatin1Char('!')))
        return failure(domain::ErrorKind::Conflict, QStringLiteral("No model is connected"));
    ThreadDetail &detail = details[thread];
    const domain::RunId run = domain::RunId::create();
    const MessageView message{
        thread, detail.messages.size() + 1, run, domain::MessageRole::User, text, domain::nowUtc()};
    detail.messages.append(message);
    emitEvent(MessageAdded{message});
    detail.runs.append({run, thread, domain::RunState::Running, domain::nowUtc(), {}});
    emitEvent(RunChanged{detail.runs.last()});
    ToolCallView view;
    view.id = domain::ToolCallId::create();
    view.run = run;
    view.thread = thread;
    view.tool = QStringLiteral("shell");
    view.command = asCommand ? text : text.mid(1);
    view.state = domain::ToolCallState::Running;
    view.startedAt = domain::nowUtc();
    detail.toolCalls.append(view);
    emitEvent(ToolCallChanged{view});
    change(thread, [](ThreadView &t) {
        t.running = true;
        t.draft.clear();
    });
    Started started;
    started.thread = thread;
    started.run = run;
    started.toolCall = view.id;
    started.sandbox = detail.thread.sandbox;
    started.lease = detail.thread.lease;
    started.sandboxAlias = detail.thread.sandboxAlias;
    return started;
}

domain::Result<Started> ScriptedEngine::newThread(const NewThread &command)
{
    const domain::ThreadId thread = addThread(command.text.left(40), domain::nowUtc());
    ThreadView &view = state.threads.last();
    if (!command.config.isNull()) {
        view.sandboxType = command.config.toString();
        view.sandboxLabel = command.config.toString();
    } else {
        view.sandbox = command.sandbox;
    }
    details[thread].thread = view;
    emitEvent(ThreadChanged{view});
    return start(thread, command.text, command.asCommand);
}

void ScriptedEngine::write(const domain::ToolCallId &id, const QByteArray &bytes,
                           domain::OutputStream stream)
{
    Output &out = m_outputs[id];
    out.bytes.append(bytes);
    if (!out.segments.isEmpty() && out.segments.last().stream == stream)
        out.segments.last().length += bytes.size();
    else
        out.segments.append({stream, bytes.size()});
    if (ToolCallView *view = call(id))
        view->outputBytes = out.bytes.size();
    emitEvent(OutputGrew{id, out.bytes.size()});
}

void ScriptedEngine::setVirtualOutput(const domain::ToolCallId &id, qint64 total,
                                      std::function<QByteArray(qint64, qint64)> page)
{
    Output &out = m_outputs[id];
    out.virtualTotal = total;
    out.page = std::move(page);
    if (ToolCallView *view = call(id))
        view->outputBytes = total;
    emitEvent(OutputGrew{id, total});
}

void ScriptedEngine::finish(const domain::ToolCallId &id, domain::OutcomeKind kind, int exitCode)
{
    ToolCallView *view = call(id);
    if (!view)
        return;
    view->state = domain::ToolCallState::Done;
    view->outcome = kind;
    view->exitCode = exitCode;
    view->endedAt = domain::nowUtc();
    view->durationMs = view->startedAt.msecsTo(view->endedAt);
    const ToolCallView after = *view;
    emitEvent(ToolCallChanged{after});
    for (RunView &run : details[after.thread].runs) {
        if (run.id != after.run)
            continue;
        run.state = domain::RunState::Done;
        emitEvent(RunChanged{run});
    }
    change(after.thread, [](ThreadView &t) { t.running = false; });
}

domain::Result<OutputChunk> ScriptedEngine::output(const ReadOutput &command)
{
    const Output &out = m_outputs[command.toolCall];
    OutputChunk chunk;
    chunk.toolCall = command.toolCall;
    chunk.total = out.virtualTotal >= 0 ? out.virtualTotal : out.bytes.size();
    const ToolCallView *view = call(command.toolCall);
    chunk.complete = view && view->state == domain::ToolCallState::Done;
    chunk.offset =
        command.offset < 0 ? qMax<qint64>(0, chunk.total + command.offset) : command.offset;
    const qint64 length =
        qBound<qint64>(0, chunk.total - chunk.offset, qMin<qint64>(command.limit, 1 << 20));
    if (out.virtualTotal >= 0) {
        chunk.bytes = out.page(chunk.offset, length);
        chunk.segments = {{domain::OutputStream::Stdout, chunk.bytes.size()}};
        return chunk;
    }
    chunk.bytes = out.bytes.mid(chunk.offset, length);
    qint64 at = 0;
    for (const OutputSegment &segment : out.segments) {
        const qint64 from = qMax(at, chunk.offset);
        const qint64 to = qMin(at + segment.length, chunk.offset + length);
        if (from < to)
            chunk.segments.append({segment.stream, to - from});
        at += segment.length;
    }
    return chunk;
}

domain::Result<RuntimeView> ScriptedEngine::drive(const QString &runtime, domain::ObservedState to,
                                                  domain::DesiredState desired)
{
    for (RuntimeView &view : state.runtimes) {
        if (view.id != runtime)
            continue;
        view.observed = to;
        view.desired = desired;
        view.stateSince = domain::nowUtc();
        view.canPause = to == domain::ObservedState::Running;
        view.canResume = to == domain::ObservedState::Paused;
        const RuntimeView after = view;
        emitEvent(RuntimeChanged{after});
        return after;
    }
    return failure(domain::ErrorKind::NotFound, QStringLiteral("There is no such runtime"));
}

} // namespace berth::test
