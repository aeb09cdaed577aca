// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/provider/capabilities.h"
#include "domain/provider/schema.h"

#include <QtTest/QTest>

using namespace berth::domain;

class SchemaTest : public QObject
{
    Q_OBJECT

private:
    static SchemaField field(FieldType type)
    {
        SchemaField field;
        field.key = QStringLiteral("docker.x");
        field.label = QStringLiteral("Field");
        field.type = type;
        field.minimum = 1;
        field.maximum = 10;
        field.choices = {{QStringLiteral("pause"), QStringLiteral("Pause")},
                         {QStringLiteral("destroy"), QString()}};
        return field;
    }

private Q_SLOTS:
    void values_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char *name, FieldType type, const char *text,
                            const char *problem) {
            QTest::newRow(name) << int(type) << QString::fromUtf8(text)
                                << QString::fromUtf8(problem);
        };
        row("text", FieldType::Text, "anything", "");
        row("empty is fine", FieldType::Integer, "  ", "");
        row("integer", FieldType::Integer, " 7 ", "");
        row("lowest", FieldType::Integer, "1", "");
        row("highest", FieldType::Integer, "10", "");
        row("too low", FieldType::Integer, "0", "Field must be at least 1");
        row("too high", FieldType::Integer, "11", "Field must be at most 10");
        row("no number", FieldType::Integer, "7 GB", "Field must be a whole number");
        row("fraction", FieldType::Integer, "7.5", "Field must be a whole number");
        row("huge", FieldType::Integer, "99999999999999999999", "Field must be a whole number");
        row("true", FieldType::Boolean, "true", "");
        row("false", FieldType::Boolean, "false", "");
        row("yes", FieldType::Boolean, "yes", "Field must be true or false");
        row("choice", FieldType::Choice, "destroy", "");
        row("no choice", FieldType::Choice, "Pause", "Field must be one of: pause, destroy");
        row("path", FieldType::Path, "/workspace", "");
        row("relative", FieldType::Path, "workspace",
            "Field must be an absolute path, such as /workspace");
        row("home", FieldType::Path, "~/x", "Field must be an absolute path, such as /workspace");
        row("list", FieldType::StringList, "one\ntwo", "");
        row("variable not expanded", FieldType::Path, "${HOME}/x",
            "Field must be an absolute path, such as /workspace");
    }

    void values()
    {
        QFETCH(int, type);
        QFETCH(QString, text);
        QFETCH(QString, problem);
        QCOMPARE(validationProblem(field(FieldType(type)), text).value_or(QString()), problem);
    }

    void requiredFields()
    {
        SchemaField required = field(FieldType::Text);
        required.required = true;
        QCOMPARE(validationProblem(required, QStringLiteral(" ")).value_or(QString()),
                 QStringLiteral("Field is required"));
        required.defaultValue = QStringLiteral("x");
        QVERIFY(!validationProblem(required, QString()));
    }

    void patternsHoldForTheWholeValue()
    {
        SchemaField patterned = field(FieldType::Text);
        patterned.pattern = QStringLiteral("[a-z]+|[0-9]+");
        patterned.patternHint = QStringLiteral("only letters");
        QVERIFY(!validationProblem(patterned, QStringLiteral("abc")));
        QCOMPARE(validationProblem(patterned, QStringLiteral("abc1")).value_or(QString()),
                 QStringLiteral("Field: only letters"));
        QVERIFY(validationProblem(patterned, QStringLiteral("abc\n")));
    }

    void expandableFieldsMayHoldVariables()
    {
        SchemaField path = field(FieldType::Path);
        path.expandable = true;
        QVERIFY(!validationProblem(path, QStringLiteral("${HOME}/x")));
        QVERIFY(validationProblem(path, QStringLiteral("x")));
    }

    void everyConfigHasTheCommonFields()
    {
        const ProviderSchema schema{{}, commonFields()};
        const SchemaField *onExit = schema.field(QStringLiteral("on_exit"));
        QVERIFY(onExit);
        QVERIFY(!validationProblem(*onExit, onExit->defaultValue));
        QVERIFY(schema.field(QStringLiteral("init_commands")));
        QVERIFY(!schema.field(QStringLiteral("on")));
    }

    void whatIsMissingComesWithAReason()
    {
        Capabilities capabilities;
        QVERIFY(!capabilities.has(Capability::Pause));
        QVERIFY(!capabilities.reasonAgainst(Capability::Pause).isEmpty());
        capabilities.deny(Capability::Pause, QStringLiteral("no cgroup"))
            .allow(Capability::Metrics);
        QCOMPARE(capabilities.reasonAgainst(Capability::Pause), QStringLiteral("no cgroup"));
        QVERIFY(capabilities.reasonAgainst(Capability::Metrics).isEmpty());
        capabilities.allow(Capability::Pause);
        QVERIFY(capabilities.has(Capability::Pause));
        capabilities.deny(Capability::Pause, QStringLiteral("again"));
        QVERIFY(!capabilities.has(Capability::Pause));
    }
};

QTEST_GUILESS_MAIN(SchemaTest)
#include "test_schema.moc"
