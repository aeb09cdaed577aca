// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"
#include "async/sleep.h"
#include "domain/provider/provider.h"
#include "domain/text.h"

#include <functional>
#include <memory>

// A provider that keeps its instances in memory and fails when told to: for the rules of the lease
// controller, which no real engine breaks on demand. Its shell runs nothing: commands end at once
// with exit 0.
namespace berth::test {

using domain::Async;
using domain::ErrorKind;
using domain::ExternalId;
using domain::failure;
using domain::Instance;
using domain::ObservedState;
using domain::Result;

//! What all providers of one test share; outlives them, as an engine does.
struct ScriptedEngine
{
    QList<Instance> instances;
    //! Of another one, with other instances, when it is changed.
    QString engineId = QStringLiteral("scripted");
    int creates = 0;
    int lists = 0;
    int resumes = 0;
    int pauses = 0;
    int destroys = 0;
    std::chrono::milliseconds createTakes{0};
    //! It exists from here on, whoever gets to know.
    std::function<void(const Instance &)> made;
    //! Fails the call before it has done anything.
    std::optional<domain::Error> failList;
    std::optional<domain::Error> failInspect;
    std::optional<domain::Error> failCreate;
    //! Makes the instance, and then loses the answer.
    std::optional<domain::Error> loseCreateAnswer;
    //! The next calls fail like this, one after the other.
    QList<domain::Error> failPauses;
    QList<domain::Error> failResumes;
    QList<domain::Error> failDestroys;
    std::chrono::milliseconds pauseTakes{0};
    //! Tells of changes made by outside().
    bool tells = false;
    int watches = 0;
    domain::ProviderEventSink watcher;
    async::Completion<bool> watchLost;
    //! Instead of the connection whose commands end at once.
    std::function<std::shared_ptr<domain::SandboxConnection>(const ExternalId &)> open;
    //! Instead of the usual abilities.
    std::optional<domain::Capabilities> can;

    //! What somebody else does at the engine.
    void outside(const ExternalId &id, ObservedState state)
    {
        if (state == ObservedState::Gone)
            instances.removeIf([&id](const Instance &one) { return one.externalId == id; });
        else if (Instance *found = find(id))
            found->state = state;
        if (watcher)
            watcher(id);
    }
    //! The stream of changes breaks.
    void loseWatch()
    {
        watcher = {};
        std::exchange(watchLost, async::Completion<bool>()).complete(true);
    }

    Instance *find(const ExternalId &id)
    {
        for (Instance &instance : instances) {
            if (instance.externalId == id)
                return &instance;
        }
        return nullptr;
    }
};

class ScriptedExecution final : public domain::Execution
{
public:
    ScriptedExecution()
    {
        QMetaObject::invokeMethod(
            this,
            [this] {
                domain::Outcome outcome;
                outcome.kind = domain::OutcomeKind::Exited;
                outcome.cwd = QByteArrayLiteral("/workspace");
                outcome.environment = domain::Environment{};
                Q_EMIT finished(outcome);
            },
            Qt::QueuedConnection);
    }
    void stop() override {}
    void acknowledge(domain::OutputStream, qint64) override {}
    void writeInput(const QByteArray &) override {}
    void closeInput() override {}
    void resize(int, int) override {}
};

class ScriptedConnection : public domain::SandboxConnection,
                           public domain::Shell,
                           public domain::FileSystem
{
public:
    domain::Shell &shell() override { return *this; }
    domain::FileSystem &fs() override { return *this; }
    QByteArray homeDirectory() const override { return QByteArrayLiteral("/workspace"); }
    bool isOpen() const override { return true; }
    Async<std::shared_ptr<domain::Execution>> start(domain::CommandSpec, std::stop_token) override
    {
        co_return std::make_shared<ScriptedExecution>();
    }
    Async<QList<domain::Job>> jobs(std::stop_token) override
    {
        co_return none<QList<domain::Job>>();
    }
    Async<std::shared_ptr<domain::Execution>> attach(quint32, qint64, qint64,
                                                     std::stop_token) override
    {
        co_return none<std::shared_ptr<domain::Execution>>();
    }
    Async<std::shared_ptr<domain::FileWriter>> openWrite(domain::SandboxPath, int, bool,
                                                         std::stop_token) override
    {
        co_return none<std::shared_ptr<domain::FileWriter>>();
    }
    Async<domain::GlobResult> glob(domain::GlobRequest, std::stop_token) override
    {
        co_return none<domain::GlobResult>();
    }
    Async<domain::GrepResult> grep(domain::GrepRequest, std::stop_token) override
    {
        co_return none<domain::GrepResult>();
    }
    Async<domain::FileEntry> stat(domain::SandboxPath, std::stop_token) override
    {
        co_return none<domain::FileEntry>();
    }
    Async<domain::FilePage> list(domain::SandboxPath, QByteArray, int, std::stop_token) override
    {
        co_return none<domain::FilePage>();
    }
    Async<QByteArray> read(domain::SandboxPath, qint64, qint64, std::stop_token) override
    {
        co_return none<QByteArray>();
    }
    Async<void> write(domain::SandboxPath, QByteArray, std::stop_token) override
    {
        co_return none<void>();
    }
    Async<void> makeDirectory(domain::SandboxPath, std::stop_token) override
    {
        co_return none<void>();
    }
    Async<void> rename(domain::SandboxPath, domain::SandboxPath, std::stop_token) override
    {
        co_return none<void>();
    }
    Async<void> remove(domain::SandboxPath, bool, std::stop_token) override
    {
        co_return none<void>();
    }

private:
    template <typename T>
    static Result<T> none()
    {
        return failure(ErrorKind::Unsupported, QStringLiteral("no files here"));
    }
};

class ScriptedProvider final : public domain::Provider
{
public:
    explicit ScriptedProvider(std::shared_ptr<ScriptedEngine> engine) : m_engine(std::move(engine))
    {}

    domain::Capabilities capabilities() const override
    {
        if (m_engine->can)
            return *m_engine->can;
        return domain::Capabilities()
            .allow(domain::Capability::Pause)
            .allow(domain::Capability::Resume)
            .allow(domain::Capability::ProcessesSurvivePause);
    }
    QString engineId() const override { return m_engine->engineId; }
    Async<domain::HealthReport> check(domain::StepSink, std::stop_token) override
    {
        domain::HealthReport report;
        report.ok = !m_engine->failList;
        report.error = m_engine->failList;
        co_return report;
    }
    Async<Instance> create(domain::CreateRequest request, domain::ProgressSink,
                           std::stop_token stop) override
    {
        const std::shared_ptr<ScriptedEngine> engine = m_engine;
        ++engine->creates;
        if (engine->failCreate)
            co_return failure(*engine->failCreate);
        const bool waited = co_await async::sleepFor(engine->createTakes, stop);
        if (!waited)
            co_return failure(ErrorKind::Cancelled, QStringLiteral("stopped"));
        Instance made;
        made.externalId = ExternalId::create();
        made.name = request.name;
        made.image = QStringLiteral("scripted:1");
        made.state = ObservedState::Running;
        made.labels = request.labels;
        made.createdAt = domain::nowUtc();
        made.startedAt = made.createdAt;
        engine->instances << made;
        if (engine->made)
            engine->made(made);
        if (engine->loseCreateAnswer)
            co_return failure(*std::exchange(engine->loseCreateAnswer, std::nullopt));
        co_return made;
    }
    Async<QList<Instance>> list(std::stop_token) override
    {
        ++m_engine->lists;
        if (m_engine->failList)
            co_return failure(*m_engine->failList);
        // A copy: QCoro moves from a value that is not const.
        const QList<Instance> all = m_engine->instances;
        co_return all;
    }
    Async<Instance> inspect(ExternalId id, std::stop_token) override
    {
        if (m_engine->failInspect)
            co_return failure(*m_engine->failInspect);
        if (const Instance *found = m_engine->find(id))
            co_return *found;
        co_return failure(ErrorKind::NotFound, QStringLiteral("no such instance"));
    }
    Async<void> pause(ExternalId id, std::stop_token stop) override
    {
        ++m_engine->pauses;
        if (!m_engine->failPauses.isEmpty())
            co_return failure(m_engine->failPauses.takeFirst());
        const std::shared_ptr<ScriptedEngine> engine = m_engine;
        if (engine->pauseTakes.count() > 0) {
            const bool waited = co_await async::sleepFor(engine->pauseTakes, stop);
            if (!waited)
                co_return failure(ErrorKind::Cancelled, QStringLiteral("stopped"));
        }
        co_return setState(id, ObservedState::Paused);
    }
    Async<void> resume(ExternalId id, std::stop_token) override
    {
        ++m_engine->resumes;
        if (!m_engine->failResumes.isEmpty())
            co_return failure(m_engine->failResumes.takeFirst());
        co_return setState(id, ObservedState::Running);
    }
    Async<void> destroy(ExternalId id, std::stop_token) override
    {
        ++m_engine->destroys;
        if (!m_engine->failDestroys.isEmpty())
            co_return failure(m_engine->failDestroys.takeFirst());
        m_engine->instances.removeIf(
            [&id](const Instance &instance) { return instance.externalId == id; });
        co_return Result<void>();
    }
    Async<std::shared_ptr<domain::SandboxConnection>> connect(ExternalId id,
                                                              std::stop_token) override
    {
        if (!m_engine->find(id))
            co_return failure(ErrorKind::NotFound, QStringLiteral("no such instance"));
        if (m_engine->open)
            co_return m_engine->open(id);
        co_return std::make_shared<ScriptedConnection>();
    }
    Async<void> watch(domain::ProviderEventSink sink, std::stop_token stop) override
    {
        const std::shared_ptr<ScriptedEngine> engine = m_engine;
        if (engine->tells) {
            ++engine->watches;
            engine->watcher = sink;
            const async::Completion<bool> lost = engine->watchLost;
            const std::stop_callback onStop(stop, [lost] { lost.complete(false); });
            const bool broken = co_await lost;
            engine->watcher = {};
            co_return broken
                ? failure(ErrorKind::Unavailable, QStringLiteral("the stream of events broke"))
                : failure(ErrorKind::Cancelled, QStringLiteral("stopped"));
        }
        co_return failure(ErrorKind::Unsupported, QStringLiteral("tells of nothing"));
    }
    Async<domain::ResourceSample> metrics(ExternalId, std::stop_token) override
    {
        co_return domain::ResourceSample{};
    }

private:
    Result<void> setState(const ExternalId &id, ObservedState state)
    {
        Instance *found = m_engine->find(id);
        if (!found)
            return failure(ErrorKind::NotFound, QStringLiteral("no such instance"));
        found->state = state;
        return {};
    }

    std::shared_ptr<ScriptedEngine> m_engine;
};

class ScriptedKind final : public domain::ProviderKind
{
public:
    explicit ScriptedKind(std::shared_ptr<ScriptedEngine> engine) : m_engine(std::move(engine))
    {
        m_schema.facts = {QStringLiteral("scripted"),
                          QStringLiteral("Scripted"),
                          QStringLiteral("S"),
                          {},
                          QStringLiteral("Free"),
                          {},
                          {},
                          {},
                          {}};
        domain::SchemaField image;
        image.key = QStringLiteral("image");
        image.label = QStringLiteral("Image");
        image.defaultValue = QStringLiteral("scripted:1");
        image.required = true;
        image.expandable = true;
        domain::SchemaField limit;
        limit.key = QStringLiteral("limit");
        limit.label = QStringLiteral("Limit");
        limit.type = domain::FieldType::Integer;
        limit.minimum = 1;
        limit.advanced = true;
        m_schema.fields = QList<domain::SchemaField>{image, limit} + domain::commonFields();
    }
    const domain::ProviderSchema &schema() const override { return m_schema; }
    std::optional<QString> problemWith(const QMap<QString, QString> &) const override
    {
        return std::nullopt;
    }
    QList<domain::SecretOrigin> secretOrigins(const QMap<QString, QString> &) const override
    {
        return {};
    }
    QString summary(const QMap<QString, QString> &values) const override
    {
        return values.value(QStringLiteral("image"));
    }
    std::unique_ptr<domain::Provider> create(domain::ProviderSettings, domain::InstallationId,
                                             domain::ProviderPaths) const override
    {
        return std::make_unique<ScriptedProvider>(m_engine);
    }

private:
    std::shared_ptr<ScriptedEngine> m_engine;
    domain::ProviderSchema m_schema;
};

} // namespace berth::test
