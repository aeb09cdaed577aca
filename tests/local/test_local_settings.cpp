// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/local/bubblewrap.h"
#include "providers/local/local_kind.h"

#include <QtTest/QTest>

using namespace berth;
using local::LocalSettings;

using Values = QMap<QString, QString>;

class LocalSettingsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void defaults();
    void schema();
    void problems_data();
    void problems();
    void rowWinsOverFile();
    void twoNamesForOneThing();
    void rowWithUnknownKeys();
    void versions_data();
    void versions();
    void argumentsIsolate();
};

void LocalSettingsTest::defaults()
{
    const auto settings = local::localSettings({}, {});
    QVERIFY(settings.has_value());
    QCOMPARE(*settings, LocalSettings());
    QVERIFY(!settings->network);
    QCOMPARE(settings->home, QStringLiteral("/workspace"));
}

void LocalSettingsTest::schema()
{
    const auto kind = local::makeLocalKind();
    QCOMPARE(kind->schema().facts.kind, QStringLiteral("local"));
    QCOMPARE(kind->schema().facts.mark, QStringLiteral("L"));
    Values values;
    for (const domain::SchemaField &field : kind->schema().fields) {
        QVERIFY2(!field.label.isEmpty(), qPrintable(field.key));
        QVERIFY2(!domain::validationProblem(field, field.defaultValue), qPrintable(field.key));
        values.insert(field.key, field.defaultValue);
    }
    QVERIFY(!kind->problemWith(values));
    QVERIFY(kind->schema().field(QStringLiteral("on_exit")));
    // No file may hold the machine's own switch.
    QVERIFY(!kind->schema().field(QStringLiteral("passthrough_allowed")));
}

void LocalSettingsTest::problems_data()
{
    QTest::addColumn<Values>("values");
    QTest::addColumn<bool>("fine");
    const auto row = [](const char *name, const QString &key, const QString &value, bool fine) {
        QTest::newRow(name) << Values{{key, value}} << fine;
    };
    const QString isolation = QStringLiteral("isolation");
    const QString cwd = QStringLiteral("cwd");
    row("bubblewrap", isolation, QStringLiteral("bubblewrap"), true);
    row("none", isolation, QStringLiteral("none"), false);
    row("host", isolation, QStringLiteral("host"), false);
    row("nonsense", isolation, QStringLiteral("Bubblewrap"), false);
    row("network", QStringLiteral("network"), QStringLiteral("yes"), false);
    row("home", cwd, QStringLiteral("/home/me/project"), true);
    row("relative", cwd, QStringLiteral("work"), false);
    row("root", cwd, QStringLiteral("/"), false);
    row("system", cwd, QStringLiteral("/usr/local/work"), false);
    row("like system", cwd, QStringLiteral("/usrlocal"), true);
    row("dots", cwd, QStringLiteral("/srv/../usr"), false);
    row("slash at the end", cwd, QStringLiteral("/srv/"), false);
    row("newline", cwd, QStringLiteral("/srv\nx"), false);
    row("proc", cwd, QStringLiteral("/proc/1"), false);
}

void LocalSettingsTest::problems()
{
    QFETCH(Values, values);
    QFETCH(bool, fine);
    const auto problem = local::localProblem(values);
    QCOMPARE(!problem.has_value(), fine);
    QCOMPARE(local::localSettings(values, {}).has_value(), fine);
}

void LocalSettingsTest::rowWinsOverFile()
{
    const auto settings =
        local::localSettings({{QStringLiteral("cwd"), QStringLiteral("/a")},
                              {QStringLiteral("network"), QStringLiteral("true")}},
                             {{QStringLiteral("agent_home"), QStringLiteral("/b")},
                              {QStringLiteral("network"), QStringLiteral("false")}});
    QVERIFY(settings.has_value());
    QCOMPARE(settings->home, QStringLiteral("/b"));
    QVERIFY(!settings->network);
}

void LocalSettingsTest::twoNamesForOneThing()
{
    const Values same{{QStringLiteral("cwd"), QStringLiteral("/a")},
                      {QStringLiteral("agent_home"), QStringLiteral("/a")}};
    const Values different{{QStringLiteral("cwd"), QStringLiteral("/a")},
                           {QStringLiteral("agent_home"), QStringLiteral("/b")}};
    QVERIFY(local::localSettings(same, {}).has_value());
    QVERIFY(!local::localSettings(different, {}).has_value());
    QVERIFY(!local::localSettings({}, different).has_value());
}

void LocalSettingsTest::rowWithUnknownKeys()
{
    QVERIFY(local::localSettings({}, {{QStringLiteral("on_exit"), QStringLiteral("destroy")}})
                .has_value());
    for (const char *key :
         {"image", "isolation", "passthrough_allowed", "console_url", "Network"}) {
        const auto refused =
            local::localSettings({}, {{QString::fromLatin1(key), QStringLiteral("bubblewrap")}});
        QVERIFY2(!refused.has_value(), key);
        QVERIFY(refused.error().message.contains(QString::fromLatin1(key)));
    }
}

void LocalSettingsTest::versions_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QList<int>>("version");
    QTest::newRow("Debian 12") << QByteArrayLiteral("bubblewrap 0.8.0\n") << QList<int>{0, 8, 0};
    QTest::newRow("two parts") << QByteArrayLiteral("bubblewrap 0.11\n") << QList<int>{0, 11, 0};
    QTest::newRow("other") << QByteArrayLiteral("busybox 1.2.3\n") << QList<int>{};
    QTest::newRow("none") << QByteArray() << QList<int>{};
}

void LocalSettingsTest::versions()
{
    QFETCH(QByteArray, output);
    QFETCH(QList<int>, version);
    QCOMPARE(local::bubblewrapVersion(output), version);
}

void LocalSettingsTest::argumentsIsolate()
{
    local::BubblewrapRequest request;
    request.hostName = QStringLiteral("name");
    request.workspace = QStringLiteral("/data/ws; rm -rf /");
    const QStringList closed = local::bubblewrapArguments(request, {});
    for (const char *needed :
         {"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net",
          "--die-with-parent", "--new-session", "--as-pid-1", "--clearenv", "--disable-userns"})
        QVERIFY2(closed.contains(QString::fromLatin1(needed)), needed);
    QCOMPARE(closed.count(request.workspace), 1);
    // The one thing bound writable is the workspace.
    QCOMPARE(closed.count(QStringLiteral("--bind")), 1);
    QCOMPARE(closed.at(closed.indexOf(QStringLiteral("--bind")) + 1), request.workspace);
    QCOMPARE(closed.last(), QStringLiteral("--"));
    QVERIFY(closed.filter(QStringLiteral("resolv.conf")).isEmpty());

    request.settings.network = true;
    const QStringList open = local::bubblewrapArguments(request, {});
    QVERIFY(!open.contains(QStringLiteral("--unshare-net")));
    QVERIFY(!open.filter(QStringLiteral("resolv.conf")).isEmpty());
}

QTEST_GUILESS_MAIN(LocalSettingsTest)
#include "test_local_settings.moc"
