// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/error.h"
#include "domain/execution/outcome.h"
#include "domain/provider/instance.h"
#include "domain/sandbox/lease.h"
#include "domain/thread/stores.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QSet>
#include <QtTest/QTest>

using namespace berth::domain;

namespace {

//! Each value has a name of its own that leads back to it; anything else leads nowhere.
template <typename Enum>
bool namesAreOneToOne(Enum last, std::optional<Enum> (*fromWire)(QStringView))
{
    static const QRegularExpression snake(QStringLiteral("^[a-z]+(_[a-z]+)*$"));
    QSet<QString> names;
    for (int value = 0; value <= int(last); ++value) {
        const QString name = wireName(Enum(value));
        if (!snake.match(name).hasMatch() || fromWire(name) != Enum(value))
            return false;
        names.insert(name);
    }
    return names.size() == int(last) + 1 && !fromWire(u"") && !fromWire(u"RUNNING")
        && !fromWire(u"no_such_name");
}

} // namespace

class ClosedSetsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesLeadThereAndBack()
    {
        QVERIFY(namesAreOneToOne(ErrorKind::Internal, &errorKindFromWire));
        QVERIFY(namesAreOneToOne(OutcomeKind::NotStarted, &outcomeKindFromWire));
        QVERIFY(namesAreOneToOne(ObservedState::Unknown, &observedStateFromWire));
        QVERIFY(namesAreOneToOne(DesiredState::Destroyed, &desiredStateFromWire));
        QVERIFY(namesAreOneToOne(OnExit::Destroy, &onExitFromWire));
        QVERIFY(namesAreOneToOne(RunState::Interrupted, &runStateFromWire));
        QVERIFY(namesAreOneToOne(MessageRole::Note, &messageRoleFromWire));
        QVERIFY(namesAreOneToOne(ToolCallState::Done, &toolCallStateFromWire));
        QVERIFY(namesAreOneToOne(SandboxStatus::Deleted, &sandboxStatusFromWire));
    }

    void exitCodesAreAsAShellTellsThem_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("code");
        QTest::addColumn<int>("expected");
        QTest::newRow("0") << int(OutcomeKind::Exited) << 0 << 0;
        QTest::newRow("3") << int(OutcomeKind::Exited) << 3 << 3;
        QTest::newRow("255") << int(OutcomeKind::Exited) << 255 << 255;
        QTest::newRow("killed") << int(OutcomeKind::Signalled) << 9 << 137;
        QTest::newRow("segmentation fault") << int(OutcomeKind::Signalled) << 11 << 139;
        QTest::newRow("timeout") << int(OutcomeKind::TimedOut) << 0 << 137;
        QTest::newRow("cancel") << int(OutcomeKind::Cancelled) << 0 << 130;
        QTest::newRow("lost") << int(OutcomeKind::TransportLost) << 0 << 125;
        QTest::newRow("interrupted") << int(OutcomeKind::Interrupted) << 0 << 125;
        QTest::newRow("not started") << int(OutcomeKind::NotStarted) << 0 << 125;
    }

    void exitCodesAreAsAShellTellsThem()
    {
        QFETCH(int, kind);
        QFETCH(int, code);
        QFETCH(int, expected);
        Outcome outcome;
        outcome.kind = OutcomeKind(kind);
        outcome.code = code;
        QCOMPARE(exitCodeOf(outcome), expected);
    }

    void signalsHaveNames()
    {
        QCOMPARE(signalName(9), QStringLiteral("SIGKILL"));
        QCOMPARE(signalName(15), QStringLiteral("SIGTERM"));
        QCOMPARE(signalName(77), QStringLiteral("signal 77"));
    }

    void labelsComeBack()
    {
        InstanceLabels labels;
        labels.installation = InstallationId::create();
        labels.sandbox = SandboxId::create();
        labels.lease = LeaseId::create();
        labels.instance = InstanceId::create();
        labels.agent = AgentId(QStringLiteral("default"));
        labels.alias = QStringLiteral("docker-1");
        labels.configHash = QStringLiteral("0123456789abcdef");
        const QMap<QString, QString> map = labels.toMap();
        QCOMPARE(map.size(), 7);
        for (auto it = map.begin(); it != map.end(); ++it)
            QVERIFY(it.key().startsWith(QLatin1String("berth.")) && !it.value().isEmpty());
        QVERIFY(InstanceLabels::fromMap(map) == labels);
        QVERIFY(InstanceLabels::fromMap({}).installation.isNull());
    }
};

QTEST_GUILESS_MAIN(ClosedSetsTest)
#include "test_closed_sets.moc"
