// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/script/local_scripts.h"
#include "support/command_run.h"
#include "support/shell_snippets.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace std::chrono_literals;

namespace berth::test {

using domain::ErrorKind;
using domain::OutcomeKind;
using domain::OutputStream;

namespace {

enum Shell { Bash, Dash, Busybox, Shells };
const char *const kNames[] = {"bash", "dash", "busybox"};

QByteArray valueOf(const domain::Environment &environment, const QByteArray &name)
{
    for (const auto &[key, value] : environment)
        if (key == name)
            return value;
    return {};
}

} // namespace

//! The scripts that commands become: as if the text had been run by itself, and found again to
//! stop it.
class TestTrackedCommand : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void cleanup();

    void words();
    void sameAsPlain_data();
    void sameAsPlain();
    void carriesEverything();
    void carriesOutputByBytes();
    void tracksDirectoryAndEnvironment();
    void signalsAndCodes();
    void refusals();
    void timeoutKills();
    void stopKillsAllAndNothingElse();
    void stopBeforeItBegan();
    void withoutPlaceForFiles();
    void placeOfSomebodyElse();
    void askedInsteadOfTold();
    void inputIsPassed();
    void marksInPieces();
    void marksOfNonsense();

private:
    [[nodiscard]] LocalScripts::Traits traits(int shell) const
    {
        LocalScripts::Traits traits;
        traits.shell = QStringList{m_shells[shell]};
        traits.temporary = m_directory.path();
        return traits;
    }
    [[nodiscard]] LocalTrackedShell tracked(int shell, bool binary = true) const
    {
        net::TrackedOptions options;
        options.isBinarySafe = binary;
        options.shell = QFile::encodeName(m_shells[shell]);
        return {traits(shell), options};
    }
    //! Exit code and output of a script.
    net::ScriptResult script(int shell, const QByteArray &text)
    {
        LocalScripts scripts(traits(shell));
        const auto result = await(scripts.run({text, {}, 20s}, {}));
        return result ? *result : net::ScriptResult{-1, {}, told(result)};
    }
    [[nodiscard]] QByteArray path(const char *name) const
    {
        return QFile::encodeName(m_directory.path()) + '/' + name;
    }

    QTemporaryDir m_directory;
    QString m_shells[Shells];
};

void TestTrackedCommand::initTestCase()
{
    QVERIFY(QFile::exists(QStringLiteral("/bin/bash")) && QFile::exists(QStringLiteral("/bin/dash"))
            && QFile::exists(QStringLiteral("/bin/busybox")));
    m_shells[Bash] = QStringLiteral("/bin/bash");
    m_shells[Dash] = QStringLiteral("/bin/dash");
    m_shells[Busybox] = m_directory.filePath(QStringLiteral("bin/sh"));
    QVERIFY(QDir(m_directory.path()).mkdir(QStringLiteral("bin")));
    QVERIFY(QFile::link(QStringLiteral("/bin/busybox"), m_shells[Busybox]));
    for (const char *name : {"bash", "dash", "busybox", "plain"})
        QVERIFY(QDir(m_directory.path()).mkdir(QString::fromLatin1(name)));
}

void TestTrackedCommand::cleanupTestCase()
{
    // Nothing stays but the directory itself, which is private.
    const QDir kept(m_directory.filePath(QStringLiteral(".berth")));
    QVERIFY(kept.exists());
    QCOMPARE(QFile::permissions(kept.path())
                 & ~(QFile::ReadUser | QFile::WriteUser | QFile::ExeUser),
             QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    QCOMPARE(kept.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList());
    // QTemporaryDir cannot name all of them.
    script(Dash, "rm -rf ./*");
}

void TestTrackedCommand::cleanup()
{
    // The files of a command are removed right behind its end.
    const QDir kept(m_directory.filePath(QStringLiteral(".berth")));
    QVERIFY(waitUntil(
        [&kept] {
            return kept.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).isEmpty();
        },
        3s));
}

void TestTrackedCommand::words()
{
    QList<QByteArray> all{"",
                          "a b",
                          "it's",
                          "'",
                          "''",
                          "\n",
                          "a\n\n",
                          "\xff",
                          "\xff\n",
                          "\xff\n\n",
                          "-n\xff",
                          "%s%d\\n\xff",
                          "\x01\x1b\r\t",
                          "$HOME `id` \"$(x)\" !! \\",
                          "h\xc3\xa9'\n'\xe6\xbc\xa2",
                          "\xff' $(x) `y` \" \\"};
    QByteArray bytes;
    for (int i = 1; i < 256; ++i)
        bytes += static_cast<char>(i);
    all.append(bytes);
    QByteArray text = "printf '%s\\0'";
    for (const QByteArray &one : all)
        text += ' ' + net::shellWord(one);
    for (int i = 0; i < Shells; ++i)
        QCOMPARE(script(i, text).out.split('\0').mid(0, all.size()), all);
}

void TestTrackedCommand::sameAsPlain_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("tracked");
    QTest::addColumn<QByteArray>("value");
    // A trap that writes a file can less than the runner's.
    const QMap<QByteArray, QByteArray> losses{};
    const QList<ShellSnippet> all = shellSnippets();
    for (const ShellSnippet &one : all)
        QTest::newRow(one.name) << one.text << losses.value(one.name, one.tracked) << one.value;
}

void TestTrackedCommand::sameAsPlain()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, tracked);
    QFETCH(QByteArray, value);
    QByteArray got;
    domain::CommandSpec spec = shellCommand(text);
    spec.trackState = true;
    // Each in a directory of its own, so that they can run at the same time.
    std::vector<std::unique_ptr<CommandRun>> runs;
    for (int i = 0; i < Shells; ++i) {
        spec.cwd = path(kNames[i]);
        LocalTrackedShell shell = this->tracked(i, text.size() % 2 == 0);
        runs.push_back(start(shell, spec));
        QVERIFY(runs.back());
    }
    for (int i = 0; i < Shells; ++i) {
        const PlainRun plain = plainRun(m_shells[i], text, path("plain"));
        QVERIFY(runs[std::size_t(i)]->waitForEnd(10s));
        const CommandRun &command = *runs[std::size_t(i)];
        const Finished finished{command.outcome(), command.out, command.err, command.elapsed()};
        const QByteArray where = QByteArray(kNames[i]) + ": " + told(finished)
            + "\nplain: " + QByteArray::number(plain.code) + ", out: " + plain.out.left(400)
            + ", err: " + plain.err.left(400);
        QVERIFY2(finished.outcome.kind
                     == (plain.signalled ? OutcomeKind::Signalled : OutcomeKind::Exited),
                 where.constData());
        QVERIFY2(finished.outcome.code == plain.code, where.constData());
        QVERIFY2(finished.out == plain.out, where.constData());
        QByteArray err = finished.err;
        // bash shows the line, and in front of it stands the trap
        if (const qsizetype trap = err.indexOf("`trap '"); trap >= 0)
            err.remove(trap + 1, err.indexOf("EXIT; ", trap) + 6 - trap - 1);
        QVERIFY2(err == plain.err, where.constData());
        got += finished.outcome.environment ? 't' : '-';
        if (finished.outcome.environment)
            QVERIFY2(valueOf(*finished.outcome.environment, "M") == value,
                     (where + "\nM: " + valueOf(*finished.outcome.environment, "M").left(80))
                         .constData());
    }
    QCOMPARE(got, tracked);
}

void TestTrackedCommand::carriesEverything()
{
    const QList<QByteArray> arguments{"a b",      "it's \"so\"", "new\nline\n", "",
                                      "*",        "$HOME",       "`id`",        "-n",
                                      "\xff\xfe", "%s\\n",       "--",          "\x01\x1b"};
    domain::Environment environment{{"A", "first"},    {"B", "two\nlines = 'x'\n"},
                                    {"A", "last"},     {"C", ""},
                                    {"UID", "7"},      {"IFS", "x"},
                                    {"odd.name", "1"}, {"_bd", "kept"},
                                    {"E", "\xff\n"},   {"PPID", "3"}};
    for (int i = 0; i < Shells; ++i) {
        LocalTrackedShell shell = tracked(i);
        domain::CommandSpec spec =
            program(QList<QByteArray>{"/usr/bin/printf", "[%s]"} + arguments);
        QByteArray expected;
        for (const QByteArray &argument : arguments)
            expected += '[' + argument + ']';
        const Finished printed = run(shell, spec);
        QCOMPARE(printed.out, expected);
        spec = program({"env", "-0"});
        spec.environment = environment;
        const Finished listed = run(shell, spec);
        const QList<QByteArray> entries = listed.out.split('\0');
        for (const char *entry :
             {"A=last", "B=two\nlines = 'x'\n", "C=", "UID=7", "IFS=x", "odd.name=1", "_bd=kept",
              "E=\xff\n", "PPID=3", "BASE=base value"})
            QVERIFY2(entries.contains(entry), (QByteArray(kNames[i]) + entry).constData());
        QVERIFY(!entries.contains("A=first"));
        // A directory with a name to trip over, and a program found by the command's own PATH.
        const QByteArray odd = path("-o 'd\n\xff");
        QCOMPARE(script(i, "mkdir -p " + net::shellWord(odd)).code, 0);
        spec = shellCommand("/bin/readlink /proc/self/cwd");
        spec.cwd = odd;
        QCOMPARE(run(shell, spec).out, odd + '\n');
        QCOMPARE(script(i, "printf '#!/bin/sh\\necho own' >tool; chmod 755 tool").code, 0);
        spec = program({"tool"});
        spec.environment = {{"PATH", QFile::encodeName(m_directory.path())}};
        QCOMPARE(run(shell, spec).out, QByteArrayLiteral("own\n"));
    }
}

void TestTrackedCommand::carriesOutputByBytes()
{
    LocalTrackedShell shell = tracked(Dash);
    const Finished finished =
        run(shell,
            "printf 'a\\000\\036b\\036berth:\\036'; printf '\\036' >&2; printf '\\036berth' >&2");
    QCOMPARE(finished.out, QByteArray("a\0\036b\036berth:\036", 12));
    QCOMPARE(finished.err, QByteArrayLiteral("\036\036berth"));
    QVERIFY(run(shell, "head -c 3000000 /dev/zero").out == QByteArray(3'000'000, '\0'));
}

void TestTrackedCommand::tracksDirectoryAndEnvironment()
{
    for (int i = 0; i < Shells; ++i) {
        LocalTrackedShell shell = tracked(i, i != Dash);
        domain::CommandSpec spec = shellCommand(
            "mkdir -p 'odd\ndir\n'; cd /tmp; cd \"$OLDPWD/odd\ndir\n\"; export SIMPLE=1 "
            "MULTI='a\nb = \"c\"' ; export GONE=x; unset GONE; unset BASE; hidden=1; "
            "(cd /; export SUB=1); exit 3");
        spec.trackState = true;
        spec.environment = {{"GIVEN", "here"}};
        const Finished finished = run(shell, spec);
        QCOMPARE(finished.outcome.code, 3);
        QCOMPARE(finished.err, QByteArray());
        QVERIFY(finished.outcome.cwd && finished.outcome.environment);
        QCOMPARE(*finished.outcome.cwd, path("odd\ndir\n"));
        QMap<QByteArray, QByteArray> values;
        for (const auto &[name, value] : std::as_const(*finished.outcome.environment))
            values[name] = value;
        values.remove("OLDPWD");
        QCOMPARE(values,
                 (QMap<QByteArray, QByteArray>{
                     {"SIMPLE", "1"}, {"MULTI", "a\nb = \"c\""}, {"GIVEN", "here"}}));
        // A directory that is gone is not one to go to.
        spec = shellCommand("mkdir gone; cd gone; rmdir ../gone");
        spec.trackState = true;
        const Finished gone = run(shell, spec);
        QCOMPARE(gone.outcome.code, 0);
        QVERIFY(!gone.outcome.cwd || !gone.outcome.cwd->contains("deleted"));
        QCOMPARE(gone.err, QByteArray());
    }
}

void TestTrackedCommand::signalsAndCodes()
{
    const QList<std::tuple<QByteArray, OutcomeKind, int>> cases{
        {"kill -9 $$; sleep 9", OutcomeKind::Signalled, 9},
        {"kill -11 $$; sleep 9", OutcomeKind::Signalled, 11},
        {"kill -15 $$; sleep 9", OutcomeKind::Signalled, 15},
        {"sh -c 'kill -9 $$'; exit $?", OutcomeKind::Exited, 137},
        {"exit 143", OutcomeKind::Exited, 143},
        {"exit 255", OutcomeKind::Exited, 255},
        {"kill 0; sleep 9", OutcomeKind::Signalled, 15},
        {"exec sh -c 'exit 7'", OutcomeKind::Exited, 7}};
    for (int i = 0; i < Shells; ++i) {
        LocalTrackedShell shell = tracked(i);
        for (const auto &[text, kind, code] : cases) {
            const Finished finished = run(shell, text);
            QVERIFY2(finished.outcome.kind == kind && finished.outcome.code == code
                         && (finished.err.isEmpty() || text.startsWith("sh -c")),
                     (QByteArray(kNames[i]) + ' ' + text + ": " + told(finished)).constData());
        }
        QCOMPARE(run(shell, program({"sh", "-c", "exit 5"})).outcome.code, 5);
    }
}

void TestTrackedCommand::refusals()
{
    QFile file(m_directory.filePath(QStringLiteral("file")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int i = 0; i < Shells; ++i) {
        LocalTrackedShell shell = tracked(i);
        domain::CommandSpec spec = shellCommand("echo ran >" + path("ran"));
        const auto refused = [&shell](const domain::CommandSpec &command) {
            return await(shell.start(command, {}));
        };
        spec.cwd = "/no/such/directory";
        const auto missing = refused(spec);
        BERTH_FAILS(missing, ErrorKind::NotFound);
        QCOMPARE(missing.error().detail, QStringLiteral("/no/such/directory"));
        spec.cwd = path("file");
        BERTH_FAILS(refused(spec), ErrorKind::InvalidInput);
        const auto program = refused(test::program({"/no/such/program", "x"}));
        BERTH_FAILS(program, ErrorKind::NotFound);
        QCOMPARE(program.error().detail, QStringLiteral("/no/such/program"));
        BERTH_FAILS(refused(test::program({"no-such-program"})), ErrorKind::NotFound);
        BERTH_FAILS(refused(test::program({path("file")})), ErrorKind::Forbidden);
        BERTH_FAILS(refused(test::program({"/tmp"})), ErrorKind::Forbidden);
        QVERIFY(!QFile::exists(m_directory.filePath(QStringLiteral("ran"))));
    }
}

void TestTrackedCommand::timeoutKills()
{
    for (int i = 0; i < Shells; ++i) {
        LocalTrackedShell shell = tracked(i);
        domain::CommandSpec spec =
            shellCommand("printf partial; printf reason >&2; (sleep 61.25; touch late) & "
                         "trap '' TERM INT HUP; sleep 61.25; touch late");
        spec.timeout = 300ms;
        const Finished finished = run(shell, spec, 10s);
        QVERIFY2(finished.outcome.kind == OutcomeKind::TimedOut, told(finished).constData());
        QCOMPARE(finished.out, QByteArrayLiteral("partial"));
        QCOMPARE(finished.err, QByteArrayLiteral("reason"));
        QVERIFY(finished.elapsed >= 250ms && finished.elapsed < 3s);
        // One that ends by itself is not waited for.
        spec = shellCommand("exit 4");
        spec.timeout = 60s;
        const Finished quick = run(shell, spec, 10s);
        QCOMPARE(quick.outcome.code, 4);
        QVERIFY(quick.elapsed < 3s);
    }
    QCOMPARE(script(Dash, "pgrep -f '^sleep 61.25'").out, QByteArray());
}

void TestTrackedCommand::stopKillsAllAndNothingElse()
{
    const QList<QByteArray> texts{
        "echo up; sleep 71.25",
        "trap '' TERM INT HUP; echo up; sleep 71.25; sleep 71.25",
        "setsid sh -c 'trap \"\" TERM; setsid sh -c \"sleep 71.25 & sleep 71.25\" & sleep 71.25' "
        ">/dev/null 2>&1 & echo up; sleep 71.25",
        "( (sleep 71.25) & ) ; echo up; sleep 71.25",
        "env -i sleep 71.25 & echo up; exec env -i sleep 71.25",
        "(sleep 0.2; kill -STOP $$) & (sleep 71.25) & echo up; wait",
        "echo up; while :; do setsid sleep 71.25 & sleep 0.02; done"};
    for (int i = 0; i < Shells; ++i) {
        LocalTrackedShell shell = tracked(i);
        const auto bystander = start(shell, shellCommand("echo up; sleep 1.5; exit 7"));
        QVERIFY(bystander && bystander->waitForOutput("up"));
        std::vector<std::unique_ptr<CommandRun>> runs;
        for (const QByteArray &text : texts) {
            runs.push_back(start(shell, shellCommand(text)));
            QVERIFY(runs.back());
        }
        for (const auto &one : runs)
            QVERIFY(one->waitForOutput("up"));
        spin(300ms);
        for (const auto &one : runs)
            one->execution().stop();
        for (std::size_t k = 0; k < runs.size(); ++k) {
            QVERIFY2(runs[k]->waitForEnd(8s), texts.at(int(k)).constData());
            QCOMPARE(runs[k]->outcome().kind, OutcomeKind::Cancelled);
            QCOMPARE(runs[k]->out, QByteArrayLiteral("up\n"));
        }
        const auto noneLeft = [this] {
            return script(Dash, "pgrep -f '^sleep 71.25'").out.isEmpty();
        };
        QVERIFY2(waitUntil(noneLeft, 3s), script(Dash, "pgrep -af '^sleep 71.25'").out.constData());
        QVERIFY(bystander->waitForEnd(5s));
        QCOMPARE(bystander->outcome().kind, OutcomeKind::Exited);
        QCOMPARE(bystander->outcome().code, 7);
    }
}

void TestTrackedCommand::stopBeforeItBegan()
{
    for (int i = 0; i < Shells; ++i) {
        const QByteArray id = net::newRunId();
        const net::TrackedCommand command =
            net::trackedCommand(shellCommand("touch " + path("began")), id);
        const net::ScriptResult stopped = script(i, command.stopScript);
        QCOMPARE(stopped.code, 0);
        QCOMPARE(stopped.out + stopped.err, QByteArray());
        const net::ScriptResult late = script(i, command.script);
        QCOMPARE(late.code, 125);
        QVERIFY(!QFile::exists(m_directory.filePath(QStringLiteral("began"))));
        net::MarkReader reader(id);
        reader.feed(OutputStream::Stderr, late.err);
        QCOMPARE(reader.state().phase, net::CommandState::Phase::Refused);
        QCOMPARE(reader.state().refusal->kind, ErrorKind::Cancelled);
    }
}

void TestTrackedCommand::withoutPlaceForFiles()
{
    QFile blocked(m_directory.filePath(QStringLiteral("blocked")));
    QVERIFY(blocked.open(QIODevice::WriteOnly));
    for (int i = 0; i < Shells; ++i) {
        domain::CommandSpec spec = shellCommand("export M=1; echo out; echo err >&2; exit 3");
        spec.trackState = true;
        const QByteArray id = net::newRunId();
        net::TrackedOptions options;
        options.shell = QFile::encodeName(m_shells[i]);
        const net::TrackedCommand command = net::trackedCommand(spec, id, options);
        const net::ScriptResult result =
            script(i, "TMPDIR=" + path("blocked") + "; " + command.script);
        net::MarkReader reader(id);
        QCOMPARE(reader.feed(OutputStream::Stdout, result.out), QByteArrayLiteral("out\n"));
        QCOMPARE(reader.feed(OutputStream::Stderr, result.err), QByteArrayLiteral("err\n"));
        QVERIFY(reader.isOver());
        QCOMPARE(reader.state().code, 3);
        QVERIFY(!reader.state().environment && !reader.state().cwd);
    }
}

void TestTrackedCommand::placeOfSomebodyElse()
{
    if (::geteuid() != 0)
        QSKIP("only root can make a directory of somebody else");
    const QByteArray other = path("shared");
    QCOMPARE(script(Dash,
                    "mkdir -m 1777 shared; mkdir -m 777 shared/.berth; chown 4321 "
                    "shared/.berth")
                 .code,
             0);
    domain::CommandSpec spec = shellCommand(
        "export M=1; ls -ld " + other + "/.berth-*/ | cut -c1-10; ls -A " + other + "/.berth");
    spec.trackState = true;
    const QByteArray id = net::newRunId();
    const net::TrackedCommand command = net::trackedCommand(spec, id);
    const net::ScriptResult result = script(Dash, "TMPDIR=" + other + "; " + command.script);
    net::MarkReader reader(id);
    QCOMPARE(reader.feed(OutputStream::Stdout, result.out), QByteArrayLiteral("drwx------\n"));
    reader.feed(OutputStream::Stderr, result.err);
    QVERIFY(reader.state().environment.has_value());
}

void TestTrackedCommand::askedInsteadOfTold()
{
    using Phase = net::CommandState::Phase;
    net::TrackedOptions options;
    options.marks = false;
    for (int i = 0; i < Shells; ++i) {
        options.shell = QFile::encodeName(m_shells[i]);
        const auto asked = [&](const net::TrackedCommand &command) {
            const net::ScriptResult printed = script(i, command.resultScript);
            const auto state = net::readCommandState(printed.out);
            if (!state)
                qWarning("%s: %s", kNames[i], (printed.out + printed.err).constData());
            return state.value_or(net::CommandState());
        };
        domain::CommandSpec spec = shellCommand("export M='x\ny'; cd /usr; exit 6");
        spec.trackState = true;
        net::TrackedCommand command = net::trackedCommand(spec, net::newRunId(), options);
        QCOMPARE(asked(command).phase, Phase::Unknown);
        const net::ScriptResult result = script(i, command.script);
        QCOMPARE(result.code, 6);
        QCOMPARE(result.out + result.err, QByteArray());
        const net::CommandState ended = asked(command);
        QCOMPARE(ended.phase, Phase::Ended);
        QCOMPARE(ended.code, 6);
        QCOMPARE(ended.cwd.value_or(""), QByteArrayLiteral("/usr"));
        QVERIFY(ended.environment.has_value());
        QCOMPARE(valueOf(*ended.environment, "M"), QByteArrayLiteral("x\ny"));
        QCOMPARE(asked(command).phase, Phase::Unknown);

        command = net::trackedCommand(shellCommand("echo up; sleep 72"), net::newRunId(), options);
        LocalScripts scripts(traits(i));
        const auto landing = std::make_shared<detail::Landing<domain::Result<net::ScriptResult>>>();
        detail::land(scripts.run({command.script, {}, 20s}, {}), landing);
        QVERIFY(waitUntil([&] { return asked(command).phase == Phase::Running; }, 5s));
        QCOMPARE(script(i, command.stopScript).code, 0);
        QVERIFY(waitUntil([&] { return landing->value.has_value(); }, 5s));
        const net::CommandState stopped = asked(command);
        QCOMPARE(stopped.phase, Phase::Ended);
        QVERIFY(stopped.wasStopped && stopped.wasSignalled);

        spec = shellCommand("true");
        spec.cwd = "/none";
        command = net::trackedCommand(spec, net::newRunId(), options);
        script(i, command.script);
        const net::CommandState refused = asked(command);
        QCOMPARE(refused.phase, Phase::Refused);
        QCOMPARE(refused.refusal->kind, ErrorKind::NotFound);
    }
}

void TestTrackedCommand::inputIsPassed()
{
    for (int i = 0; i < Shells; ++i) {
        LocalTrackedShell shell = tracked(i);
        domain::CommandSpec spec = shellCommand("cat; echo end");
        spec.openInput = true;
        const auto command = start(shell, spec);
        QVERIFY(command);
        command->execution().writeInput("one\n");
        QVERIFY(command->waitForOutput("one\n"));
        command->execution().closeInput();
        QVERIFY(command->waitForEnd(5s));
        QCOMPARE(command->out, QByteArrayLiteral("one\nend\n"));
    }
}

void TestTrackedCommand::marksInPieces()
{
    const QByteArray id = net::newRunId();
    domain::CommandSpec spec =
        shellCommand("printf 'o\\036ut'; printf 'e\\036berth:x' >&2; exit 3");
    spec.trackState = true;
    net::TrackedOptions options;
    options.isBinarySafe = true;
    const net::ScriptResult all = script(Dash, net::trackedCommand(spec, id, options).script);
    for (qsizetype cut = 0; cut <= all.err.size(); ++cut) {
        net::MarkReader reader(id);
        QByteArray err = reader.feed(OutputStream::Stderr, all.err.left(cut));
        QVERIFY(!reader.isOver());
        err += reader.feed(OutputStream::Stderr, all.err.mid(cut));
        QCOMPARE(err, QByteArrayLiteral("e\036berth:x"));
        QCOMPARE(reader.state().phase, net::CommandState::Phase::Running);
        QByteArray out;
        for (const char byte : all.out)
            out += reader.feed(OutputStream::Stdout, QByteArray(1, byte));
        QCOMPARE(out, QByteArrayLiteral("o\036ut"));
        QCOMPARE(reader.state().phase, net::CommandState::Phase::Ended);
        QCOMPARE(reader.state().code, 3);
    }
    // Both streams in one, and what others still write.
    net::MarkReader reader(id, true);
    QCOMPARE(reader.feed(OutputStream::Stdout, "x" + all.err + "late"),
             QByteArrayLiteral("xe\036berth:x"));
    QVERIFY(reader.isOver());
    // A stream that breaks off loses nothing of the command's own.
    net::MarkReader cut(id);
    QCOMPARE(cut.feed(OutputStream::Stdout, "abc\036ber"), QByteArrayLiteral("abc"));
    QCOMPARE(cut.rest(OutputStream::Stdout), QByteArrayLiteral("\036ber"));
}

void TestTrackedCommand::marksOfNonsense()
{
    for (const char *text :
         {"", " over", "phase=", "phase=gone over", "phase=ended over", "phase=ended code=x over",
          "phase=ended code=300 over", "phase=ended code=0 state=b64:%%% over",
          "phase=ended code=0 state=xyz over", "phase=ended code=0 state=b64: over",
          "phase=ended code=0"})
        BERTH_FAILS(net::readCommandState(text), ErrorKind::Protocol);
    QVERIFY(net::commandProblem(shellCommand(QByteArray("a\0b", 3))).has_value());
    QVERIFY(!net::commandProblem(shellCommand("true")).has_value());
    const auto newer = net::readCommandState("phase=ended code=0 more=1 over");
    BERTH_OK(newer);
    net::MarkReader reader("abc");
    reader.feed(OutputStream::Stdout, "\036berth:abc:over\036");
    reader.feed(OutputStream::Stderr, "\036berth:abc:state\036phase=x\036berth:abc:over\036");
    QVERIFY(reader.isOver());
    QCOMPARE(reader.state().phase, net::CommandState::Phase::Unknown);
    QCOMPARE(net::outcomeOf(reader.state()).kind, OutcomeKind::TransportLost);
}

} // namespace berth::test

QTEST_GUILESS_MAIN(berth::test::TestTrackedCommand)
#include "test_tracked_command.moc"
