// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/engine_state.h"
#include "ui/style/theme.h"
#include "ui/terminal/process_list.h"
#include "ui/terminal/terminal_pane.h"
#include "ui/terminal/terminal_panel.h"
#include "ui/terminal/terminal_search.h"
#include "ui/terminal/terminal_session.h"
#include "ui/terminal/terminal_sessions.h"
#include "ui/terminal/terminal_tabs.h"
#include "ui/terminal/terminal_view.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "widget/support/scripted_engine.h"

#include <QtCore/QTimer>
#include <QtGui/QAccessible>
#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QInputMethodEvent>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QScrollBar>

#include <ctime>
#include <memory>

using namespace berth;
using namespace berth::application;
using namespace berth::ui;
using berth::test::ScriptedEngine;
using domain::ObservedState;

namespace {

//! A panel on one runtime of a scripted Engine.
struct Rig
{
    explicit Rig(ObservedState observed = ObservedState::Running)
    {
        runtime = engine.addRuntime(QStringLiteral("docker-1"), observed);
        engine.processes.greeting = "root@box:/# ";
    }
    [[nodiscard]] bool open(const QSize &size = {720, 420})
    {
        client = engine.makeClient();
        state = std::make_unique<EngineState>(*client);
        sessions = std::make_unique<TerminalSessions>(*state);
        panel = std::make_unique<TerminalPanel>(*sessions);
        panel->setTarget(
            {runtime.lease, runtime.sandbox.toString(), QStringLiteral("default / docker-1"), {}});
        panel->resize(size);
        panel->show();
        panel->activateWindow();
        return QTest::qWaitForWindowActive(panel.get())
            && QTest::qWaitFor([this] { return state->isLoaded(); });
    }
    //! With a terminal that shows its prompt.
    [[nodiscard]] bool openTerminal()
    {
        if (!open())
            return false;
        panel->openNew();
        return QTest::qWaitFor([this] {
            return view() && view()->visibleLines().contains(QLatin1String("root@box"));
        });
    }
    [[nodiscard]] TerminalView *view() const
    {
        return panel->pane() ? panel->pane()->view() : nullptr;
    }
    [[nodiscard]] domain::ProcessId id() const { return panel->pane()->session()->process().id; }
    [[nodiscard]] bool typed(const QByteArray &bytes)
    {
        return QTest::qWaitFor([&] { return engine.processes.typed.value(id()) == bytes; }, 2000);
    }
    [[nodiscard]] bool shows(const QString &text) const
    {
        return QTest::qWaitFor([&] { return view()->visibleLines().contains(text); }, 3000);
    }

    Theme theme{*qApp, ThemeMode::Light};
    ScriptedEngine engine;
    RuntimeView runtime;
    std::unique_ptr<InProcessClient> client;
    std::unique_ptr<EngineState> state;
    std::unique_ptr<TerminalSessions> sessions;
    std::unique_ptr<TerminalPanel> panel;
};

} // namespace

class TestTerminal : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void opensAndTypes();
    void keysOfShortcutsGoToTheProgram();
    void inputStaysInOrder();
    void inputMethod();
    void pastingLinesAsks();
    void selectsAndCopies();
    void searches();
    void resizes();
    void mouseGoesToTheProgramUnlessShift();
    void replaysWithoutAnswering();
    void endedAndUnknownSayWhatToDo();
    void pausedAsksFirst();
    void closingARunningOneAsks();
    void backgroundCommands();
    void failuresAreShown();
    void readsOnAfterAnError();
    void isAccessible();
    void leavesByKeyboard();
    void floodKeepsTheWindowAlive();
    void titleFromInsideIsEscaped();
};

void TestTerminal::opensAndTypes()
{
    Rig rig;
    QVERIFY(rig.open());
    QVERIFY(rig.panel->openButton()->isVisible());
    QTest::mouseClick(rig.panel->openButton(), Qt::LeftButton);
    QTRY_VERIFY(rig.view());
    QVERIFY(rig.shows(QStringLiteral("root@box:/#")));
    const auto started = rig.engine.last<StartProcess>();
    QCOMPARE(started.target, rig.runtime.sandbox.toString());
    QVERIFY(started.columns > 20 && started.rows > 5);
    QTRY_VERIFY(rig.view()->hasFocus());
    QTest::keyClicks(rig.view(), QStringLiteral("ls -l"));
    QTest::keyClick(rig.view(), Qt::Key_Return);
    QTest::keyClick(rig.view(), Qt::Key_C, Qt::ControlModifier);
    QTest::keyClick(rig.view(), Qt::Key_Up);
    QTest::keyClick(rig.view(), Qt::Key_Backspace);
    QTest::keyClick(rig.view(), Qt::Key_Tab);
    QTest::keyClick(rig.view(), Qt::Key_F, Qt::AltModifier);
    QVERIFY(rig.typed("ls -l\r\x03\x1b[A\x7f\t\x1b"
                      "f"));
    rig.engine.processes.write(rig.id(), "\x1b[?1h\r\ntotal 0\r\n");
    QVERIFY(rig.shows(QStringLiteral("total 0")));
    QTest::keyClick(rig.view(), Qt::Key_Up);
    QVERIFY(rig.typed("ls -l\r\x03\x1b[A\x7f\t\x1b"
                      "f\x1bOA"));
}

void TestTerminal::keysOfShortcutsGoToTheProgram()
{
    Rig rig;
    QVERIFY(rig.openTerminal());
    int taken = 0;
    for (const QKeySequence &keys : {QKeySequence(Qt::CTRL | Qt::Key_N), QKeySequence(Qt::Key_F2),
                                     QKeySequence(Qt::Key_Escape)}) {
        auto *action = new QAction(rig.panel.get());
        action->setShortcut(keys);
        rig.panel->addAction(action);
        connect(action, &QAction::triggered, this, [&taken] { ++taken; });
    }
    QTest::keyClick(rig.view(), Qt::Key_N, Qt::ControlModifier);
    QTest::keyClick(rig.view(), Qt::Key_Escape);
    QTest::keyClick(rig.view(), Qt::Key_F2);
    QVERIFY(rig.typed("\x0e\x1b\x1bOQ"));
    QCOMPARE(taken, 0);
}

void TestTerminal::inputStaysInOrder()
{
    Rig rig;
    QVERIFY(rig.openTerminal());
    rig.engine.held.append(QString::fromLatin1(WriteProcess::kName));
    QTest::keyClicks(rig.view(), QStringLiteral("abcdef"));
    QTRY_COMPARE(rig.engine.count<WriteProcess>(), 1);
    QTest::qWait(30);
    // One is under way; the rest waits and goes together.
    QCOMPARE(rig.engine.count<WriteProcess>(), 1);
    rig.engine.release();
    QVERIFY(rig.typed("abcdef"));
    QCOMPARE(rig.engine.processes.writes.size(), 2);
}

void TestTerminal::inputMethod()
{
    Rig rig;
    QVERIFY(rig.openTerminal());
    QInputMethodEvent composing(QStringLiteral("ni"), {});
    QApplication::sendEvent(rig.view(), &composing);
    QInputMethodEvent done;
    done.setCommitString(QString::fromUtf8("\u4f60"));
    QApplication::sendEvent(rig.view(), &done);
    QVERIFY(rig.typed(QByteArray("\xe4\xbd\xa0")));
    QVERIFY(rig.view()->inputMethodQuery(Qt::ImEnabled).toBool());
    QVERIFY(rig.view()->inputMethodQuery(Qt::ImCursorRectangle).toRect().isValid());
}

void TestTerminal::pastingLinesAsks()
{
    Rig rig;
    QVERIFY(rig.openTerminal());
    QGuiApplication::clipboard()->setText(QStringLiteral("one line"));
    QTest::keyClick(rig.view(), Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(rig.typed("one line"));
    // Several lines ask, also where the program marks pastes.
    rig.engine.processes.write(rig.id(), "\x1b[?2004h$ ");
    QVERIFY(rig.shows(QStringLiteral("$")));
    QGuiApplication::clipboard()->setText(QString::fromUtf8("echo \u202ehidden\nrm -rf /\n"));
    QTest::keyClick(rig.view(), Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
    TerminalPane *pane = rig.panel->pane();
    QTRY_VERIFY(pane->pasteBar()->isVisible());
    QVERIFY(pane->pasteBar()->title().contains(QLatin1Char('2')));
    QVERIFY(pane->pasteBar()->detail().contains(QLatin1String("\\u{202e}")));
    // Return does not say yes.
    QVERIFY(!pane->pasteButton()->hasFocus());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QVERIFY(!pane->pasteBar()->isVisible());
    QVERIFY(rig.view()->hasFocus());
    QVERIFY(rig.typed("one line"));
    rig.view()->paste();
    QTRY_VERIFY(pane->pasteBar()->isVisible());
    QTest::mouseClick(pane->pasteButton(), Qt::LeftButton);
    QVERIFY(rig.typed("one line\x1b[200~echo \xe2\x80\xaehidden\rrm -rf /\r\x1b[201~"));
}

void TestTerminal::selectsAndCopies()
{
    Rig rig;
    QVERIFY(rig.openTerminal());
    rig.engine.processes.write(rig.id(), "\x1b[2J\x1b[Hsee /usr/lib/x.so now\r\n\u4e2d\u6587 text");
    QVERIFY(rig.shows(QStringLiteral("text")));
    TerminalView *view = rig.view();
    QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, view->cellRect(7, 0).center());
    QCOMPARE(view->selectedText(), QStringLiteral("/usr/lib/x.so"));
    QTest::keyClick(view, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("/usr/lib/x.so"));
    QTest::qWait(QApplication::doubleClickInterval() + 20);
    QTest::mousePress(view->viewport(), Qt::LeftButton, {}, view->cellRect(0, 1).topLeft());
    QMouseEvent move(QEvent::MouseMove, QPointF(view->cellRect(4, 1).topLeft()),
                     view->viewport()->mapToGlobal(QPointF(view->cellRect(4, 1).topLeft())),
                     Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(view->viewport(), &move);
    QTest::mouseRelease(view->viewport(), Qt::LeftButton, {}, view->cellRect(4, 1).topLeft());
    QCOMPARE(view->selectedText(), QString::fromUtf8("\u4e2d\u6587"));
    // What is typed takes it away; Ctrl+C never copies.
    QTest::keyClick(view, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(view->selectedText(), QString());
    QVERIFY(rig.typed("\x03"));
}

void TestTerminal::searches()
{
    Rig rig;
    QVERIFY(rig.openTerminal());
    QByteArray lines;
    for (int i = 0; i < 200; ++i)
        lines += "needle " + QByteArray::number(i) + "\r\n";
    rig.engine.processes.write(rig.id(), lines + "end");
    QVERIFY(rig.shows(QStringLiteral("end")));
    QTest::keyClick(rig.view(), Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    TerminalSearch *search = rig.panel->pane()->search();
    QTRY_VERIFY(search->isVisible() && search->field()->hasFocus());
    QTest::keyClicks(search->field(), QStringLiteral("needle 1"));
    QCOMPARE(search->matchCount(), 111);
    QCOMPARE(search->currentMatch(), 110);
    const qint64 top = rig.view()->topLine();
    for (int i = 0; i < 60; ++i)
        QTest::keyClick(search->field(), Qt::Key_Return);
    QCOMPARE(search->currentMatch(), 50);
    QVERIFY(rig.view()->topLine() < top);
    QTest::keyClick(search->field(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(search->currentMatch(), 51);
    // New output neither loses the place nor scrolls away from it.
    const qint64 stood = rig.view()->topLine();
    rig.engine.processes.write(rig.id(), "\r\nneedle 1000\r\n");
    QTRY_COMPARE(search->matchCount(), 112);
    QCOMPARE(search->currentMatch(), 51);
    QCOMPARE(rig.view()->topLine(), stood);
    QTest::keyClick(search->field(), Qt::Key_Escape);
    QVERIFY(!search->isVisible());
    QVERIFY(rig.view()->hasFocus());
    QCOMPARE(rig.engine.processes.typed.value(rig.id()), QByteArray());
}

void TestTerminal::resizes()
{
    Rig rig;
    QVERIFY(rig.openTerminal());
    QTest::qWait(2 * TerminalView::kResizeDelayMs);
    const int before = rig.engine.count<ResizeProcess>();
    for (int width = 721; width < 800; width += 4)
        rig.panel->resize(width, 500);
    QTRY_COMPARE(rig.engine.count<ResizeProcess>(), before + 1);
    const auto sent = rig.engine.last<ResizeProcess>();
    QCOMPARE(QSize(sent.columns, sent.rows), rig.view()->cells());
    QCOMPARE(rig.view()->screen()->columns(), sent.columns);
}

void TestTerminal::mouseGoesToTheProgramUnlessShift()
{
    Rig rig;
    QVERIFY(rig.openTerminal());
    rig.engine.processes.write(rig.id(), "\x1b[2J\x1b[Hword here\x1b[?1000h\x1b[?1006h");
    QVERIFY(rig.shows(QStringLiteral("word")));
    TerminalView *view = rig.view();
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->cellRect(2, 0).center());
    QVERIFY(rig.typed("\x1b[<0;3;1M\x1b[<0;3;1m"));
    QTest::mouseDClick(view->viewport(), Qt::LeftButton, Qt::ShiftModifier,
                       view->cellRect(2, 0).center());
    QCOMPARE(view->selectedText(), QStringLiteral("word"));
    QVERIFY(rig.typed("\x1b[<0;3;1M\x1b[<0;3;1m"));
}

void TestTerminal::replaysWithoutAnswering()
{
    Rig rig;
    const ProcessView running =
        rig.engine.processes.add(rig.runtime, ProcessKind::Terminal, QString());
    rig.engine.processes.write(running.id, "\x1b[6n\x1b[cold words\r\n$ ");
    QVERIFY(rig.open());
    // It is there again by itself, with what it wrote.
    QTRY_VERIFY(rig.view());
    QVERIFY(rig.shows(QStringLiteral("old words")));
    QTest::qWait(30);
    QCOMPARE(rig.engine.processes.typed.value(running.id), QByteArray());
    rig.engine.processes.write(running.id, "\x1b[5n");
    QVERIFY(rig.typed("\x1b[0n"));
}

void TestTerminal::endedAndUnknownSayWhatToDo()
{
    Rig rig;
    QVERIFY(rig.openTerminal());
    TerminalPane *pane = rig.panel->pane();
    QVERIFY(!pane->stateBar()->isVisible());
    for (RuntimeView &runtime : rig.engine.state.runtimes) {
        runtime.observed = ObservedState::Paused;
        runtime.canResume = true;
        rig.engine.emitEvent(RuntimeChanged{runtime});
    }
    rig.engine.processes.change(rig.id(), [](ProcessView &view) {
        view.state = ProcessState::Unknown;
        view.detail = QStringLiteral("The sandbox is paused");
    });
    QTRY_VERIFY(pane->stateBar()->isVisible());
    QCOMPARE(pane->stateBar()->detail(), QStringLiteral("The sandbox is paused"));
    QTest::mouseClick(pane->stateButton(), Qt::LeftButton);
    QTRY_COMPARE(rig.engine.count<ResumeRuntime>(), 1);
    QCOMPARE(rig.engine.last<ResumeRuntime>().runtime, rig.runtime.id);
    rig.engine.processes.change(rig.id(), [](ProcessView &view) {
        view.state = ProcessState::Running;
        view.detail.clear();
    });
    QTRY_VERIFY(!pane->stateBar()->isVisible());

    const domain::ProcessId ended = rig.id();
    rig.engine.processes.write(ended, "logout\r\n");
    rig.engine.processes.end(ended, domain::OutcomeKind::Exited, 3);
    QTRY_VERIFY(pane->stateBar()->isVisible());
    QVERIFY(pane->stateBar()->title().contains(QLatin1Char('3')));
    QVERIFY(rig.shows(QStringLiteral("logout")));
    const QByteArray before = rig.engine.processes.typed.value(ended);
    QTest::keyClicks(rig.view(), QStringLiteral("x"));
    QTest::qWait(20);
    QCOMPARE(rig.engine.processes.typed.value(ended), before);
    QTest::mouseClick(pane->stateButton(), Qt::LeftButton);
    QTRY_VERIFY(rig.panel->pane() && rig.panel->pane()->session() && rig.id() != ended);
    QTRY_COMPARE(rig.panel->tabs()->count(), 1);
    QCOMPARE(rig.engine.last<RemoveProcess>().process, ended);
}

void TestTerminal::pausedAsksFirst()
{
    Rig rig(ObservedState::Paused);
    QVERIFY(rig.open());
    QTRY_COMPARE(rig.panel->openButton()->text(), QStringLiteral("Resume and open"));
    rig.panel->enter();
    QTest::qWait(30);
    QCOMPARE(rig.engine.count<StartProcess>(), 0);
    QVERIFY(rig.panel->openButton()->hasFocus());
    QTest::keyClick(rig.panel->openButton(), Qt::Key_Space);
    QTRY_VERIFY(rig.view());
    QCOMPARE(rig.engine.count<StartProcess>(), 1);
}

void TestTerminal::closingARunningOneAsks()
{
    Rig rig;
    QVERIFY(rig.openTerminal());
    const domain::ProcessId first = rig.id();
    QTest::mouseClick(rig.panel->newButton(), Qt::LeftButton);
    QTRY_COMPARE(rig.panel->tabs()->count(), 2);
    QTRY_COMPARE(rig.panel->tabs()->currentIndex(), 1);
    const domain::ProcessId second = rig.id();
    QVERIFY(first != second);
    QTest::keyClick(rig.panel->tabs(), Qt::Key_Delete);
    TerminalPane *pane = rig.panel->pane();
    QVERIFY(pane->closeBar()->isVisible());
    QCOMPARE(rig.engine.count<StopProcess>(), 0);
    QTest::mouseClick(pane->leaveButton(), Qt::LeftButton);
    QTRY_COMPARE(rig.panel->tabs()->count(), 1);
    QCOMPARE(rig.engine.count<StopProcess>(), 0);
    // Left running, it is in the list, and comes back from there.
    QCOMPARE(rig.panel->list()->model()->rowCount(), 1);
    Q_EMIT rig.panel->list()->openRequested(second.toString());
    QTRY_COMPARE(rig.panel->tabs()->count(), 2);
    QCOMPARE(rig.id(), second);
    QVERIFY(rig.shows(QStringLiteral("root@box")));
    Q_EMIT rig.panel->tabs()->closeClicked(1);
    QTest::mouseClick(rig.panel->pane()->stopButton(), Qt::LeftButton);
    QTRY_COMPARE(rig.engine.count<StopProcess>(), 1);
    QCOMPARE(rig.engine.last<StopProcess>().process, second);
    // Ended, it closes without a question.
    QTRY_VERIFY(rig.panel->pane()->stateBar()->isVisible());
    Q_EMIT rig.panel->tabs()->closeClicked(1);
    QTRY_COMPARE(rig.panel->tabs()->count(), 1);
    QTRY_COMPARE(rig.engine.count<RemoveProcess>(), 1);
}

void TestTerminal::backgroundCommands()
{
    Rig rig;
    QVERIFY(rig.open({900, 500}));
    QTest::mouseClick(rig.panel->listButton(), Qt::LeftButton);
    QVERIFY(rig.panel->isListOpen());
    QTRY_VERIFY(rig.panel->commandField()->hasFocus());
    QTest::keyClicks(rig.panel->commandField(), QStringLiteral("npm run dev"));
    QTest::keyClick(rig.panel->commandField(), Qt::Key_Return);
    QTRY_COMPARE(rig.panel->list()->model()->rowCount(), 1);
    const auto started = rig.engine.last<StartProcess>();
    QCOMPARE(started.shellText, QStringLiteral("npm run dev"));
    QCOMPARE(started.columns, 0);
    QCOMPARE(rig.panel->tabs()->count(), 0);
    const domain::ProcessId id = rig.engine.state.processes.first().id;
    rig.engine.processes.write(id, "ready on 3000\nsecond line\n");
    // A click opens its output; line feeds alone begin a new line.
    berth::ui::ProcessList *list = rig.panel->list();
    const QModelIndex row = list->model()->index(0, 0);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualRect(row).topLeft() + QPoint(20, 12));
    QTRY_COMPARE(rig.panel->tabs()->count(), 1);
    QVERIFY(rig.shows(QStringLiteral("ready on 3000\nsecond line")));
    QTest::keyClicks(rig.view(), QStringLiteral("x"));
    rig.engine.processes.write(id, "third\n");
    QVERIFY(rig.shows(QStringLiteral("third")));
    QCOMPARE(rig.engine.count<WriteProcess>(), 0);
    QCOMPARE(rig.engine.count<ResizeProcess>(), 0);
    // Stop at the end of the row, then Remove in its place.
    const QPoint action = ProcessDelegate::actionRect(list->visualRect(row), false).center();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, action);
    QTRY_COMPARE(rig.engine.count<StopProcess>(), 1);
    QTRY_VERIFY(row.data(Qt::AccessibleTextRole).toString().contains(QLatin1String("stopped")));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, action);
    QTRY_COMPARE(rig.panel->list()->model()->rowCount(), 0);
    QTRY_COMPARE(rig.panel->tabs()->count(), 0);
}

void TestTerminal::failuresAreShown()
{
    Rig rig;
    domain::Error error;
    error.kind = domain::ErrorKind::Unsupported;
    error.message = QStringLiteral("No shell in this image");
    rig.engine.failures.insert(QString::fromLatin1(StartProcess::kName), error);
    QVERIFY(rig.open());
    rig.panel->openNew();
    QTRY_VERIFY(!rig.panel->findChildren<Banner *>().isEmpty());
    const auto shown = [&rig] {
        for (Banner *banner : rig.panel->findChildren<Banner *>()) {
            if (banner->isVisible()
                && banner->detail().contains(QLatin1String("No shell in this image")))
                return true;
        }
        return false;
    };
    QTRY_VERIFY(shown());
    QVERIFY(rig.panel->openButton()->isVisible());
}

void TestTerminal::readsOnAfterAnError()
{
    Rig rig;
    QVERIFY(rig.openTerminal());
    // The question for more is with the Engine already; it is the next one that fails.
    QTRY_COMPARE(rig.engine.processes.waiting(), 1);
    domain::Error error;
    error.kind = domain::ErrorKind::Unavailable;
    error.message = QStringLiteral("Not there");
    rig.engine.failures.insert(QString::fromLatin1(ReadProcess::kName), error);
    rig.engine.processes.write(rig.id(), "one");
    QVERIFY(rig.shows(QStringLiteral("one")));
    QTest::qWait(50);
    rig.engine.failures.clear();
    rig.engine.processes.write(rig.id(), " two");
    QVERIFY(rig.shows(QStringLiteral("one two")));
}

void TestTerminal::isAccessible()
{
    Rig rig;
    QVERIFY(rig.openTerminal());
    QAccessibleInterface *face = QAccessible::queryAccessibleInterface(rig.view());
    QVERIFY(face);
    QCOMPARE(face->role(), QAccessible::Terminal);
    QVERIFY(!face->text(QAccessible::Name).isEmpty());
    QAccessibleTextInterface *text = face->textInterface();
    QVERIFY(text);
    QCOMPARE(text->text(0, 8), QStringLiteral("root@box"));
    QCOMPARE(text->cursorPosition(), text->characterCount());
    text->addSelection(0, 4);
    QCOMPARE(rig.view()->selectedText(), QStringLiteral("root"));
    QVERIFY(!rig.panel->newButton()->accessibleName().isEmpty());
}

void TestTerminal::leavesByKeyboard()
{
    Rig rig;
    QVERIFY(rig.openTerminal());
    QTest::keyClick(rig.view(), Qt::Key_Tab);
    QVERIFY(rig.view()->hasFocus());
    QTest::keyClick(rig.view(), Qt::Key_Tab, Qt::ControlModifier);
    QVERIFY(!rig.view()->hasFocus());
    rig.view()->setFocus();
    QTest::keyClick(rig.view(), Qt::Key_Escape, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!rig.view()->hasFocus());
    QVERIFY(rig.typed("\t"));
}

void TestTerminal::floodKeepsTheWindowAlive()
{
    Rig rig;
    QVERIFY(rig.openTerminal());
    // Work of this thread between two ticks, so that a busy machine makes no difference.
    const auto worked = [] {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
    };
    qint64 longest = 0;
    qint64 last = worked();
    int ticks = 0;
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&] {
        const qint64 now = worked();
        longest = qMax<qint64>(longest, now - last);
        last = now;
        ++ticks;
    });
    timer.start(5);
    const QByteArray line =
        "\x1b[33m0123456789 abcdefghijklmnopqrstuvwxyz\x1b[0m flood of output\r\n";
    QByteArray block;
    while (block.size() < (1 << 20))
        block += line;
    for (int i = 0; i < 20; ++i) {
        rig.engine.processes.write(rig.id(), block);
        QTest::qWait(1);
    }
    rig.engine.processes.write(rig.id(), "\x1b[0m\r\nall of it\r\n");
    QTRY_VERIFY_WITH_TIMEOUT(rig.view()->visibleLines().contains(QLatin1String("all of it")),
                             30'000);
    qInfo("%d ticks, at most %lld ms of work between two, passed over %lld bytes", ticks, longest,
          rig.panel->pane()->session()->passedOver());
    QVERIFY(ticks > 20);
    QVERIFY2(longest < 200, qPrintable(QString::number(longest)));
    const TerminalScreen &screen = *rig.view()->screen();
    QVERIFY(screen.screenTop() - screen.firstLine() <= TerminalScreen::kScrollback);
}

void TestTerminal::titleFromInsideIsEscaped()
{
    Rig rig;
    QVERIFY(rig.openTerminal());
    rig.engine.processes.write(rig.id(),
                               "\x1b]0;box \xe2\x80\xae"
                               "evil & co\x07$");
    QTRY_VERIFY(rig.panel->tabs()->title(0).contains(QLatin1String("evil & co")));
    QVERIFY(rig.panel->tabs()->title(0).contains(QLatin1String("\\u{202e}")));
    QCOMPARE(rig.panel->tabs()->tabText(0).count(QLatin1Char('&')), 2);
}

QTEST_MAIN(TestTerminal)
#include "test_terminal.moc"
