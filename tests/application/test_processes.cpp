// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Background commands and terminals through the Engine's commands, on real files, in a sandbox that
// a test can break on purpose.
#include "application/processes/process_log.h"
#include "engine_house.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::application;
using namespace berth::test;
using domain::OutcomeKind;
using std::chrono::milliseconds;

namespace {

domain::Outcome exited(int code)
{
    domain::Outcome outcome;
    outcome.kind = OutcomeKind::Exited;
    outcome.code = code;
    return outcome;
}

qint64 bytesIn(const QString &folder)
{
    qint64 sum = 0;
    const QFileInfoList files = QDir(folder).entryInfoList({QStringLiteral("*.out")}, QDir::Files);
    for (const QFileInfo &file : files)
        sum += file.size();
    return sum;
}

} // namespace

class ProcessesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        m_engine = std::make_shared<ScriptedEngine>();
        m_guest = std::make_shared<ScriptedGuest>();
        m_engine->can = abilities(true, true);
        m_engine->open = [guest = m_guest](const ExternalId &) {
            return std::make_shared<JobConnection>(guest);
        };
        m_house = std::make_unique<EngineHouse>(m_directory->path(), m_engine);
    }
    void cleanup()
    {
        m_house.reset();
        m_directory.reset();
    }

    void aBackgroundCommandIsListedReadStoppedAndRemoved()
    {
        const Started started = m_house->newThread();
        domain::Terminal terminal;
        terminal.id = domain::TerminalId::create();
        terminal.thread = started.thread;
        terminal.lease = started.lease;
        terminal.cwd = QByteArrayLiteral("/srv");
        terminal.environmentDelta.append(
            std::pair(QByteArrayLiteral("MODE"), QByteArrayLiteral("dev")));
        BERTH_OK(await(m_house->storage->leases().saveTerminal(terminal)));
        const Result<ProcessView> view =
            m_house->startIn(started.thread.toString(), QStringLiteral("serve"));
        BERTH_OK(view);
        QCOMPARE(view->state, ProcessState::Running);
        QCOMPARE(view->kind, ProcessKind::Background);
        QCOMPARE(view->thread, started.thread);
        QCOMPARE(view->cwd, QStringLiteral("/srv"));
        const auto job = m_guest->only();
        QVERIFY(job);
        QVERIFY(job->command.background);
        QCOMPARE(job->command.cwd, QByteArrayLiteral("/srv"));
        QVERIFY(job->command.environment.contains(
            std::pair(QByteArrayLiteral("MODE"), QByteArrayLiteral("dev"))));
        QCOMPARE(job->job.tag, "process:" + view->id.toString().toUtf8());

        m_guest->say(job, QByteArrayLiteral("up\n"));
        m_guest->complain(job, QByteArrayLiteral("warm\n"));
        QVERIFY(m_house->says(view->id, QByteArrayLiteral("up\nwarm\n")));
        QCOMPARE(job->acknowledged, 8);
        ReadProcess read;
        read.process = view->id;
        const Result<OutputChunk> chunk = m_house->ask(read);
        BERTH_OK(chunk);
        QCOMPARE(chunk->segments.size(), 2);
        QCOMPARE(chunk->segments[1].stream, domain::OutputStream::Stderr);
        QVERIFY(!chunk->complete);
        RemoveProcess remove{view->id};
        BERTH_FAILS(m_house->ask(remove), ErrorKind::Conflict);

        // A reader who waits hears of the end.
        auto waiting = std::make_shared<std::optional<Result<OutputChunk>>>();
        read.offset = 8;
        read.waitMs = 20'000;
        m_house->later(read, waiting);
        StopProcess stop{view->id};
        const Result<ProcessView> stopped = m_house->ask(stop);
        BERTH_OK(stopped);
        QCOMPARE(stopped->state, ProcessState::Ended);
        QCOMPARE(stopped->outcome, std::optional(OutcomeKind::Cancelled));
        QVERIFY(waitUntil([&] { return waiting->has_value(); }, milliseconds(2000)));
        QVERIFY((*waiting)->value().complete);
        BERTH_OK(m_house->ask(stop));

        ListProcesses list{started.sandboxAlias};
        QCOMPARE(m_house->ask(list)->processes.size(), 1);
        BERTH_OK(m_house->ask(remove));
        QCOMPARE(m_house->ask(list)->processes.size(), 0);
        QVERIFY(QDir(m_directory->path() + QStringLiteral("/output/processes"))
                    .entryList(QDir::Dirs | QDir::NoDotAndDotDot)
                    .isEmpty());
        BERTH_FAILS(m_house->ask(stop), ErrorKind::NotFound);
        int grew = 0;
        int removed = 0;
        for (const Event &event : std::as_const(m_house->events)) {
            grew += std::holds_alternative<ProcessOutputGrew>(event.body) ? 1 : 0;
            removed += std::holds_alternative<ProcessRemoved>(event.body) ? 1 : 0;
        }
        QVERIFY(grew > 0);
        QCOMPARE(removed, 1);
    }

    void growthIsToldAtMostTwentyTimesASecond()
    {
        const Started started = m_house->newThread();
        const Result<ProcessView> view =
            m_house->startIn(started.sandboxAlias, QStringLiteral("chatter"));
        BERTH_OK(view);
        const auto job = m_guest->only();
        m_house->events.clear();
        for (int i = 0; i < 400; ++i) {
            m_guest->say(job, QByteArrayLiteral("x"));
            spin(milliseconds(1));
        }
        QVERIFY(m_house->says(view->id, QByteArray(400, 'x')));
        qsizetype grew = 0;
        for (const Event &event : std::as_const(m_house->events))
            grew += std::holds_alternative<ProcessOutputGrew>(event.body) ? 1 : 0;
        // At least 400 ms went by; on a busy machine more, which allows more.
        QVERIFY2(grew >= 4 && grew < 100, QByteArray::number(grew).constData());
    }

    void aTerminalHasItsSizeItsVariablesAndBackpressure()
    {
        const Started started = m_house->newThread();
        const Result<ProcessView> view = m_house->startIn(started.sandboxAlias, {}, 100, 30);
        BERTH_OK(view);
        QCOMPARE(view->kind, ProcessKind::Terminal);
        QCOMPARE(view->columns, 100);
        const auto job = m_guest->only();
        QCOMPARE(job->command.terminal->rows, 30);
        QVERIFY(job->command.shellText.contains("bash"));
        QVERIFY(job->command.environment.contains(
            std::pair(QByteArrayLiteral("TERM"), QByteArrayLiteral("xterm-256color"))));
        WriteProcess write;
        write.process = view->id;
        write.bytes = QByteArrayLiteral("ls\n");
        BERTH_OK(m_house->ask(write));
        QCOMPARE(job->input, QByteArrayLiteral("ls\n"));

        // Answers only when it was taken; more than a bound is refused meanwhile.
        job->takesInput = false;
        write.bytes = QByteArray(700'000, 'a');
        auto first = std::make_shared<std::optional<Result<Nothing>>>();
        m_house->later(write, first);
        spin(milliseconds(50));
        QVERIFY(!first->has_value());
        BERTH_FAILS(m_house->ask(write), ErrorKind::RateLimited);
        job->takesInput = true;
        job->follower->takeInput();
        QVERIFY(waitUntil([&] { return first->has_value(); }, milliseconds(3000)));
        BERTH_OK(**first);
        QCOMPARE(job->input.size(), 700'003);

        ResizeProcess resize{view->id, 132, 50};
        BERTH_OK(m_house->ask(resize));
        QCOMPARE(job->size, (domain::TerminalSize{132, 50}));
        QCOMPARE(m_house->process(view->id)->rows, 50);
        resize.columns = 0;
        BERTH_FAILS(m_house->ask(resize), ErrorKind::InvalidInput);
        m_guest->finish(job, exited(7));
        QVERIFY(m_house->comesTo(view->id, ProcessState::Ended));
        QCOMPARE(m_house->process(view->id)->exitCode, 7);
        BERTH_FAILS(m_house->ask(write), ErrorKind::Conflict);
    }

    void aLostConnectionIsUnknownUntilItIsFoundAgain()
    {
        const Started started = m_house->newThread();
        const Result<ProcessView> view =
            m_house->startIn(started.sandboxAlias, QStringLiteral("serve"));
        BERTH_OK(view);
        const auto job = m_guest->only();
        m_guest->say(job, QByteArrayLiteral("one\n"));
        QVERIFY(m_house->says(view->id, QByteArrayLiteral("one\n")));
        m_guest->loseConnections();
        QVERIFY(
            waitUntil([&] { return m_house->process(view->id)->state == ProcessState::Unknown; },
                      milliseconds(200)));
        QVERIFY(m_house->process(view->id)->detail.contains(QLatin1String("lost")));
        m_guest->say(job, QByteArrayLiteral("two\nthree\n"));
        // "two" fell out of the sandbox's memory.
        job->outKept = 8;
        QVERIFY(m_house->comesTo(view->id, ProcessState::Running));
        QVERIFY(m_house->says(view->id, QByteArrayLiteral("one\nthree\n")));
        const auto found = m_house->process(view->id);
        QCOMPARE(found->skippedBytes, 4);
        QCOMPARE(found->outputBytes, 10);
        QCOMPARE(m_engine->resumes, 0);
    }

    void itRunsOnOverARestartOfBerth()
    {
        const Started started = m_house->newThread();
        const Result<ProcessView> view = m_house->startIn(started.sandboxAlias, {}, 80, 24);
        BERTH_OK(view);
        const auto job = m_guest->only();
        m_guest->say(job, QByteArrayLiteral("one\n"));
        QVERIFY(m_house->says(view->id, QByteArrayLiteral("one\n")));
        m_house->close(false);
        QVERIFY(!job->outcome);
        m_guest->say(job, QByteArrayLiteral("two\n"));
        m_house->open();
        // Without anybody's asking: its sandbox runs.
        QVERIFY(m_house->comesTo(view->id, ProcessState::Running));
        QVERIFY(m_house->says(view->id, QByteArrayLiteral("one\ntwo\n")));
        // A record that a crash left behind its output is made good by the log itself.
        m_guest->say(job, QByteArrayLiteral("three\n"));
        QVERIFY(m_house->says(view->id, QByteArrayLiteral("one\ntwo\nthree\n")));
        m_house->close(false, true);
        m_guest->say(job, QByteArrayLiteral("four\n"));
        m_house->open();
        ListProcesses list;
        QCOMPARE(m_house->ask(list)->processes.first().state, ProcessState::Running);
        QVERIFY(m_house->says(view->id, QByteArrayLiteral("one\ntwo\nthree\nfour\n")));
        // And one that ended meanwhile has its last words and its code.
        m_house->close(false);
        m_guest->say(job, QByteArrayLiteral("bye\n"));
        m_guest->finish(job, exited(3));
        m_house->open();
        QVERIFY(m_house->comesTo(view->id, ProcessState::Ended));
        QCOMPARE(m_house->process(view->id)->exitCode, 3);
        QVERIFY(m_house->outputOf(view->id).endsWith("bye\n"));
    }

    void aPausedSandboxIsNotWokenToLook()
    {
        const Started started = m_house->newThread();
        const Result<ProcessView> view =
            m_house->startIn(started.sandboxAlias, QStringLiteral("serve"));
        BERTH_OK(view);
        PauseRuntime pause{started.lease.toString()};
        BERTH_OK(m_house->ask(pause));
        QCOMPARE(m_house->process(view->id)->state, ProcessState::Unknown);
        QVERIFY(m_house->process(view->id)->detail.contains(QLatin1String("stands still")));
        StopProcess stop{view->id};
        BERTH_FAILS(m_house->ask(stop), ErrorKind::Conflict);
        m_house->restart();
        const int connections = m_guest->connections;
        ListProcesses list;
        BERTH_OK(m_house->ask(list));
        spin(milliseconds(1500));
        QCOMPARE(m_house->process(view->id)->state, ProcessState::Unknown);
        QCOMPARE(m_guest->connections, connections);
        QCOMPARE(m_engine->resumes, 0);
        ResumeRuntime resume{started.lease.toString()};
        BERTH_OK(m_house->ask(resume));
        QVERIFY(m_house->comesTo(view->id, ProcessState::Running));
        BERTH_OK(m_house->ask(stop));
    }

    void whereNothingIsKeptTheReasonIsTold()
    {
        m_engine->can = abilities(false, false);
        const Started started = m_house->newThread();
        const Result<ProcessView> first =
            m_house->startIn(started.sandboxAlias, QStringLiteral("serve"));
        BERTH_OK(first);
        QVERIFY(m_house->process(first->id)->detail.contains(QLatin1String("Ends with Berth")));
        QVERIFY(m_house->berth->isInUse());
        PauseRuntime pause{started.lease.toString()};
        BERTH_OK(m_house->ask(pause));
        QVERIFY(m_house->comesTo(first->id, ProcessState::Ended));
        QVERIFY(m_house->process(first->id)->detail.startsWith(
            QLatin1String("Ended when the sandbox was paused: this place")));
        QVERIFY(!m_house->berth->isInUse());
        m_guest->restart();
        // Once with an orderly end, once without.
        for (const bool kill : {false, true}) {
            const Result<ProcessView> view =
                m_house->startIn(started.sandboxAlias, QStringLiteral("serve"));
            BERTH_OK(view);
            m_house->close(false, kill);
            m_guest->restart();
            m_house->open();
            QCOMPARE(m_house->process(view->id)->state, ProcessState::Ended);
            QVERIFY(m_house->process(view->id)->detail.startsWith(
                QLatin1String("Ended when Berth ended: this place")));
        }
    }

    void whatIsNoLongerThereIsTold()
    {
        const Started started = m_house->newThread();
        const Result<ProcessView> view =
            m_house->startIn(started.sandboxAlias, QStringLiteral("serve"));
        BERTH_OK(view);
        m_guest->restart();
        QVERIFY(m_house->comesTo(view->id, ProcessState::Ended));
        QCOMPARE(m_house->process(view->id)->outcome, std::optional(OutcomeKind::Interrupted));
        QVERIFY(m_house->process(view->id)->detail.contains(QLatin1String("no longer there")));
        const Result<ProcessView> second =
            m_house->startIn(started.sandboxAlias, QStringLiteral("serve"));
        BERTH_OK(second);
        DestroyRuntime destroy{started.lease.toString()};
        BERTH_OK(m_house->ask(destroy));
        QVERIFY(m_house->comesTo(second->id, ProcessState::Ended));
        QCOMPARE(m_house->process(second->id)->detail,
                 QStringLiteral("Ended when the sandbox was destroyed"));
    }

    //! Case 22 for processes: killed between the intent, the start and the commit.
    void aCrashAroundTheStartLosesNothing()
    {
        const Started started = m_house->newThread();
        const Result<ProcessView> running =
            m_house->startIn(started.sandboxAlias, QStringLiteral("serve"));
        BERTH_OK(running);
        auto records = await(m_house->storage->processes().processes());
        BERTH_OK(records);
        domain::ProcessRecord record = records->first();
        record.stage = domain::ProcessStage::Starting;
        BERTH_OK(await(m_house->storage->processes().saveProcess(record)));
        domain::ProcessRecord never = record;
        never.id = domain::ProcessId::create();
        never.outputRef = QStringLiteral("processes/") + never.id.toString();
        BERTH_OK(await(m_house->storage->processes().saveProcess(never)));
        domain::ProcessRecord early = never;
        early.id = domain::ProcessId::create();
        early.instance = {};
        early.outputRef = QStringLiteral("processes/") + early.id.toString();
        BERTH_OK(await(m_house->storage->processes().saveProcess(early)));
        m_house->close(false, true);
        // One of ours that the records do not have, and one that is not ours.
        const QByteArray ours = "process:" + domain::ProcessId::create().toString().toUtf8();
        const QByteArray theirs = domain::ToolCallId::create().toString().toUtf8();
        const QList<QByteArray> tags{ours, theirs};
        for (const QByteArray &tag : tags) {
            auto job = std::make_shared<ScriptedJob>();
            job->job.id = m_guest->next++;
            job->job.tag = tag;
            m_guest->jobs[job->job.id] = job;
        }
        m_house->open();
        QVERIFY(m_house->comesTo(running->id, ProcessState::Running));
        QVERIFY(m_house->comesTo(never.id, ProcessState::Ended));
        QCOMPARE(m_house->process(never.id)->outcome, std::optional(OutcomeKind::NotStarted));
        QCOMPARE(m_house->process(early.id)->outcome, std::optional(OutcomeKind::NotStarted));
        QVERIFY(waitUntil([&] { return m_house->ask(ListProcesses{})->processes.size() == 4; },
                          milliseconds(3000)));
        int adopted = 0;
        const QList<ProcessView> listed = m_house->ask(ListProcesses{})->processes;
        for (const ProcessView &view : listed)
            adopted += view.title == QLatin1String("Found in the sandbox") ? 1 : 0;
        QCOMPARE(adopted, 1);
    }

    void refusalsLeaveNothingBehind()
    {
        const Started started = m_house->newThread();
        BERTH_FAILS(m_house->startIn(QStringLiteral("nowhere"), QStringLiteral("x")),
                    ErrorKind::NotFound);
        BERTH_FAILS(m_house->startIn(started.sandboxAlias, {}), ErrorKind::InvalidInput);
        BERTH_FAILS(m_house->startIn(started.sandboxAlias, {}, 80, 0), ErrorKind::InvalidInput);
        m_guest->failStart =
            domain::Error{ErrorKind::InvalidInput, QStringLiteral("no such program"), {}, {}, {}};
        BERTH_FAILS(m_house->startIn(started.sandboxAlias, QStringLiteral("x")),
                    ErrorKind::InvalidInput);
        QCOMPARE(m_house->ask(ListProcesses{})->processes.size(), 0);
        BERTH_OK(await(m_house->storage->processes().processes()));
        QCOMPARE(await(m_house->storage->processes().processes())->size(), 0);
        m_guest->failStart.reset();
        for (int i = 0; i < 64; ++i)
            BERTH_OK(m_house->startIn(started.sandboxAlias, QStringLiteral("sleep")));
        BERTH_FAILS(m_house->startIn(started.sandboxAlias, QStringLiteral("sleep")),
                    ErrorKind::Quota);
        QCOMPARE(m_guest->jobs.size(), size_t(64));
        m_guest->finish(m_guest->jobs.begin()->second, exited(0));
        QVERIFY(waitUntil([&] {
            return m_house->startIn(started.sandboxAlias, QStringLiteral("sleep")).has_value();
        }));
    }

    void endedOnesAreForgottenBeyondABound()
    {
        const Started started = m_house->newThread();
        domain::ProcessId first;
        for (int i = 0; i < 52; ++i) {
            const Result<ProcessView> view =
                m_house->startIn(started.sandboxAlias, QStringLiteral("true"));
            BERTH_OK(view);
            if (i == 0)
                first = view->id;
            m_guest->finish(m_guest->jobs.rbegin()->second, exited(0));
            QVERIFY(m_house->comesTo(view->id, ProcessState::Ended) || !m_house->process(view->id));
        }
        QCOMPARE(m_house->ask(ListProcesses{})->processes.size(), 50);
        QVERIFY(!m_house->process(first));
        QVERIFY(waitUntil(
            [&] { return await(m_house->storage->processes().processes())->size() == 50; }));
    }

    void aStartIsCancelledByItsStop()
    {
        const Started started = m_house->newThread();
        DestroyRuntime destroy{started.lease.toString()};
        BERTH_OK(m_house->ask(destroy));
        m_engine->createTakes = milliseconds(20'000);
        StartProcess command;
        command.target = started.sandboxAlias;
        command.shellText = QStringLiteral("serve");
        auto answer = std::make_shared<std::optional<Result<ProcessView>>>();
        m_house->later(command, answer);
        QVERIFY(waitUntil([&] { return m_house->ask(GetSnapshot{})->processes.size() == 1; }));
        const ProcessView view = m_house->ask(GetSnapshot{})->processes.first();
        QCOMPARE(view.state, ProcessState::Starting);
        StopProcess stop{view.id};
        const Result<ProcessView> stopped = m_house->ask(stop);
        BERTH_OK(stopped);
        QCOMPARE(stopped->outcome, std::optional(OutcomeKind::Cancelled));
        QVERIFY(waitUntil([&] { return answer->has_value(); }));
        BERTH_FAILS(**answer, ErrorKind::Cancelled);
    }

    void recordsComeBackWhole()
    {
        const Started started = m_house->newThread();
        BERTH_OK(m_house->startIn(started.sandboxAlias, QStringLiteral("serve")));
        domain::ProcessRecord record = await(m_house->storage->processes().processes())->first();
        record.id = domain::ProcessId::create();
        record.terminal = domain::TerminalSize{132, 50};
        record.thread = started.thread;
        record.title = QStringLiteral("T\u00efm");
        record.cwd = QByteArrayLiteral("/a\xff\n");
        record.stage = domain::ProcessStage::Ended;
        domain::Outcome outcome;
        outcome.kind = OutcomeKind::Signalled;
        outcome.code = 9;
        outcome.detail = QStringLiteral("why");
        outcome.duration = milliseconds(1234);
        record.outcome = outcome;
        record.outputBytes = 5'000'000'000;
        record.skippedBytes = 7;
        record.outOffset = 5'000'000'007;
        record.errOffset = 1;
        record.endedAt = record.startedAt.addSecs(5);
        BERTH_OK(await(m_house->storage->processes().saveProcess(record)));
        const auto all = await(m_house->storage->processes().processes());
        BERTH_OK(all);
        QCOMPARE(all->size(), 2);
        const domain::ProcessRecord &back = all->at(0).id == record.id ? all->at(0) : all->at(1);
        QCOMPARE(back.lease, record.lease);
        QCOMPARE(back.instance, record.instance);
        QCOMPARE(back.thread, record.thread);
        QCOMPARE(back.terminal, record.terminal);
        QCOMPARE(back.title, record.title);
        QCOMPARE(back.cwd, record.cwd);
        QCOMPARE(back.stage, record.stage);
        QCOMPARE(back.outcome->kind, OutcomeKind::Signalled);
        QCOMPARE(back.outcome->code, 9);
        QCOMPARE(back.outcome->detail, QStringLiteral("why"));
        QCOMPARE(back.outcome->duration, milliseconds(1234));
        QCOMPARE(back.outputBytes, record.outputBytes);
        QCOMPARE(back.skippedBytes, 7);
        QCOMPARE(back.outOffset, record.outOffset);
        QCOMPARE(back.errOffset, 1);
        QCOMPARE(back.startedAt, record.startedAt);
        QCOMPARE(back.endedAt, record.endedAt);
        // A lease that does not exist, and an end without an outcome, are refused.
        domain::ProcessRecord lost = record;
        lost.lease = domain::LeaseId::create();
        lost.id = domain::ProcessId::create();
        QVERIFY(!await(m_house->storage->processes().saveProcess(lost)));
        record.outcome.reset();
        QVERIFY(!await(m_house->storage->processes().saveProcess(record)));
    }

    // ---- The log

    void aTerminalsLogKeepsTheEnd()
    {
        const QString folder = m_directory->filePath(QStringLiteral("log"));
        auto log = ProcessLog::open(folder, kTerminalLog);
        BERTH_OK(log);
        QByteArray block(64 * 1024, 'a');
        for (int i = 0; i < 1600; ++i) {
            block.fill(static_cast<char>('a' + i % 26));
            (*log)->append(domain::OutputStream::Stdout, block);
        }
        const qint64 total = qint64{1600} * block.size();
        QCOMPARE((*log)->size(), total);
        QVERIFY2(bytesIn(folder) <= kTerminalLog.most,
                 QByteArray::number(bytesIn(folder)).constData());
        QVERIFY(bytesIn(folder) > kTerminalLog.most / 2);
        // What is gone is said by the offset.
        const auto first = ProcessLog::read(folder, 0, 16);
        BERTH_OK(first);
        QCOMPARE(first->offset, total - bytesIn(folder));
        QCOMPARE(first->total, total);
        QCOMPARE(first->bytes.size(), 16);
        const auto last = ProcessLog::read(folder, -4, 16);
        QCOMPARE(last->offset, total - 4);
        QCOMPARE(last->bytes, QByteArray(4, static_cast<char>('a' + 1599 % 26)));
        // Opened again it goes on exactly there.
        log->reset();
        log = ProcessLog::open(folder, kTerminalLog);
        BERTH_OK(log);
        QCOMPARE((*log)->size(), total);
        QCOMPARE((*log)->outOffset(), total);
        QCOMPARE((*log)->skippedBytes(), 0);
    }

    void aBackgroundLogKeepsHeadAndTailAndCountsEachStream()
    {
        const QString folder = m_directory->filePath(QStringLiteral("log"));
        const LogLimits limits{1000, 4000, true};
        auto log = ProcessLog::open(folder, limits);
        BERTH_OK(log);
        QByteArray all;
        qint64 out = 0;
        qint64 err = 0;
        for (int i = 0; i < 500; ++i) {
            const QByteArray line = "line " + QByteArray::number(i) + '\n';
            const bool isErr = i % 7 == 0;
            (*log)->append(isErr ? domain::OutputStream::Stderr : domain::OutputStream::Stdout,
                           line);
            (isErr ? err : out) += line.size();
            all += line;
            if (i == 250) {
                (*log)->skip(domain::OutputStream::Stderr, 77);
                err += 77;
            }
            if (i % 100 == 99) {
                log->reset();
                log = ProcessLog::open(folder, limits);
                BERTH_OK(log);
            }
        }
        QCOMPARE((*log)->outOffset(), out);
        QCOMPARE((*log)->errOffset(), err);
        QCOMPARE((*log)->skippedBytes(), 77);
        QCOMPARE((*log)->size(), all.size());
        QVERIFY(bytesIn(folder) <= 4000);
        // Reading on from the start gives the head, then jumps to the tail.
        QByteArray read;
        QList<QPair<qint64, qint64>> gaps;
        for (qint64 at = 0; at < all.size();) {
            const auto chunk = ProcessLog::read(folder, at, 100'000);
            BERTH_OK(chunk);
            QVERIFY(!chunk->bytes.isEmpty());
            if (chunk->offset != at)
                gaps.append({at, chunk->offset});
            QCOMPARE(chunk->bytes, all.mid(chunk->offset, chunk->bytes.size()));
            at = chunk->offset + chunk->bytes.size();
        }
        QCOMPARE(gaps.size(), 1);
        QVERIFY(gaps[0].first >= 500 && gaps[0].first <= 1000);
    }

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    std::shared_ptr<ScriptedEngine> m_engine;
    std::shared_ptr<ScriptedGuest> m_guest;
    std::unique_ptr<EngineHouse> m_house;
};

QTEST_GUILESS_MAIN(ProcessesTest)
#include "test_processes.moc"
