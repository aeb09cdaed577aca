// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a model is given of a command's output: unit, over tables of bytes, and over files.
#include "application/threads/model_output.h"
#include "application/threads/output_log.h"
#include "support/await.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QRegularExpression>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::application;
using domain::OutputStream;

namespace {

QByteArray numberedLines(int from, int until)
{
    QByteArray all;
    for (int i = from; i < until; ++i)
        all += "line " + QByteArray::number(i) + "\n";
    return all;
}

} // namespace

class ModelOutputTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shortOutput_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("text");
        const auto row = [](const char *name, const QByteArray &bytes, const char *text) {
            QTest::newRow(name) << bytes << QString::fromUtf8(text);
        };
        row("nothing", "", "(no output)");
        row("only controls", "\x1b[0m\x1b]0;title\x07", "(no output)");
        row("plain", "one\ntwo\n", "one\ntwo\n");
        row("no last line feed", "one\ntwo", "one\ntwo");
        row("empty lines stay", "\n\na\n\n", "\n\na\n\n");
        row("windows line ends", "one\r\ntwo\r\n", "one\ntwo\n");
        row("colours", "\x1b[1;31mred\x1b[0m \x1b[38;2;1;2;3mtrue\x1b[m\n", "red true\n");
        row("title by bell", "\x1b]0;a title\x07text\n", "text\n");
        row("link by string end", "\x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\\n", "here\n");
        row("device string", "\x1bPq#0;2\x1b\\after\n", "after\n");
        row("charset and keypad",
            "\x1b(B\x1b=\x1b>\x1b"
            "7text\n",
            "text\n");
        row("escape at the end", "text\x1b[3", "text");
        row("unfinished title ends with the line", "\x1b]0;abc\nnext\n", "\nnext\n");
        row("progress", "10%\r50%\r100%\ndone\n", "100%\ndone\n");
        row("progress that ends by a return", "10%\r99%\r\n", "99%\n");
        row("progress with erase", "fetch 1\r\x1b[Kfetch 2\r\x1b[K\n", "fetch 2\n");
        row("backspaces", "|\b/\b-\bok\n", "ok\n");
        row("overstruck", "N\bNA\bA\n", "NA\n");
        row("tab stays, bell goes", "a\tb\x07\n", "a\tb\n");
        row("umlaut", "gr\xc3\xbc\xc3\x9f\n", "grüß\n");
        row("invalid utf-8",
            "a\xff"
            "b\n",
            "a\xef\xbf\xbd"
            "b\n");
        row("cut utf-8", "a\xe2", "a\xef\xbf\xbd");
        row("latin-1 is text",
            "ein gro\xdf"
            "er B\xe4r geht \xfc"
            "ber die Stra\xdf"
            "e\n",
            "ein gro\xef\xbf\xbd"
            "er B\xef\xbf\xbdr geht \xef\xbf\xbd"
            "ber die Stra\xef\xbf\xbd"
            "e\n");
        row("separated by NUL", QByteArray("PATH=/usr/bin\0HOME=/root\0", 25),
            "PATH=/usr/bin\xe2\x90\x80HOME=/root\xe2\x90\x80");
        row("png", "\x89PNG\r\n\x1a\n" + QByteArray(90, '\0'), "(a PNG image, 98 bytes)");
        row("elf",
            "\x7f"
            "ELF\x02\x01"
                + QByteArray(200, '\1'),
            "(an ELF program, 206 bytes)");
        row("unknown binary", QByteArray(64, '\2'), "(binary data, 64 bytes)");
        row("utf-16",
            QByteArray("\xff\xfe"
                       "h\0e\0l\0l\0o\0t\0h\0e\0r\0e\0\n\0",
                       24),
            "(UTF-16 text, 24 bytes)");
    }
    void shortOutput()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, text);
        QCOMPARE(modelOutput(bytes), text);
        // From a file it is the same.
        QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("call"));
        auto log = OutputLog::create(path);
        BERTH_OK(log);
        (*log)->append(OutputStream::Stdout, bytes.left(bytes.size() / 2));
        (*log)->append(OutputStream::Stderr, bytes.mid(bytes.size() / 2));
        QCOMPARE(modelOutputOfFile(path, bytes.size()), text);
    }

    void longLinesAreCut()
    {
        const QString text = modelOutput(QByteArray(5000, 'a') + "\nb\n");
        QCOMPARE(text, QString(2000, u'a') + QStringLiteral("… [+3000 characters]\nb\n"));
        // Never between the two halves of a character.
        QByteArray faces = "x";
        for (int i = 0; i < 2000; ++i)
            faces += "\xf0\x9f\x98\x80";
        const QString cut = modelOutput(faces);
        QVERIFY(cut.isValidUtf16());
        QVERIFY(cut.endsWith(QStringLiteral("… [+2002 characters]")));
    }

    void fittingExactly()
    {
        ModelOutputLimits limits;
        limits.characters = 1000;
        QByteArray fits;
        for (char letter = 'a'; letter < 'k'; ++letter)
            fits += QByteArray(99, letter) + "\n";
        QCOMPARE(modelOutput(fits, limits), QString::fromLatin1(fits));
        const QString more = modelOutput(fits + "z", limits);
        QVERIFY2(more.contains(QLatin1String("left out")), qPrintable(more));
        QVERIFY(more.startsWith(QString::fromLatin1(fits.left(500))));
        QVERIFY(more.endsWith(u'z'));
        QVERIFY(more.size() <= 1000);
    }

    void headAndTail_data()
    {
        QTest::addColumn<int>("lines");
        QTest::addColumn<int>("characters");
        QTest::newRow("some") << 5000 << 30'000;
        QTest::newRow("few characters") << 5000 << 300;
        QTest::newRow("two windows") << 60'000 << 30'000;
        // 14 MB: the index has pages.
        QTest::newRow("many") << 1'200'000 << 30'000;
    }
    void headAndTail()
    {
        QFETCH(int, lines);
        QFETCH(int, characters);
        const QByteArray all = numberedLines(0, lines);
        ModelOutputLimits limits;
        limits.characters = characters;
        const QString text = modelOutput(all, limits);
        QVERIFY(text.size() <= characters);
        QVERIFY(text.size() > characters / 3);
        static const QRegularExpression mark(
            QStringLiteral("^\\[\\.\\.\\. (\\d+) bytes in (\\d+) lines left out \\.\\.\\.\\]$"),
            QRegularExpression::MultilineOption);
        const QRegularExpressionMatch found = mark.match(text);
        QVERIFY2(found.hasMatch(), qPrintable(text));
        // The two parts are what the output begins and ends with; the mark tells exactly the rest.
        const QByteArray head = text.left(found.capturedStart()).toUtf8();
        const QByteArray tail = text.mid(found.capturedEnd() + 1).toUtf8();
        QVERIFY(head.endsWith('\n') && all.startsWith(head));
        QVERIFY(tail.startsWith("line ") && all.endsWith("\n" + tail));
        QVERIFY(head.size() > tail.size());
        QCOMPARE(found.captured(1).toLongLong(), all.size() - head.size() - tail.size());
        QCOMPARE(found.captured(2).toLongLong(), lines - head.count('\n') - tail.count('\n'));

        QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("call"));
        auto log = OutputLog::create(path);
        BERTH_OK(log);
        for (qsizetype at = 0; at < all.size(); at += 65'536)
            (*log)->append(OutputStream::Stdout, all.mid(at, 65'536));
        QCOMPARE(modelOutputOfFile(path, all.size(), limits), text);
    }

    void oneEndlessLine()
    {
        const QString text = modelOutput(QByteArray(3'000'000, 'z'));
        QVERIFY(text.size() < 30'000);
        QVERIFY2(text.contains(QLatin1String("bytes in 1 line left out")), qPrintable(text));
        // A progress bar without end: its first and its last states.
        QByteArray bar;
        for (int i = 0; i <= 100'000; ++i)
            bar += "\rstep " + QByteArray::number(i);
        const QString states = modelOutput(bar);
        QVERIFY(states.endsWith(QLatin1String("step 100000")));
        QVERIFY(states.size() < 200);
    }

    void textThatEndsInBinary()
    {
        const QString text = modelOutput(numberedLines(0, 40'000) + QByteArray(600'000, '\1'));
        QVERIFY(text.startsWith(QLatin1String("line 0\nline 1\n")));
        QVERIFY2(text.endsWith(QLatin1String("bytes that end as binary data]")),
                 qPrintable(text.right(200)));
    }

    void whatTheLogLostIsSaid()
    {
        QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("call"));
        QCOMPARE(modelOutputOfFile(path, 0),
                 QStringLiteral("(The output of this command is not there any more)"));
        auto log = OutputLog::create(path);
        BERTH_OK(log);
        QCOMPARE(modelOutputOfFile(path, 0), QStringLiteral("(no output)"));
        (*log)->append(OutputStream::Stdout, "kept\n");
        QCOMPARE(modelOutputOfFile(path, 25),
                 QStringLiteral("kept\n[20 more bytes could not be stored]"));
    }

    //! A gigabyte costs no more than a megabyte.
    void theMiddleIsNotRead()
    {
        QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("call"));
        {
            auto log = OutputLog::create(path);
            BERTH_OK(log);
            (*log)->append(OutputStream::Stdout, numberedLines(0, 50'000));
        }
        // A hole that would take seconds to read.
        QFile file(path + QStringLiteral(".out"));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.resize(40LL * 1024 * 1024 * 1024));
        QVERIFY(file.seek(file.size()));
        file.write("\n" + numberedLines(0, 50'000));
        file.close();
        QElapsedTimer timer;
        timer.start();
        const QString text = modelOutputOfFile(path, 0);
        QVERIFY2(timer.elapsed() < 1500, QByteArray::number(timer.elapsed()).constData());
        QVERIFY(text.contains(QLatin1String(" bytes left out ")));
        QVERIFY(text.endsWith(QLatin1String("line 49999\n")));
    }
};

QTEST_GUILESS_MAIN(ModelOutputTest)
#include "test_model_output.moc"
