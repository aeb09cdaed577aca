// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/shell_snippets.h"

#include <QtCore/QFile>
#include <QtCore/QProcess>

#include <unistd.h>

namespace berth::test {

QList<ShellSnippet> shellSnippets()
{
    QList<ShellSnippet> all;
    const auto row = [&all](const char *name, const QByteArray &text, const char *tracked,
                            const QByteArray &value = "1") {
        all.append({name, text, tracked, value});
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
    return all;
}

PlainRun plainRun(const QString &shell, const QByteArray &text, const QByteArray &directory)
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
    return PlainRun{process.exitStatus() == QProcess::CrashExit, process.exitCode(),
                    process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace berth::test
