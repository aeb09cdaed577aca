// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/ansi_text.h"
#include "ui/conversation/approval_card.h"
#include "ui/conversation/approval_panel.h"
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_page.h"
#include "ui/conversation/conversation_view.h"
#include "ui/models/thread_list_model.h"
#include "ui/settings/rule_editor.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"
#include "ui/widgets/tool_tip.h"
#include "widget/support/asking_rig.h"

#include <QtGui/QMouseEvent>
#include <QtGui/QTextDocument>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QScrollBar>

using namespace berth;
using namespace berth::ui;
using application::DecideApproval;
using test::Asking;

class TestApprovals : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void typingAnswersNothing();
    void clicksDecide_data();
    void clicksDecide();
    void aLineOfTwoCommandsIsGrantedWhole();
    void someOfThePatternsMayBeLeftOut();
    void aStrayClickDoesNothing();
    void aDoubleClickDecidesOnce();
    void whatMovesIsNotClicked();
    void anotherCommandIsAnotherCard();
    void keysAnswerOnlyWhereTheFocusWasPut();
    void theNextCardGetsNoKeys();
    void deniesWithAReason();
    void alwaysShowsExamples();
    void someCannotBeAlways();
    void nothingOfTheCommandIsHidden();
    void hiddenCharacters_data();
    void hiddenCharacters();
    void longCommandsAreReadFirst();
    void tooltipsAreText();
    void queueGoesOverThreads();
    void otherClientsDecide();
    void failuresStayInTheCard();
};

void TestApprovals::typingAnswersNothing()
{
    Asking asking;
    QVERIFY(asking.start());
    asking.edit()->setFocus();
    QString typed;
    for (int i = 0; i < 200; ++i) {
        if (i % 40 == 10)
            asking.engine.agents.askApproval(asking.thread, QStringLiteral("git push %1").arg(i),
                                             {QStringLiteral("git push")});
        // Words, and the keys that answer elsewhere.
        if (i % 7 == 6) {
            QTest::keyClick(asking.window->focusWidget(), Qt::Key_Space);
            typed += u' ';
        } else if (i % 23 == 22) {
            QTest::keyClick(asking.window->focusWidget(), Qt::Key_Return);
            typed += u'\n';
        } else {
            const char letter = static_cast<char>('a' + i % 26);
            QTest::keyClick(asking.window->focusWidget(), letter);
            typed += QLatin1Char(letter);
        }
        if (i % 5 == 0)
            QTest::qWait(1);
        QCOMPARE(asking.window->focusWidget(), asking.edit());
    }
    QTRY_COMPARE(asking.panel()->cards().size(), 5);
    QCOMPARE(asking.edit()->toPlainText(), typed);
    QCOMPARE(asking.engine.count<DecideApproval>(), 0);
    QSet<QString> commands;
    for (ApprovalCard *card : asking.panel()->cards()) {
        QVERIFY(card->isVisibleTo(asking.window.get()));
        commands.insert(card->commandText()->toPlainText());
    }
    QCOMPARE(commands.size(), 5);
    QVERIFY(asking.edit()->isVisible());
}

void TestApprovals::clicksDecide_data()
{
    QTest::addColumn<QString>("scope");
    QTest::addColumn<QStringList>("granted");
    QTest::newRow("once") << "once" << QStringList();
    QTest::newRow("thread") << "thread" << QStringList{QStringLiteral("thread: git push")};
}

void TestApprovals::clicksDecide()
{
    QFETCH(QString, scope);
    QFETCH(QStringList, granted);
    Asking asking;
    QVERIFY(asking.start());
    const auto approval = asking.engine.agents.askApproval(
        asking.thread, QStringLiteral("git push origin main"), {QStringLiteral("git push")});
    ApprovalCard *card = asking.card();
    QVERIFY(card);
    QTest::mouseClick(scope == QLatin1String("once") ? card->onceButton() : card->threadButton(),
                      Qt::LeftButton);
    QTRY_COMPARE(asking.engine.count<DecideApproval>(), 1);
    const auto decision = asking.engine.last<DecideApproval>();
    QCOMPARE(decision.toolCall, approval.toolCall);
    QVERIFY(decision.allow);
    QCOMPARE(decision.scope, scope);
    QCOMPARE(decision.pattern, QString());
    QCOMPARE(asking.engine.agents.granted, granted);
    QTRY_VERIFY(asking.panel()->cards().isEmpty());
    QVERIFY(!asking.panel()->isVisible());
}

void TestApprovals::aLineOfTwoCommandsIsGrantedWhole()
{
    const QStringList offered{QStringLiteral("git add *"), QStringLiteral("npm test *")};
    for (const bool always : {false, true}) {
        Asking asking;
        QVERIFY(asking.start());
        asking.engine.agents.askApproval(asking.thread, QStringLiteral("git add . && npm test"),
                                         offered);
        ApprovalCard *card = asking.card();
        QVERIFY(card);
        if (always) {
            QTest::mouseClick(card->alwaysButton(), Qt::LeftButton);
            QTRY_VERIFY(card->ruleEditor()->acceptButton()->isEnabled());
            QCOMPARE(card->ruleEditor()->patternLines().size(), 2);
            QCOMPARE(card->ruleEditor()->patterns(), offered);
            QTest::qWait(450);
            QTest::mouseClick(card->ruleEditor()->acceptButton(), Qt::LeftButton);
        } else {
            for (const QString &pattern : offered)
                QVERIFY(card->threadButton()->toolTip().contains(pattern));
            QTest::mouseClick(card->threadButton(), Qt::LeftButton);
        }
        QTRY_VERIFY(asking.panel()->cards().isEmpty());
        const QString scope = always ? QStringLiteral("always: ") : QStringLiteral("thread: ");
        QCOMPARE(asking.engine.agents.granted,
                 (QStringList{scope + offered[0], scope + offered[1]}));
    }
}

void TestApprovals::someOfThePatternsMayBeLeftOut()
{
    Asking asking;
    QVERIFY(asking.start());
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("git add . && npm test"),
                                     {QStringLiteral("git add *"), QStringLiteral("npm test *")});
    ApprovalCard *card = asking.card();
    QVERIFY(card);
    QTest::mouseClick(card->alwaysButton(), Qt::LeftButton);
    RuleEditor *rule = card->ruleEditor();
    QTRY_VERIFY(rule->acceptButton()->isEnabled());
    rule->patternLines().at(0)->selectAll();
    QTest::keyClick(rule->patternLines().at(0), Qt::Key_Delete);
    QVERIFY(!rule->acceptButton()->isEnabled());
    QTRY_VERIFY(rule->acceptButton()->isEnabled());
    QTest::qWait(450);
    QTest::mouseClick(rule->acceptButton(), Qt::LeftButton);
    QTRY_VERIFY(asking.panel()->cards().isEmpty());
    QCOMPARE(asking.engine.agents.granted, QStringList{QStringLiteral("always: npm test *")});
}

void TestApprovals::aDoubleClickDecidesOnce()
{
    Asking asking;
    QVERIFY(asking.start());
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("one"));
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("rm -rf ."));
    QVERIFY(asking.card(1));
    ApprovalCard *second = asking.panel()->cards().at(1);
    QTest::mouseClick(asking.panel()->cards().at(0)->onceButton(), Qt::LeftButton);
    QTRY_COMPARE(asking.panel()->cards().size(), 1);
    // Now the second stands where the first was.
    QTest::mouseClick(second->onceButton(), Qt::LeftButton);
    QTest::qWait(50);
    QCOMPARE(asking.engine.count<DecideApproval>(), 1);
    QTest::qWait(450);
    // However slow: the second half of a double click is never an answer.
    const QPointF at = QRectF(second->onceButton()->rect()).center();
    for (const auto type : {QEvent::MouseButtonDblClick, QEvent::MouseButtonRelease}) {
        QMouseEvent half(type, at, second->onceButton()->mapToGlobal(at), Qt::LeftButton,
                         type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(second->onceButton(), &half);
    }
    QTest::qWait(50);
    QCOMPARE(asking.engine.count<DecideApproval>(), 1);
    QTest::mouseClick(second->onceButton(), Qt::LeftButton);
    QTRY_COMPARE(asking.engine.count<DecideApproval>(), 2);
}

void TestApprovals::whatMovesIsNotClicked()
{
    Asking asking;
    QVERIFY(asking.start());
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("one"));
    ApprovalCard *card = asking.card();
    QVERIFY(card);
    const QPoint before = card->onceButton()->mapToGlobal(QPoint());
    // The composer grows, and the card above it goes up.
    asking.edit()->setPlainText(QStringLiteral("\n\n\n\n"));
    QTRY_VERIFY(card->onceButton()->mapToGlobal(QPoint()) != before);
    QTest::mouseClick(card->onceButton(), Qt::LeftButton);
    QTest::qWait(50);
    QCOMPARE(asking.engine.count<DecideApproval>(), 0);
}

void TestApprovals::anotherCommandIsAnotherCard()
{
    Asking asking;
    QVERIFY(asking.start());
    auto approval = asking.engine.agents.askApproval(asking.thread, QStringLiteral("ls"));
    QVERIFY(asking.card());
    approval.command = QStringLiteral("rm -rf .");
    asking.engine.state.approvals = {approval};
    asking.engine.emitEvent(application::ApprovalAsked{approval});
    QTRY_COMPARE(asking.panel()->cards().value(0)->commandText()->toPlainText(),
                 QStringLiteral("rm -rf ."));
    QCOMPARE(asking.panel()->cards().size(), 1);
    QTest::mouseClick(asking.panel()->cards().first()->onceButton(), Qt::LeftButton);
    QTest::qWait(50);
    QCOMPARE(asking.engine.count<DecideApproval>(), 0);
}

void TestApprovals::aStrayClickDoesNothing()
{
    Asking asking;
    QVERIFY(asking.start());
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("git push"));
    QTRY_COMPARE(asking.panel()->cards().size(), 1);
    // It has just come up under the pointer.
    QTest::mouseClick(asking.panel()->cards().first()->onceButton(), Qt::LeftButton);
    QTest::qWait(50);
    QCOMPARE(asking.engine.count<DecideApproval>(), 0);
}

void TestApprovals::keysAnswerOnlyWhereTheFocusWasPut()
{
    Asking asking;
    QVERIFY(asking.start());
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("git push"));
    ApprovalCard *card = asking.card();
    QVERIFY(card);
    // Qt may give the focus to any widget, as when another one goes: that is not the user's doing.
    card->onceButton()->setFocus(Qt::OtherFocusReason);
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space})
        QTest::keyClick(card->onceButton(), key);
    QTest::qWait(30);
    QCOMPARE(asking.engine.count<DecideApproval>(), 0);
    asking.edit()->setFocus();
    QTest::keyClick(asking.window.get(), Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(asking.window->focusWidget(), card->onceButton());
    QTest::keyClick(card->onceButton(), Qt::Key_Return);
    QTRY_COMPARE(asking.engine.count<DecideApproval>(), 1);
}

void TestApprovals::theNextCardGetsNoKeys()
{
    Asking asking;
    QVERIFY(asking.start());
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("one"));
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("two"));
    ApprovalCard *card = asking.card(1);
    QVERIFY(card);
    asking.window->showNextApproval();
    QTest::keyClick(asking.window->focusWidget(), Qt::Key_Space);
    QTRY_COMPARE(asking.panel()->cards().size(), 1);
    QCOMPARE(asking.engine.count<DecideApproval>(), 1);
    QCOMPARE(asking.window->focusWidget(), asking.edit());
    QTest::keyClick(asking.window->focusWidget(), Qt::Key_Space);
    QTest::qWait(30);
    QCOMPARE(asking.engine.count<DecideApproval>(), 1);
}

void TestApprovals::deniesWithAReason()
{
    Asking asking;
    QVERIFY(asking.start());
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("git push"));
    ApprovalCard *card = asking.card();
    QVERIFY(card);
    QTest::mouseClick(card->denyButton(), Qt::LeftButton);
    QTRY_COMPARE(asking.window->focusWidget(), card->reasonLine());
    QTest::keyClicks(card->reasonLine(), QStringLiteral("not on Fridays"));
    QTest::keyClick(card->reasonLine(), Qt::Key_Return);
    QTRY_COMPARE(asking.engine.count<DecideApproval>(), 1);
    QVERIFY(!asking.engine.last<DecideApproval>().allow);
    QCOMPARE(asking.engine.last<DecideApproval>().reason, QStringLiteral("not on Fridays"));
}

void TestApprovals::alwaysShowsExamples()
{
    Asking asking;
    QVERIFY(asking.start());
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("git push origin main"),
                                     {QStringLiteral("git push origin *")});
    ApprovalCard *card = asking.card();
    QVERIFY(card);
    QTest::mouseClick(card->alwaysButton(), Qt::LeftButton);
    RuleEditor *rule = card->ruleEditor();
    QTRY_VERIFY(rule->acceptButton()->isEnabled());
    QVERIFY(asking.engine.last<application::SaveRule>().dryRun);
    QVERIFY(rule->matches()->text().contains(QLatin1String("git push origin * --all")));
    QVERIFY(rule->asks()->text().contains(QLatin1String("rm -rf")));
    QLineEdit *line = rule->patternLines().value(0);
    QCOMPARE(line->text(), QStringLiteral("git push origin *"));
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("git push *"));
    QVERIFY(!rule->acceptButton()->isEnabled());
    QTRY_VERIFY(rule->acceptButton()->isEnabled());
    QTest::qWait(450);
    // What was not offered becomes a rule of the agent first; then the call is allowed.
    asking.engine.failures.insert(
        QString::fromLatin1(DecideApproval::kName),
        {domain::ErrorKind::Unavailable, QStringLiteral("The database is full"), {}});
    QTest::mouseClick(rule->acceptButton(), Qt::LeftButton);
    QTRY_VERIFY(card->problem()->isVisible());
    asking.engine.failures.clear();
    QTest::qWait(450);
    QTest::mouseClick(rule->acceptButton(), Qt::LeftButton);
    QTRY_VERIFY(asking.panel()->cards().isEmpty());
    QCOMPARE(asking.engine.agents.rules.rules.size(), 1);
    const application::RuleView made = asking.engine.agents.rules.rules.first();
    QCOMPARE(made.pattern, QStringLiteral("git push *"));
    QCOMPARE(made.scope, QStringLiteral("agent"));
    QCOMPARE(made.decision, QStringLiteral("allow"));
    QVERIFY(asking.engine.last<DecideApproval>().allow);
    QCOMPARE(asking.engine.last<DecideApproval>().scope, QStringLiteral("once"));
    QVERIFY(asking.engine.agents.granted.isEmpty());
}

void TestApprovals::someCannotBeAlways()
{
    Asking asking;
    QVERIFY(asking.start());
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("curl x | sh"));
    ApprovalCard *card = asking.card();
    QVERIFY(card);
    QVERIFY(!card->alwaysButton()->isEnabled());
    QVERIFY(!card->threadButton()->isEnabled());
    QVERIFY(card->alwaysButton()->toolTip().contains(QLatin1String("It runs what it reads")));
    QVERIFY(card->onceButton()->isEnabled());
}

void TestApprovals::nothingOfTheCommandIsHidden()
{
    Asking asking;
    QVERIFY(asking.start());
    QString command = QStringLiteral("echo \u202egnp.exe\u200b\u0007");
    for (int i = 0; i < 60; ++i)
        command += QStringLiteral("\necho line %1").arg(i);
    command += QStringLiteral("\nrm -rf /");
    asking.engine.agents.askApproval(asking.thread, command);
    ApprovalCard *card = asking.card();
    QVERIFY(card);
    const QString shown = card->commandText()->toPlainText();
    QVERIFY(shown.startsWith(QLatin1String("echo \\u{202e}gnp.exe\\u{200b}\\u{7}")));
    QVERIFY(shown.endsWith(QLatin1String("rm -rf /")));
    QVERIFY(card->commandText()->verticalScrollBar()->maximum() > 0);
    QVERIFY(asking.panel()->height() <= asking.page()->height() / 2);
}

void TestApprovals::hiddenCharacters_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    for (const char32_t code :
         {U'\u2028', U'\u2029', U'\u180e', U'\u034f', U'\u115f', U'\u1160', U'\u3164', U'\uffa0',
          U'\u2066', U'\u2069', U'\u202e', U'\u200b', U'\U000e0041', U'\U000e0100'}) {
        const QString hex = QString::number(static_cast<uint>(code), 16);
        QTest::newRow(qPrintable(hex)) << QStringLiteral("a") + QString::fromUcs4(&code, 1) + u'b'
                                       << QStringLiteral("a\\u{%1}b").arg(hex);
    }
    QTest::newRow("half a pair") << QStringLiteral("a") + QChar(0xd83d)
                                 << QStringLiteral("a\\u{d83d}");
    for (const QString &text :
         {QStringLiteral("a\nb\tc"), QStringLiteral("日本 한글 \U0001f600 é")})
        QTest::newRow(qPrintable(text)) << text << text;
}

void TestApprovals::hiddenCharacters()
{
    QFETCH(QString, text);
    QFETCH(QString, shown);
    QCOMPARE(visibleText(text), shown);
}

void TestApprovals::longCommandsAreReadFirst()
{
    Asking asking;
    QVERIFY(asking.start());
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("echo line\n").repeated(60),
                                     {QStringLiteral("echo *")});
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("ls"), {QStringLiteral("ls")});
    QVERIFY(asking.card(1));
    ApprovalCard *card = asking.panel()->cards().first();
    const auto allowed = [card] {
        return QList<bool>{card->onceButton()->isEnabled(), card->threadButton()->isEnabled(),
                           card->alwaysButton()->isEnabled()};
    };
    QTRY_COMPARE(allowed(), (QList<bool>{false, false, false}));
    QVERIFY(card->denyButton()->isEnabled());
    QVERIFY(asking.panel()->cards().at(1)->onceButton()->isEnabled());
    QTest::mouseClick(card->onceButton(), Qt::LeftButton);
    // The keyboard's way leads to what is to be read.
    asking.window->showNextApproval();
    QCOMPARE(asking.window->focusWidget(), card->commandText());
    QScrollBar *bar = card->commandText()->verticalScrollBar();
    bar->setValue(bar->maximum() - 1);
    QCOMPARE(allowed(), (QList<bool>{false, false, false}));
    QTest::keyClick(card->commandText(), Qt::Key_End);
    QTRY_COMPARE(allowed(), (QList<bool>{true, true, true}));
    bar->setValue(0);
    QCOMPARE(allowed(), (QList<bool>{true, true, true}));
    QCOMPARE(asking.engine.count<DecideApproval>(), 0);
}

void TestApprovals::tooltipsAreText()
{
    const QString hostile = QStringLiteral("<b>safe</b> & \u202esound");
    QTextDocument shown;
    shown.setHtml(toolTipOf(hostile));
    QCOMPARE(shown.toPlainText(), QStringLiteral("<b>safe</b> & \\u{202e}sound"));
    QVERIFY(toolTipOf({}).isEmpty());
    Asking asking;
    QVERIFY(asking.start());
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("x"),
                                     {QStringLiteral("<h1>ls</h1>")});
    ApprovalCard *card = asking.card();
    QVERIFY(card);
    shown.setHtml(card->threadButton()->toolTip());
    QVERIFY(shown.toPlainText().contains(QLatin1String("<h1>ls</h1>")));
}

void TestApprovals::queueGoesOverThreads()
{
    Asking asking;
    QVERIFY(asking.start());
    asking.engine.agents.askApproval(asking.other, QStringLiteral("first"));
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("second"));
    ThreadListModel *threads = asking.window->threadModel();
    const auto waiting = [&](const domain::ThreadId &id) {
        return threads->indexOf(id).data(ThreadListModel::WaitingRole).toInt();
    };
    QTRY_COMPARE(waiting(asking.thread), 1);
    QCOMPARE(waiting(asking.other), 1);
    QVERIFY(threads->indexOf(asking.other)
                .data(Qt::AccessibleTextRole)
                .toString()
                .contains(QLatin1String("waits for you")));
    QTest::keyClick(asking.window.get(), Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(asking.page()->thread(), asking.other);
    QTRY_VERIFY(!asking.panel()->focusedCall().isNull());
    QTest::keyClick(asking.window->focusWidget(), Qt::Key_A,
                    Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(asking.page()->thread(), asking.thread);
    QCOMPARE(asking.engine.count<DecideApproval>(), 0);
}

void TestApprovals::otherClientsDecide()
{
    Asking asking;
    QVERIFY(asking.start());
    const auto approval = asking.engine.agents.askApproval(asking.thread, QStringLiteral("x"));
    QTRY_COMPARE(asking.panel()->cards().size(), 1);
    asking.engine.state.approvals.clear();
    asking.engine.emitEvent(application::ApprovalClosed{approval.toolCall, asking.thread});
    QTRY_VERIFY(asking.panel()->cards().isEmpty());
    QCOMPARE(asking.engine.count<DecideApproval>(), 0);
}

void TestApprovals::failuresStayInTheCard()
{
    Asking asking;
    QVERIFY(asking.start());
    asking.engine.agents.askApproval(asking.thread, QStringLiteral("x"));
    asking.engine.failures.insert(
        QString::fromLatin1(DecideApproval::kName),
        {domain::ErrorKind::Unavailable, QStringLiteral("The database is full"), {}});
    ApprovalCard *card = asking.card();
    QVERIFY(card);
    QTest::mouseClick(card->onceButton(), Qt::LeftButton);
    QTRY_VERIFY(card->problem()->isVisible());
    QCOMPARE(card->problem()->title(), QStringLiteral("The database is full"));
    QVERIFY(card->onceButton()->isEnabled());
}

QTEST_MAIN(TestApprovals)
#include "test_approvals.moc"
