// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/providers/resolved_config.h"
#include "scripted_provider.h"
#include "support/await.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::application;
using domain::ConfigName;
using domain::ErrorKind;

namespace {

const ConfigName kName(QStringLiteral("scripted"));

void put(const QString &path, const QByteArray &text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class ConfigFileTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_directory;
    test::ScriptedKind m_kind{std::make_shared<test::ScriptedEngine>()};

    domain::Result<ProviderConfig> read()
    {
        return readProviderConfig(m_directory->path(), kName, m_kind.schema());
    }
    QString path() const { return m_directory->filePath(QStringLiteral("scripted.json")); }

private Q_SLOTS:
    void init() { m_directory = std::make_unique<QTemporaryDir>(); }

    void aNewFileLooksAsInTheDocument()
    {
        const auto config = read();
        BERTH_OK(config);
        QVERIFY(!config->exists);
        const auto text = renderProviderConfig(*config, m_kind.schema(),
                                               {{QStringLiteral("image"), QStringLiteral("a:1")}});
        BERTH_OK(text);
        QCOMPARE(*text,
                 QByteArrayLiteral("{\n  \"provider\": \"scripted\",\n  \"scripted\": {\n    "
                                   "\"image\": \"a:1\"\n  },\n"
                                   "  \"on_exit\": \"pause\"\n}\n"));
        BERTH_OK(writeProviderConfig(*config, *text));
        QCOMPARE(contentOf(path()), *text);
        const auto again = read();
        BERTH_OK(again);
        QVERIFY(again->exists);
        QCOMPARE(again->values.value(QStringLiteral("image")), QStringLiteral("a:1"));
        QCOMPARE(again->values.value(QStringLiteral("on_exit")), QStringLiteral("pause"));
    }

    void unknownKeysAndTheirOrderSurviveASave()
    {
        put(path(),
            QByteArrayLiteral("{\"zzz\": [1, {\"a\": null}], \"provider\": \"scripted\", "
                              "\"scripted\": {\"_comment\": \"x\", "
                              "\"limit\": 5, \"image\": \"b\"}}"));
        const auto config = read();
        BERTH_OK(config);
        QCOMPARE(config->values.value(QStringLiteral("limit")), QStringLiteral("5"));
        const auto text = renderProviderConfig(
            *config, m_kind.schema(),
            {{QStringLiteral("image"), QStringLiteral("c")}, {QStringLiteral("limit"), {}}});
        BERTH_OK(text);
        QVERIFY(text->contains("\"zzz\""));
        QVERIFY(text->contains("\"_comment\": \"x\""));
        QVERIFY(text->contains("\"image\": \"c\""));
        QVERIFY(!text->contains("limit"));
        QVERIFY(text->indexOf("zzz") < text->indexOf("provider"));
        // An existing file gets no defaults that nobody asked for.
        QVERIFY(!text->contains("on_exit"));
    }

    void brokenFilesAreNamedAndLeftAlone_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no JSON") << QByteArrayLiteral("{nope");
        QTest::newRow("an array") << QByteArrayLiteral("[]");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("another provider") << QByteArrayLiteral("{\"provider\": \"docker\"}");
        QTest::newRow("no provider") << QByteArrayLiteral("{}");
        QTest::newRow("section is text")
            << QByteArrayLiteral("{\"provider\": \"scripted\", \"scripted\": \"x\"}");
        QTest::newRow("value of wrong type")
            << QByteArrayLiteral("{\"provider\": \"scripted\", \"scripted\": {\"image\": {}}}");
    }
    void brokenFilesAreNamedAndLeftAlone()
    {
        QFETCH(QByteArray, text);
        put(path(), text);
        const auto config = read();
        BERTH_FAILS(config, ErrorKind::InvalidInput);
        QVERIFY(config.error().message.contains(QLatin1String("scripted")));
        QCOMPARE(contentOf(path()), text);
    }

    void variablesAreExpandedOnceWhereAllowed()
    {
        const auto lookup = [](const QString &name) -> std::optional<QString> {
            if (name == QLatin1String("TAG"))
                return QStringLiteral("${OTHER}");
            return std::nullopt;
        };
        ResolveContext context;
        context.environment = lookup;
        context.confirmed.variables = {QStringLiteral("TAG"), QStringLiteral("NONE")};
        const auto values =
            resolveConfig(m_kind, kName,
                          {{QStringLiteral("image"), QStringLiteral("x:${TAG}")},
                           {QStringLiteral("console_url"), QStringLiteral("${TAG}")}},
                          context)
                .values;
        QCOMPARE(values.value(QStringLiteral("image")), QStringLiteral("x:${OTHER}"));
        QCOMPARE(values.value(QStringLiteral("console_url")), QStringLiteral("${TAG}"));
        // Unset counts as absent: the default takes its place.
        const auto unset = resolveConfig(
            m_kind, kName, {{QStringLiteral("image"), QStringLiteral("x:${NONE}")}}, context);
        QCOMPARE(unset.values.value(QStringLiteral("image")), QStringLiteral("scripted:1"));
        // Nobody confirmed it: not even its value is looked at.
        context.confirmed.variables.clear();
        const auto unknown = resolveConfig(
            m_kind, kName, {{QStringLiteral("image"), QStringLiteral("x:${TAG}")}}, context);
        QCOMPARE(unknown.values.value(QStringLiteral("image")), QStringLiteral("scripted:1"));
        QCOMPARE(unknown.unconfirmedVariables, QStringList{QStringLiteral("TAG")});
        QVERIFY(unknown.obstacle && unknown.obstacle->kind == ErrorKind::Forbidden);
    }

    void valuesAreValidatedBySchema()
    {
        BERTH_OK(validateValues(m_kind.schema(), {{QStringLiteral("limit"), QStringLiteral("3")}}));
        BERTH_FAILS(
            validateValues(m_kind.schema(), {{QStringLiteral("limit"), QStringLiteral("0")}}),
            ErrorKind::InvalidInput);
        BERTH_FAILS(
            validateValues(m_kind.schema(), {{QStringLiteral("limit"), QStringLiteral("x")}}),
            ErrorKind::InvalidInput);
        BERTH_FAILS(
            validateValues(m_kind.schema(), {{QStringLiteral("on_exit"), QStringLiteral("keep")}}),
            ErrorKind::InvalidInput);
    }

    void stemsNameKinds()
    {
        const QStringList kinds{QStringLiteral("docker"), QStringLiteral("local")};
        QCOMPARE(kindOfStem(QStringLiteral("docker"), kinds), QStringLiteral("docker"));
        QCOMPARE(kindOfStem(QStringLiteral("docker-gpu_2"), kinds), QStringLiteral("docker"));
        QVERIFY(kindOfStem(QStringLiteral("host"), kinds).isEmpty());
        QVERIFY(kindOfStem(QStringLiteral("docker-"), kinds).isEmpty());
        QVERIFY(kindOfStem(QStringLiteral("docker-A"), kinds).isEmpty());
        QVERIFY(kindOfStem(QStringLiteral("dockerx"), kinds).isEmpty());
    }
};

QTEST_GUILESS_MAIN(ConfigFileTest)
#include "test_config_file.moc"
