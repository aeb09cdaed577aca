// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/sandbox/naming.h"

#include <QtCore/QSet>
#include <QtTest/QTest>

using namespace berth::domain;

class NamesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void validNames_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("valid");
        QTest::newRow("short") << QStringLiteral("a") << true;
        QTest::newRow("digit first") << QStringLiteral("1a") << true;
        QTest::newRow("all kinds") << QStringLiteral("a-b_c9") << true;
        QTest::newRow("32") << QString(32, QLatin1Char('a')) << true;
        QTest::newRow("33") << QString(33, QLatin1Char('a')) << false;
        QTest::newRow("empty") << QString() << false;
        QTest::newRow("upper") << QStringLiteral("Agent") << false;
        QTest::newRow("dash first") << QStringLiteral("-a") << false;
        QTest::newRow("underscore first") << QStringLiteral("_a") << false;
        QTest::newRow("dot") << QStringLiteral("a.b") << false;
        QTest::newRow("slash") << QStringLiteral("a/b") << false;
        QTest::newRow("space") << QStringLiteral("a b") << false;
        QTest::newRow("newline at the end") << QStringLiteral("a\n") << false;
        QTest::newRow("umlaut") << QStringLiteral("\u00e4") << false;
        QTest::newRow("arabic digit") << QStringLiteral("\u0661") << false;
    }

    void validNames()
    {
        QFETCH(QString, name);
        QFETCH(bool, valid);
        QCOMPARE(isValidName(name), valid);
    }

    void namesAreMadeOfAnyText_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("name");
        QTest::newRow("words") << QStringLiteral("My Fine  Agent")
                               << QStringLiteral("my-fine-agent");
        QTest::newRow("odd") << QStringLiteral("  --C++ (\u00e4) helper!  ")
                             << QStringLiteral("c-helper");
        QTest::newRow("nothing left") << QStringLiteral("\u4f60\u597d!") << QStringLiteral("agent");
        QTest::newRow("empty") << QString() << QStringLiteral("agent");
        QTest::newRow("long") << QString(40, QLatin1Char('x')) << QString(32, QLatin1Char('x'));
        QTest::newRow("cut at a space") << QString(31, QLatin1Char('x')) + QStringLiteral(" y")
                                        << QString(31, QLatin1Char('x'));
    }

    void namesAreMadeOfAnyText()
    {
        QFETCH(QString, text);
        QFETCH(QString, name);
        QCOMPARE(nameFrom(text), name);
        QVERIFY(isValidName(nameFrom(text)));
    }

    void sandboxNamesCarryTheInstallation()
    {
        QCOMPARE(sandboxName(InstallationId(QStringLiteral("0123456789abcdef")),
                             AgentId(QStringLiteral("default")), QStringLiteral("docker-1")),
                 QStringLiteral("berth-01234567-default-docker-1"));
    }

    void idsAreFreshAndTheirOwnKind()
    {
        static_assert(!std::is_convertible_v<ThreadId, RunId>);
        static_assert(!std::is_convertible_v<QString, ThreadId>);
        QSet<ThreadId> ids;
        for (int i = 0; i < 1000; ++i)
            ids.insert(ThreadId::create());
        QCOMPARE(ids.size(), 1000);
        QCOMPARE(ids.begin()->toString().size(), 36);
        QCOMPARE(ids.begin()->toString(), ids.begin()->toString().toLower());
        QVERIFY(ThreadId().isNull());
    }
};

QTEST_GUILESS_MAIN(NamesTest)
#include "test_names.moc"
