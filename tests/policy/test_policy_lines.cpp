// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/command_rules.h"
#include "domain/policy/shell_parser.h"
#include "domain/thread/conversation_store.h"

#include <QtCore/QElapsedTimer>
#include <QtTest/QTest>

using namespace berth::domain;

namespace {

ApprovalRule ruleOf(const char *decision, const char *pattern)
{
    ApprovalRule rule;
    rule.tool = QStringLiteral("shell");
    rule.decision = QLatin1String(decision);
    rule.pattern = QLatin1String(pattern);
    return rule;
}

//! What the table below is decided by.
QList<ApprovalRule> tableRules()
{
    QList<ApprovalRule> rules;
    for (const char *allow : {"git status *",
                              "git diff *",
                              "git log *",
                              "git add *",
                              "ls *",
                              "echo *",
                              "cat *",
                              "make -j4",
                              "npm run test *",
                              "grep *",
                              "cd *",
                              "true",
                              "find *",
                              "sed *",
                              "printf *",
                              "test *",
                              "[ *",
                              "'[[' *",
                              "tar *",
                              "wc *",
                              "head *",
                              "set *",
                              "sort *",
                              "sleep *",
                              "'my tool' *",
                              "./run_tests.sh *",
                              "tee *",
                              "python3 *",
                              "sh *",
                              "env *",
                              "xargs *"})
        rules.append(ruleOf("allow", allow));
    for (const char *deny : {"rm *", "git push", "dd", "curl *", "chmod -R 777"})
        rules.append(ruleOf("deny", deny));
    rules.append(ruleOf("ask", "git log --all"));
    return rules;
}

const CommandPlace kPlace{QStringLiteral("/ws"), QStringLiteral("/ws/src")};

struct Row
{
    //! 'A' allow, '?' ask, 'D' deny
    char expected;
    const char *line;
};

constexpr Row kTable[] = {
    // Plain commands and their ends.
    {'A', "git status"},
    {'A', "  git   status  "},
    {'A', "git status --short -b"},
    {'A', "git status; ls"},
    {'A', "git status && ls -la || echo failed"},
    {'A', "git status | grep modified | wc -l"},
    {'A', "git status |& grep x"},
    {'A', "git status\nls\n"},
    {'A', "git status & ls"},
    {'A', "ls;"},
    {'A', "! git status"},
    {'A', "time git status"},
    {'A', "make -j4"},
    {'A', "npm run test -- --watch=false"},
    {'A', "./run_tests.sh fast"},
    {'?', "git"},
    {'?', "git stash"},
    {'?', "git statusx"},
    {'?', "gitx status"},
    {'?', "make"},
    {'?', "make -j4 install"},
    {'?', "make -j8"},
    {'?', "npm run build"},
    {'?', "/tmp/git status"},
    {'?', "./git status"},
    {'?', "./ls"},
    {'?', "status git"},
    {'?', "GIT status"},
    {'?', "run_tests.sh fast"},
    {'?', ""},
    {'?', "   "},
    {'?', "# only a comment"},
    {'?', "true false"},
    // Chains: one stranger is enough.
    {'?', "git status; whoami"},
    {'?', "git status && whoami"},
    {'?', "git status || whoami"},
    {'?', "git status | whoami"},
    {'?', "git status |& whoami"},
    {'?', "git status & whoami"},
    {'?', "git status\nwhoami"},
    {'?', "git status;whoami"},
    {'?', "git status&&whoami"},
    {'?', "git status \\\n; whoami"},
    {'D', "git status; rm -rf ."},
    {'D', "git status && rm -rf ."},
    {'D', "git status || rm -rf ."},
    {'D', "git status | rm -rf ."},
    {'D', "git status\nrm -rf ."},
    {'D', "git status & rm -rf ."},
    {'D', "rm x; git status"},
    // Substitutions.
    {'A', "echo $(git status)"},
    {'A', "echo \"$(git status)\""},
    {'A', "echo `git status`"},
    {'A', "echo $(echo $(ls))"},
    {'A', "cat <(git status)"},
    {'A', "ls \"$HOME\" ${X} ${X:-y}"},
    {'A', "echo ${X:-$(ls)}"},
    {'A', "echo $((1+2))"},
    {'A', "echo $(cat <<E\nx\nE\n)"},
    {'?', "git status $(whoami)"},
    {'?', "git status `whoami`"},
    {'?', "git status \"$(whoami)\""},
    {'?', "git status \"`whoami`\""},
    {'?', "git status <(whoami)"},
    {'?', "git status > >(whoami)"},
    {'?', "echo ${X:-$(whoami)}"},
    {'?', "echo \"${X:-`whoami`}\""},
    {'?', "echo ${X:=y}"},
    {'?', "echo ${PATH:=/tmp}"},
    {'?', "echo ${!X}"},
    {'?', "echo ${X@P}"},
    {'?', "echo ${X:$Y}"},
    {'?', "echo ${a[$(whoami)]}"},
    {'?', "echo $((x+1))"},
    {'?', "echo $((a[$(whoami)]))"},
    {'?', "echo $[1+2]"},
    {'?', "echo $(echo `echo \\`whoami\\``)"},
    {'D', "git status $(rm -rf .)"},
    {'D', "git status `rm -rf .`"},
    {'D', "git status \"$(rm -rf .)\""},
    {'D', "cat <(rm -rf .)"},
    {'D', "ls > >(rm -rf .)"},
    {'D', "echo ${X:-$(rm x)}"},
    {'D', "echo $(( $(rm x) ))"},
    {'D', "echo $(echo $(echo $(rm x)))"},
    // Names that are not there to be read.
    {'A', "'git' status"},
    {'A', "g\"i\"t sta'tus'"},
    {'A', "\\ls -l"},
    {'A', "$'git' status"},
    {'A', "'my tool' x"},
    {'?', "my tool x"},
    {'?', "$X status"},
    {'?', "git$X status"},
    {'?', "git $X"},
    {'?', "g?t status"},
    {'?', "{git,x} status"},
    {'?', "~/git status"},
    {'?', "\"$X\""},
    {'?', "$(echo git) status"},
    {'?', "'git status'"},
    {'?', "''"},
    {'?', "git sta\\\ntus"},
    {'D', "\\rm x"},
    {'D', "'rm' x"},
    {'D', "r\"\"m x"},
    {'D', "/bin/rm x"},
    {'D', "../../bin/rm x"},
    {'D', "$'\\x72m' x"},
    {'D', "$'\\162m' x"},
    // Quotes that hide nothing.
    {'A', "echo '; rm -rf .'"},
    {'A', "echo \"a && rm -rf . | b\""},
    {'A', "echo '$(rm -rf .)'"},
    {'A', "echo \"\\$(rm)\""},
    {'A', "echo \\; rm"},
    {'A', "echo a\\&\\&rm"},
    {'A', "echo it\\'s"},
    {'A', "ls # ; rm -rf ."},
    {'A', "echo a#b"},
    {'A', "grep -rn 'foo|bar' ."},
    {'A', "echo 'line one\nline two'"},
    {'A', "echo hi!"},
    {'A', "echo } {"},
    {'?', "echo $'\\'; whoami #'"},
    {'?', "echo 'unbalanced"},
    {'?', "echo \"unbalanced"},
    {'?', "echo $(ls"},
    {'?', "echo `ls"},
    {'?', "echo ${X"},
    {'?', "echo \\"},
    {'D', "echo ''; rm x"},
    {'D', "echo '\\'; rm x; echo ''"},
    {'D', "echo \"a\"; rm \"b\""},
    {'D', "ls #\nrm x"},
    // Redirections.
    {'A', "ls > out.txt"},
    {'A', "ls >> ../out.txt"},
    {'A', "ls 2>&1"},
    {'A', "ls 2>/dev/null >/dev/null"},
    {'A', "ls >&2"},
    {'A', "ls &> out.txt"},
    {'A', "cat < /etc/hosts"},
    {'A', "> out.txt ls"},
    {'A', "ls > /ws/a/b"},
    {'A', "{ ls; echo x; } > out.txt"},
    {'?', "ls > /etc/hosts"},
    {'?', "ls >> /root/.bashrc"},
    {'?', "ls > ../../etc/hosts"},
    {'?', "ls > /ws/../etc/hosts"},
    {'?', "ls > ~/x"},
    {'?', "ls > $X"},
    {'?', "ls > \"$X\""},
    {'?', "ls >&$X"},
    {'?', "ls >& /etc/hosts"},
    {'?', "ls &> /etc/hosts"},
    {'?', "ls >| /etc/hosts"},
    {'?', "ls <> /etc/hosts"},
    {'?', "ls 3> /etc/hosts"},
    {'?', "ls > .git/hooks/pre-commit"},
    {'?', "ls > .bashrc"},
    {'?', "ls > /ws"},
    {'?', "cd /etc && ls > hosts"},
    {'?', "cat < /dev/tcp/example.org/80"},
    {'?', "ls > /dev/tcp/example.org/80"},
    {'?', "{ ls; } > /etc/hosts"},
    {'?', "(ls) > /etc/hosts"},
    {'?', "ls >"},
    {'?', "ls {PATH}> x"},
    {'D', "ls > $(rm x)"},
    // Here-documents.
    {'A', "cat <<E\nrm -rf .\nE"},
    {'A', "cat <<'E'\n$(rm -rf .)\nE"},
    {'A', "cat <<-E\n\trm -rf .\n\tE\nls"},
    {'A', "cat <<A <<B\n1\nA\n2\nB"},
    {'A', "cat <<< 'rm -rf .'"},
    {'A', "cat <<E\n$(ls)\nE"},
    {'A', "cat <<E > out.txt\nx\nE\n"},
    {'?', "cat <<E\n$(whoami)\nE"},
    {'?', "cat <<E\n`whoami`\nE"},
    {'?', "cat <<E\nx\nE\nwhoami"},
    {'?', "cat <<E\nx"},
    {'?', "cat <<E\nx\nE; whoami"},
    {'?', "cat <<$E\nx\n$E"},
    {'?', "cat <<E \"a\nb\"\nE"},
    {'?', "cat <<E\nE\\\nE\nwhoami\nE"},
    {'?', "cat <<< $(whoami)"},
    {'D', "cat <<E\n$(rm x)\nE"},
    {'D', "cat <<E\nx\nE\nrm x"},
    {'D', "cat <<\\E\n$(ls)\nE\nrm x"},
    {'D', "sh <<E\nrm x\nE"},
    {'D', "bash <<< 'rm x'"},
    // Compound commands.
    {'A', "(ls; git status)"},
    {'A', "{ ls; git status; }"},
    {'A', "if git status; then ls; else echo no; fi"},
    {'A', "for f in a b; do echo \"$f\"; done"},
    {'A', "while [ -f x ]; do sleep 1; done"},
    {'A', "case \"$x\" in a|b) ls;; *) echo no;; esac"},
    {'A', "set -euo pipefail; ls"},
    {'A', "[[ -f x && ! -d y ]] && ls"},
    {'?', "(ls; whoami)"},
    {'?', "{ ls; whoami; }"},
    {'?', "if whoami; then ls; fi"},
    {'?', "if ls; then whoami; fi"},
    {'?', "for f in $(whoami); do ls; done"},
    {'?', "for PATH in /tmp; do ls; done"},
    {'?', "for f in a; do $f; done"},
    {'?', "while ls; do whoami; done"},
    {'?', "case x in x) whoami;; esac"},
    {'?', "case $(whoami) in x) ls;; esac"},
    {'?', "ls() { echo; }; ls"},
    {'?', "function ls { echo; }"},
    {'?', "((x=1))"},
    {'?', "for ((i=0;i<3;i++)); do ls; done"},
    {'?', "[[ x -eq 'a[$(whoami)]' ]]"},
    {'?', "test -v 'a[$(whoami)]'"},
    {'?', "[ $x ]"},
    {'?', "coproc ls"},
    {'?', "select x in a; do ls; done"},
    {'?', "if ls; then"},
    {'?', "{ ls"},
    {'?', "ls; }"},
    {'?', "ls )"},
    {'?', "ls && && ls"},
    {'?', "ls ;; ls"},
    {'D', "if ls; then rm x; fi"},
    {'D', "f() { rm x; }; f"},
    {'D', "for f in *; do rm \"$f\"; done"},
    // Variables that change what programs do.
    {'A', "LANG=C ls"},
    {'A', "x=1; echo $x"},
    {'A', "LC_ALL=C sort file"},
    {'?', "PATH=/tmp ls"},
    {'?', "PATH=/tmp; ls"},
    {'?', "LD_PRELOAD=/tmp/x.so ls"},
    {'?', "IFS=x ls"},
    {'?', "ENV=/tmp/x ls"},
    {'?', "BASH_ENV=/tmp/x ls"},
    {'?', "GIT_SSH_COMMAND=x git status"},
    {'?', "PAGER=x git log"},
    {'?', "GIT_EXTERNAL_DIFF=x git diff"},
    {'?', "PATH+=:/tmp ls"},
    {'?', "X=1 git status"},
    {'?', "https_proxy=x ls"},
    {'?', "a[0]=1 ls"},
    {'?', "export PATH=/tmp"},
    {'?', "x=$(whoami)"},
    {'?', "x=1"},
    {'D', "x=$(rm y) ls"},
    {'D', "X=1 rm y"},
    // Wrappers, even where a rule says otherwise.
    {'?', "env X=1 git status"},
    {'?', "env git status"},
    {'?', "xargs git status"},
    {'?', "ls | xargs ls"},
    {'?', "sudo git status"},
    {'?', "nohup git status"},
    {'?', "timeout 5 git status"},
    {'?', "nice -n 5 git status"},
    {'?', "command ls"},
    {'?', "builtin echo x"},
    {'?', "exec ls"},
    {'?', "time -p ls"},
    {'?', "ssh host ls"},
    {'?', "busybox ls"},
    {'D', "env X=1 rm x"},
    {'D', "env -u X -i rm x"},
    {'D', "env -S 'rm x'"},
    {'D', "sudo rm x"},
    {'D', "sudo -u root -- rm x"},
    {'D', "ls | xargs rm"},
    {'D', "ls | xargs -n 1 rm -f"},
    {'D', "nohup rm x"},
    {'D', "timeout 5 rm x"},
    {'D', "timeout -s KILL 5 sudo nice rm x"},
    {'D', "nice -n 5 rm x"},
    {'D', "command rm x"},
    {'D', "exec rm x"},
    {'D', "busybox rm x"},
    {'D', "ssh -p 22 host 'ls; rm x'"},
    {'D', "find . -exec rm {} \\;"},
    {'D', "find . -name x -execdir rm {} +"},
    {'D', "watch 'rm x'"},
    {'D', "su -c 'rm x' user"},
    // Interpreters, even where a rule says otherwise.
    {'?', "sh -c 'git status'"},
    {'?', "bash -c ls"},
    {'?', "bash script.sh"},
    {'?', "python3 -c 'print(1)'"},
    {'?', "python3.11 x.py"},
    {'?', "/usr/bin/python3 x.py"},
    {'?', "perl -e 1"},
    {'?', "node -e 1"},
    {'?', "ruby x"},
    {'?', "php x"},
    {'?', "awk '{print}' x"},
    {'?', "eval ls"},
    {'?', "source x"},
    {'?', ". x"},
    {'?', "trap ls EXIT"},
    {'?', "echo ls | sh"},
    {'?', "sqlite3 x"},
    {'?', "vim x"},
    {'?', "npx x"},
    {'?', "alias ls=whoami"},
    {'?', "printf -v 'a[$(whoami)]' x"},
    {'?', "printf $X"},
    {'?', "bash-static -c ls"},
    {'D', "sh -c 'rm x'"},
    {'D', "sh -ec 'ls; rm x'"},
    {'D', "bash -c \"sudo sh -c 'rm x'\""},
    {'D', "eval rm x"},
    {'D', "eval 'ls; rm x'"},
    {'D', "trap 'rm x' EXIT"},
    {'D', "env sh -c 'eval \"rm x\"'"},
    // Options that run programs or write.
    {'A', "find . -name '*.c' -type f"},
    {'A', "sed -n 1p x"},
    {'A', "sed 's/a/b/g' x"},
    {'A', "tar -czf out.tgz src"},
    {'A', "git log --oneline -5"},
    {'?', "find . -delete"},
    {'?', "find . -exec ls {} \\;"},
    {'?', "find . -fprintf /etc/x y"},
    {'?', "find $X"},
    {'?', "find *"},
    {'?', "sed 1e x"},
    {'?', "sed 's/a/b/e' x"},
    {'?', "sed 's/a/b/w /etc/x' x"},
    {'?', "sed -e 'w /etc/x' x"},
    {'?', "sed -i s/a/b/ x"},
    {'?', "sed -n '1p;e ls' x"},
    {'?', "sed \"$X\" x"},
    {'?', "tar -cf x --to-command=sh y"},
    {'?', "tar -cf x --checkpoint-a=exec=sh y"},
    {'?', "tar xIf sh y"},
    {'?', "sort --compress-program=sh x"},
    {'?', "git log --output=/etc/x"},
    {'?', "git diff --ext-diff"},
    {'?', "git -c core.pager=sh log"},
    {'?', "git log $X"},
    // Deny and ask rules beside allow rules.
    {'D', "git push"},
    {'D', "git push origin main"},
    {'D', "/usr/bin/git push --force"},
    {'?', "git -C /ws push"},
    {'D', "curl x | sh"},
    {'D', "chmod -R 777 x"},
    {'D', "dd if=/dev/zero"},
    {'?', "git log --all"},
    {'?', "git log --all -5"},
    // Characters that are not what they seem.
    {'?', "ls \x01"},
    {'?', "ls \r"},
    {'?', "ls\xc2\xa0x"},
    {'?', "ls \xe2\x80\xae"},
    {'?', "ls \xe2\x80\x8b"},
    {'A', "echo gr\xc3\xbc\xc3\x9f \xe4\xbd\xa0\xe5\xa5\xbd"},
};

} // namespace

class PolicyLinesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void table_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("expected");
        for (const Row &row : kTable)
            QTest::addRow("%c %s", row.expected, row.line)
                << QString::fromUtf8(row.line) << QString(QLatin1Char(row.expected));
    }

    void table()
    {
        QFETCH(QString, line);
        QFETCH(QString, expected);
        const RuleVerdict verdict = decideLine(line, tableRules(), kPlace);
        const QString got = verdict.decision == RuleDecision::Allow ? QStringLiteral("A")
            : verdict.decision == RuleDecision::Deny                ? QStringLiteral("D")
                                                                    : QStringLiteral("?");
        QVERIFY2(got == expected, qPrintable(got + u' ' + verdict.reason));
        QVERIFY(!verdict.reason.isEmpty());
    }

    void tableIsLargeEnough()
    {
        int asks = 0;
        for (const Row &row : kTable)
            asks += row.expected == '?' ? 1 : 0;
        QVERIFY(std::size(kTable) >= 150);
        QVERIFY(asks >= 60);
    }

    void starAllowsAllButWhatAlwaysAsks()
    {
        const QList<ApprovalRule> star{ruleOf("allow", "*")};
        QCOMPARE(decideLine(QStringLiteral("whoami; id"), star, kPlace).decision,
                 RuleDecision::Allow);
        for (const char *line : {"sh -c ls", "python3 x.py", "$X", "ls > /etc/x", "env ls",
                                 "f() { ls; }", "git bisect run ls", "git -C x bisect run ls",
                                 "npm exec x", "docker run x", "find . -delete", "rg --pre=sh x"})
            QVERIFY2(decideLine(QLatin1String(line), star, kPlace).decision == RuleDecision::Ask,
                     line);
    }

    void alwaysIsNotOfferedForInterpreters()
    {
        for (const char *line :
             {"sh -c ls", "python3 -m pytest", "node x", "xargs ls", "eval x", "awk 1 x", "sudo ls",
              "ls && perl x", "echo $(bash x)", "ls > /etc/x", "$X", "'"}) {
            QString why;
            QVERIFY2(!mayBeAlways(QLatin1String(line), kPlace, &why), line);
            QVERIFY2(!why.isEmpty(), line);
            QVERIFY2(proposedPatterns(QLatin1String(line), kPlace).isEmpty(), line);
        }
        QVERIFY(!patternProblem(QStringLiteral("python3 *"), RuleDecision::Allow).isEmpty());
        QVERIFY(patternProblem(QStringLiteral("python3 *"), RuleDecision::Deny).isEmpty());
        QVERIFY(!patternProblem(QStringLiteral("git * status"), RuleDecision::Allow).isEmpty());
        QVERIFY(!patternProblem(QStringLiteral("ls; id"), RuleDecision::Allow).isEmpty());
        QVERIFY(!patternProblem(QString(), RuleDecision::Allow).isEmpty());
        QVERIFY(patternProblem(QStringLiteral("git status *"), RuleDecision::Allow).isEmpty());
    }

    void proposals_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("patterns");
        QTest::newRow("subcommand")
            << QStringLiteral("git status -s") << QStringList{QStringLiteral("git status *")};
        QTest::newRow("third word")
            << QStringLiteral("npm run test -- x") << QStringList{QStringLiteral("npm run test *")};
        QTest::newRow("reads only")
            << QStringLiteral("cat a b") << QStringList{QStringLiteral("cat *")};
        QTest::newRow("exact") << QStringLiteral("make -j4 all")
                               << QStringList{QStringLiteral("make -j4 all")};
        QTest::newRow("each once") << QStringLiteral("git add . && git add x; ls | cat")
                                   << QStringList{QStringLiteral("git add *"),
                                                  QStringLiteral("ls *"), QStringLiteral("cat *")};
        QTest::newRow("quotes") << QStringLiteral("'my tool' 'a b'")
                                << QStringList{QStringLiteral("'my tool' 'a b'")};
        QTest::newRow("expansion")
            << QStringLiteral("touch a $X") << QStringList{QStringLiteral("touch a *")};
    }

    //! And a line is allowed by what was proposed for it.
    void proposals()
    {
        QFETCH(QString, line);
        QFETCH(QStringList, patterns);
        QVERIFY(mayBeAlways(line, kPlace));
        QCOMPARE(proposedPatterns(line, kPlace), patterns);
        QList<ApprovalRule> rules;
        for (const QString &pattern : patterns) {
            rules.append(ruleOf("allow", ""));
            rules.last().pattern = pattern;
        }
        QCOMPARE(decideLine(line, rules, kPlace).decision, RuleDecision::Allow);
    }

    void examplesTellBothSides()
    {
        const PatternExamples prefix = examples(QStringLiteral("git status *"));
        QVERIFY(prefix.matches.contains(QStringLiteral("git status")));
        QVERIFY(prefix.matches.contains(QStringLiteral("git status --help")));
        QVERIFY(prefix.asks.contains(QStringLiteral("git status; rm -rf .")));
        QVERIFY(prefix.asks.contains(QStringLiteral("env X=1 git status")));
        QVERIFY(prefix.asks.contains(QStringLiteral("sh -c 'git status'")));
        const PatternExamples exact = examples(QStringLiteral("git status"));
        QVERIFY(exact.asks.contains(QStringLiteral("git status --help")));
    }

    void partsOfWords()
    {
        const ShellLine line = parseShell(QStringLiteral("a'b c'\"$d\"$(e)*~{}~ x"));
        QVERIFY(line.isUnderstood());
        const QList<ShellPart> parts = line.segments.first().words.first().parts;
        QList<int> kinds;
        for (const ShellPart &part : parts)
            kinds.append(part.kind);
        QCOMPARE(kinds,
                 (QList<int>{ShellPart::Literal, ShellPart::Literal, ShellPart::Parameter,
                             ShellPart::Command, ShellPart::Glob, ShellPart::Literal}));
        QCOMPARE(parts.at(1).text, QStringLiteral("b c"));
        QCOMPARE(line.segments.size(), 2);
        QCOMPARE(line.segments.at(1).nesting, 1);
    }

    void hostileLines_data()
    {
        QTest::addColumn<QString>("unit");
        for (const char *unit :
             {"(",          "$(",          "`",     "${a:-", "\"$(",   "<(", "$((",
              "{ ",         "if ",         "a;",    "a ",    "$a",     "'",  "\\",
              "<<a ",       "a\n",         "sudo ", "[",     "*",      "{",  "!",
              "case x in ", "a=",          "x=(",   "[[ ",   "#",      "a&", "sh -c '",
              "eval ",      "find -exec ", "a>b ",  "\t",    "env -S "})
            QTest::newRow(unit) << QString(QLatin1String(unit));
    }

    //! A megabyte of anything takes no longer than a short while, and does not fall over.
    void hostileLines()
    {
        QFETCH(QString, unit);
        QString line;
        while (line.size() < 1'000'000)
            line += unit;
        QElapsedTimer clock;
        clock.start();
        decideLine(line, tableRules(), kPlace);
        proposedPatterns(line, kPlace);
        QVERIFY2(clock.elapsed() < 4000, qPrintable(QString::number(clock.elapsed())));
        QVERIFY(!parseShell(QString(1'100'000, u'a')).isUnderstood());
    }
};

QTEST_APPLESS_MAIN(PolicyLinesTest)
#include "test_policy_lines.moc"
