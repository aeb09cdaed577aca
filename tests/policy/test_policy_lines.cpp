// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/command_rules.h"
#include "domain/policy/shell_parser.h"
#include "domain/thread/conversation_store.h"
#include "line_table.h"

#include <QtCore/QElapsedTimer>
#include <QtTest/QTest>

using namespace berth::domain;
using berth::test::kTable;
using berth::test::Row;

namespace {

ApprovalRule ruleOf(const char *decision, const char *pattern)
{
    ApprovalRule rule;
    rule.tool = QStringLiteral("shell");
    rule.decision = QLatin1String(decision);
    rule.pattern = QLatin1String(pattern);
    return rule;
}

//! What the table is decided by.
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
                              "tree *",
                              "uniq *",
                              "git commit *",
                              "git --no-pager log *",
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
        for (const char *line : {"sh -c ls",
                                 "python3 x.py",
                                 "$X",
                                 "ls > /etc/x",
                                 "env ls",
                                 "f() { ls; }",
                                 "git bisect run ls",
                                 "git -C x bisect run ls",
                                 "npm exec x",
                                 "docker run x",
                                 "find . -delete",
                                 "rg --pre=sh x",
                                 "git grep -nOsh x",
                                 "git grep -O x",
                                 "git rebase -x sh",
                                 "git rebase -ix sh",
                                 "git clone -u sh x",
                                 "git clone -c a=b x",
                                 "git clone --upload-p sh x",
                                 "git fetch 'ext::sh -c id'",
                                 "git fetch e\"$X\"",
                                 "git merge-index sh -a",
                                 "git remote-ext x",
                                 "git archive -o x HEAD",
                                 "git format-patch --output-dir x",
                                 "git x",
                                 "git remote add a b",
                                 "git rebase main",
                                 "make CC=sh",
                                 "make '$(shell id)'",
                                 "make SHELL=/tmp/x",
                                 "make 'x:=1'",
                                 "make a*",
                                 "make --ev=x",
                                 "go test -toolexec sh",
                                 "go vet -vettool=x",
                                 "go build --toolexec=x",
                                 "go test -exec sh",
                                 "go build -ldflags '-extld sh'",
                                 "helm install --post-renderer x",
                                 "helm plugin install x",
                                 "kubectl get pods --kubeconfig x",
                                 "kubectl --kubeconfig=x get pods",
                                 "cc -wrapper sh x.c",
                                 "g++ -wrapper sh x.c",
                                 "gcc @x",
                                 "gcc -Bx a.c",
                                 "gcc -fplugin=x a.c",
                                 "cargo test --config x",
                                 "npm run test --script-shell x",
                                 "npm -C x test"})
            QVERIFY2(decideLine(QLatin1String(line), star, kPlace).decision == RuleDecision::Ask,
                     line);
    }

    //! What git is told besides these few may run anything: a rule has the very line.
    void otherSubcommandsOfGitNeedTheirVeryLine()
    {
        for (const char *line : {"git rebase main", "git remote add a b", "git alias"}) {
            const QString text = QLatin1String(line);
            QCOMPARE(decideLine(text, {ruleOf("allow", line)}, kPlace).decision,
                     RuleDecision::Allow);
            QCOMPARE(offeredRules(text, kPlace).patterns, QStringList{text});
            QVERIFY(!patternProblem(text + QStringLiteral(" *"), RuleDecision::Allow).isEmpty());
            QVERIFY(patternProblem(text + QStringLiteral(" *"), RuleDecision::Deny).isEmpty());
        }
        QVERIFY(offeredRules(QStringLiteral("git alias a*"), kPlace).patterns.isEmpty());
    }

    //! Where a deny rule could be passed unseen, nothing is sure.
    void whatIsNotLookedIntoIsNotUnderstood()
    {
        const QList<ApprovalRule> deny{ruleOf("deny", "rm *")};
        for (const char *line : {"bash x.sh",
                                 "sh < x",
                                 "sh <<E < x\nls\nE",
                                 "sh 3<<E\nls\nE",
                                 "bash --rcfile x -c ls",
                                 "env --unknown ls",
                                 "sudo --x ls",
                                 "sudo -i",
                                 "chroot /x",
                                 "bwrap --ro-bind / / ls",
                                 "unshare -r ls",
                                 "su user",
                                 "script x",
                                 "gdb ls",
                                 "parallel ls",
                                 "ssh host",
                                 "ssh -o X=y host ls",
                                 "nice --x ls",
                                 "prlimit --nofile=1 ls",
                                 "fish -c ls",
                                 "find . $X",
                                 "env -S 'r\\_m'",
                                 "sudo $X",
                                 "taskset $X ls"}) {
            const RuleVerdict verdict = decideLine(QLatin1String(line), deny, kPlace);
            QVERIFY2(verdict.decision == RuleDecision::Ask && !verdict.understood, line);
        }
        for (const char *line :
             {"env X=1 ls", "sudo -n ls", "bash -c ls", "bash <<E\nls\nE", "timeout 5 ls",
              "xargs -0 ls", "command -v rm", "taskset -c 1 ls", "su -c ls user", "trap - EXIT"}) {
            const RuleVerdict verdict = decideLine(QLatin1String(line), deny, kPlace);
            QVERIFY2(verdict.decision == RuleDecision::Ask && verdict.understood, line);
        }
    }

    void alwaysIsNotOfferedForInterpreters()
    {
        for (const char *line :
             {"sh -c ls", "python3 -m pytest", "node x", "xargs ls", "eval x", "awk 1 x", "sudo ls",
              "ls && perl x", "echo $(bash x)", "ls > /etc/x", "$X", "'"}) {
            const RuleOffer offer = offeredRules(QLatin1String(line), kPlace);
            QVERIFY2(!offer.whyNot.isEmpty(), line);
            QVERIFY2(offer.patterns.isEmpty(), line);
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
        const RuleOffer offer = offeredRules(line, kPlace);
        QVERIFY2(offer.whyNot.isEmpty(), qPrintable(offer.whyNot));
        QCOMPARE(offer.patterns, patterns);
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
             {"(",    "$(", "`",       "${a:-",      "\"$(",   "<(",
              "$((",  "{ ", "if ",     "a;",         "a ",     "$a",
              "'",    "\\", "<<a ",    "a\n",        "sudo ",  "[",
              "*",    "{",  "!",       "case x in ", "a=",     "x=(",
              "[[ ",  "#",  "a&",      "sh -c '",    "eval ",  "find -exec ",
              "a>b ", "\t", "env -S ", "strace ",    "xargs ", "find -exec a + "})
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
        offeredRules(line, kPlace);
        QVERIFY2(clock.elapsed() < 4000, qPrintable(QString::number(clock.elapsed())));
        QVERIFY(!parseShell(QString(1'100'000, u'a')).isUnderstood());
    }
};

QTEST_APPLESS_MAIN(PolicyLinesTest)
#include "test_policy_lines.moc"
