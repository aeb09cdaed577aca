// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/command_rules.h"
#include "domain/policy/shell_parser.h"
#include "domain/text.h"
#include "domain/thread/conversation_store.h"

#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QRandomGenerator>
#include <QtCore/QSet>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>

using namespace berth::domain;

// Random lines, read by the parser and run by real shells in which every command only writes down
// what it was called with: what a shell runs, the parser must have seen, and what rules allow must
// be all that a shell runs.

namespace {

constexpr int kLines = 4000;

//! The names that lines are made of; none of them is a program anywhere.
const QStringList &vocabulary()
{
    static const QStringList kWords{
        QStringLiteral("aa"), QStringLiteral("bb"), QStringLiteral("cc"), QStringLiteral("dd"),
        QStringLiteral("ee"), QStringLiteral("xx"), QStringLiteral("yy")};
    return kWords;
}

//! Builtins that would run something or change names; they are only written down, too.
constexpr const char *kBuiltins = "eval exec command source trap export declare typeset "
                                  "readonly read printf alias unset cd let test echo mapfile";

QList<ApprovalRule> prefixRules()
{
    QList<ApprovalRule> rules;
    for (const char *pattern : {"aa bb *", "cc *", "dd ee"}) {
        ApprovalRule rule;
        rule.tool = QStringLiteral("shell");
        rule.decision = QStringLiteral("allow");
        rule.pattern = QLatin1String(pattern);
        rules.append(rule);
    }
    return rules;
}

bool isWithinPrefixes(const QStringList &call)
{
    const QStringList two = call.mid(0, 2);
    return two == QStringList{QStringLiteral("aa"), QStringLiteral("bb")}
    || call.value(0) == QLatin1String("cc")
        || call == QStringList{QStringLiteral("dd"), QStringLiteral("ee")};
}

class LineMaker
{
public:
    explicit LineMaker(quint32 seed) : m_random(seed) {}

    QString next(bool mayLoop)
    {
        m_mayLoop = mayLoop;
        QString line = list(0);
        const int changes = below(3) == 0 ? 1 + below(4) : 0;
        for (int i = 0; i < changes; ++i)
            mutate(&line);
        return line;
    }

private:
    int below(int limit) { return static_cast<int>(m_random.bounded(limit)); }

    QString pick(const QStringList &from) { return from.at(below(static_cast<int>(from.size()))); }

    QString list(int depth)
    {
        QString text = command(depth);
        const int more = below(3);
        static const QStringList kBetween{
            QStringLiteral("; "),   QStringLiteral(" && "), QStringLiteral(" || "),
            QStringLiteral(" | "),  QStringLiteral("\n"),   QStringLiteral(" & "),
            QStringLiteral(" |& "), QStringLiteral(";\n"),  QStringLiteral(" &&\n")};
        for (int i = 0; i < more; ++i)
            text += pick(kBetween) + command(depth);
        return text;
    }

    QString command(int depth)
    {
        if (depth > 3)
            return simple(depth);
        switch (below(16)) {
        case 0:
            return QStringLiteral("(%1)").arg(list(depth + 1));
        case 1:
            return QStringLiteral("{ %1; }").arg(list(depth + 1));
        case 2:
            return QStringLiteral("if %1; then %2; else %3; fi")
                .arg(list(depth + 1), list(depth + 1), simple(depth));
        case 3:
            return QStringLiteral("for v in %1 b; do %2; done").arg(word(depth), list(depth + 1));
        case 4:
            return QStringLiteral("case %1 in a|%2) %3;; *) %4;; esac")
                .arg(word(depth), word(depth), list(depth + 1), simple(depth));
        case 5:
            return m_mayLoop ? QStringLiteral("%1 %2; do %3; done")
                                   .arg(pick({QStringLiteral("while"), QStringLiteral("until")}),
                                        simple(4), simple(4))
                             : simple(depth);
        case 6:
            return QStringLiteral("! ") + simple(depth);
        default:
            return simple(depth);
        }
    }

    QString simple(int depth)
    {
        QString text;
        if (below(12) == 0)
            text += QStringLiteral("x=%1 ").arg(word(depth));
        if (below(14) == 0)
            return text
                + pick({QStringLiteral("xx"), QStringLiteral("yy"), QStringLiteral("aa xx"),
                        QStringLiteral("dd"), QStringLiteral("eval cc"),
                        QStringLiteral("command cc")})
                + u' ' + word(depth);
        text += pick({QStringLiteral("aa bb"), QStringLiteral("cc"), QStringLiteral("dd ee"),
                      QStringLiteral("cc"), QStringLiteral("'cc'"), QStringLiteral("a\"a\" \\bb"),
                      QStringLiteral("aa  bb")});
        if (text.endsWith(QLatin1String("ee")))
            return text;
        const int words = below(4);
        for (int i = 0; i < words; ++i) {
            text += u' ' + word(depth);
            if (below(12) == 0)
                text += plainRedirection();
        }
        if (below(5) == 0)
            text += redirection(depth);
        if (below(12) == 0)
            text += QStringLiteral(" # ")
                + pick({QStringLiteral("xx"), QStringLiteral("'"), QStringLiteral("; yy)")});
        return text;
    }

    QString plainRedirection()
    {
        static const QStringList kPlain{QStringLiteral(" 2>&1"),   QStringLiteral(" > out"),
                                        QStringLiteral(" >> out"), QStringLiteral(" < /dev/null"),
                                        QStringLiteral(" &> out"), QStringLiteral(" 2>out"),
                                        QStringLiteral(" >| out")};
        return pick(kPlain);
    }

    QString redirection(int depth)
    {
        switch (below(5)) {
        case 0:
            return QStringLiteral(" <<E\nxx '\n%1\nE\n").arg(expansion(depth));
        case 1:
            return QStringLiteral(" <<'E'\nxx $(yy) `\n\"\nE\n");
        case 2:
            return QStringLiteral(" <<-E\n\txx\n\tE\n");
        case 3:
            return QStringLiteral(" <<< ") + word(depth);
        default:
            return plainRedirection();
        }
    }

    QString expansion(int depth)
    {
        if (depth > 3)
            return QStringLiteral("$v");
        switch (below(7)) {
        case 0:
            return QStringLiteral("$(%1)").arg(list(depth + 1));
        case 1:
            return QStringLiteral("`%1`").arg(simple(4));
        case 2:
            return QStringLiteral("${v:-%1}")
                .arg(pick({QStringLiteral("a b"), expansion(depth + 1)}));
        case 3:
            return QStringLiteral("$((1+2))");
        case 4:
            return QStringLiteral("$(( $v + 1 ))");
        case 5:
            return QStringLiteral("${v#*x}");
        default:
            return QStringLiteral("$v");
        }
    }

    QString word(int depth)
    {
        switch (below(12)) {
        case 0:
            return QStringLiteral("'a; xx'");
        case 1:
            return QStringLiteral("\"a %1 | xx\"").arg(expansion(depth));
        case 2:
            return expansion(depth);
        case 3:
            return QStringLiteral("a\\;xx");
        case 4:
            return QStringLiteral("<(%1)").arg(simple(4));
        case 5:
            return QStringLiteral("{a,b}");
        case 6:
            return QStringLiteral("*.c");
        case 7:
            return QStringLiteral("$'a\\txx'");
        case 8:
            return QStringLiteral("a#b");
        case 9:
            return QStringLiteral("-x=~/y");
        default:
            return pick(vocabulary());
        }
    }

    void mutate(QString *line)
    {
        static const QStringList kPieces{
            QStringLiteral(";"),    QStringLiteral("&"),    QStringLiteral("|"),
            QStringLiteral("\n"),   QStringLiteral("$("),   QStringLiteral(")"),
            QStringLiteral("`"),    QStringLiteral("'"),    QStringLiteral("\""),
            QStringLiteral("\\"),   QStringLiteral("#"),    QStringLiteral("{"),
            QStringLiteral("}"),    QStringLiteral("<"),    QStringLiteral(">"),
            QStringLiteral("("),    QStringLiteral("${"),   QStringLiteral("<<E"),
            QStringLiteral(" "),    QStringLiteral("\t"),   QStringLiteral("!"),
            QStringLiteral("$"),    QStringLiteral("xx"),   QStringLiteral(" xx "),
            QStringLiteral("\\\n"), QStringLiteral("$'"),   QStringLiteral("\nE\n"),
            QStringLiteral("$(("),  QStringLiteral("))"),   QStringLiteral("[["),
            QStringLiteral("="),    QStringLiteral("then"), QStringLiteral("; do "),
            QStringLiteral("esac"), QStringLiteral("*")};
        const int where = line->isEmpty() ? 0 : below(static_cast<int>(line->size()));
        switch (below(4)) {
        case 0:
            line->remove(where, 1 + below(3));
            break;
        case 1:
            line->insert(where, line->mid(below(static_cast<int>(line->size()) + 1), below(12)));
            break;
        default:
            line->insert(where, pick(kPieces));
            break;
        }
    }

    QRandomGenerator m_random;
    bool m_mayLoop = true;
};

struct Shell
{
    QString program;
    QStringList options;
    //! Unknown names are written down as well, not only the vocabulary.
    bool isBash = false;
};

//! What each of \a lines runs: a list of calls per line.
QList<QList<QStringList>> runIn(const Shell &shell, const QStringList &lines)
{
    QTemporaryDir directory;
    QByteArray script;
    // Chance decides which branches are taken where the shell has chance; a line that hangs all the
    // same is cut off. One write for each call: those of one line run at the same time.
    const QByteArray note = "note() { noted=; for word; do noted=\"$noted$word\037\"; done; "
        + QByteArray(shell.isBash ? "builtin printf '%s\\036' \"$noted\" >&9; "
                                    "builtin return $((RANDOM % 2)); }\n"
                                  : "printf '%s\\036' \"$noted\" >&9; }\n");
    script += "PATH=/nonexistent\n" + note;
    if (shell.isBash)
        script += "command_not_found_handle() { note \"$@\"; }\n"
                  ".() { note . \"$@\"; }\n";
    QStringList names = vocabulary();
    if (shell.isBash)
        names += QString::fromLatin1(kBuiltins).split(u' ');
    for (const QString &name : names) {
        const QByteArray plain = name.toLatin1();
        script += plain + "() { note " + plain + " \"$@\"; }\n";
    }
    const QByteArray evaluate = shell.isBash ? "builtin eval " : "eval ";
    // A file for each line: what its background jobs still do is not taken for the next line's.
    for (qsizetype i = 0; i < lines.size(); ++i) {
        script += "( ulimit -t 1; v=1; " + evaluate + shellQuoted(lines.at(i).toUtf8())
            + "\nwait ) </dev/null 9>calls." + QByteArray::number(i) + "\n";
    }
    QFile file(directory.filePath(QStringLiteral("script")));
    if (!file.open(QIODevice::WriteOnly) || file.write(script) != script.size())
        return {};
    file.close();
    QProcess process;
    process.setWorkingDirectory(directory.path());
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(QProcess::nullDevice());
    process.start(shell.program, shell.options + QStringList{QStringLiteral("script")});
    if (!process.waitForFinished(90'000)) {
        process.kill();
        process.waitForFinished();
        return {};
    }
    QList<QList<QStringList>> all;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        QFile calls(directory.filePath(QStringLiteral("calls.%1").arg(i)));
        if (!calls.open(QIODevice::ReadOnly))
            return {};
        QList<QStringList> ran;
        QList<QByteArray> told = calls.readAll().split('\036');
        // Behind the last mark stands what is not complete, if anything.
        told.removeLast();
        for (const QByteArray &call : std::as_const(told))
            ran.append(QString::fromUtf8(call.left(call.size() - 1)).split(QChar(037)));
        all.append(ran);
    }
    return all;
}

//! Every name is known and nothing else could run: what eval and command are given, they run.
bool isTransparent(const ShellLine &line)
{
    return line.isUnderstood() && line.hazards.isEmpty()
        && std::all_of(line.segments.cbegin(), line.segments.cend(),
                       [](const ShellSegment &segment) {
                           if (segment.words.isEmpty())
                               return true;
                           const QString name = segment.words.first().text();
                           return segment.words.first().isLiteral() && name != QLatin1String("eval")
                               && name != QLatin1String("command");
                       });
}

} // namespace

class PolicyShellsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!QFile::exists(QStringLiteral("/usr/bin/bash")))
            QSKIP("bash is not installed");
    }

    void whatIsRunIsWrittenDown()
    {
        const QList<QList<QStringList>> ran = runIn(
            bash(),
            {QStringLiteral("aa bb 'c d'; xx"), QStringLiteral("cc $(yy) `zz`"),
             QStringLiteral("eval xx"), QStringLiteral("cc <(/bin/ls)"), QStringLiteral("'")});
        QCOMPARE(ran.size(), 5);
        QCOMPARE(ran.at(0).value(0),
                 (QStringList{QStringLiteral("aa"), QStringLiteral("bb"), QStringLiteral("c d")}));
        QCOMPARE(ran.at(0).value(1), QStringList{QStringLiteral("xx")});
        QCOMPARE(ran.at(1).size(), 3);
        QCOMPARE(ran.at(2).value(0), (QStringList{QStringLiteral("eval"), QStringLiteral("xx")}));
        QVERIFY(ran.at(4).isEmpty());
    }

    void noPrefixRuleAllowsMoreThanItSays_data()
    {
        QTest::addColumn<bool>("isBash");
        QTest::addColumn<quint32>("seed");
        QTest::newRow("sh") << false << 977U;
        QTest::newRow("bash") << true << 1013U;
    }

    void noPrefixRuleAllowsMoreThanItSays()
    {
        QFETCH(bool, isBash);
        QFETCH(quint32, seed);
        LineMaker maker(seed);
        QStringList lines;
        const QList<ApprovalRule> rules = prefixRules();
        const CommandPlace place{QStringLiteral("/ws"), QStringLiteral("/ws")};
        int allowed = 0;
        int transparent = 0;
        for (int i = 0; i < kLines; ++i) {
            // Without loops: those that the recorder ends by no command never end.
            const QString line = maker.next(false);
            const bool runs = decideLine(line, rules, place).decision == RuleDecision::Allow;
            const bool isSeen = isTransparent(parseShell(line));
            allowed += runs ? 1 : 0;
            transparent += isSeen ? 1 : 0;
            if (runs || isSeen)
                lines.append(line);
        }
        // Else nothing would be proved.
        QVERIFY2(allowed > kLines / 10, qPrintable(QString::number(allowed)));
        QVERIFY2(transparent > kLines / 4, qPrintable(QString::number(transparent)));
        // A sample of them, for the time it takes.
        lines = lines.mid(0, isBash ? 300 : 800);
        const QList<QList<QStringList>> ran = runIn(isBash ? bash() : sh(), lines);
        QCOMPARE(ran.size(), lines.size());
        int calls = 0;
        for (qsizetype i = 0; i < lines.size(); ++i) {
            const bool runs = decideLine(lines.at(i), rules, place).decision == RuleDecision::Allow;
            QSet<QString> seen;
            for (const ShellSegment &segment : parseShell(lines.at(i)).segments) {
                if (!segment.words.isEmpty())
                    seen.insert(segment.words.first().text());
            }
            for (const QStringList &call : ran.at(i)) {
                ++calls;
                const QString what =
                    call.join(u' ') + QStringLiteral(" ← ") + escapedBytes(lines.at(i).toUtf8());
                QVERIFY2(seen.contains(call.first()), qPrintable(what));
                QVERIFY2(!runs || isWithinPrefixes(call), qPrintable(what));
            }
        }
        QVERIFY(calls > lines.size() / 2);
    }

private:
    static Shell bash()
    {
        return {QStringLiteral("/usr/bin/bash"),
                {QStringLiteral("--norc"), QStringLiteral("--noprofile")},
                true};
    }

    static Shell sh() { return {QStringLiteral("/bin/sh"), {}, false}; }
};

QTEST_GUILESS_MAIN(PolicyShellsTest)
#include "test_policy_shells.moc"
