// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/export/thread_export.h"
#include "cli/support/cli_run.h"
#include "domain/text.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

#include <nlohmann/json.hpp>

using namespace berth;
using namespace berth::application;
using namespace berth::test;
using nlohmann::json;

namespace {

const QString kThread = ScriptedEngine::uuid('1', 1);

MessageView said(int seq, domain::MessageRole role, const QString &text,
                 const QString &run = QStringLiteral("r1"))
{
    MessageView message;
    message.thread = domain::ThreadId(kThread);
    message.seq = seq;
    message.run = domain::RunId(run);
    message.role = role;
    message.text = text;
    message.createdAt = domain::nowUtc();
    return message;
}

ToolCallView called(int number, const QString &command, const QString &run = QStringLiteral("r1"))
{
    ToolCallView call;
    call.id = domain::ToolCallId(ScriptedEngine::uuid('d', number));
    call.thread = domain::ThreadId(kThread);
    call.run = domain::RunId(run);
    call.seq = number;
    call.tool = QStringLiteral("shell");
    call.command = command;
    call.state = domain::ToolCallState::Done;
    call.outcome = domain::OutcomeKind::Exited;
    call.exitCode = 3;
    call.durationMs = 18'400;
    return call;
}

//! A thread in which all happens that is written down.
void fillThread(ScriptedEngine &engine)
{
    using domain::MessageRole;
    ThreadDetail &detail = engine.details[domain::ThreadId(kThread)];
    for (ThreadView &view : engine.state.threads) {
        if (view.id.toString() == kThread)
            view.draft = QStringLiteral("not yet sent");
    }
    detail.thread.draft = QStringLiteral("not yet sent");
    MessageView old = said(1, MessageRole::User, QStringLiteral("Fix tset"));
    old.superseded = true;
    MessageView reply =
        said(3, MessageRole::Agent, QStringLiteral("Running **it**:"), QStringLiteral("r2"));
    reply.reasoning = QStringLiteral("First\nlook");
    // Its calls in its order, though the second one ended first.
    reply.toolCalls = {domain::ToolCallId(ScriptedEngine::uuid('d', 2)),
                       domain::ToolCallId(ScriptedEngine::uuid('d', 1))};
    detail.messages = {
        said(4, MessageRole::User, QStringLiteral("!ls"), QStringLiteral("r3")), reply,
        said(2, MessageRole::User, QStringLiteral("Fix test"), QStringLiteral("r2")), old};
    ToolCallView edit = called(1, QStringLiteral("a.py"), QStringLiteral("r2"));
    edit.tool = QStringLiteral("edit_file");
    edit.diff = QStringLiteral("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+``` y\n");
    ToolCallView run = called(2, QStringLiteral("pytest -x"), QStringLiteral("r2"));
    run.peakMemoryBytes = 212'000'000;
    run.cpuTimeMs = 1300;
    ToolCallView own = called(3, QStringLiteral("ls"), QStringLiteral("r3"));
    own.exitCode = 0;
    detail.toolCalls = {edit, run, own};
}

//! Outputs of calls, by their command, in place of what the scripted engine would answer.
void playOutputs(ScriptedEngine &engine, const QHash<QString, QByteArray> &outputs,
                 const std::shared_ptr<qint64> &most = {})
{
    ThreadDetail &detail = engine.details[domain::ThreadId(kThread)];
    QHash<domain::ToolCallId, QByteArray> byId;
    for (ToolCallView &call : detail.toolCalls) {
        byId.insert(call.id, outputs.value(call.command));
        call.outputBytes = byId[call.id].size();
    }
    engine.players.insert(
        QString::fromLatin1(ReadOutput::kName), [byId, most](const ScriptedEngine::Ask &ask) {
            const auto command = decode<ReadOutput>(ask.arguments);
            OutputChunk chunk;
            chunk.toolCall = command->toolCall;
            chunk.offset = command->offset;
            chunk.total = byId.value(command->toolCall).size();
            chunk.bytes = byId.value(command->toolCall).mid(command->offset, command->limit);
            chunk.segments = {{domain::OutputStream::Stdout, chunk.bytes.size()}};
            if (most)
                *most += chunk.bytes.size();
            ask.reply(chunk);
        });
}

class TestThreadExport : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void markdown_data() { transports(); }
    void markdown()
    {
        Stage stage;
        stage.engine.onEngine([](ScriptedEngine &engine) {
            fillThread(engine);
            playOutputs(engine,
                        {{QStringLiteral("pytest -x"), "\x1b[31mF\x1b[0m failed\n"},
                         {QStringLiteral("ls"), "a.py\n"}});
        });
        CliRun run(*stage.client, {QStringLiteral("thread"), QStringLiteral("export"), kThread});
        QVERIFY(run.waitForEnd());
        QCOMPARE(*run.code, 0);
        const QByteArray text = run.out.taken;
        QVERIFY2(text.startsWith("# first\n"), text.constData());
        // In order: the replaced message, its successor, the reply, its calls as it names them.
        const QList<QByteArray> order{"replaced by a later edit",
                                      "Fix tset",
                                      "Fix test",
                                      "> First\n> look",
                                      "Running **it**",
                                      "pytest -x",
                                      "F failed",
                                      "```` y",
                                      "!ls"};
        qsizetype at = 0;
        for (const QByteArray &piece : order) {
            const QByteArray wanted = piece == "```` y" ? QByteArray("+``` y") : piece;
            const qsizetype found = text.indexOf(wanted, at);
            QVERIFY2(found >= 0,
                     (wanted + " is not behind what stands before it in\n" + text).constData());
            at = found;
        }
        QVERIFY(text.contains("exit code 3 \xc2\xb7 18.4 s"));
        QVERIFY(text.contains("peak 212.0 MB") && text.contains("1.3 s CPU"));
        // A fence that its inside cannot end.
        QVERIFY(text.contains("````diff\n"));
        QVERIFY(!text.contains('\x1b'));
        QVERIFY(!text.contains("not yet sent"));
        QCOMPARE(text.count("### "), 3);
    }

    void jsonForm_data() { transports(); }
    void jsonForm()
    {
        Stage stage;
        stage.engine.onEngine([](ScriptedEngine &engine) {
            fillThread(engine);
            playOutputs(engine,
                        {{QStringLiteral("pytest -x"), QByteArray("\xff\xfe", 2)},
                         {QStringLiteral("ls"), "a.py\n"}});
        });
        CliRun run(*stage.client,
                   {QStringLiteral("thread"), QStringLiteral("export"), kThread,
                    QStringLiteral("--json")});
        QVERIFY(run.waitForEnd());
        QCOMPARE(*run.code, 0);
        const json object = json::parse(run.out.taken.begin(), run.out.taken.end(), nullptr, false);
        QVERIFY2(object.is_object(), run.told().constData());
        QCOMPARE(object["format"].get<std::string>(), std::string("berth-thread"));
        QVERIFY(!object["thread"].contains("draft"));
        const json &entries = object["entries"];
        QCOMPARE(entries.size(), size_t(7));
        QVERIFY(entries[0]["superseded"].get<bool>());
        QCOMPARE(entries[2]["reasoning"].get<std::string>(), std::string("First\nlook"));
        QCOMPARE(entries[3]["kind"].get<std::string>(), std::string("tool_call"));
        QCOMPARE(entries[3]["command"].get<std::string>(), std::string("pytest -x"));
        QCOMPARE(entries[3]["exit_code"].get<int>(), 3);
        QCOMPARE(entries[3]["output"]["pieces"][0]["base64"].get<std::string>(),
                 std::string("//4="));
        QVERIFY(entries[4]["diff"].get<std::string>().find("+``` y") != std::string::npos);
        QCOMPARE(entries[6]["output"]["pieces"][0]["text"].get<std::string>(),
                 std::string("a.py\n"));
    }

    void longOutputIsBounded_data() { transports(); }
    void longOutputIsBounded()
    {
        Stage stage;
        const auto read = std::make_shared<qint64>(0);
        stage.engine.onEngine([read](ScriptedEngine &engine) {
            fillThread(engine);
            playOutputs(engine,
                        {{QStringLiteral("pytest -x"),
                          "begin\n" + QByteArray(3 << 20, 'x') + "\nend of it\n"}},
                        read);
        });
        CliRun run(*stage.client, {QStringLiteral("thread"), QStringLiteral("export"), kThread});
        QVERIFY(run.waitForEnd());
        QCOMPARE(*run.code, 0);
        QVERIFY(run.out.taken.contains("begin\n") && run.out.taken.contains("end of it"));
        const QByteArray leftOut = QByteArray::number((3 << 20) + 17 - 256 * 1024);
        QVERIFY2(run.out.taken.contains(leftOut + " of "), run.told().constData());
        QVERIFY(run.err.taken.contains("left out"));
        QVERIFY(*read <= 256 * 1024);
        QVERIFY(run.out.mostPending() < (1 << 20) + 512 * 1024);
    }

    void fileIsCompleteOrNotThere_data() { transports(); }
    void fileIsCompleteOrNotThere()
    {
        Stage stage;
        stage.engine.onEngine([](ScriptedEngine &engine) {
            fillThread(engine);
            playOutputs(engine, {{QStringLiteral("ls"), "a.py\n"}});
        });
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("thread.json"));
        const QStringList line{QStringLiteral("thread"),
                               QStringLiteral("export"),
                               kThread,
                               QStringLiteral("--format"),
                               QStringLiteral("json"),
                               QStringLiteral("--output"),
                               path};
        CliRun run(*stage.client, line);
        QVERIFY(run.waitForEnd());
        QVERIFY2(*run.code == 0, run.told().constData());
        QVERIFY(run.out.taken.isEmpty());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray before = file.readAll();
        QVERIFY(json::parse(before.begin(), before.end(), nullptr, false).is_object());
        file.close();
        // Lost in the middle, what was there stays.
        stage.engine.onEngine([](ScriptedEngine &engine) {
            engine.players.insert(
                QString::fromLatin1(ReadOutput::kName), [](const ScriptedEngine::Ask &ask) {
                    ask.fail({domain::ErrorKind::Unavailable, QStringLiteral("Gone"), {}, {}, {}});
                });
        });
        CliRun second(*stage.client, line);
        QVERIFY(second.waitForEnd());
        QVERIFY(*second.code != 0);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), before);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
    }

    void saysWhatCannotBe_data() { transports(); }
    void saysWhatCannotBe()
    {
        Stage stage;
        stage.engine.onEngine(fillThread);
        CliRun format(*stage.client,
                      {QStringLiteral("thread"), QStringLiteral("export"), kThread,
                       QStringLiteral("--format"), QStringLiteral("pdf")});
        QVERIFY(format.waitForEnd());
        QVERIFY(*format.code != 0);
        QVERIFY(format.err.taken.contains("markdown and json"));
        CliRun file(*stage.client,
                    {QStringLiteral("thread"), QStringLiteral("export"), kThread,
                     QStringLiteral("--output"), QStringLiteral("/no/such/folder/x.md")});
        QVERIFY(file.waitForEnd());
        QVERIFY(*file.code != 0);
        QVERIFY2(file.err.taken.contains("cannot be written"), file.told().constData());
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestThreadExport)
#include "test_thread_export.moc"
