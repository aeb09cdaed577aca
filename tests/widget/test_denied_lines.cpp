// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Commands of the user's own that are denied; reasons and queues when the window shows other
// things.
#include "ui/conversation/approval_override.h"
#include "ui/conversation/conversation_view.h"
#include "ui/main/new_thread_page.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "widget/support/asking_rig.h"

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QTextCursor>
#include <QtWidgets/QLineEdit>

using namespace berth;
using namespace berth::ui;
using application::DecideApproval;
using test::Asking;

class TestDeniedLines final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aReasonIsNotLostSilently();
    void aReasonThatWasSentIsNotLost();
    void theQueueLeavesAnOutput();
    void aDeniedLineCanBeRunAnyway();
    void anOfferIsForThatLineOnly();
    void aNewThreadsLineCanBeRunAnyway();
};

void TestDeniedLines::aReasonIsNotLostSilently()
{
    Asking asking;
    QVERIFY(asking.start());
    asking.page()->setEnterSends(true);
    asking.edit()->setPlainText(QStringLiteral("!half a command"));
    const auto approval =
        asking.engine.agents.askApproval(asking.thread, QStringLiteral("git push"));
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("rm -rf ."));
    ApprovalCard *card = asking.card();
    QVERIFY(card);
    QTest::mouseClick(card->denyButton(), Qt::LeftButton);
    QTest::keyClicks(card->reasonLine(), QStringLiteral("not on Fri"));
    // Somebody else decides in the middle of the word.
    asking.engine.state.approvals.removeFirst();
    asking.engine.emitEvent(application::ApprovalClosed{approval.toolCall, asking.thread});
    QTRY_COMPARE(asking.panel()->cards().size(), 1);
    QCOMPARE(asking.window->focusWidget(), asking.edit());
    // The Return that was to send the reason sends nothing else.
    QTest::keyClick(asking.window->focusWidget(), Qt::Key_Return);
    QTest::qWait(30);
    QCOMPARE(asking.engine.count<application::SendMessage>(), 0);
    QCOMPARE(asking.engine.count<DecideApproval>(), 0);
    QCOMPARE(asking.edit()->toPlainText(), QStringLiteral("!half a command"));
    QVERIFY(asking.panel()->lostBar()->isVisible());
    QVERIFY(asking.panel()->lostBar()->title().contains(QLatin1String("git push")));
    QVERIFY(asking.panel()->lostBar()->detail().contains(QLatin1String("not on Fri")));
    QTest::mouseClick(asking.panel()->copyLostButton(), Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("not on Fri"));
    // It is about that thread, and stays until it was taken note of.
    asking.window->showThread(asking.other);
    QVERIFY(!asking.panel()->lostBar()->isVisible());
    asking.window->showThread(asking.thread);
    QVERIFY(asking.panel()->lostBar()->isVisible());
    QTest::mouseClick(asking.panel()->dismissButton(), Qt::LeftButton);
    QVERIFY(!asking.panel()->lostBar()->isVisible());
    QCOMPARE(asking.panel()->cards().size(), 1);
    QTest::qWait(750);
    QTest::keyClick(asking.edit(), Qt::Key_Return);
    QTRY_COMPARE(asking.engine.count<application::SendMessage>(), 1);
}

void TestDeniedLines::aReasonThatWasSentIsNotLost()
{
    Asking asking;
    QVERIFY(asking.start());
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("git push"));
    ApprovalCard *card = asking.card();
    QVERIFY(card);
    QTest::mouseClick(card->denyButton(), Qt::LeftButton);
    QTest::keyClicks(card->reasonLine(), QStringLiteral("no"));
    QTest::keyClick(card->reasonLine(), Qt::Key_Return);
    QTRY_VERIFY(asking.panel()->cards().isEmpty());
    QVERIFY(!asking.panel()->isVisible());
    QCOMPARE(asking.window->focusWidget(), asking.edit());
}

void TestDeniedLines::theQueueLeavesAnOutput()
{
    Asking asking;
    QVERIFY(asking.start());
    const domain::ToolCallId call =
        asking.engine.startCall(asking.thread, QStringLiteral("seq 1000"));
    asking.engine.write(call, "1\n2\n");
    QTRY_VERIFY(asking.page()->model()->call(call));
    Q_EMIT asking.page()->view()->showAllRequested(call);
    QVERIFY(asking.page()->isViewerOpen());
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("git push"));
    QVERIFY(asking.card());
    QVERIFY(!asking.panel()->isVisible());
    QTest::keyClick(asking.window.get(), Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!asking.page()->isViewerOpen());
    QTRY_COMPARE(asking.window->focusWidget(), asking.panel()->cards().first()->onceButton());
}

void TestDeniedLines::aDeniedLineCanBeRunAnyway()
{
    Asking asking;
    QVERIFY(asking.start());
    const QString command = QString::fromLatin1(application::SendMessage::kName);
    asking.engine.failures.insert(command,
                                  {domain::ErrorKind::Forbidden,
                                   QStringLiteral("This command is not allowed"),
                                   QStringLiteral("Not allowed: rm *")});
    asking.edit()->setFocus();
    asking.edit()->setPlainText(QStringLiteral("!rm -rf build"));
    Composer *composer = asking.page()->composer();
    composer->submit();
    QTRY_VERIFY(composer->errorBar()->isVisible());
    // The reason stands there first; the line and the focus stay where they are.
    QVERIFY(composer->errorBar()->detail().contains(QLatin1String("rm *")));
    Button *anyway = asking.page()->runAnyway()->button();
    QTRY_VERIFY(anyway->isVisible());
    QCOMPARE(asking.edit()->toPlainText(), QStringLiteral("!rm -rf build"));
    QCOMPARE(asking.window->focusWidget(), asking.edit());
    QVERIFY(!asking.engine.last<application::SendMessage>().runAnyway);
    asking.engine.failures.clear();
    // It has just come up under the pointer.
    QTest::mouseClick(anyway, Qt::LeftButton);
    QTest::qWait(450);
    QCOMPARE(asking.engine.count<application::SendMessage>(), 1);
    QTest::mouseClick(anyway, Qt::LeftButton);
    QTRY_COMPARE(asking.engine.count<application::SendMessage>(), 2);
    const auto sent = asking.engine.last<application::SendMessage>();
    QVERIFY(sent.runAnyway);
    QCOMPARE(sent.text, QStringLiteral("!rm -rf build"));
    QCOMPARE(sent.thread, asking.thread);
    QTRY_VERIFY(asking.edit()->toPlainText().isEmpty());
    QVERIFY(!composer->errorBar()->isVisible());
}

void TestDeniedLines::anOfferIsForThatLineOnly()
{
    Asking asking;
    QVERIFY(asking.start());
    const QString command = QString::fromLatin1(application::SendMessage::kName);
    const domain::Error denied{domain::ErrorKind::Forbidden, QStringLiteral("Not allowed"), {}};
    Button *anyway = asking.page()->runAnyway()->button();
    Composer *composer = asking.page()->composer();
    asking.engine.failures.insert(command, denied);
    asking.edit()->setFocus();
    asking.edit()->setPlainText(QStringLiteral("!rm x"));
    composer->submit();
    QTRY_VERIFY(anyway->isVisible());
    asking.edit()->moveCursor(QTextCursor::End);
    QTest::keyClick(asking.edit(), 'y');
    QVERIFY(!anyway->isVisible());
    composer->submit();
    QTRY_VERIFY(anyway->isVisible());
    // Another failure is no denial.
    asking.engine.failures.insert(
        command, {domain::ErrorKind::Unavailable, QStringLiteral("The engine is away"), {}});
    composer->submit();
    QTRY_COMPARE(composer->errorBar()->title(), QStringLiteral("The engine is away"));
    QVERIFY(!anyway->isVisible());
    // Words to the agent are no command.
    asking.engine.failures.insert(command, denied);
    asking.edit()->setPlainText(QStringLiteral("remove x"));
    composer->submit();
    QTRY_COMPARE(composer->errorBar()->title(), QStringLiteral("Not allowed"));
    QTest::qWait(30);
    QVERIFY(!anyway->isVisible());
}

void TestDeniedLines::aNewThreadsLineCanBeRunAnyway()
{
    Asking asking;
    QVERIFY(asking.start());
    asking.window->showNewThread();
    NewThreadPage *page = asking.window->newThreadPage();
    asking.engine.failures.insert(
        QString::fromLatin1(application::NewThread::kName),
        {domain::ErrorKind::Forbidden, QStringLiteral("The agent is read-only"), {}});
    page->composer()->edit()->setPlainText(QStringLiteral("!make"));
    page->composer()->submit();
    QTRY_VERIFY(page->runAnyway()->button()->isVisible());
    asking.engine.failures.clear();
    QTest::qWait(450);
    QTest::mouseClick(page->runAnyway()->button(), Qt::LeftButton);
    QTRY_COMPARE(asking.engine.count<application::NewThread>(), 2);
    QVERIFY(asking.engine.last<application::NewThread>().runAnyway);
    QCOMPARE(asking.engine.last<application::NewThread>().text, QStringLiteral("!make"));
}

QTEST_MAIN(TestDeniedLines)
#include "test_denied_lines.moc"
