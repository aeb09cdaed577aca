// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/daytona/daytona_kind.h"
#include "providers/daytona/settings.h"
#include "support/await.h"

#include <QtTest/QTest>

using namespace berth;
using namespace berth::daytona;
using domain::ErrorKind;
using Values = QMap<QString, QString>;

namespace {

Values values(std::initializer_list<std::pair<const char *, const char *>> list)
{
    Values made;
    for (const auto &[key, value] : list)
        made.insert(QLatin1String(key), QLatin1String(value));
    return made;
}

//! As the application hands them over: defaults filled in.
Values defaultsWith(Values more)
{
    Values made;
    for (const domain::SchemaField &field : schema().fields) {
        if (!field.defaultValue.isEmpty())
            made.insert(field.key, field.defaultValue);
    }
    made.insert(more);
    return made;
}

} // namespace

class TestDaytonaSettings : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void schemaHoldsTheDocuments();
    void examples();
    void rows();
    void refuses_data();
    void refuses();
    void access_data();
    void access();
    void origins();
    void toolboxes_data();
    void toolboxes();
    void localhostNames();
};

void TestDaytonaSettings::schemaHoldsTheDocuments()
{
    QCOMPARE(schema().facts.kind, QStringLiteral("daytona"));
    QVERIFY(!schema().facts.proof.isEmpty());
    const auto field = [](const char *key) { return schema().field(QLatin1String(key)); };
    for (const char *key : {"api_key", "api_url", "target", "cwd", "snapshot", "image", "username",
                            "agent_home", "auto_stop_interval_minutes", "on_exit"})
        QVERIFY2(field(key), key);
    QCOMPARE(field("api_key")->type, domain::FieldType::Secret);
    QCOMPARE(field("api_key")->environmentVariables,
             QStringList{QStringLiteral("DAYTONA_API_KEY")});
    QCOMPARE(field("api_url")->environmentVariables,
             QStringList{QStringLiteral("DAYTONA_API_URL")});
    QCOMPARE(field("target")->environmentVariables, QStringList{QStringLiteral("DAYTONA_TARGET")});
    QVERIFY(field("proxy")->advanced && field("ca_file")->advanced);
    QVERIFY(field("auto_stop_interval_minutes")->help.contains(QLatin1String("must be shorter")));
    for (const char *key : {"api_key", "api_url", "target", "toolbox_url", "proxy", "ca_file"})
        QCOMPARE(field(key)->scope, domain::FieldScope::Connection);
}

void TestDaytonaSettings::examples()
{
    QCOMPARE(schema().examples.size(), 2);
    for (const domain::SettingsExample &one : schema().examples) {
        for (auto it = one.values.begin(); it != one.values.end(); ++it) {
            const domain::SchemaField *field = schema().field(it.key());
            QVERIFY2(field, qPrintable(it.key()));
            const std::optional<QString> problem = domain::validationProblem(*field, it.value());
            QVERIFY2(!problem, qPrintable(problem.value_or(QString())));
        }
        BERTH_OK(sandboxSettings(one.values, {}));
        BERTH_OK(accessFrom(one.values, {}));
    }
    const domain::SettingsExample &own = schema().examples[1];
    QCOMPARE(own.values.value(QStringLiteral("api_url")),
             QStringLiteral("http://localhost:3986/api"));
    QCOMPARE(own.values.value(QStringLiteral("target")), QStringLiteral("us"));
    QCOMPARE(own.values.value(QStringLiteral("cwd")), QStringLiteral("/workspace"));
    // The document's SaaS example has no target, and none is sent.
    QVERIFY(sandboxSettings(schema().examples[0].values, {})->target.isEmpty());
}

void TestDaytonaSettings::rows()
{
    const Values config = defaultsWith(values({{"snapshot", "base"}, {"target", "eu"}}));
    const auto plain = sandboxSettings(config, {});
    BERTH_OK(plain);
    QCOMPARE(plain->home, QByteArrayLiteral("/home/daytona"));
    QCOMPARE(plain->snapshot, QStringLiteral("base"));
    QCOMPARE(plain->autoStopMinutes, 15);
    QCOMPARE(plain->autoArchiveMinutes, 10080);
    QCOMPARE(plain->autoDeleteMinutes, -1);
    // The row of the document: its image takes the place of the config's snapshot.
    const auto row = sandboxSettings(config,
                                     values({{"image", "ubuntu:24.04"},
                                             {"username", "daytona"},
                                             {"agent_home", "/home/me"},
                                             {"auto_stop_interval_minutes", "45"}}));
    BERTH_OK(row);
    QCOMPARE(row->image, QStringLiteral("ubuntu:24.04"));
    QVERIFY(row->snapshot.isEmpty());
    QCOMPARE(row->user, QStringLiteral("daytona"));
    QCOMPARE(row->home, QByteArrayLiteral("/home/me"));
    QCOMPARE(row->autoStopMinutes, 45);
    QCOMPARE(row->target, QStringLiteral("eu"));
    BERTH_FAILS(sandboxSettings(config, values({{"target", "us"}})), ErrorKind::InvalidInput);
    BERTH_FAILS(sandboxSettings(config, values({{"api_url", "https://x"}})),
                ErrorKind::InvalidInput);
    BERTH_FAILS(sandboxSettings(config, values({{"colour", "red"}})), ErrorKind::InvalidInput);
}

void TestDaytonaSettings::refuses_data()
{
    QTest::addColumn<Values>("config");
    QTest::newRow("snapshot and image") << values({{"snapshot", "a"}, {"image", "b"}});
    QTest::newRow("sizes of a snapshot") << values({{"snapshot", "a"}, {"cpu", "2"}});
    QTest::newRow("sizes of nothing") << values({{"memory_gib", "2"}});
    QTest::newRow("two directories") << values({{"cwd", "/a"}, {"agent_home", "/b"}});
    QTest::newRow("relative") << values({{"cwd", "work"}});
    QTest::newRow("up") << values({{"cwd", "/a/../b"}});
    QTest::newRow("deleted when stopped") << values({{"auto_delete_interval_minutes", "0"}});
    QTest::newRow("negative") << values({{"auto_stop_interval_minutes", "-1"}});
    QTest::newRow("image of two lines") << values({{"image", "a\nRUN evil"}});
}

void TestDaytonaSettings::refuses()
{
    QFETCH(Values, config);
    BERTH_FAILS(sandboxSettings(config, {}), ErrorKind::InvalidInput);
}

void TestDaytonaSettings::access_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("base");
    const auto row = [](const char *url, const char *base) {
        QTest::newRow(*url ? url : "empty")
            << QString::fromLatin1(url) << QString::fromLatin1(base);
    };
    row("", "https://app.daytona.io/api");
    row("https://app.daytona.io/api/", "https://app.daytona.io/api");
    row("http://localhost:3986/api", "http://localhost:3986/api");
    row("http://[::1]:3986/api", "http://[::1]:3986/api");
    row("https://daytona.example.com/api", "https://daytona.example.com/api");
    row("http://daytona.example.com/api", nullptr); // the key in the open
    row("ftp://daytona.example.com/api", nullptr);
    row("app.daytona.io/api", nullptr);
    row("https://me:secret@app.daytona.io/api", nullptr);
    row("https://app.daytona.io/api?x=1", nullptr);
}

void TestDaytonaSettings::access()
{
    QFETCH(QString, url);
    QFETCH(QString, base);
    const auto made = accessFrom({{QStringLiteral("api_url"), url}}, {});
    if (base.isEmpty()) {
        BERTH_FAILS(made, ErrorKind::InvalidInput);
        return;
    }
    BERTH_OK(made);
    QCOMPARE(made->api.toString(), base);
}

void TestDaytonaSettings::origins()
{
    const auto kind = makeDaytonaKind();
    using Origins = QList<domain::SecretOrigin>;
    QCOMPARE(kind->secretOrigins({}), (Origins{{QStringLiteral("https://app.daytona.io"), true}}));
    QCOMPARE(kind->secretOrigins(values({{"api_url", "http://localhost:3986/api"},
                                         {"toolbox_url", "http://10.0.0.5:4000/toolbox"}})),
             (Origins{{QStringLiteral("http://localhost:3986"), false},
                      {QStringLiteral("http://10.0.0.5:4000"), false}}));
    QVERIFY(kind->problemWith(values({{"snapshot", "a"}, {"image", "b"}})).has_value());
    QVERIFY(kind->problemWith(values({{"api_url", "nowhere"}})).has_value());
    QVERIFY(!kind->problemWith(defaultsWith({})).has_value());
}

void TestDaytonaSettings::toolboxes_data()
{
    QTest::addColumn<QString>("api");
    QTest::addColumn<QString>("toolbox");
    QTest::addColumn<bool>("allowed");
    const auto row = [](const char *api, const char *toolbox, bool allowed) {
        QTest::addRow("%s at %s", toolbox, api)
            << QString::fromLatin1(api) << QString::fromLatin1(toolbox) << allowed;
    };
    row("https://app.daytona.io/api", "https://proxy.app.daytona.io/toolbox", true);
    row("https://app.daytona.io/api", "https://proxy.eu.daytona.io/toolbox", true);
    row("https://app.daytona.io/api", "http://proxy.app.daytona.io/toolbox", false);
    row("https://app.daytona.io/api", "https://daytona.io.example.com/toolbox", false);
    row("https://app.daytona.io/api", "https://evildaytona.io/toolbox", false);
    row("https://app.daytona.io/api", "http://localhost:4000/toolbox", false);
    row("http://localhost:3986/api", "http://proxy.localhost:4000/toolbox", true);
    row("http://127.0.0.1:3986/api", "http://127.0.0.1:4000/toolbox", true);
    row("http://localhost:3986/api", "http://192.168.0.9:4000/toolbox", false);
    row("http://localhost:3986/api", "https://proxy.app.daytona.io/toolbox", false);
    row("https://day.example.com/api", "https://proxy.day.example.com/toolbox", true);
    row("https://day.example.com/api", "https://day.example.com:4000/toolbox", true);
    row("https://day.example.com/api", "https://example.com/toolbox", false);
    row("https://day.example.com/api", "https://confirmed.example.org/toolbox", true);
    row("https://day.example.com/api", "https://x@confirmed.example.org/toolbox", false);
    row("https://day.example.com/api", "", false);
}

void TestDaytonaSettings::toolboxes()
{
    QFETCH(QString, api);
    QFETCH(QString, toolbox);
    QFETCH(bool, allowed);
    const auto made = accessFrom({{QStringLiteral("api_url"), api}},
                                 {QStringLiteral("https://confirmed.example.org")});
    BERTH_OK(made);
    const auto may = mayAskToolbox(*made, QUrl(toolbox));
    QVERIFY2(may.has_value() == allowed, test::told(may).constData());
}

void TestDaytonaSettings::localhostNames()
{
    const auto to = [](const char *url) {
        return connectable(QUrl(QString::fromLatin1(url))).toString();
    };
    QCOMPARE(to("http://proxy.localhost:4000/toolbox"),
             QStringLiteral("http://127.0.0.1:4000/toolbox"));
    QCOMPARE(to("http://localhost:3986/api"), QStringLiteral("http://localhost:3986/api"));
    QCOMPARE(to("http://[::1]:3986/api"), QStringLiteral("http://[::1]:3986/api"));
    QCOMPARE(to("https://proxy.localhost/toolbox"),
             QStringLiteral("https://proxy.localhost/toolbox"));
    QCOMPARE(to("https://app.daytona.io/api"), QStringLiteral("https://app.daytona.io/api"));
}

QTEST_GUILESS_MAIN(TestDaytonaSettings)
#include "test_daytona_settings.moc"
