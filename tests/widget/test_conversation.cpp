// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_page.h"
#include "ui/conversation/conversation_view.h"
#include "ui/conversation/output_pages.h"
#include "ui/conversation/output_search.h"
#include "ui/conversation/output_view.h"
#include "ui/conversation/output_viewer.h"
#include "ui/models/thread_text.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/label.h"
#include "widget/support/window_rig.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtGui/QClipboard>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QScrollBar>

using namespace berth;
using namespace berth::ui;
using application::ReadOutput;
using application::SendMessage;
using application::UpdateThread;
using Part = ConversationDelegate::Part;
using test::WindowRig;

namespace {

struct Talk : WindowRig
{
    Talk()
    {
        thread = engine.addThread(QStringLiteral("Fix the test"), QDateTime::currentDateTimeUtc());
    }
    [[nodiscard]] bool start()
    {
        if (!open())
            return false;
        window->showThread(thread);
        return QTest::qWaitFor([this] { return engine.count<application::GetThread>() > 0; });
    }
    [[nodiscard]] ConversationPage *page() const { return window->conversationPage(); }
    [[nodiscard]] Composer *composer() const { return page()->composer(); }
    [[nodiscard]] QString outputOf(const domain::ToolCallId &call) const
    {
        const auto *tail = page()
                               ->model()
                               ->indexOf(call)
                               .data(ConversationModel::OutputRole)
                               .value<const OutputTail *>();
        return tail ? tail->text.plainText() : QString();
    }
    [[nodiscard]] bool click(const domain::ToolCallId &call, Part part) const
    {
        ConversationView *view = page()->view();
        view->jumpToLatest();
        const QPoint at = view->pointOf(page()->model()->indexOf(call), part);
        if (at.x() < 0)
            return false;
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, at);
        return true;
    }
    void ctrlReturn() const
    {
        QTest::keyClick(composer()->edit(), Qt::Key_Return, Qt::ControlModifier);
    }

    domain::ThreadId thread;
};

QByteArray numberedLines(int count)
{
    QByteArray bytes;
    for (int i = 1; i <= count; ++i)
        bytes += "line " + QByteArray::number(i) + '\n';
    return bytes;
}

} // namespace

class TestConversation : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void commandRunsAndItsOutputAppears();
    void otherLinesNeverRun();
    void runAsCommand();
    void outcomes_data();
    void outcomes();
    void stopSends();
    void escapeStops();
    void cardsOpenAndClose();
    void onlyTheEndIsShown();
    void outputIsReadAtMostTwentyTimesASecond();
    void copyTakesTheOutput();
    void followsTheEndOnlyWhileThere();
    void hugeOutputKeepsMemoryBounded();
    void findInOutput();
    void pagesHaveEveryLineOnce();
    void oneLongLineIsSplit();
    void savesTheWholeOutput();
    void draftIsKeptPerThread();
    void renames();
    void showsBindingAndNotice();
    void rowsSayWhatTheyAre();
};

void TestConversation::commandRunsAndItsOutputAppears()
{
    Talk talk;
    QVERIFY(talk.start());
    QTest::keyClicks(talk.composer()->edit(), QStringLiteral("!echo hi"));
    talk.ctrlReturn();
    QTRY_COMPARE(talk.engine.count<SendMessage>(), 1);
    QCOMPARE(talk.engine.last<SendMessage>().text, QStringLiteral("!echo hi"));
    QTRY_COMPARE(talk.page()->model()->rowCount(), 2);
    QVERIFY(talk.composer()->text().isEmpty());
    const auto *call = talk.page()->model()->underWay();
    QVERIFY(call);
    const domain::ToolCallId id = call->id;
    talk.engine.write(id, "hi\n");
    QTRY_COMPARE(talk.outputOf(id).trimmed(), QStringLiteral("hi"));
    talk.engine.finish(id, domain::OutcomeKind::Exited, 0);
    QTRY_VERIFY(!talk.page()->model()->underWay());
    QVERIFY(!talk.composer()->stopButton()->isVisible());
}

void TestConversation::otherLinesNeverRun()
{
    Talk talk;
    QVERIFY(talk.start());
    QTest::keyClicks(talk.composer()->edit(), QStringLiteral("please delete everything"));
    talk.ctrlReturn();
    QTest::keyClick(talk.composer()->edit(), Qt::Key_Return);
    QTest::mouseClick(talk.composer()->sendButton(), Qt::LeftButton);
    QVERIFY(talk.composer()->draftBar()->isVisible());
    QTest::qWait(50);
    QCOMPARE(talk.engine.count<SendMessage>(), 0);
    QCOMPARE(talk.composer()->text(), QStringLiteral("please delete everything"));
}

void TestConversation::runAsCommand()
{
    Talk talk;
    QVERIFY(talk.start());
    QTest::keyClicks(talk.composer()->edit(), QStringLiteral("ls"));
    talk.ctrlReturn();
    QTest::mouseClick(talk.composer()->runButton(), Qt::LeftButton);
    QTRY_COMPARE(talk.engine.count<SendMessage>(), 1);
    QVERIFY(talk.engine.last<SendMessage>().asCommand);
    QCOMPARE(talk.engine.last<SendMessage>().text, QStringLiteral("ls"));
}

void TestConversation::outcomes_data()
{
    using domain::OutcomeKind;
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("word");
    const auto row = [](const char *name, OutcomeKind kind, int code, const QString &word) {
        QTest::newRow(name) << static_cast<int>(kind) << code << word;
    };
    row("ok", OutcomeKind::Exited, 0, QStringLiteral("exit 0"));
    row("failed", OutcomeKind::Exited, 3, QStringLiteral("exit 3"));
    row("stopped", OutcomeKind::Cancelled, 130, QStringLiteral("stopped"));
    row("timeout", OutcomeKind::TimedOut, 137, QStringLiteral("timed out"));
    row("interrupted", OutcomeKind::Interrupted, 125, QStringLiteral("interrupted"));
    row("lost", OutcomeKind::TransportLost, 125, QStringLiteral("connection lost"));
    row("not started", OutcomeKind::NotStarted, 125, QStringLiteral("not started"));
    row("signal", OutcomeKind::Signalled, 139, QStringLiteral("SIGSEGV"));
}

void TestConversation::outcomes()
{
    QFETCH(int, kind);
    QFETCH(int, code);
    QFETCH(QString, word);
    Talk talk;
    QVERIFY(talk.start());
    const auto id = talk.engine.startCall(talk.thread, QStringLiteral("x"));
    QTRY_VERIFY(talk.page()->model()->call(id));
    QVERIFY(talk.page()->model()->indexOf(id).data(ConversationModel::OpenRole).toBool());
    talk.engine.finish(id, static_cast<domain::OutcomeKind>(kind), code);
    QTRY_COMPARE(outcomeOf(*talk.page()->model()->call(id)).word, word);
    const QModelIndex index = talk.page()->model()->indexOf(id);
    QVERIFY(index.data(Qt::AccessibleTextRole).toString().contains(word));
    // Open while running or failed, closed when it went well.
    QCOMPARE(index.data(ConversationModel::OpenRole).toBool(), word != QStringLiteral("exit 0"));
}

void TestConversation::stopSends()
{
    Talk talk;
    QVERIFY(talk.start());
    const auto id = talk.engine.startCall(talk.thread, QStringLiteral("sleep 60"));
    QTRY_VERIFY(talk.composer()->stopButton()->isVisible());
    QVERIFY(!talk.composer()->sendButton()->isVisible());
    talk.engine.held.append(QString::fromLatin1(application::StopToolCall::kName));
    QTest::mouseClick(talk.composer()->stopButton(), Qt::LeftButton);
    QTRY_COMPARE(talk.engine.count<application::StopToolCall>(), 1);
    QCOMPARE(talk.engine.last<application::StopToolCall>().toolCall, id);
    QVERIFY(!talk.composer()->stopButton()->isEnabled());
    talk.engine.release();
    QTRY_VERIFY(!talk.composer()->stopButton()->isVisible());
    QVERIFY(talk.composer()->sendButton()->isVisible());
}

void TestConversation::escapeStops()
{
    Talk talk;
    QVERIFY(talk.start());
    const auto id = talk.engine.startCall(talk.thread, QStringLiteral("sleep 60"));
    QTRY_VERIFY(talk.composer()->stopButton()->isVisible());
    QTest::keyClick(talk.composer()->edit(), Qt::Key_Escape);
    QTRY_COMPARE(talk.engine.count<application::StopToolCall>(), 1);
    QCOMPARE(talk.engine.last<application::StopToolCall>().toolCall, id);
    QTRY_VERIFY(!talk.page()->model()->underWay());
    QTest::keyClick(talk.composer()->edit(), Qt::Key_Escape);
    QTest::qWait(30);
    QCOMPARE(talk.engine.count<application::StopToolCall>(), 1);
}

void TestConversation::cardsOpenAndClose()
{
    Talk talk;
    QVERIFY(talk.start());
    const auto id = talk.engine.startCall(talk.thread, QStringLiteral("ls"));
    talk.engine.write(id, "a\nb\n");
    talk.engine.finish(id, domain::OutcomeKind::Exited, 0);
    QTRY_VERIFY(talk.page()->model()->call(id) && !talk.page()->model()->underWay());
    const auto isOpen = [&] {
        return talk.page()->model()->indexOf(id).data(ConversationModel::OpenRole).toBool();
    };
    QVERIFY(!isOpen());
    QVERIFY(talk.click(id, Part::Header));
    QVERIFY(isOpen());
    QTRY_COMPARE(talk.outputOf(id), QStringLiteral("a\nb\n"));
    // By keyboard too.
    talk.page()->view()->setFocus();
    talk.page()->view()->setCurrentIndex(talk.page()->model()->indexOf(id));
    QTest::keyClick(talk.page()->view(), Qt::Key_Return);
    QVERIFY(!isOpen());
}

void TestConversation::onlyTheEndIsShown()
{
    Talk talk;
    QVERIFY(talk.start());
    const auto id = talk.engine.startCall(talk.thread, QStringLiteral("seq"));
    talk.engine.write(id, numberedLines(100000));
    QTRY_VERIFY(talk.outputOf(id).contains(QStringLiteral("line 100000")));
    QVERIFY(!talk.outputOf(id).contains(QStringLiteral("line 1\n")));
    QVERIFY(talk.outputOf(id).startsWith(QStringLiteral("line "))); // no half line in front
    const QModelIndex index = talk.page()->model()->indexOf(id);
    const int rows =
        talk.page()->view()->rows()->heightOf(index) / outputRowHeight(fontFor(TextRole::Mono));
    QVERIFY2(rows <= ConversationDelegate::kMaxRows + 7, QByteArray::number(rows).constData());
    QVERIFY(talk.engine.last<ReadOutput>().limit <= 64 * 1024);
}

void TestConversation::outputIsReadAtMostTwentyTimesASecond()
{
    Talk talk;
    QVERIFY(talk.start());
    const auto id = talk.engine.startCall(talk.thread, QStringLiteral("yes"));
    QElapsedTimer clock;
    clock.start();
    int writes = 0;
    while (clock.elapsed() < 1000) {
        talk.engine.write(id, "y\n");
        ++writes;
        QTest::qWait(2);
    }
    const int reads = talk.engine.count<ReadOutput>();
    QVERIFY2(writes > 60, QByteArray::number(writes).constData());
    QVERIFY2(reads > 2 && reads <= 22, QByteArray::number(reads).constData());
    // The last of it comes all the same.
    talk.engine.write(id, "the end\n");
    QTRY_VERIFY(talk.outputOf(id).endsWith(QStringLiteral("the end\n")));
}

void TestConversation::copyTakesTheOutput()
{
    Talk talk;
    QVERIFY(talk.start());
    const auto id = talk.engine.startCall(talk.thread, QStringLiteral("seq"));
    talk.engine.write(id, numberedLines(50));
    QTRY_VERIFY(talk.outputOf(id).contains(QStringLiteral("line 50")));
    QTest::qWait(50);
    QVERIFY(talk.click(id, Part::Copy));
    QTRY_COMPARE(QGuiApplication::clipboard()->text(), QString::fromLatin1(numberedLines(50)));
}

void TestConversation::followsTheEndOnlyWhileThere()
{
    Talk talk;
    QVERIFY(talk.start());
    for (int i = 0; i < 12; ++i) {
        const auto id = talk.engine.startCall(talk.thread, QStringLiteral("x%1").arg(i));
        talk.engine.finish(id, domain::OutcomeKind::Exited, 1);
    }
    QScrollBar *bar = talk.page()->view()->verticalScrollBar();
    QTRY_COMPARE(talk.page()->model()->rowCount(), 24);
    QTRY_VERIFY(bar->maximum() > 0 && bar->value() == bar->maximum());
    bar->setValue(0);
    QVERIFY(talk.page()->view()->latestButton()->isVisible());
    const auto id = talk.engine.startCall(talk.thread, QStringLiteral("more"));
    talk.engine.write(id, numberedLines(30));
    QTRY_VERIFY(talk.outputOf(id).contains(QStringLiteral("line 30")));
    QTest::qWait(50);
    QCOMPARE(bar->value(), 0);
    QTest::mouseClick(talk.page()->view()->latestButton(), Qt::LeftButton);
    QCOMPARE(bar->value(), bar->maximum());
    QVERIFY(!talk.page()->view()->latestButton()->isVisible());
    talk.engine.write(id, numberedLines(3));
    talk.engine.finish(id, domain::OutcomeKind::Exited, 1);
    QTest::qWait(150);
    QCOMPARE(bar->value(), bar->maximum());
}

void TestConversation::hugeOutputKeepsMemoryBounded()
{
    constexpr qint64 kTotal = 100'000'000;
    Talk talk;
    QVERIFY(talk.start());
    const auto id = talk.engine.startCall(
        talk.thread, QStringLiteral("head -c 100000000 /dev/zero | tr '\\0' x"));
    qint64 largest = 0;
    talk.engine.setVirtualOutput(id, kTotal, [&largest](qint64 offset, qint64 length) {
        largest = qMax(largest, length);
        QByteArray bytes(length, 'x');
        if (offset + length == kTotal)
            bytes.replace(length - 3, 3, "END");
        return bytes;
    });
    QTRY_VERIFY(talk.outputOf(id).endsWith(QStringLiteral("END")));
    talk.engine.finish(id, domain::OutcomeKind::Exited, 1);
    QTest::qWait(80);
    QVERIFY(talk.click(id, Part::ShowAll));
    QVERIFY(talk.page()->isViewerOpen());
    OutputView *view = talk.page()->viewer()->view();
    QTRY_VERIFY(view->visibleRows().startsWith(QStringLiteral("xxxx")));
    QScrollBar *bar = view->verticalScrollBar();
    QVERIFY(bar->maximum() > 100'000);
    for (int step = 0; step <= 60; ++step) {
        bar->setValue(static_cast<int>(qint64(bar->maximum()) * step / 60));
        QTest::qWait(5);
        QVERIFY(view->pages()->loadedPages() <= OutputPages::kMostPages);
    }
    QTest::keyClick(view, Qt::Key_End);
    QTRY_VERIFY(view->visibleRows().endsWith(QStringLiteral("END")));
    QVERIFY(view->pages()->loadedPages() <= OutputPages::kMostPages);
    QVERIFY(largest <= 64 * 1024);
    QTest::keyClick(view, Qt::Key_Escape);
    QVERIFY(!talk.page()->isViewerOpen());
}

void TestConversation::findInOutput()
{
    Talk talk;
    QVERIFY(talk.start());
    const auto id = talk.engine.startCall(talk.thread, QStringLiteral("build"));
    QByteArray bytes;
    const QList<int> places{7, 30'000, 89'990};
    for (int i = 0; i < 90'000; ++i)
        bytes +=
            "line " + QByteArray::number(i) + (places.contains(i) ? " NeedleX" : " nothing") + '\n';
    talk.engine.write(id, bytes);
    talk.engine.finish(id, domain::OutcomeKind::Exited, 1);
    QTRY_VERIFY(talk.click(id, Part::ShowAll));
    OutputViewer *viewer = talk.page()->viewer();
    OutputSearch *search = viewer->search();
    QVERIFY(!search->isOpen());
    QTest::keyClick(viewer->view(), Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(search->isOpen());
    QTest::keyClicks(search->field(), QStringLiteral("needlex"));
    QTRY_VERIFY(!search->isReading() && search->matchCount() == 3);
    QCOMPARE(search->countLabel()->text(), QStringLiteral("1 of 3"));
    const auto shows = [viewer](int line) {
        return QTest::qWaitFor([viewer, line] {
            return viewer->view()->visibleRows().contains(
                QStringLiteral("line %1 NeedleX").arg(line));
        });
    };
    QVERIFY(shows(7));
    QTest::keyClick(search->field(), Qt::Key_Return);
    QCOMPARE(search->countLabel()->text(), QStringLiteral("2 of 3"));
    QVERIFY(shows(30'000));
    // Around both ends.
    QTest::keyClick(search->field(), Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClick(search->field(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(search->countLabel()->text(), QStringLiteral("3 of 3"));
    QVERIFY(shows(89'990));
    QTest::keyClick(search->field(), Qt::Key_Return);
    QVERIFY(shows(7));
    QVERIFY(viewer->view()->pages()->loadedPages() <= OutputPages::kMostPages);
    search->field()->setText(QStringLiteral("not there"));
    QTRY_COMPARE(search->countLabel()->text(), QStringLiteral("Not found"));
    // Esc closes the search, then the output.
    QTest::keyClick(search->field(), Qt::Key_Escape);
    QVERIFY(!search->isOpen() && talk.page()->isViewerOpen());
    QTest::keyClick(viewer->view(), Qt::Key_Escape);
    QVERIFY(!talk.page()->isViewerOpen());
}

void TestConversation::pagesHaveEveryLineOnce()
{
    Talk talk;
    QVERIFY(talk.start());
    const auto id = talk.engine.startCall(talk.thread, QStringLiteral("seq"));
    QByteArray bytes;
    for (int i = 0; i < 20000; ++i)
        bytes += "n" + QByteArray::number(i) + QByteArray(i % 37, '.') + "\xe4\xb8\xad\n";
    talk.engine.write(id, bytes);
    OutputPages pages(*talk.client);
    pages.setColumns(200);
    pages.open(id, bytes.size());
    QStringList seen;
    // Page by page, as scrolling does; waits for each row.
    for (qint64 row = 0; row < pages.rowCount(); ++row) {
        pages.setVisible(row, row);
        OutputPages::Row at = pages.rowAt(row);
        if (!at.line) {
            QVERIFY(QTest::qWaitFor(
                [&] { return row >= pages.rowCount() || pages.rowAt(row).line != nullptr; }));
            at = pages.rowAt(row);
        }
        if (at.line)
            seen.append(at.line->text.mid(at.from, at.length));
    }
    QCOMPARE(seen.size(), 20000);
    QCOMPARE(seen.join(QLatin1Char('\n')) + QLatin1Char('\n'), QString::fromUtf8(bytes));
}

void TestConversation::oneLongLineIsSplit()
{
    Talk talk;
    QVERIFY(talk.start());
    const auto id = talk.engine.startCall(talk.thread, QStringLiteral("x"));
    QByteArray bytes;
    for (int i = 0; i < 40000; ++i)
        bytes += "\xe4\xb8\xad"; // three bytes each, so that page borders fall into characters
    talk.engine.write(id, bytes);
    OutputPages pages(*talk.client);
    pages.setColumns(100);
    pages.open(id, bytes.size());
    QString seen;
    for (qint64 row = 0; row < pages.rowCount(); ++row) {
        pages.setVisible(row, row);
        QVERIFY(QTest::qWaitFor(
            [&] { return row >= pages.rowCount() || pages.rowAt(row).line != nullptr; }));
        const OutputPages::Row at = pages.rowAt(row);
        if (at.line)
            seen += at.line->text.mid(at.from, at.length);
    }
    QCOMPARE(seen, QString::fromUtf8(bytes));
}

void TestConversation::savesTheWholeOutput()
{
    Talk talk;
    QVERIFY(talk.start());
    const auto id = talk.engine.startCall(talk.thread, QStringLiteral("x"));
    QByteArray bytes(3'000'000, 'a');
    bytes.append("\0\xff\x1b[31m", 7);
    talk.engine.write(id, bytes);
    talk.engine.finish(id, domain::OutcomeKind::Exited, 0);
    QTRY_VERIFY(talk.page()->model()->call(id));
    Q_EMIT talk.page()->view()->showAllRequested(id);
    const QString path = talk.directory.filePath(QStringLiteral("out.bin"));
    talk.page()->viewer()->saveTo(path);
    QTRY_VERIFY(QFile::exists(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), bytes);
}

void TestConversation::draftIsKeptPerThread()
{
    Talk talk;
    const auto other =
        talk.engine.addThread(QStringLiteral("Other"), QDateTime::currentDateTimeUtc());
    QVERIFY(talk.start());
    QTest::keyClicks(talk.composer()->edit(), QStringLiteral("half a thought"));
    talk.window->showThread(other);
    QTRY_COMPARE(talk.engine.count<UpdateThread>(), 1);
    QCOMPARE(talk.engine.last<UpdateThread>().draft,
             std::optional(QStringLiteral("half a thought")));
    QVERIFY(talk.composer()->text().isEmpty());
    talk.window->showThread(talk.thread);
    QCOMPARE(talk.composer()->text(), QStringLiteral("half a thought"));
    // Pausing in typing is enough, as after a crash.
    QTest::keyClicks(talk.composer()->edit(), QStringLiteral("!"));
    QTRY_COMPARE(talk.engine.count<UpdateThread>(), 2);
}

void TestConversation::renames()
{
    Talk talk;
    QVERIFY(talk.start());
    QTest::keyClick(talk.window.get(), Qt::Key_F2);
    QLineEdit *edit = talk.page()->titleEdit();
    QVERIFY(edit->isVisible());
    edit->clear();
    QTest::keyClicks(edit, QStringLiteral("Better name"));
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_COMPARE(talk.engine.count<UpdateThread>(), 1);
    QCOMPARE(talk.engine.last<UpdateThread>().title, std::optional(QStringLiteral("Better name")));
    QVERIFY(!edit->isVisible());
    QTRY_VERIFY(talk.window->windowTitle().startsWith(QStringLiteral("Better name")));
    // Esc leaves it as it was.
    QTest::keyClick(talk.window.get(), Qt::Key_F2);
    QTest::keyClicks(edit, QStringLiteral("not this"));
    QTest::keyClick(edit, Qt::Key_Escape);
    QTest::qWait(30);
    QCOMPARE(talk.engine.count<UpdateThread>(), 1);
}

void TestConversation::showsBindingAndNotice()
{
    Talk talk;
    QVERIFY(talk.start());
    QTRY_VERIFY(talk.page()->binding()->text().startsWith(
        QStringLiteral("docker · python:3.12-slim · active")));
    QVERIFY(!talk.page()->notice()->isVisible());
    talk.engine.change(talk.thread, [](application::ThreadView &view) {
        view.lifecycle = application::ThreadLifecycle::Unreachable;
        view.notice = QStringLiteral("Docker does not answer, last seen 5 m ago");
    });
    QTRY_VERIFY(talk.page()->notice()->isVisible());
    QCOMPARE(talk.page()->notice()->title(),
             QStringLiteral("Docker does not answer, last seen 5 m ago"));
    QVERIFY(talk.page()->binding()->text().contains(QStringLiteral("unreachable")));
    QCOMPARE(talk.page()->binding()->tone(), Tone::Error);
}

void TestConversation::rowsSayWhatTheyAre()
{
    Talk talk;
    QVERIFY(talk.start());
    const auto id = talk.engine.startCall(talk.thread, QStringLiteral("echo \u202eevil"));
    QTRY_COMPARE(talk.page()->model()->rowCount(), 2);
    const QString said = talk.page()->model()->indexOf(id).data(Qt::AccessibleTextRole).toString();
    QVERIFY(said.contains(QStringLiteral("Run command")));
    QVERIFY(said.contains(QStringLiteral("\\u{202e}")));
    QVERIFY(talk.page()
                ->model()
                ->index(0)
                .data(Qt::AccessibleTextRole)
                .toString()
                .startsWith(QStringLiteral("You: ")));
}

QTEST_MAIN(TestConversation)
#include "test_conversation.moc"
