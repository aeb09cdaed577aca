// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootstrap/own_keys.h"

#include <QtCore/QProcess>
#include <QtTest/QTest>

using namespace berth;

class OwnKeysTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void childrenInheritNoKey()
    {
        qputenv("E2B_API_KEY", "canary-e2b-1");
        qputenv("DAYTONA_API_KEY", "canary-daytona-2");
        qputenv("AGENTBAY_API_KEY", "canary-agentbay-3");
        qputenv("TENKI_API_KEY", "canary-tenki-4");
        qputenv("TENKI_AUTH_TOKEN", "canary-tenki-5");
        qputenv("BERTH_TEST_OTHER", "stays");
        bootstrap::takeKeysOutOfEnvironment();
        // As whoever starts one without a thought of the environment.
        QProcess child;
        child.start(QStringLiteral("env"), QStringList());
        QVERIFY(child.waitForFinished());
        const QByteArray seen = child.readAllStandardOutput();
        QVERIFY(seen.contains("BERTH_TEST_OTHER=stays"));
        QVERIFY2(!seen.contains("canary"), seen.constData());
        // The Engine still has them.
        const QProcessEnvironment own = bootstrap::environmentWithKeys();
        QCOMPARE(own.value(QStringLiteral("E2B_API_KEY")), QStringLiteral("canary-e2b-1"));
        QCOMPARE(own.value(QStringLiteral("TENKI_AUTH_TOKEN")), QStringLiteral("canary-tenki-5"));
        QCOMPARE(own.value(QStringLiteral("BERTH_TEST_OTHER")), QStringLiteral("stays"));
    }
};

QTEST_GUILESS_MAIN(OwnKeysTest)
#include "test_own_keys.moc"
