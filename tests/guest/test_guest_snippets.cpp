// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "guest/guest_rig.h"
#include "support/shell_snippets.h"

#include <QtCore/QFile>
#include <QtCore/QStandardPaths>
#include <QtTest/QTest>

using namespace std::chrono_literals;

namespace berth::test {

using domain::OutcomeKind;

namespace {

enum Shell { Bash, Dash, Busybox, Shells };

QByteArray valueOf(const domain::Environment &environment, const QByteArray &name)
{
    for (const auto &[key, value] : environment)
        if (key == name)
            return value;
    return {};
}

} // namespace

//! Texts that trip over wrappers: the same exit, the same output as without Berth, and the state
//! either right or said to be unknown.
class TestGuestSnippets : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { m_rig.reset(); }
    void sameAsPlain_data();
    void sameAsPlain();

private:
    std::unique_ptr<GuestRig> m_rig;
    QString m_shells[Shells];
};

void TestGuestSnippets::initTestCase()
{
    m_rig = std::make_unique<GuestRig>(GuestMode::Root);
    QVERIFY2(m_rig->isOpen(), qUtf8Printable(m_rig->problem()));
    m_shells[Bash] = QStandardPaths::findExecutable(QStringLiteral("bash"));
    m_shells[Dash] = QStandardPaths::findExecutable(QStringLiteral("dash"));
    const QString busybox = QStandardPaths::findExecutable(QStringLiteral("busybox"));
    m_shells[Busybox] = QFile::decodeName(m_rig->directory()) + QStringLiteral("/sh");
    QVERIFY(!m_shells[Bash].isEmpty() && !m_shells[Dash].isEmpty() && !busybox.isEmpty());
    QVERIFY(QFile::link(busybox, m_shells[Busybox]));
}

void TestGuestSnippets::sameAsPlain_data()
{
    QTest::addColumn<QByteArray>("text");
    // Per shell (bash, dash, busybox): 't' the environment is tracked, '-' it is said not to be.
    QTest::addColumn<QByteArray>("tracked");
    QTest::addColumn<QByteArray>("value"); // of M at the end
    const QList<ShellSnippet> all = shellSnippets();
    for (const ShellSnippet &one : all)
        QTest::newRow(one.name) << one.text << one.tracked << one.value;
}

void TestGuestSnippets::sameAsPlain()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, tracked);
    QFETCH(QByteArray, value);
    static const char *const names[] = {"bash", "dash", "busybox"};
    QByteArray got;
    for (int i = 0; i < Shells; ++i) {
        const PlainRun plain = plainRun(m_shells[i], text, m_rig->directory());
        net::GuestShellOptions options;
        options.homeDirectory = m_rig->directory();
        options.shell = QFile::encodeName(m_shells[i]);
        net::GuestShell shell(m_rig->sharedChannel(), options);
        domain::CommandSpec spec = shellCommand(text);
        spec.trackState = true;
        const Finished finished = test::run(shell, spec, 10s);
        const QByteArray where = QByteArray(names[i]) + ": " + told(finished)
            + "\nplain: " + QByteArray::number(plain.code) + ", out: " + plain.out.left(400)
            + ", err: " + plain.err.left(400);
        QVERIFY2(finished.outcome.kind
                     == (plain.signalled ? OutcomeKind::Signalled : OutcomeKind::Exited),
                 where.constData());
        QVERIFY2(finished.outcome.code == plain.code, where.constData());
        QVERIFY2(finished.out == plain.out, where.constData());
        QByteArray err = finished.err;
        if (text == "if; then") // bash shows the line, and in front of it stands the trap
            err.replace("trap '/proc/self/fd/197 dump' EXIT; ", "");
        QVERIFY2(err == plain.err, where.constData());
        got += finished.outcome.environment ? 't' : '-';
        if (finished.outcome.environment)
            QVERIFY2(
                valueOf(*finished.outcome.environment, "M") == value,
                (QByteArray(names[i]) + ": " + valueOf(*finished.outcome.environment, "M").left(80))
                    .constData());
    }
    QCOMPARE(got, tracked);
}

} // namespace berth::test

QTEST_GUILESS_MAIN(berth::test::TestGuestSnippets)
#include "test_guest_snippets.moc"
