// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The main job from the window, with a real Engine, real bubblewrap and a real Docker engine.
#include "e2e/support/docker_probe.h"
#include "e2e/support/live_window.h"
#include "support/await.h"
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_page.h"
#include "ui/main/main_window.h"
#include "ui/main/new_thread_page.h"
#include "ui/models/thread_list_model.h"
#include "ui/resources/destroy_dialog.h"
#include "ui/resources/resources_page.h"
#include "ui/resources/runtime_actions.h"
#include "ui/resources/runtime_grid.h"
#include "ui/settings/provider_card.h"
#include "ui/settings/test_steps.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip.h"

#include <QtTest/QTest>
#include <QtWidgets/QListView>
#include <QtWidgets/QStackedWidget>

using namespace berth;
using test::LiveWindow;
using test::waitUntil;
using test::Way;
using namespace std::chrono_literals;

#define BERTH_WAIT(condition) QVERIFY(waitUntil([&] { return (condition); }, 60s))

#define BERTH_WINDOW(live)                                                                         \
    QFETCH(QString, provider);                                                                     \
    QFETCH(int, way);                                                                              \
    if (provider == QLatin1String("docker"))                                                       \
        BERTH_NEEDS_ENGINE();                                                                      \
    LiveWindow live;                                                                               \
    QVERIFY((live).open(static_cast<Way>(way)))

class WindowJourneyTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        // Nothing of the desktop's settings may leak in.
        for (const char *name : {"LEON_SANDBOXES_DIR", "LEON_SANDBOX_DB_PATH"})
            qunsetenv(name);
    }

    void fromSettingsToDestroy_data() { ways(); }
    void fromSettingsToDestroy()
    {
        BERTH_WINDOW(live);
        QVERIFY(live.setUp(provider));

        QVERIFY(live.startThread(provider, QStringLiteral("!echo hi")));
        QVERIFY(live.waitDone(0));
        QCOMPARE(live.outcomeWord(0), QStringLiteral("exit 0"));
        QVERIFY2(live.shows(0, QStringLiteral("hi")), qPrintable(live.shownText(0)));
        QVERIFY(live.talk()->binding()->isVisible());
        const domain::ThreadId thread = live.talk()->thread();

        live.openResources();
        BERTH_WAIT(live.cards() == 1);
        BERTH_WAIT(live.cardState() == QLatin1String("Running"));
        const QString external = live.snapshot().runtimes.first().externalId;
        // Metrics come by themselves while the page is looked at.
        BERTH_WAIT(live.card().sample && live.card().sample->memoryBytes.value_or(0) > 0);

        live.clickCard(ui::CardPart::PauseResume);
        BERTH_WAIT(live.cardState() == QLatin1String("Paused"));
        if (provider == QLatin1String("docker"))
            QVERIFY(test::container(external)[QLatin1String("State")][QLatin1String("Paused")]
                        .toBool());

        QListView *threads = live.window->sidebar()->threads();
        QTest::mouseClick(
            threads->viewport(), Qt::LeftButton, {},
            threads->visualRect(live.window->threadModel()->indexOf(thread)).center());
        BERTH_WAIT(live.window->pages()->currentWidget() == live.talk());
        live.send(QStringLiteral("!echo again"));
        BERTH_WAIT(live.calls() == 2);
        QVERIFY(live.waitDone(1));
        QCOMPARE(live.outcomeWord(1), QStringLiteral("exit 0"));
        QVERIFY2(live.shows(1, QStringLiteral("again")), qPrintable(live.shownText(1)));

        live.openResources();
        BERTH_WAIT(live.cardState() == QLatin1String("Running"));
        QCOMPARE(live.snapshot().runtimes.first().externalId, external);

        ui::RuntimeGrid *grid = live.resources()->grid();
        const QPoint middle =
            grid->layoutAt(grid->model()->index(0, 0)).rectOf(ui::CardPart::Chip).center();
        grid->setFocus();
        grid->setCurrentIndex(grid->indexAt(middle));
        QTest::keyClick(grid, Qt::Key_Delete);
        QPointer<ui::DestroyDialog> dialog = live.resources()->actions()->confirmation();
        QVERIFY(dialog);
        QVERIFY(QTest::qWaitForWindowActive(dialog));
        QVERIFY(dialog->cancelButton()->isDefault());
        QVERIFY(!dialog->destroyButton()->isDefault());
        QTest::keyClick(dialog, Qt::Key_Return);
        BERTH_WAIT(!dialog);
        test::spin(300ms);
        QCOMPARE(live.cards(), 1);

        const auto destroy = [&live, grid](std::chrono::seconds undo) {
            live.resources()->actions()->setUndoTime(undo);
            QTest::keyClick(grid, Qt::Key_Delete);
            ui::DestroyDialog *asked = live.resources()->actions()->confirmation();
            return asked && test::click(asked->destroyButton());
        };
        QVERIFY(destroy(std::chrono::seconds(600)));
        BERTH_WAIT(live.snapshot().runtimes.first().destroyDueAt.isValid());
        BERTH_WAIT(live.snapshot().runtimes.first().busy.isEmpty());
        BERTH_WAIT(!live.resources()->actions()->isPending(live.snapshot().runtimes.first().id));
        live.resources()->actions()->toggle(live.snapshot().runtimes.first());
        BERTH_WAIT(!live.snapshot().runtimes.first().destroyDueAt.isValid());
        BERTH_WAIT(!live.resources()->actions()->isPending(live.snapshot().runtimes.first().id));
        QCOMPARE(live.cards(), 1);
        QVERIFY(destroy(std::chrono::seconds(1)));
        BERTH_WAIT(live.cards() == 0);
        QVERIFY(live.snapshot().runtimes.isEmpty());
        if (provider == QLatin1String("docker"))
            QCOMPARE(test::containersOf(live.snapshot().engine.installation.toString()).size(), 0);

        // What was said stays, and the next command gets a fresh sandbox.
        live.window->showThread(thread);
        BERTH_WAIT(live.calls() == 2);
        live.send(QStringLiteral("!ls -A"));
        BERTH_WAIT(live.calls() == 3);
        QVERIFY(live.waitDone(2));
        QCOMPARE(live.outcomeWord(2), QStringLiteral("exit 0"));
        QVERIFY2(live.shows(2, QString()), qPrintable(live.shownText(2)));
    }

    void aLineWithoutMarkStaysADraft_data() { ways(); }
    void aLineWithoutMarkStaysADraft()
    {
        BERTH_WINDOW(live);
        QVERIFY(live.setUp(provider));
        QVERIFY(test::click(live.window->sidebar()->newThread()));
        ui::Composer *first = live.window->newThreadPage()->composer();
        test::typeAndSend(first, QStringLiteral("echo never"));
        QVERIFY(first->draftBar()->isVisible());
        QVERIFY(first->connectButton()->isVisible() && first->runButton()->isVisible());
        test::spin(500ms);
        QCOMPARE(first->text(), QStringLiteral("echo never"));
        QVERIFY(live.snapshot().threads.isEmpty());
        QVERIFY(live.snapshot().runtimes.isEmpty());

        first->edit()->selectAll();
        QVERIFY(live.startThread(provider, QStringLiteral("!exit 3")));
        QVERIFY(live.waitDone(0));
        QCOMPARE(live.outcomeWord(0), QStringLiteral("exit 3"));
        ui::Composer *composer = live.talk()->composer();
        test::typeAndSend(composer, QStringLiteral("touch /workspace/PROOF"));
        QVERIFY(composer->draftBar()->isVisible());
        test::spin(500ms);
        QCOMPARE(composer->text(), QStringLiteral("touch /workspace/PROOF"));
        QCOMPARE(live.calls(), 1);
        // By its own button it runs.
        QVERIFY(test::click(composer->runButton()));
        BERTH_WAIT(live.calls() == 2);
        QVERIFY(live.waitDone(1));
        live.send(QStringLiteral("!ls /workspace"));
        BERTH_WAIT(live.calls() == 3);
        QVERIFY(live.waitDone(2));
        QVERIFY2(live.shows(2, QStringLiteral("PROOF")), qPrintable(live.shownText(2)));
    }

    void stopKillsTheWholeTree_data() { ways(); }
    void stopKillsTheWholeTree()
    {
        BERTH_WINDOW(live);
        QVERIFY(live.setUp(provider));
        QVERIFY(live.startThread(provider, QStringLiteral("!true")));
        QVERIFY(live.waitDone(0));
        // A child that hears no TERM and one in a session of its own, too.
        live.send(QStringLiteral(
            "!echo begun; (trap '' TERM; sleep 5; touch /workspace/PROOF) & "
            "setsid sh -c 'sleep 5; touch /workspace/PROOF' & sleep 5 && touch /workspace/PROOF"));
        BERTH_WAIT(live.calls() == 2);
        BERTH_WAIT(live.shownText(1).contains(QLatin1String("begun")));
        test::spin(1s);
        ui::Composer *composer = live.talk()->composer();
        QVERIFY(test::click(composer->stopButton()));
        QVERIFY(waitUntil([&] { return live.call(1).state == domain::ToolCallState::Done; }, 10s));
        QCOMPARE(live.outcomeWord(1), QStringLiteral("stopped"));
        // The run ends behind its call.
        BERTH_WAIT(!composer->stopButton()->isVisible());
        live.send(QStringLiteral("!sleep 6; ls -A /workspace; echo end"));
        BERTH_WAIT(live.calls() == 3);
        QVERIFY(live.waitDone(2));
        QVERIFY2(live.shows(2, QStringLiteral("end")), qPrintable(live.shownText(2)));
    }

    void testsTheConnectionOfUnsavedValues_data() { ways(); }
    void testsTheConnectionOfUnsavedValues()
    {
        BERTH_WINDOW(live);
        ui::ProviderCard *card = live.openProvider(provider);
        QVERIFY(card);
        QVERIFY(test::click(card->testButton()));
        QVERIFY(waitUntil(
            [&] {
                return !card->steps()->isRunning()
                    && card->result()->text().startsWith(QLatin1String("Connected in"));
            },
            60s));
        QVERIFY(card->steps()->count() >= 2);
        QVERIFY(!card->problem()->isVisible());
    }

private:
    void ways()
    {
        QTest::addColumn<QString>("provider");
        QTest::addColumn<int>("way");
        for (const char *provider : {"local", "docker"}) {
            QTest::addRow("%s, in process", provider)
                << QString::fromLatin1(provider) << static_cast<int>(Way::InProcess);
            QTest::addRow("%s, socket", provider)
                << QString::fromLatin1(provider) << static_cast<int>(Way::Socket);
        }
    }
};

QTEST_MAIN(WindowJourneyTest)
#include "test_window_journey.moc"
