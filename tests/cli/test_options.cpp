// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/exit_codes.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/registry.h"

#include <QtTest/QTest>

using namespace berth;
using namespace berth::cli;

namespace {

CliOptions parse(const char *line)
{
    return parseOptions(QString::fromUtf8(line).split(QLatin1Char(' '), Qt::SkipEmptyParts));
}

class TestOptions : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void globals()
    {
        const CliOptions options = parse("--data-dir /x thread list --json");
        QVERIFY(!options.error);
        QVERIFY(options.needsEngine());
        QCOMPARE(options.dataDirectory, QStringLiteral("/x"));
        QVERIFY(options.json);
        QCOMPARE(options.verb->name(), QStringLiteral("thread list"));
        QCOMPARE(parse("runtime list --data-dir=/y=z").dataDirectory, QStringLiteral("/y=z"));
    }

    void behindDashes()
    {
        const CliOptions options = parse("exec box --timeout 2m --json -- ls --json --help -- x");
        QVERIFY(!options.error);
        QVERIFY(options.json);
        QVERIFY(!options.help);
        QCOMPARE(options.arguments, QStringList{QStringLiteral("box")});
        QCOMPARE(options.command.join(QLatin1Char(' ')), QStringLiteral("ls --json --help -- x"));
        QCOMPARE(options.duration("timeout").count(), 120'000);
        const CliOptions text = parse("thread send abc -- --text");
        QVERIFY(!text.error);
        QCOMPARE(text.arguments, (QStringList{QStringLiteral("abc"), QStringLiteral("--text")}));
    }

    void verbOptions()
    {
        const CliOptions options =
            parse("thread new --sandbox=docker !x --timeout 1500ms --agent a");
        QVERIFY(!options.error);
        QCOMPARE(options.value("sandbox"), QStringLiteral("docker"));
        QCOMPARE(options.value("agent"), QStringLiteral("a"));
        QCOMPARE(options.duration("timeout").count(), 1500);
        QCOMPARE(parse("thread new !x").duration("timeout").count(), 0);
        QCOMPARE(parse("run --sandbox=docker !x").value("sandbox"), QStringLiteral("docker"));
        QVERIFY(parse("runtime destroy x --yes").has("yes"));
    }

    void pairs()
    {
        const CliOptions options =
            parse("provider set docker image=a=b --memory 2g --on-exit=pause empty=");
        QVERIFY(!options.error);
        QCOMPARE(options.arguments, QStringList{QStringLiteral("docker")});
        const QList<QPair<QString, QString>> wanted{
            {QStringLiteral("image"), QStringLiteral("a=b")},
            {QStringLiteral("memory"), QStringLiteral("2g")},
            {QStringLiteral("on-exit"), QStringLiteral("pause")},
            {QStringLiteral("empty"), {}}};
        QCOMPARE(options.pairs, wanted);
    }

    void mistakes_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("detail");
        const auto row = [](const char *line, const char *message, const char *detail) {
            QTest::newRow(line) << QByteArray(line) << QString::fromUtf8(message)
                                << QString::fromUtf8(detail);
        };
        row("", "No command", "--help");
        row("--json", "No command", "--help");
        row("thraed list", "\"thraed\"", "Did you mean \"thread\"");
        row("thread", "too little", "new, send, list, show");
        row("thread lst", "\"thread lst\"", "Did you mean \"list\"");
        row("thread new", "<text> is missing", "thread new --sandbox");
        row("thread send x", "<text> is missing", "thread send");
        row("thread new !echo hello", "one argument too many", "quotes");
        row("thread new --sandbx docker !x", "\"--sandbx\"", "Did you mean \"--sandbox\"");
        row("thread new !x --sandbox", "--sandbox has no value", "behind it");
        row("thread new !x --timeout soon", "\"soon\" is not a duration", "30s");
        row("thread new !x --timeout 0", "not a duration", "30s");
        row("thread list --archived=1", "takes no value", "Leave out");
        row("thread list x", "too many", "thread list");
        row("exec box", "No command to run", "behind \"--\"");
        row("exec box ls", "too many", "behind \"--\"");
        row("exec -- ls", "<thread-or-sandbox> is missing", "exec");
        row("exec box --", "No command to run", "--");
        row("runtime destroy", "<runtime> is missing", "runtime destroy");
        row("runtime pause a -x", "\"-x\"", "no options");
        row("provider set", "<config> is missing", "provider set");
        row("provider set docker image", "too many", "provider set");
        row("thread list --data-dir", "--data-dir has no value", "--data-dir /path");
        row("thread list --data-dir=", "--data-dir has no value", "--data-dir /path");
    }
    void mistakes()
    {
        QFETCH(QByteArray, line);
        QFETCH(QString, message);
        QFETCH(QString, detail);
        const CliOptions options = parse(line.constData());
        QVERIFY(options.error.has_value());
        QVERIFY(!options.needsEngine());
        QCOMPARE(options.error->kind, domain::ErrorKind::InvalidInput);
        QVERIFY2(options.error->message.contains(message), qPrintable(options.error->message));
        QVERIFY2(options.error->detail.contains(detail), qPrintable(options.error->detail));
    }

    void controlCharactersAreNotEchoed()
    {
        const CliOptions options = parseOptions({QStringLiteral("\x1b[31mred")});
        QVERIFY(options.error && !options.error->message.contains(QChar(0x1b)));
    }

    void help()
    {
        for (const char *line :
             {"--help", "-h", "--help nonsense", "thread new --help", "exec -h", "thread --help"}) {
            const CliOptions options = parse(line);
            QVERIFY2(options.help && !options.error && !options.needsEngine(), line);
            QVERIFY(helpText(options).contains(QLatin1String("--data-dir")));
        }
        const QString program = helpText(parse("--help"));
        for (const VerbSpec &spec : verbs()) {
            QVERIFY2(program.contains(spec.name()) && program.contains(spec.summary),
                     qPrintable(spec.name()));
            CliOptions options;
            options.verb = &spec;
            const QString text = helpText(options);
            for (const OptionSpec &option : spec.options)
                QVERIFY2(text.contains(option.name) && text.contains(option.help),
                         qPrintable(option.name));
            QVERIFY(spec.run);
        }
        // The codes are documented where people look.
        QVERIFY(program.contains(QLatin1String("66 not_found")));
        QVERIFY(program.contains(QLatin1String("125")));
        for (const QString &line : program.split(QLatin1Char('\n')))
            QVERIFY2(line.size() <= 100, qPrintable(line));
    }

    void exitCodes()
    {
        QSet<int> codes;
        for (int kind = 0; kind < 14; ++kind) {
            const int code = exitCodeOf(static_cast<domain::ErrorKind>(kind));
            QVERIFY(code >= 64 && code < 78);
            codes.insert(code);
        }
        QCOMPARE(codes.size(), 14);
        QCOMPARE(exitCodeOf(domain::ErrorKind::InvalidInput), 64);
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestOptions)
#include "test_options.moc"
