// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/export_strip.h"
#include "ui/conversation/thread_search.h"
#include "ui/models/thread_text.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/label.h"
#include "widget/support/conversation_rig.h"

#include <QtGui/QClipboard>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QScrollBar>

using namespace berth;
using namespace berth::ui;
using Tools = test::ConversationRig;

namespace {

QString longText(int from, int count)
{
    QString text;
    for (int i = from; i < from + count; ++i)
        text += QStringLiteral("Paragraph number %1 of the reply.\n\n").arg(i);
    return text;
}

} // namespace

class TestConversationTools : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void findsInMessagesAndOutput();
    void findOpensWhatIsFolded();
    void findGoesOnWhileAReplyStreams();
    void findIsBounded();
    void exportsToAFile();
    void exportSaysWhatWentWrong();
    void useOfResourcesIsShown();
    void editUnderWayIsKeptPerThread();
    void replyUnderWayIsTakenOver();
    void takingAgainKeepsThePlace();
    void linksAndCodeByKeyboard();
};

void TestConversationTools::findsInMessagesAndOutput()
{
    Tools tools;
    const domain::ToolCallId call =
        tools.engine.startCall(tools.thread, QStringLiteral("grep -rn needle ."));
    tools.engine.write(call, "one\ntwo Needle three\n");
    tools.engine.finish(call, domain::OutcomeKind::Exited, 1);
    tools.engine.agents.ask(tools.thread, QStringLiteral("Where is the needle?"));
    tools.engine.agents.say(tools.thread,
                            QStringLiteral("A **needle** is\n\n```\nneedle = 1\n```\n")
                                + longText(0, 60));
    QVERIFY(tools.start());
    QTRY_VERIFY(tools.model()->indexOf(call).data(ConversationModel::OpenRole).toBool());
    QTest::qWait(150);
    tools.composer()->edit()->setFocus();
    QTest::keyClick(tools.composer()->edit(), Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(tools.search()->isOpen());
    QVERIFY(tools.search()->field()->hasFocus());
    QTest::keyClicks(tools.search()->field(), QStringLiteral("NEEDLE"));
    // The user's line and the head of its card, its output, the question, the text, the code.
    QTRY_COMPARE(tools.search()->matchCount(), 6);
    const qsizetype first = tools.search()->currentMatch();
    QVERIFY(first >= 0);
    QTest::keyClick(tools.search()->field(), Qt::Key_Return);
    QCOMPARE(tools.search()->currentMatch(), (first + 1) % 6);
    QTest::keyClick(tools.search()->field(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(tools.search()->currentMatch(), first);
    QVERIFY(tools.search()->countLabel()->text().contains(QLatin1Char('6')));
    // What is looked at can be seen: the last one stands far above the end of the thread.
    while (tools.search()->currentMatch() != 5)
        QTest::keyClick(tools.search()->field(), Qt::Key_F3);
    const QRect row = tools.view()->visualRect(tools.last());
    QVERIFY(row.top() < tools.view()->viewport()->height() && row.bottom() > 0);
    QVERIFY(!tools.view()->isAtEnd());
    // Esc closes it, stops nothing, and one goes on writing.
    QTest::keyClick(tools.search()->field(), Qt::Key_Escape);
    QVERIFY(!tools.search()->isOpen());
    QVERIFY(tools.composer()->edit()->hasFocus());
    QCOMPARE(tools.engine.count<application::StopRun>(), 0);
}

void TestConversationTools::findOpensWhatIsFolded()
{
    Tools tools;
    tools.engine.agents.ask(tools.thread, QStringLiteral("Read it"));
    tools.engine.agents.say(tools.thread, QStringLiteral("So."),
                            QStringLiteral("A hidden thought"));
    tools.engine.agents.used(tools.thread, QStringLiteral("read_file"), QStringLiteral("a.py"),
                             QStringLiteral("line\n").repeated(30)
                                 + QStringLiteral("hidden end\n"));
    QVERIFY(tools.start());
    tools.page()->find();
    QTest::keyClicks(tools.search()->field(), QStringLiteral("hidden"));
    QTRY_COMPARE(tools.search()->matchCount(), 2);
    QTRY_VERIFY(tools.model()->index(1).data(ConversationModel::ReasoningOpenRole).toBool());
    QVERIFY(!tools.model()->index(2).data(ConversationModel::OpenRole).toBool());
    tools.search()->next();
    QVERIFY(tools.model()->index(2).data(ConversationModel::OpenRole).toBool());
    QVERIFY(tools.model()->index(2).data(ConversationModel::ExpandedRole).toBool());
    QCOMPARE(tools.search()->currentMatch(), 1);
    QTest::qWait(250);
    QCOMPARE(tools.search()->matchCount(), 2);
}

void TestConversationTools::findGoesOnWhileAReplyStreams()
{
    Tools tools;
    tools.engine.agents.ask(tools.thread, QStringLiteral("why?"));
    QVERIFY(tools.start());
    tools.page()->find();
    QTest::keyClicks(tools.search()->field(), QStringLiteral("late"));
    QTRY_COMPARE(tools.search()->countLabel()->text(), FindBar::tr("Not found"));
    for (int i = 0; i < 5; ++i)
        tools.engine.agents.grow(tools.thread, QStringLiteral("It is late.\n\n"));
    QTRY_COMPARE(tools.search()->matchCount(), 5);
    const qsizetype at = tools.search()->currentMatch();
    tools.engine.agents.grow(tools.thread, QStringLiteral("Very late."));
    QTRY_COMPARE(tools.search()->matchCount(), 6);
    QCOMPARE(tools.search()->currentMatch(), at);
}

void TestConversationTools::findIsBounded()
{
    Tools tools;
    tools.engine.agents.ask(tools.thread, QStringLiteral("why?"));
    tools.engine.agents.say(tools.thread, QStringLiteral("a ").repeated(7000));
    QVERIFY(tools.start());
    tools.page()->find();
    QTest::keyClicks(tools.search()->field(), QStringLiteral("a"));
    QTRY_COMPARE(tools.search()->matchCount(), ThreadSearch::kMostInRow);
}

void TestConversationTools::exportsToAFile()
{
    Tools tools;
    tools.engine.agents.ask(tools.thread, QStringLiteral("Say it"));
    tools.engine.agents.say(tools.thread, QStringLiteral("The **answer**"));
    QVERIFY(tools.start());
    QTest::mouseClick(tools.page()->moreButton(), Qt::LeftButton);
    auto *menu = tools.page()->findChild<QMenu *>(QStringLiteral("threadMenu"));
    QVERIFY(menu);
    QStringList names;
    for (QAction *action : menu->actions())
        names.append(action->text());
    QVERIFY(names.contains(ConversationPage::tr("Export as Markdown…")));
    QVERIFY(names.contains(ConversationPage::tr("Export as JSON…")));
    delete menu;
    const QString path = tools.directory.filePath(QStringLiteral("out.md"));
    ExportStrip *strip = tools.page()->exports();
    strip->start(tools.thread, application::ExportFormat::Markdown, path);
    QTRY_VERIFY(!strip->isRunning());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QVERIFY(text.startsWith("# Fix the test\n"));
    QVERIFY(text.contains("The **answer**"));
    QVERIFY(strip->banner()->detail().contains(path));
}

void TestConversationTools::exportSaysWhatWentWrong()
{
    Tools tools;
    tools.engine.agents.ask(tools.thread, QStringLiteral("Say it"));
    QVERIFY(tools.start());
    ExportStrip *strip = tools.page()->exports();
    strip->start(tools.thread, application::ExportFormat::Json,
                 tools.directory.filePath(QStringLiteral("no/such/folder.json")));
    QTRY_VERIFY(!strip->isRunning());
    QVERIFY(strip->isVisible());
    QCOMPARE(strip->banner()->title(), QStringLiteral("The file cannot be written"));
}

void TestConversationTools::useOfResourcesIsShown()
{
    application::ToolCallView call;
    QVERIFY(resourcesText(call).isEmpty());
    call.peakMemoryBytes = 212LL * 1000 * 1000;
    call.cpuTimeMs = 1300;
    const QString text = resourcesText(call);
    QVERIFY2(text.contains(QLatin1String("1.3 s")) && text.contains(QLatin1String("MB")),
             qPrintable(text));
    Tools tools;
    const domain::ToolCallId id = tools.engine.startCall(tools.thread, QStringLiteral("true"));
    tools.engine.change(id, [&call](application::ToolCallView &view) {
        view.peakMemoryBytes = call.peakMemoryBytes;
        view.cpuTimeMs = call.cpuTimeMs;
    });
    QVERIFY(tools.start());
    QVERIFY(tools.model()->indexOf(id).data(Qt::AccessibleTextRole).toString().contains(text));
}

void TestConversationTools::editUnderWayIsKeptPerThread()
{
    Tools tools;
    const domain::ThreadId other =
        tools.engine.addThread(QStringLiteral("Other"), QDateTime::currentDateTimeUtc());
    tools.engine.agents.ask(tools.thread, QStringLiteral("fix tset"));
    tools.engine.agents.say(tools.thread, QStringLiteral("What is tset?"));
    QVERIFY(tools.start());
    QTest::keyClicks(tools.composer()->edit(), QStringLiteral("a draft"));
    Q_EMIT tools.view()->editRequested(1, QStringLiteral("fix tset"));
    tools.composer()->edit()->selectAll();
    QTest::keyClicks(tools.composer()->edit(), QStringLiteral("fix te"));
    tools.window->showThread(other);
    QVERIFY(!tools.composer()->isEditing());
    QVERIFY(tools.composer()->text().isEmpty());
    tools.window->showThread(tools.thread);
    QVERIFY(tools.composer()->isEditing());
    QCOMPARE(tools.composer()->text(), QStringLiteral("fix te"));
    QTest::keyClicks(tools.composer()->edit(), QStringLiteral("st"));
    QTest::keyClick(tools.composer()->edit(), Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE(tools.engine.count<application::EditMessage>(), 1);
    QCOMPARE(tools.engine.last<application::EditMessage>().text, QStringLiteral("fix test"));
    QTRY_COMPARE(tools.composer()->text(), QStringLiteral("a draft"));
    // Marked by a word, not by its colour alone.
    QTRY_VERIFY(tools.model()
                    ->index(1)
                    .data(ConversationModel::StatusRole)
                    .toString()
                    .contains(ConversationModel::tr("Replaced by a later edit")));
}

void TestConversationTools::replyUnderWayIsTakenOver()
{
    Tools tools;
    const domain::RunId run = tools.engine.agents.ask(tools.thread, QStringLiteral("why?"));
    application::ReplyGrew reply;
    reply.thread = tools.thread;
    reply.run = run;
    reply.round = 1;
    reply.text = QStringLiteral("It is **so");
    reply.reasoning = QStringLiteral("Let me see");
    tools.engine.details[tools.thread].reply = reply;
    QVERIFY(tools.start());
    QTRY_COMPARE(tools.model()->rowCount(), 2);
    QVERIFY(tools.last().data(ConversationModel::LiveRole).toBool());
    QCOMPARE(tools.last().data(ConversationModel::TextRole).toString(), reply.text);
    // What comes next fits, and nothing is asked again.
    application::ReplyGrew more = reply;
    more.offset = reply.text.size();
    more.text = QStringLiteral("** late");
    more.reasoningOffset = reply.reasoning.size();
    more.reasoning.clear();
    tools.engine.emitEvent(more);
    QTRY_COMPARE(tools.last().data(ConversationModel::TextRole).toString(),
                 QStringLiteral("It is **so** late"));
    QTest::qWait(100);
    QCOMPARE(tools.engine.count<application::GetThread>(), 1);
    // A reply that has become a message meanwhile is not there twice.
    tools.engine.agents.say(tools.thread, QStringLiteral("It is **so** late."));
    QTRY_VERIFY(!tools.last().data(ConversationModel::LiveRole).toBool());
    tools.page()->model()->set(tools.engine.details[tools.thread]);
    QCOMPARE(tools.model()->rowCount(), 2);
}

void TestConversationTools::takingAgainKeepsThePlace()
{
    Tools tools;
    tools.engine.agents.ask(tools.thread, QStringLiteral("why?"));
    for (int i = 0; i < 8; ++i)
        tools.engine.agents.say(tools.thread, longText(i * 10, 10), QStringLiteral("Thought"));
    tools.engine.agents.used(tools.thread, QStringLiteral("read_file"), QStringLiteral("a.py"),
                             QStringLiteral("line\n").repeated(40));
    QVERIFY(tools.start());
    QTest::qWait(50);
    tools.model()->setOpen(tools.model()->index(2), true);
    tools.model()->setOpen(tools.last(), true);
    tools.model()->setExpanded(tools.last(), true);
    tools.view()->verticalScrollBar()->setValue(tools.view()->verticalScrollBar()->maximum() / 2);
    QVERIFY(!tools.view()->isAtEnd());
    QTest::qWait(50);
    const QModelIndex top = tools.view()->indexAt(QPoint(300, 5));
    const int before = tools.view()->visualRect(top).top();
    const quint64 key = top.data(ConversationModel::KeyRole).toULongLong();
    tools.page()->model()->set(tools.engine.details[tools.thread]);
    QTest::qWait(50);
    const QModelIndex now = tools.model()->index(top.row());
    QCOMPARE(now.data(ConversationModel::KeyRole).toULongLong(), key);
    QVERIFY(qAbs(tools.view()->visualRect(now).top() - before) <= 1);
    QVERIFY(!tools.view()->isAtEnd());
    QVERIFY(tools.model()->index(2).data(ConversationModel::ReasoningOpenRole).toBool());
    QVERIFY(tools.last().data(ConversationModel::ExpandedRole).toBool());
    // At the end, it stays there.
    tools.view()->jumpToLatest();
    tools.page()->model()->set(tools.engine.details[tools.thread]);
    QTest::qWait(50);
    QVERIFY(tools.view()->isAtEnd());
    QCOMPARE(tools.view()->verticalScrollBar()->value(),
             tools.view()->verticalScrollBar()->maximum());
}

void TestConversationTools::linksAndCodeByKeyboard()
{
    Tools tools;
    tools.engine.agents.ask(tools.thread, QStringLiteral("how?"));
    tools.engine.agents.say(
        tools.thread,
        QStringLiteral("See [docs](https://x.example/a).\n\n```sh\nls\n```\n\n```sh\npwd\n```\n"));
    QVERIFY(tools.start());
    tools.view()->setFocus();
    tools.view()->setCurrentIndex(tools.last());
    QTest::keyClick(tools.view(), Qt::Key_Menu);
    QMenu *menu = nullptr;
    QTRY_VERIFY((menu = tools.view()->findChild<QMenu *>(QStringLiteral("rowMenu"))));
    QAction *second = nullptr;
    QAction *link = nullptr;
    for (QAction *action : menu->actions()) {
        if (action->text().endsWith(QLatin1String("pwd")))
            second = action;
        if (action->text().contains(QLatin1String("https://x.example/a")))
            link = action;
    }
    QVERIFY(second && link);
    second->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("pwd"));
    // A link is asked about, not opened.
    link->trigger();
    QTRY_VERIFY(tools.view()->findChild<QMenu *>(QStringLiteral("linkMenu")));
    delete menu;
}

QTEST_MAIN(TestConversationTools)
#include "test_conversation_tools.moc"
