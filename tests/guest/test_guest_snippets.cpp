// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "guest/guest_rig.h"

#include <QtCore/QFile>
#include <QtCore/QStandardPaths>
#include <QtTest/QTest>

#include <unistd.h>

using namespace std::chrono_literals;

namespace berth::test {

using domain::OutcomeKind;

namespace {

enum Shell { Bash, Dash, Busybox, Shells };

//! What a plain run of the same text says.
struct Plain
{
    bool signalled = false;
    int code = 0;
    QByteArray out;
    QByteArray err;
};

Plain plainRun(const QString &shell, const QByteArray &text, const QByteArray &directory)
{
    QProcess process;
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("PATH"), QStringLiteral("/usr/local/bin:/usr/bin:/bin"));
    environment.insert(QStringLiteral("BASE"), QStringLiteral("base value"));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(QFile::decodeName(directory));
    process.setStandardInputFile(QProcess::nullDevice());
    // Not by QProcess's arguments: those would go through the locale.
    const QByteArray program = QFile::encodeName(shell);
    process.setChildProcessModifier([program, text] {
        ::setsid();
        const char *const argv[] = {program.constData(), "-c", text.constData(), nullptr};
        ::execv(program.constData(), const_cast<char *const *>(argv));
        _exit(98);
    });
    process.start(QStringLiteral("/bin/true"), {});
    if (!process.waitForFinished(10000))
        return {};
    return {process.exitStatus() == QProcess::CrashExit, process.exitCode(),
            process.readAllStandardOutput(), process.readAllStandardError()};
}

QByteArray valueOf(const domain::Environment &environment, const QByteArray &name)
{
    for (const auto &[key, value] : environment)
        if (key == name)
            return value;
    return {};
}

} // namespace

//! Texts that trip over wrappers: the same exit, the same output as without Berth, and the state
//! either right or said to be unknown.
class TestGuestSnippets : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { m_rig.reset(); }
    void sameAsPlain_data();
    void sameAsPlain();

private:
    std::unique_ptr<GuestRig> m_rig;
    QString m_shells[Shells];
};

void TestGuestSnippets::initTestCase()
{
    m_rig = std::make_unique<GuestRig>(GuestMode::Root);
    QVERIFY2(m_rig->isOpen(), qUtf8Printable(m_rig->problem()));
    m_shells[Bash] = QStandardPaths::findExecutable(QStringLiteral("bash"));
    m_shells[Dash] = QStandardPaths::findExecutable(QStringLiteral("dash"));
    const QString busybox = QStandardPaths::findExecutable(QStringLiteral("busybox"));
    m_shells[Busybox] = QFile::decodeName(m_rig->directory()) + QStringLiteral("/sh");
    QVERIFY(!m_shells[Bash].isEmpty() && !m_shells[Dash].isEmpty() && !busybox.isEmpty());
    QVERIFY(QFile::link(busybox, m_shells[Busybox]));
}

void TestGuestSnippets::sameAsPlain_data()
{
    QTest::addColumn<QByteArray>("text");
    // Per shell (bash, dash, busybox): 't' the environment is tracked, '-' it is said not to be.
    QTest::addColumn<QByteArray>("tracked");
    QTest::addColumn<QByteArray>("value"); // of M at the end
    const auto row = [](const char *name, const QByteArray &text, const char *tracked,
                        const QByteArray &value = "1") {
        QTest::newRow(name) << text << QByteArray(tracked) << value;
    };
    const QByteArray m = "export M=1; ";
    row("plain", m + "echo a; echo b >&2", "ttt");
    row("exit", m + "exit 7", "ttt");
    row("exit in a subshell", m + "(export M=2; exit 3)", "ttt");
    row("last command fails", m + "false", "ttt");
    row("not found", m + "no-such-program", "ttt");
    row("not executable", m + "/etc/passwd", "ttt");
    row("set -e", m + "set -e; false; export M=2", "ttt");
    row("set -u", m + "set -u; echo $NOTHING; export M=2", "ttt");
    row("set -f, set --", m + "set -f; set -- a b; echo $# $* /*", "ttt");
    row("set -n", m + "set -n; echo never", "---");
    row("set -a", "set -a; M=1; echo $M", "ttt");
    row("syntax error, first line", "if; then", "---", "");
    row("syntax error, later line", m + "\necho first\n)", "ttt");
    row("unbalanced quote", m + "\necho 'open", "ttt");
    row("unbalanced double quote on the first line", m + "echo \"open", "---");
    row("unbalanced parenthesis", m + "\n(echo x", "ttt");
    row("unterminated substitution", m + "\necho $(echo x", "ttt");
    row("here-document", m + "cat <<E\n$M `echo b` \\$x\nE\n", "ttt");
    row("quoted here-document", m + "cat <<'E'\n$M `echo b`\nE\n", "ttt");
    row("unterminated here-document", m + "cat <<E\ntext", "ttt");
    row("two here-documents", m + "cat <<A; cat <<B\na\nA\nb\nB\n", "ttt");
    row("comment", m + "echo a # b", "ttt");
    row("only a comment", "# nothing", "ttt", "");
    row("trailing backslash", m + "echo a \\", "ttt");
    row("line continued", m + "echo a \\\n b", "ttt");
    row("empty", "", "ttt", "");
    row("newlines only", "\n\n", "ttt", "");
    row("carriage return", m + "echo a\r\n", "ttt");
    row("line numbers", m + "echo $LINENO\necho $LINENO", "ttt");
    row("error has its line", m + "\n\nno-such-program", "ttt");
    row("dollar zero and count", m + "echo \"$#\"; test -n \"$0\"; echo $?", "ttt");
    row("own EXIT trap", m + "trap 'echo bye' EXIT; exit 2", "---");
    row("EXIT trap removed", m + "trap - EXIT", "---");
    row("own INT trap", m + "trap 'echo int' INT; kill -2 $$; echo after", "ttt");
    row("exec a program", m + "exec printf x", "---");
    row("exec that fails", m + "exec /no/such", "-tt");
    row("exec redirects", m + "exec >out.txt 2>&1; echo hidden", "ttt");
    row("exec of another shell", m + "exec sh -c 'export M=2; exit 4'", "---");
    row("closes descriptors", m + "exec 3>&- 4>&- 5>&- 9>&-; echo x", "ttt");
    row("closes its output", m + "exec >&- 2>&-; true", "ttt");
    row("closes its input", m + "exec <&-; true", "ttt");
    row("unwritable directory", m + "cd /proc/self && echo x", "ttt");
    row("readonly PATH", m + "readonly PATH; echo x", "ttt");
    row("broken PATH", m + "PATH=/none; echo x", "ttt");
    row("no PATH", m + "unset PATH; echo x", "ttt");
    row("readonly variable", m + "readonly M; export X=1", "ttt");
    row("function named trap", m + "trap() { echo mine; }; trap x", "t--");
    row("function named exit", m + "foo() { return 5; }; foo", "ttt");
    row("alias", m + "alias ll=ls; echo x", "ttt");
    row("return at the top", m + "return 3; echo on", "ttt");
    row("break at the top", m + "break; echo x", "ttt");
    row("ulimit -n", m + "ulimit -n 20; echo x", "ttt");
    row("ulimit -c", m + "ulimit -c 0; echo x", "ttt");
    row("umask", m + "umask 077; umask", "ttt");
    row("100 KB variable",
        "export M=1; export B=$(head -c 100000 /dev/zero | tr '\\0' b); "
        "echo ${#B}",
        "ttt");
    row("newline in a value", "export M='a\nb = \"c\"'; echo \"$M\"", "ttt", "a\nb = \"c\"");
    row("bytes in a value", "export M=\"$(printf '\\377\\001x')\"", "ttt", "\xff\x01x");
    row("equals in a value", "export M='=a=b='", "ttt", "=a=b=");
    row("unset and again", m + "unset M; export M=2", "ttt", "2");
    row("background child", m + "(sleep 0.05; :) & echo early", "ttt");
    row("waits for children", m + "(exit 3) & wait $!", "ttt");
    row("pipe", m + "echo a | { read x; export M=2; echo $x; }", "ttt");
    row("kills itself with TERM", m + "kill -15 $$; sleep 1", "t--");
    row("kills itself with KILL", m + "kill -9 $$; sleep 1", "---");
    row("kills itself with SEGV", m + "kill -11 $$; sleep 1", "t--");
    row("stderr only", m + "echo e >&2; exit 1", "ttt");
    row("reads input", m + "read x || echo none; cat", "ttt");
    row("BASE goes away", m + "unset BASE; echo ${BASE-gone}", "ttt");
    row("eval", m + "eval 'echo \"it'\"'\"'s\"; export M=3'", "ttt", "3");
    row("dot", "echo 'export M=4; return 6' > dot.sh; . ./dot.sh", "ttt", "4");
    row("cd in a subshell", m + "(cd /usr); pwd | wc -l", "ttt");
    row("deep", m + "f() { if [ $1 -gt 0 ]; then f $(($1-1)); else exit 8; fi; }; f 40", "ttt");
    row("many lines", m + QByteArray(":\n").repeated(3000) + "echo end", "ttt");
}

void TestGuestSnippets::sameAsPlain()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, tracked);
    QFETCH(QByteArray, value);
    static const char *const names[] = {"bash", "dash", "busybox"};
    QByteArray got;
    for (int i = 0; i < Shells; ++i) {
        const Plain plain = plainRun(m_shells[i], text, m_rig->directory());
        net::GuestShellOptions options;
        options.homeDirectory = m_rig->directory();
        options.shell = QFile::encodeName(m_shells[i]);
        net::GuestShell shell(m_rig->sharedChannel(), options);
        domain::CommandSpec spec = shellCommand(text);
        spec.trackState = true;
        const Finished finished = test::run(shell, spec, 10s);
        const QByteArray where = QByteArray(names[i]) + ": " + told(finished)
            + "\nplain: " + QByteArray::number(plain.code) + ", out: " + plain.out.left(400)
            + ", err: " + plain.err.left(400);
        QVERIFY2(finished.outcome.kind
                     == (plain.signalled ? OutcomeKind::Signalled : OutcomeKind::Exited),
                 where.constData());
        QVERIFY2(finished.outcome.code == plain.code, where.constData());
        QVERIFY2(finished.out == plain.out, where.constData());
        QByteArray err = finished.err;
        if (text == "if; then") // bash shows the line, and in front of it stands the trap
            err.replace("trap '/proc/self/fd/197 dump' EXIT; ", "");
        QVERIFY2(err == plain.err, where.constData());
        got += finished.outcome.environment ? 't' : '-';
        if (finished.outcome.environment)
            QVERIFY2(
                valueOf(*finished.outcome.environment, "M") == value,
                (QByteArray(names[i]) + ": " + valueOf(*finished.outcome.environment, "M").left(80))
                    .constData());
    }
    QCOMPARE(got, tracked);
}

} // namespace berth::test

QTEST_GUILESS_MAIN(berth::test::TestGuestSnippets)
#include "test_guest_snippets.moc"
