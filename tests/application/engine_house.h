// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine/engine.h"
#include "application/in_process_client.h"
#include "domain/sandbox/process.h"
#include "scripted_jobs.h"
#include "storage/storage.h"
#include "support/await.h"

#include <QtCore/QDir>

namespace berth::test {

using namespace application;

//! What a provider can do whose processes live on over a pause, and over an end of Berth, or not.
inline domain::Capabilities abilities(bool overPause, bool overRestart)
{
    domain::Capabilities can;
    can.allow(domain::Capability::Pause)
        .allow(domain::Capability::Resume)
        .allow(domain::Capability::Terminal);
    const QString reason = QStringLiteral("this place keeps no processes");
    if (overPause)
        can.allow(domain::Capability::ProcessesSurvivePause);
    else
        can.deny(domain::Capability::ProcessesSurvivePause, reason);
    if (overRestart)
        can.allow(domain::Capability::ProcessesSurviveRestart);
    else
        can.deny(domain::Capability::ProcessesSurviveRestart, reason);
    return can;
}

//! One whole Engine on real files, and a client of it.
class EngineHouse
{
public:
    EngineHouse(QString directory, std::shared_ptr<ScriptedEngine> scripted)
        : m_directory(std::move(directory)), engine(std::move(scripted))
    {
        open();
    }
    ~EngineHouse() { close(false); }

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
        settings.paths = {m_directory, m_directory, m_directory + QStringLiteral("/output"),
                          m_directory, m_directory};
        settings.conversations = &storage->conversations();
        settings.access = &storage->access();
        QDir().mkpath(settings.paths.output);
        settings.environment = [](const QString &) { return std::nullopt; };
        berth = std::make_unique<Engine>(
            storage->berth(), storage->leases(), storage->processes(),
            domain::ProviderKinds{std::make_shared<ScriptedKind>(engine)}, settings);
        const auto started = await(berth->start());
        if (!started)
            qFatal("%s", told(started).constData());
        client = std::make_unique<InProcessClient>(*berth, berth.get(), ClientKind::Window);
        QObject::connect(client.get(), &EngineClient::event, client.get(),
                         [this](const Event &event) { events << event; });
        waitUntil([this] { return client->isConnected(); });
    }
    //! \a kill: nothing is written any more, as when the process is killed.
    void close(bool byUser, bool kill = false)
    {
        if (!berth)
            return;
        client.reset();
        spin(std::chrono::milliseconds(1));
        if (kill) {
            BERTH_EXPECT(await(storage->close()));
        }
        BERTH_EXPECT(await(berth->shutDown(byUser)));
        berth.reset();
        if (!kill)
            BERTH_EXPECT(await(storage->close()));
        storage.reset();
        events.clear();
    }
    void restart(bool byUser = false)
    {
        close(byUser);
        open();
    }

    template <typename Command>
    Result<typename Command::Reply> ask(const Command &command)
    {
        auto answer = std::make_shared<std::optional<Result<typename Command::Reply>>>();
        later(command, answer);
        if (!waitUntil([answer] { return answer->has_value(); }))
            return failure(ErrorKind::Timeout, QStringLiteral("the test waited in vain"));
        return **answer;
    }
    template <typename Command>
    domain::RequestId later(const Command &command,
                            std::shared_ptr<std::optional<Result<typename Command::Reply>>> answer)
    {
        return deliver(
            client.get(), *client, command,
            [answer](const Result<typename Command::Reply> &reply) { answer->emplace(reply); });
    }

    //! A thread in a sandbox that runs.
    Started newThread()
    {
        NewThread command;
        command.agent = domain::AgentId(QStringLiteral("default"));
        command.config = domain::ConfigName(QStringLiteral("scripted"));
        command.text = QStringLiteral("!true");
        const Result<Started> started = ask(command);
        if (!started)
            qFatal("%s", told(started).constData());
        waitUntil([&] {
            GetToolCall get{started->toolCall};
            const auto call = ask(get);
            return call && call->outcome.has_value();
        });
        return *started;
    }
    Result<ProcessView> startIn(const QString &target, const QString &text, int columns = 0,
                                int rows = 0)
    {
        StartProcess command;
        command.target = target;
        command.shellText = text;
        command.columns = columns;
        command.rows = rows;
        return ask(command);
    }
    std::optional<ProcessView> process(const domain::ProcessId &id)
    {
        const Result<Snapshot> snapshot = ask(GetSnapshot{});
        for (const ProcessView &view : snapshot->processes) {
            if (view.id == id)
                return view;
        }
        return std::nullopt;
    }
    bool comesTo(const domain::ProcessId &id, ProcessState state)
    {
        return waitUntil(
            [&] {
                const auto view = process(id);
                return view && view->state == state;
            },
            std::chrono::milliseconds(8000));
    }
    //! All that is there; one answer ends where a piece of the log does.
    QByteArray outputOf(const domain::ProcessId &id, qint64 offset = 0)
    {
        QByteArray all;
        ReadProcess read;
        read.process = id;
        read.offset = offset;
        for (;;) {
            const Result<OutputChunk> chunk = ask(read);
            if (!chunk)
                return "error: " + told(chunk);
            all += chunk->bytes;
            read.offset = chunk->offset + chunk->bytes.size();
            if (chunk->bytes.isEmpty() || read.offset >= chunk->total)
                return all;
        }
    }
    bool says(const domain::ProcessId &id, const QByteArray &all)
    {
        return waitUntil([&] { return outputOf(id) == all; }, std::chrono::milliseconds(8000));
    }

private:
    static void BERTH_EXPECT(const Result<void> &result)
    {
        if (!result)
            qWarning("%s", told(result).constData());
    }

    QString m_directory;

public:
    std::shared_ptr<ScriptedEngine> engine;
    std::unique_ptr<storage::Storage> storage;
    std::unique_ptr<Engine> berth;
    std::unique_ptr<EngineClient> client;
    QList<Event> events;
};

} // namespace berth::test
