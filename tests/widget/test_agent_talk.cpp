// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_page.h"
#include "ui/conversation/conversation_view.h"
#include "ui/conversation/markdown.h"
#include "ui/conversation/run_strip.h"
#include "ui/models/thread_runs.h"
#include "ui/models/thread_text.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"
#include "widget/support/window_rig.h"

#include <QtGui/QClipboard>
#include <QtWidgets/QMenu>

using namespace berth;
using namespace berth::ui;
using Part = ConversationDelegate::Part;
using Block = MarkdownBlock;
using test::WindowRig;

namespace {

struct AgentTalk : WindowRig
{
    AgentTalk()
    {
        thread = engine.addThread(QStringLiteral("Fix the test"), QDateTime::currentDateTimeUtc());
        engine.state.engine.hasModel = true;
    }
    [[nodiscard]] bool start()
    {
        if (!open())
            return false;
        window->showThread(thread);
        const bool asked =
            QTest::qWaitFor([this] { return engine.count<application::GetThread>() > 0; });
        settle();
        return asked;
    }
    [[nodiscard]] ConversationPage *page() const { return window->conversationPage(); }
    [[nodiscard]] ConversationModel *model() const { return page()->model(); }
    [[nodiscard]] QModelIndex last() const { return model()->index(model()->rowCount() - 1); }
    [[nodiscard]] const Markdown *markdown(const QModelIndex &index) const
    {
        return index.data(ConversationModel::MarkdownRole).value<const Markdown *>();
    }
    //! All that was told has arrived.
    static void settle() { QTest::qWait(120); }
    [[nodiscard]] QMenu *menu(const QString &name) const
    {
        QMenu *found = nullptr;
        (void)QTest::qWaitFor([&] {
            found = page()->view()->findChild<QMenu *>(name);
            return found && found->isVisible();
        });
        return found;
    }
    [[nodiscard]] static QAction *action(const QMenu *menu, const QString &text)
    {
        for (QAction *action : menu->actions()) {
            if (action->text() == text)
                return action;
        }
        return nullptr;
    }
    [[nodiscard]] bool click(const QModelIndex &index, Part part) const
    {
        ConversationView *view = page()->view();
        view->scrollTo(index);
        const QPoint at = view->pointOf(index, part);
        if (at.x() < 0)
            return false;
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, at);
        return true;
    }
    domain::ThreadId thread;
};

QString shapeOf(const Markdown &markdown)
{
    QString shape;
    for (const Block &block : markdown.blocks()) {
        switch (block.kind) {
        case Block::Kind::Paragraph:
            shape += u'p';
            break;
        case Block::Kind::Heading:
            shape += QString::number(block.level);
            break;
        case Block::Kind::Item:
            shape += QStringLiteral("i%1").arg(block.level);
            break;
        case Block::Kind::Code:
            shape += QStringLiteral("c(%1)").arg(block.language);
            break;
        case Block::Kind::Table:
            shape += QStringLiteral("t%1x%2").arg(block.rows.size()).arg(block.aligns.size());
            break;
        case Block::Kind::Rule:
            shape += u'-';
            break;
        }
        shape += QString(block.quotes, u'>') + u' ';
    }
    return shape.trimmed();
}

} // namespace

class TestAgentTalk : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void blocks_data();
    void blocks();
    void inlineText_data();
    void inlineText();
    void growingParsesTheLastBlockOnly();
    void growingKeepsWhatStaysTheSame();
    void growingAnywhereIsTheSameAsWhole_data();
    void growingAnywhereIsTheSameAsWhole();
    void hostileTextIsQuick_data();
    void hostileTextIsQuick();
    void callsStandBehindTheirMessage();
    void replyGrowsAndBecomesTheMessage();
    void missedPieceTakesTheThreadAgain();
    void growsAtMostTwentyTimesASecond();
    void layoutOfFinishedBlocksIsKept();
    void reasoningIsFolded();
    void linksAskFirst();
    void linksShowTheirHost_data();
    void linksShowTheirHost();
    void codeIsCopied();
    void copiesAsMarkdownAndPlain();
    void changesShowInTheirRow();
    void resultsAreFolded();
    void stopStopsTheRun();
    void waitsAndRetries();
    void continuesWhatEndedEarly();
    void editsAndSendsAgain();
    void usageStandsInTheComposer();
};

void TestAgentTalk::blocks_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("shape");
    QTest::newRow("paragraphs") << "a\nb\n\nc"
                                << "p p";
    QTest::newRow("headings") << "# A\ntext\n### B ###\n#no"
                              << "1 p 3 p";
    QTest::newRow("list") << "- a\n- b\n  - c\n    1. d\n- e"
                          << "i0 i0 i1 i2 i0";
    QTest::newRow("ordered") << "1. a\n2. b\n\n3) c"
                             << "i0 i0 i0";
    QTest::newRow("list with text below") << "- a\n  more\n\n  still a"
                                          << "i0 p";
    QTest::newRow("fence") << "```cpp\nint a;\n\n# no\n```\nx"
                           << "c(cpp) p";
    QTest::newRow("fence in a list") << "1. do\n   ```sh\n   ls\n   ```\n2. then"
                                     << "i0 c(sh) i0";
    QTest::newRow("tilde fence") << "~~~\n```\n~~~"
                                 << "c()";
    QTest::newRow("longer fence") << "````\n```\nx\n```\n````"
                                  << "c()";
    QTest::newRow("open fence") << "```py\nprint("
                                << "c(py)";
    QTest::newRow("table") << "| a | b |\n|---|--:|\n| 1 | 2 |\n| 3 |\nend"
                           << "t3x2 p";
    QTest::newRow("no table") << "a | b\nc | d"
                              << "p";
    QTest::newRow("quote") << "> a\n> - b\n\nc"
                           << "p> i0> p";
    QTest::newRow("nested quote") << "> > a"
                                  << "p>>";
    QTest::newRow("rule") << "a\n\n---\n***\nb"
                          << "p - - p";
    QTest::newRow("html is text") << "<div onclick=x>\n<script>"
                                  << "p";
}

void TestAgentTalk::blocks()
{
    QFETCH(QString, source);
    QFETCH(QString, shape);
    Markdown markdown;
    markdown.setText(source);
    QCOMPARE(shapeOf(markdown), shape);
}

void TestAgentTalk::inlineText_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("spans");
    QTest::newRow("bold") << "a **b** c"
                          << "a b c"
                          << "2+1:1";
    QTest::newRow("italic") << "*b* _c_"
                            << "b c"
                            << "0+1:2 2+1:2";
    QTest::newRow("both") << "***b***"
                          << "b"
                          << "0+1:3";
    QTest::newRow("names stay") << "snake_case_name"
                                << "snake_case_name"
                                << "";
    QTest::newRow("stars that are none") << "2 * 3 * 4"
                                         << "2 * 3 * 4"
                                         << "";
    QTest::newRow("open") << "**b"
                          << "**b"
                          << "";
    QTest::newRow("code") << "use `a*b*` now"
                          << "use a*b* now"
                          << "4+4:4";
    QTest::newRow("code with ticks") << "`` `x` ``"
                                     << "`x`"
                                     << "0+3:4";
    QTest::newRow("strike") << "~~a~~"
                            << "a"
                            << "0+1:8";
    QTest::newRow("escaped") << "\\*a\\*"
                             << "*a*"
                             << "";
    QTest::newRow("link") << "[a **b**](https://x.org/p)"
                          << "a b"
                          << "0+2:16@https://x.org/p "
                             "2+1:17@https://x.org/p";
    QTest::newRow("bare link") << "see https://x.org/a_b_c."
                               << "see https://x.org/a_b_c."
                               << "4+19:16@https://x.org/a_b_c";
    QTest::newRow("image becomes a link") << "![cat](http://x.org/c.png)"
                                          << "cat"
                                          << "0+3:48@http://x.org/c.png";
    QTest::newRow("html") << "<b>a</b>"
                          << "<b>a</b>"
                          << "";
    QTest::newRow("not a link") << "[a] (b)"
                                << "[a] (b)"
                                << "";
}

void TestAgentTalk::inlineText()
{
    QFETCH(QString, source);
    QFETCH(QString, text);
    QFETCH(QString, spans);
    const MarkdownText parsed = parseInline(source);
    QCOMPARE(parsed.text, text);
    QStringList found;
    for (const MarkdownText::Span &span : parsed.spans) {
        QString words = QStringLiteral("%1+%2:%3").arg(span.start).arg(span.length).arg(span.flags);
        if (!span.target.isEmpty())
            words += u'@' + span.target;
        found.append(words);
    }
    QCOMPARE(found.join(u' '), spans);
}

void TestAgentTalk::growingParsesTheLastBlockOnly()
{
    Markdown markdown;
    QString text;
    for (int i = 0; i < 200; ++i)
        text += QStringLiteral("Paragraph %1 with `code`.\n\n").arg(i);
    markdown.setText(text);
    const quint64 before = markdown.parsed();
    QCOMPARE(before, 200U);
    const quint64 first = markdown.blocks().first().id;
    for (int i = 0; i < 50; ++i) {
        text += QStringLiteral("word ");
        markdown.setText(text);
    }
    QVERIFY2(markdown.parsed() - before <= 102, "more than the last block was parsed");
    QCOMPARE(markdown.blocks().first().id, first);
    QCOMPARE(markdown.blocks().size(), 201);
}

void TestAgentTalk::growingKeepsWhatStaysTheSame()
{
    // A tight list is parsed again from its beginning; its items are not laid out again.
    Markdown markdown;
    QString text;
    for (int i = 0; i < 100; ++i) {
        text += QStringLiteral("- item %1\n").arg(i);
        markdown.setText(text);
    }
    QCOMPARE(markdown.blocks().size(), 100);
    QCOMPARE(markdown.parsed(), 100U);
    const quint64 first = markdown.blocks().first().id;
    markdown.setWhole(text + QStringLiteral("\nend"));
    QCOMPARE(markdown.blocks().first().id, first);
    QCOMPARE(markdown.parsed(), 101U);
}

void TestAgentTalk::growingAnywhereIsTheSameAsWhole_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("all kinds") << "# T\nintro\n| a | b |\n|--|--|\n| 1 | 2 |\n\n- x\n  - y\n"
                                  "\n  more\n> q\n> r\n\n```c\nint a;\n```\nend **b**\n---\n";
    QTest::newRow("dash") << "para\n-flag";
    QTest::newRow("number") << "para\n1.5 km";
    QTest::newRow("table") << "a | b\n-|--\n1 | 2";
    QTest::newRow("blank lines with spaces") << "a\n  \n b\n \t\n```\n\n\nx\n```\n- c\n\n\n-d";
}

void TestAgentTalk::growingAnywhereIsTheSameAsWhole()
{
    QFETCH(QString, text);
    Markdown whole;
    whole.setText(text);
    for (qsizetype cut = 0; cut <= text.size(); ++cut) {
        Markdown grown;
        grown.setText(text.left(cut));
        grown.setText(text);
        QCOMPARE(shapeOf(grown), shapeOf(whole));
        QCOMPARE(grown.plainText(), whole.plainText());
    }
    Markdown byCharacter;
    for (qsizetype i = 1; i <= text.size(); ++i)
        byCharacter.setText(text.left(i));
    QCOMPARE(shapeOf(byCharacter), shapeOf(whole));
    QCOMPARE(byCharacter.plainText(), whole.plainText());
}

void TestAgentTalk::hostileTextIsQuick_data()
{
    QTest::addColumn<QString>("text");
    constexpr qsizetype kSize = 200'000;
    for (const QString &piece :
         {QStringLiteral("*a_"), QStringLiteral("["), QStringLiteral("`"), QStringLiteral("![["),
          QStringLiteral("> "), QStringLiteral("|"), QStringLiteral("**"), QStringLiteral("- "),
          QStringLiteral("<"), QStringLiteral("<https://a")}) {
        QTest::newRow(qPrintable(piece)) << piece.repeated(kSize / piece.size());
        // Just short enough to be parsed, many times over.
        QTest::newRow(qPrintable(piece + QLatin1String(" in paragraphs")))
            << (piece.repeated(16'000 / piece.size()) + QStringLiteral("\n\n")).repeated(12);
    }
    QTest::newRow("openers and closers")
        << QStringLiteral("*a ").repeated(kSize / 6) + QStringLiteral("a* ").repeated(kSize / 6);
    QTest::newRow("openers and closers in a paragraph")
        << QStringLiteral("*a ").repeated(2700) + QStringLiteral("a* ").repeated(2700);
}

void TestAgentTalk::hostileTextIsQuick()
{
    QFETCH(QString, text);
    QElapsedTimer clock;
    clock.start();
    Markdown whole;
    whole.setText(text);
    QVERIFY(!whole.blocks().isEmpty());
    QVERIFY2(clock.elapsed() < 1000, qPrintable(QString::number(clock.elapsed())));
    // As it arrives, shown ten times.
    clock.start();
    Markdown grown;
    for (int i = 1; i <= 10; ++i)
        grown.setText(text.left(text.size() * i / 10));
    QVERIFY2(clock.elapsed() < 4000, qPrintable(QString::number(clock.elapsed())));
    QCOMPARE(grown.plainText(), whole.plainText());
}

void TestAgentTalk::callsStandBehindTheirMessage()
{
    AgentTalk talk;
    talk.engine.agents.ask(talk.thread, QStringLiteral("fix it"));
    const auto shell = QStringLiteral("shell");
    const auto used = [&](const QString &command) {
        return talk.engine.agents.used(talk.thread, shell, command, {});
    };
    talk.engine.agents.say(talk.thread, QStringLiteral("first"));
    used(QStringLiteral("a"));
    used(QStringLiteral("b"));
    talk.engine.agents.say(talk.thread, QStringLiteral("second"));
    used(QStringLiteral("c"));
    talk.engine.agents.say(talk.thread, QStringLiteral("done"));
    application::ThreadDetail &detail = talk.engine.details[talk.thread];
    QCOMPARE(detail.messages[1].toolCalls.size(), 2);
    QVERIFY(talk.start());
    const auto order = [&talk] {
        QStringList rows;
        for (int i = 0; i < talk.model()->rowCount(); ++i)
            rows.append(talk.model()->index(i).data(ConversationModel::TextRole).toString());
        return rows.join(u' ');
    };
    QTRY_COMPARE(order(), QStringLiteral("fix it first a b second c done"));
    // The next calls are told of before the message that asks for them, and in another order.
    const domain::ToolCallId e = used(QStringLiteral("e"));
    const domain::ToolCallId d = used(QStringLiteral("d"));
    QTRY_COMPARE(talk.model()->rowCount(), 9);
    detail.messages.last().toolCalls.clear();
    application::MessageView third = detail.messages.last();
    third.seq += 1;
    third.text = QStringLiteral("third");
    third.toolCalls = {d, e};
    detail.messages.append(third);
    talk.engine.emitEvent(application::MessageAdded{third});
    const QString all = QStringLiteral("fix it first a b second c done third d e");
    QTRY_COMPARE(order(), all);
    // And the same when the thread is taken again.
    talk.page()->model()->set(detail);
    QCOMPARE(order(), all);
}

void TestAgentTalk::replyGrowsAndBecomesTheMessage()
{
    AgentTalk talk;
    QVERIFY(talk.start());
    QTest::keyClicks(talk.page()->composer()->edit(), QStringLiteral("why?"));
    QTest::keyClick(talk.page()->composer()->edit(), Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE(talk.model()->rowCount(), 1);
    QVERIFY(talk.page()->composer()->text().isEmpty());
    talk.engine.agents.grow(talk.thread, QStringLiteral("It is "));
    talk.engine.agents.grow(talk.thread, QStringLiteral("**late**"));
    QTRY_COMPARE(talk.model()->rowCount(), 2);
    QTRY_COMPARE(talk.markdown(talk.last())->plainText(), QStringLiteral("It is late"));
    QVERIFY(talk.last().data(ConversationModel::LiveRole).toBool());
    const auto key = talk.last().data(ConversationModel::KeyRole);
    talk.engine.agents.say(talk.thread, QStringLiteral("It is **late**."));
    QTRY_COMPARE(talk.markdown(talk.last())->plainText(), QStringLiteral("It is late."));
    QCOMPARE(talk.model()->rowCount(), 2);
    QCOMPARE(talk.last().data(ConversationModel::KeyRole), key);
    QVERIFY(!talk.last().data(ConversationModel::LiveRole).toBool());
    // A second reply of the same run is a row of its own.
    talk.engine.agents.grow(talk.thread, QStringLiteral("More"));
    QTRY_COMPARE(talk.model()->rowCount(), 3);
    // A run that is stopped before its reply became a message leaves no half row.
    talk.engine.agents.change(talk.thread, [](application::RunView &run) {
        run.state = domain::RunState::Cancelled;
        run.endedAt = QDateTime::currentDateTimeUtc();
    });
    QTRY_COMPARE(talk.model()->rowCount(), 2);
}

void TestAgentTalk::missedPieceTakesTheThreadAgain()
{
    AgentTalk talk;
    talk.engine.agents.ask(talk.thread, QStringLiteral("why?"));
    QVERIFY(talk.start());
    QTRY_COMPARE(talk.engine.count<application::GetThread>(), 1);
    application::ReplyGrew grew;
    grew.thread = talk.thread;
    grew.run = talk.engine.details[talk.thread].runs.last().id;
    grew.round = 1;
    grew.offset = 100;
    grew.text = QStringLiteral("the end");
    talk.engine.emitEvent(grew);
    QTRY_COMPARE(talk.engine.count<application::GetThread>(), 2);
    QTRY_COMPARE(talk.model()->rowCount(), 2);
    QTRY_COMPARE(talk.markdown(talk.last())->text(), QStringLiteral("… the end"));
    // Asked for once: what is to come fits.
    grew.offset = 107;
    grew.text = QStringLiteral(", really");
    talk.engine.emitEvent(grew);
    QTRY_COMPARE(talk.markdown(talk.last())->text(), QStringLiteral("… the end, really"));
    AgentTalk::settle();
    QCOMPARE(talk.engine.count<application::GetThread>(), 2);
    talk.engine.agents.say(talk.thread, QStringLiteral("All of it, up to the end, really"));
    QTRY_COMPARE(talk.markdown(talk.last())->text(),
                 QStringLiteral("All of it, up to the end, really"));
    QCOMPARE(talk.model()->rowCount(), 2);
}

void TestAgentTalk::growsAtMostTwentyTimesASecond()
{
    AgentTalk talk;
    talk.engine.agents.ask(talk.thread, QStringLiteral("why?"));
    QVERIFY(talk.start());
    int shown = 0;
    connect(talk.model(), &QAbstractItemModel::dataChanged, talk.model(), [&shown] { ++shown; });
    QElapsedTimer clock;
    clock.start();
    QString all;
    for (int i = 0; clock.elapsed() < 1000; ++i) {
        const QString piece = QStringLiteral("w%1 ").arg(i);
        all += piece;
        talk.engine.agents.grow(talk.thread, piece);
        QTest::qWait(2);
    }
    const auto elapsed = static_cast<double>(clock.elapsed());
    QTRY_COMPARE(talk.markdown(talk.last())->text(), all);
    QVERIFY2(shown <= 3 + elapsed / 50.0, qPrintable(QString::number(shown)));
    QVERIFY(shown > 4);
}

void TestAgentTalk::layoutOfFinishedBlocksIsKept()
{
    AgentTalk talk;
    talk.engine.agents.ask(talk.thread, QStringLiteral("why?"));
    QVERIFY(talk.start());
    for (int i = 0; i < 40; ++i)
        talk.engine.agents.grow(talk.thread, QStringLiteral("Paragraph.\n\n"));
    const ConversationDelegate *rows = talk.page()->view()->rows();
    QTRY_VERIFY(talk.markdown(talk.last()) != nullptr);
    QTRY_VERIFY(rows->markdownOf(talk.last()).layouts() >= 40);
    AgentTalk::settle();
    const int before = rows->markdownOf(talk.last()).layouts();
    talk.engine.agents.grow(talk.thread, QStringLiteral("more"));
    AgentTalk::settle();
    QVERIFY(rows->markdownOf(talk.last()).layouts() <= before + 3);
}

void TestAgentTalk::reasoningIsFolded()
{
    AgentTalk talk;
    talk.engine.agents.ask(talk.thread, QStringLiteral("why?"));
    talk.engine.agents.say(talk.thread, QStringLiteral("Because."),
                           QStringLiteral("First\nsecond\nthird"));
    QVERIFY(talk.start());
    QTRY_COMPARE(talk.model()->rowCount(), 2);
    const int folded = talk.page()->view()->visualRect(talk.last()).height();
    QVERIFY(talk.click(talk.last(), Part::Reasoning));
    QTRY_VERIFY(talk.page()->view()->visualRect(talk.last()).height() > folded + 20);
    // By keyboard too.
    talk.page()->view()->setCurrentIndex(talk.last());
    QTest::keyClick(talk.page()->view(), Qt::Key_Return);
    QTRY_COMPARE(talk.page()->view()->visualRect(talk.last()).height(), folded);
}

void TestAgentTalk::linksAskFirst()
{
    AgentTalk talk;
    talk.engine.agents.ask(talk.thread, QStringLiteral("why?"));
    talk.engine.agents.say(talk.thread,
                           QStringLiteral("[https://good.example](https://bad.example/\u202ex)"));
    QVERIFY(talk.start());
    QTRY_COMPARE(talk.model()->rowCount(), 2);
    QVERIFY(talk.click(talk.last(), Part::Link));
    QMenu *menu = talk.menu(QStringLiteral("linkMenu"));
    QVERIFY(menu);
    // The target, not what the text says, and nothing of it hidden.
    QCOMPARE(menu->actions().value(0)->text(), QStringLiteral("https://bad.example"));
    QCOMPARE(menu->actions().value(1)->text(), QStringLiteral("https://bad.example/\\u{202e}x"));
    QVERIFY(!menu->actions().value(0)->isEnabled());
    QVERIFY(!menu->actions().value(1)->isEnabled());
    delete menu;
    talk.engine.agents.say(talk.thread, QStringLiteral("[x](file:///etc/passwd)"));
    QTRY_COMPARE(talk.model()->rowCount(), 3);
    AgentTalk::settle();
    QVERIFY(talk.click(talk.last(), Part::Link));
    menu = talk.menu(QStringLiteral("linkMenu"));
    QVERIFY(menu);
    QVERIFY(!AgentTalk::action(menu, ConversationView::tr("Open in the browser"))->isEnabled());
    delete menu;
}

void TestAgentTalk::linksShowTheirHost_data()
{
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("origin");
    QTest::addColumn<bool>("opens");
    QTest::newRow("plain") << "https://a.example/x"
                           << "https://a.example" << true;
    QTest::newRow("port") << "http://a.example:81/"
                          << "http://a.example:81" << true;
    QTest::newRow("another alphabet")
        << QStringLiteral("https://аррӏе.example/") << "https://xn--80ak6aa92e.example" << true;
    QTest::newRow("user name") << "https://bank.example@evil.example/"
                               << "https://evil.example" << false;
    QTest::newRow("long") << QStringLiteral("https://bank.example.%1.evil.example/x/%2")
                                 .arg(QStringLiteral("a.").repeated(40),
                                      QStringLiteral("y").repeated(200))
                          << QStringLiteral("https://bank.example.%1.evil.example")
                                 .arg(QStringLiteral("a.").repeated(40))
                          << true;
}

void TestAgentTalk::linksShowTheirHost()
{
    QFETCH(QString, target);
    QFETCH(QString, origin);
    QFETCH(bool, opens);
    // ".." in a host is none.
    target.replace(QLatin1String(".."), QLatin1String("."));
    origin.replace(QLatin1String(".."), QLatin1String("."));
    AgentTalk talk;
    talk.engine.agents.ask(talk.thread, QStringLiteral("why?"));
    talk.engine.agents.say(talk.thread, QStringLiteral("[click here](%1)").arg(target));
    QVERIFY(talk.start());
    QTRY_COMPARE(talk.model()->rowCount(), 2);
    QVERIFY(talk.click(talk.last(), Part::Link));
    QMenu *menu = talk.menu(QStringLiteral("linkMenu"));
    QVERIFY(menu);
    QCOMPARE(menu->actions().value(0)->text(), origin);
    QVERIFY(menu->actions().value(1)->text().startsWith(target.section(u'/', 0, 2)));
    QCOMPARE(AgentTalk::action(menu, ConversationView::tr("Open in the browser"))->isEnabled(),
             opens);
    delete menu;
}

void TestAgentTalk::codeIsCopied()
{
    AgentTalk talk;
    talk.engine.agents.ask(talk.thread, QStringLiteral("why?"));
    talk.engine.agents.say(talk.thread, QStringLiteral("Run:\n```sh\nls -la\ncd /\n```\n"));
    QVERIFY(talk.start());
    QTRY_COMPARE(talk.model()->rowCount(), 2);
    QVERIFY(talk.click(talk.last(), Part::CopyCode));
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("ls -la\ncd /"));
}

void TestAgentTalk::copiesAsMarkdownAndPlain()
{
    AgentTalk talk;
    talk.engine.agents.ask(talk.thread, QStringLiteral("why?"));
    const QString source = QStringLiteral("**Do**\n\n- this");
    talk.engine.agents.say(talk.thread, source);
    QVERIFY(talk.start());
    QTRY_COMPARE(talk.model()->rowCount(), 2);
    ConversationView *view = talk.page()->view();
    for (const auto &[text, wanted] :
         {std::pair(ConversationView::tr("Copy as Markdown"), source),
          std::pair(ConversationView::tr("Copy as plain text"), QStringLiteral("Do\n\n• this"))}) {
        view->setCurrentIndex(talk.last());
        QTest::keyClick(view, Qt::Key_Menu);
        QMenu *menu = talk.menu(QStringLiteral("rowMenu"));
        QVERIFY(menu);
        QAction *action = AgentTalk::action(menu, text);
        QVERIFY(action);
        action->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), wanted);
        delete menu;
    }
}

void TestAgentTalk::changesShowInTheirRow()
{
    AgentTalk talk;
    talk.engine.agents.ask(talk.thread, QStringLiteral("fix it"));
    const auto id =
        talk.engine.agents.used(talk.thread, QStringLiteral("edit_file"), QStringLiteral("a.py"),
                                {}, QStringLiteral("--- a\n+++ b\n@@ -1 +1,2 @@\n-x\n+y\n+z\n"));
    QVERIFY(talk.start());
    QTRY_COMPARE(talk.model()->rowCount(), 2);
    QVERIFY(talk.last().data(ConversationModel::OpenRole).toBool());
    const auto *call = talk.model()->call(id);
    QCOMPARE(outcomeOf(*call).word, QStringLiteral("+2 −1"));
    // Nothing is asked of the output that such a call has none of.
    AgentTalk::settle();
    QCOMPARE(talk.engine.count<application::ReadOutput>(), 0);
    QVERIFY(talk.click(talk.last(), Part::Copy));
    QCOMPARE(QGuiApplication::clipboard()->text(), call->diff);
}

void TestAgentTalk::resultsAreFolded()
{
    AgentTalk talk;
    talk.engine.agents.ask(talk.thread, QStringLiteral("read it"));
    talk.engine.agents.used(talk.thread, QStringLiteral("read_file"), QStringLiteral("a.py"),
                            QStringLiteral("line\n").repeated(40));
    QVERIFY(talk.start());
    QTRY_COMPARE(talk.model()->rowCount(), 2);
    QVERIFY(!talk.last().data(ConversationModel::OpenRole).toBool());
    ConversationView *view = talk.page()->view();
    QVERIFY(talk.click(talk.last(), Part::Header));
    AgentTalk::settle();
    const int some = view->rows()->heightOf(talk.last());
    QVERIFY(talk.click(talk.last(), Part::ShowAll));
    AgentTalk::settle();
    QVERIFY(view->rows()->heightOf(talk.last()) > 2 * some);
}

void TestAgentTalk::stopStopsTheRun()
{
    AgentTalk talk;
    talk.engine.agents.ask(talk.thread, QStringLiteral("why?"));
    QVERIFY(talk.start());
    QTRY_VERIFY(talk.page()->composer()->stopButton()->isVisible());
    QVERIFY(!talk.page()->composer()->sendButton()->isVisible());
    QTest::mouseClick(talk.page()->composer()->stopButton(), Qt::LeftButton);
    QTRY_COMPARE(talk.engine.count<application::StopRun>(), 1);
    QCOMPARE(talk.engine.last<application::StopRun>().thread, talk.thread);
    QTRY_VERIFY(!talk.page()->composer()->stopButton()->isVisible());
}

void TestAgentTalk::waitsAndRetries()
{
    AgentTalk talk;
    talk.engine.agents.ask(talk.thread, QStringLiteral("why?"));
    QVERIFY(talk.start());
    RunStrip *strip = talk.page()->runStrip();
    talk.engine.agents.notice(talk.thread, QStringLiteral("waiting"), QStringLiteral("Busy"),
                              QStringLiteral("429"), false,
                              QDateTime::currentDateTimeUtc().addSecs(30));
    QTRY_VERIFY(strip->isVisible());
    QVERIFY(strip->banner()->title().contains(QLatin1String("30"))
            || strip->banner()->title().contains(QLatin1String("29")));
    const QString first = strip->banner()->title();
    QTRY_VERIFY(strip->banner()->title() != first);
    QVERIFY(!strip->continueButton()->isVisible());
    QTest::mouseClick(strip->retryButton(), Qt::LeftButton);
    QTRY_COMPARE(talk.engine.count<application::RetryRunNow>(), 1);
    QTRY_VERIFY(!strip->isVisible());
}

void TestAgentTalk::continuesWhatEndedEarly()
{
    AgentTalk talk;
    talk.engine.agents.ask(talk.thread, QStringLiteral("why?"));
    application::RunView &run = talk.engine.details[talk.thread].runs.last();
    run.state = domain::RunState::Interrupted;
    run.endedAt = QDateTime::currentDateTimeUtc();
    run.canContinue = true;
    run.detail = QStringLiteral("Berth was closed");
    QVERIFY(talk.start());
    RunStrip *strip = talk.page()->runStrip();
    QTRY_VERIFY(strip->isVisible());
    QCOMPARE(strip->banner()->detail(), QStringLiteral("Berth was closed"));
    QTest::mouseClick(strip->continueButton(), Qt::LeftButton);
    QTRY_COMPARE(talk.engine.count<application::ContinueRun>(), 1);
    QTRY_VERIFY(!strip->isVisible());
}

void TestAgentTalk::editsAndSendsAgain()
{
    AgentTalk talk;
    talk.engine.agents.ask(talk.thread, QStringLiteral("fix tset"));
    talk.engine.agents.say(talk.thread, QStringLiteral("What is tset?"));
    QVERIFY(talk.start());
    QTRY_COMPARE(talk.model()->rowCount(), 2);
    Composer *composer = talk.page()->composer();
    QTest::keyClicks(composer->edit(), QStringLiteral("a draft"));
    Q_EMIT talk.page()->view()->editRequested(1, QStringLiteral("fix tset"));
    QVERIFY(composer->editBar()->isVisible());
    QCOMPARE(composer->text(), QStringLiteral("fix tset"));
    // The way back keeps the draft.
    QVERIFY(talk.page()->escape());
    QCOMPARE(composer->text(), QStringLiteral("a draft"));
    Q_EMIT talk.page()->view()->editRequested(1, QStringLiteral("fix tset"));
    composer->edit()->selectAll();
    QTest::keyClicks(composer->edit(), QStringLiteral("fix test"));
    QTest::keyClick(composer->edit(), Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE(talk.engine.count<application::EditMessage>(), 1);
    QCOMPARE(talk.engine.last<application::EditMessage>().seq, 1);
    QCOMPARE(talk.engine.last<application::EditMessage>().text, QStringLiteral("fix test"));
    QTRY_COMPARE(talk.model()->rowCount(), 3);
    QVERIFY(!composer->editBar()->isVisible());
    QCOMPARE(composer->text(), QStringLiteral("a draft"));
    QVERIFY(talk.model()
                ->index(0)
                .data(Qt::AccessibleTextRole)
                .toString()
                .startsWith(ConversationModel::tr("You, replaced later: %1").section(u'%', 0, 0)));
    QCOMPARE(talk.engine.count<application::SendMessage>(), 0);
}

void TestAgentTalk::usageStandsInTheComposer()
{
    AgentTalk talk;
    talk.engine.agents.ask(talk.thread, QStringLiteral("why?"));
    QVERIFY(talk.start());
    Label *usage = talk.page()->composer()->usage();
    QVERIFY(!usage->isVisible());
    talk.engine.agents.change(talk.thread, [](application::RunView &run) {
        run.usage.inputTokens = 11'600;
        run.usage.outputTokens = 800;
        run.usage.cost = 0.034;
        run.usage.currency = QStringLiteral("USD");
    });
    QTRY_COMPARE(usage->text(), QStringLiteral("12.4k tokens · $0.03"));
}

QTEST_MAIN(TestAgentTalk)
#include "test_agent_talk.moc"
