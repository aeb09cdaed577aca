// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine/engine.h"
#include "application/in_process_client.h"
#include "application/scripted_files.h"
#include "application/scripted_provider.h"
#include "domain/model/endpoint_file.h"
#include "domain/thread/conversation_store.h"
#include "storage/storage.h"
#include "support/await.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTimer>

// A whole Engine on real files whose model and sandbox say what a test wants.
namespace berth::test {

using namespace application;

//! One reply of the model. Held: it comes only when let go, after its text.
struct Say
{
    QString text;
    QList<domain::ModelCall> calls;
    bool held = false;
    domain::ModelStop stop = domain::ModelStop::End;
    std::optional<domain::Error> error;
};

inline domain::ModelCall callOf(const QString &id, const QString &tool, const QByteArray &arguments)
{
    return {id, tool, arguments, {}};
}

class ScriptedStream final : public domain::ModelReplyStream
{
public:
    explicit ScriptedStream(Say say) : m_say(std::move(say))
    {
        QTimer::singleShot(0, this, [this] {
            if (!m_say.text.isEmpty())
                Q_EMIT textGrew(m_say.text);
            if (!m_say.held)
                end(m_say.calls.isEmpty() ? m_say.stop : domain::ModelStop::ToolCalls);
        });
    }
    void letGo() { end(m_say.stop); }
    void stop() override
    {
        QTimer::singleShot(0, this, [this] { end(domain::ModelStop::Cancelled); });
    }
    void retryNow() override {}

private:
    void end(domain::ModelStop how)
    {
        if (std::exchange(m_ended, true))
            return;
        domain::ModelReply reply;
        reply.turn.role = domain::ModelRole::Assistant;
        reply.turn.text = m_say.text;
        if (how != domain::ModelStop::Cancelled)
            reply.turn.calls = m_say.calls;
        reply.stop = how;
        reply.error = m_say.error;
        reply.usage.inputTokens = 100;
        reply.usage.outputTokens = 10;
        Q_EMIT finished(reply);
    }

    Say m_say;
    bool m_ended = false;
};

//! What the model will say, and what it was asked. Titles are answered by themselves.
struct ModelScript
{
    QList<Say> says;
    QList<domain::ModelRequest> requests;
    QPointer<ScriptedStream> stream;
    int titles = 0;
    qint64 context = 0;
};

class ScriptedModel final : public domain::ModelClient
{
public:
    explicit ScriptedModel(std::shared_ptr<ModelScript> script) : m_script(std::move(script)) {}
    std::unique_ptr<domain::ModelReplyStream> ask(domain::ModelRequest request) override
    {
        Say say{QStringLiteral("nothing more"), {}, false, domain::ModelStop::End, {}};
        if (request.system.startsWith(u"You give conversations a title"_qs)) {
            ++m_script->titles;
            say.text = QStringLiteral("\"A fine title\"");
            return std::make_unique<ScriptedStream>(say);
        }
        m_script->requests << request;
        if (!m_script->says.isEmpty())
            say = m_script->says.takeFirst();
        auto stream = std::make_unique<ScriptedStream>(say);
        m_script->stream = stream.get();
        return stream;
    }
    Async<QList<domain::OfferedModel>> models(std::stop_token) override
    {
        co_return QList<domain::OfferedModel>{
            {QStringLiteral("tiny"), QStringLiteral("tiny"), m_script->context}};
    }
    Async<qint64> contextTokens(QString, std::stop_token) override
    {
        const qint64 size = m_script->context;
        co_return size;
    }
    Async<domain::HealthReport> check(QString, domain::StepSink, std::stop_token) override
    {
        domain::HealthReport report;
        report.ok = true;
        co_return report;
    }

private:
    std::shared_ptr<ModelScript> m_script;
};

class ScriptedModels final : public domain::ModelFactory
{
public:
    explicit ScriptedModels(std::shared_ptr<ModelScript> script) : m_script(std::move(script)) {}
    std::shared_ptr<domain::ModelClient> open(
        const domain::ModelEndpointSettings &settings) override
    {
        keys << QString::fromUtf8(settings.key.exposeForWire());
        return std::make_shared<ScriptedModel>(m_script);
    }
    Async<QStringList> localServers(std::stop_token) override
    {
        co_return QStringList{QStringLiteral("ollama")};
    }
    QStringList keys;

private:
    std::shared_ptr<ModelScript> m_script;
};

//! Says its command back; "sleep" goes on until it is stopped, "cd" goes there.
class SayingExecution final : public domain::Execution
{
public:
    SayingExecution(const QByteArray &command, const QByteArray &cwd)
        : m_cwd(command.startsWith("cd ") ? command.mid(3) : cwd)
    {
        QTimer::singleShot(0, this, [this, command] {
            Q_EMIT output(domain::OutputStream::Stdout, "ran " + command + '\n');
            if (!command.contains("sleep"))
                end(command.contains("false") ? 1 : 0, domain::OutcomeKind::Exited);
        });
    }
    void stop() override
    {
        QTimer::singleShot(0, this, [this] { end(0, domain::OutcomeKind::Cancelled); });
    }
    void acknowledge(domain::OutputStream, qint64) override {}
    void writeInput(const QByteArray &) override {}
    void closeInput() override {}
    void resize(int, int) override {}

private:
    void end(int code, domain::OutcomeKind kind)
    {
        if (std::exchange(m_ended, true))
            return;
        domain::Outcome outcome;
        outcome.kind = kind;
        outcome.code = code;
        outcome.cwd = m_cwd;
        outcome.environment = domain::Environment{};
        Q_EMIT finished(outcome);
    }
    QByteArray m_cwd;
    bool m_ended = false;
};

//! Files that last as long as the test, and what was run.
struct Workshop
{
    QMap<QByteArray, QByteArray> files;
    QList<QByteArray> commands;
};

class WorkshopConnection final : public ScriptedConnection
{
public:
    explicit WorkshopConnection(std::shared_ptr<Workshop> shop) : m_shop(std::move(shop)) {}
    Async<std::shared_ptr<domain::Execution>> start(domain::CommandSpec spec,
                                                    std::stop_token) override
    {
        // What Berth asks of a new sandbox for itself is not a call.
        if (spec.shellText != ":")
            m_shop->commands << spec.shellText;
        co_return std::make_shared<SayingExecution>(spec.shellText, spec.cwd);
    }
    Async<domain::FileEntry> stat(domain::SandboxPath path, std::stop_token) override
    {
        if (!m_shop->files.contains(path))
            co_return failure(ErrorKind::NotFound, QStringLiteral("no such file"));
        domain::FileEntry entry;
        entry.name = path;
        entry.kind = domain::FileKind::Regular;
        entry.size = m_shop->files.value(path).size();
        co_return entry;
    }
    Async<QByteArray> read(domain::SandboxPath path, qint64 offset, qint64 length,
                           std::stop_token) override
    {
        if (!m_shop->files.contains(path))
            co_return failure(ErrorKind::NotFound, QStringLiteral("no such file"));
        co_return m_shop->files.value(path).mid(offset, length);
    }
    Async<void> write(domain::SandboxPath path, QByteArray content, std::stop_token) override
    {
        m_shop->files.insert(path, content);
        co_return Result<void>();
    }

private:
    std::shared_ptr<Workshop> m_shop;
};

//! Instead of what is scripted.
struct RealPlaces
{
    std::shared_ptr<domain::ModelFactory> models;
    domain::ProviderKinds kinds;
    //! Of new threads.
    QString config = QStringLiteral("scripted");
    //! The process's own variables.
    QMap<QString, QString> environment;
};

class AgentHouse
{
public:
    explicit AgentHouse(QString directory, bool withModel = true, RealPlaces real = {})
        : m_directory(std::move(directory)),
          m_real(std::move(real)),
          script(std::make_shared<ModelScript>()),
          shop(std::make_shared<Workshop>()),
          engine(std::make_shared<ScriptedEngine>())
    {
        const std::shared_ptr<Workshop> place = shop;
        engine->open = [place](const ExternalId &) {
            return std::make_shared<WorkshopConnection>(place);
        };
        if (withModel)
            writeModels();
        open();
    }
    ~AgentHouse() { close(false); }

    void writeModels()
    {
        domain::ModelEndpointFile file;
        domain::ModelEndpointEntry entry;
        entry.name = QStringLiteral("tiny");
        entry.preset = QStringLiteral("ollama");
        entry.dialect = QStringLiteral("openai");
        entry.baseUrl = QStringLiteral("http://127.0.0.1:11434/v1");
        entry.model = QStringLiteral("tiny");
        file.endpoints << entry;
        QFile out(m_directory + QStringLiteral("/models.json"));
        if (!out.open(QIODevice::WriteOnly) || out.write(domain::serialiseModelEndpoints(file)) < 0)
            qFatal("no models.json");
    }

    void open()
    {
        const storage::StoragePaths paths{m_directory + QStringLiteral("/berth.db"),
                                          m_directory + QStringLiteral("/sandbox.db"),
                                          m_directory + QStringLiteral("/backups")};
        auto opened = await(storage::openStorage(paths));
        if (!opened)
            qFatal("%s", told(opened).constData());
        storage = std::move(*opened);
        EngineSettings settings;
        settings.paths.data = m_directory;
        settings.paths.sandboxes = m_directory + QStringLiteral("/sandboxes");
        settings.paths.output = m_directory + QStringLiteral("/output");
        settings.paths.runtime = m_directory;
        settings.paths.config = m_directory;
        QDir().mkpath(settings.paths.output);
        QDir().mkpath(settings.paths.sandboxes);
        settings.environment = [known = m_real.environment](const QString &name) {
            return known.contains(name) ? std::optional(known.value(name)) : std::nullopt;
        };
        settings.conversations = &storage->conversations();
        settings.trust = &storage->trust();
        settings.models = m_real.models;
        if (!settings.models)
            settings.models = std::make_shared<ScriptedModels>(script);
        domain::ProviderKinds kinds = m_real.kinds;
        if (kinds.empty())
            kinds = {std::make_shared<ScriptedKind>(engine)};
        berth = std::make_unique<Engine>(storage->berth(), storage->leases(), storage->processes(),
                                         kinds, settings);
        const auto started = await(berth->start());
        if (!started)
            qFatal("%s", told(started).constData());
        client = std::make_unique<InProcessClient>(*berth, berth.get(), ClientKind::Window);
        QObject::connect(client.get(), &EngineClient::event, client.get(),
                         [this](const Event &event) { events << event; });
        api = std::make_unique<InProcessClient>(*berth, berth.get(), ClientKind::Api);
        waitUntil([this] { return client->isConnected() && api->isConnected(); });
    }
    //! \a kill: nothing is written any more, as when the process is killed.
    void close(bool kill)
    {
        if (!berth)
            return;
        client.reset();
        api.reset();
        spin(1ms);
        if (kill)
            landed(storage->close());
        landed(berth->shutDown(false));
        berth.reset();
        if (!kill)
            landed(storage->close());
        storage.reset();
        events.clear();
    }

    template <typename Command>
    Result<typename Command::Reply> ask(const Command &command)
    {
        return askBy(*client, command);
    }
    //! As somebody who is not the owner.
    template <typename Command>
    Result<typename Command::Reply> askAsApi(const Command &command)
    {
        return askBy(*api, command);
    }
    template <typename Command>
    Result<typename Command::Reply> askBy(EngineClient &by, const Command &command)
    {
        auto answer = std::make_shared<std::optional<Result<typename Command::Reply>>>();
        deliver(&by, by, command,
                [answer](const Result<typename Command::Reply> &reply) { answer->emplace(reply); });
        if (!waitUntil([answer] { return answer->has_value(); }, 10s))
            return failure(ErrorKind::Timeout, QStringLiteral("the test waited in vain"));
        return **answer;
    }
    Result<Started> begin(const QString &text)
    {
        NewThread command;
        command.agent = domain::AgentId(QStringLiteral("default"));
        command.config = domain::ConfigName(m_real.config);
        command.text = text;
        return ask(command);
    }
    Result<Started> send(const domain::ThreadId &thread, const QString &text)
    {
        SendMessage command;
        command.thread = thread;
        command.text = text;
        return ask(command);
    }
    ThreadDetail detail(const domain::ThreadId &thread)
    {
        const Result<ThreadDetail> detail = ask(GetThread{thread});
        return detail ? *detail : ThreadDetail{};
    }
    std::optional<domain::RunState> state(const Started &run)
    {
        for (const RunView &view : detail(run.thread).runs) {
            if (view.id == run.run)
                return view.state;
        }
        return std::nullopt;
    }
    bool comesTo(const Started &run, domain::RunState wanted)
    {
        return waitUntil([&] { return state(run) == wanted; }, 20s);
    }
    QList<ApprovalView> approvals()
    {
        const Result<ApprovalList> list = ask(ListApprovals{});
        return list ? list->approvals : QList<ApprovalView>{};
    }
    bool isAsked(int count)
    {
        return waitUntil([&] { return approvals().size() == count; }, 20s);
    }
    Result<Nothing> decide(const domain::ToolCallId &call, bool allow,
                           const QString &scope = QStringLiteral("once"),
                           const QString &reason = {})
    {
        DecideApproval decision;
        decision.toolCall = call;
        decision.allow = allow;
        decision.scope = scope;
        decision.reason = reason;
        return ask(decision);
    }
    template <typename Body>
    QList<Body> told() const
    {
        QList<Body> bodies;
        for (const Event &event : events) {
            if (const Body *body = std::get_if<Body>(&event.body))
                bodies << *body;
        }
        return bodies;
    }

private:
    template <typename T>
    static QByteArray told(const Result<T> &result)
    {
        return berth::test::told(result);
    }
    QString m_directory;
    RealPlaces m_real;

public:
    std::shared_ptr<ModelScript> script;
    std::shared_ptr<Workshop> shop;
    std::shared_ptr<ScriptedEngine> engine;
    std::unique_ptr<storage::Storage> storage;
    std::unique_ptr<Engine> berth;
    std::unique_ptr<EngineClient> client;
    //! As the HTTP API is one.
    std::unique_ptr<EngineClient> api;
    QList<Event> events;
};

} // namespace berth::test
