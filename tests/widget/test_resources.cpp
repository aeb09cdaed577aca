// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/provider_model.h"
#include "ui/models/runtime_model.h"
#include "ui/models/runtime_text.h"
#include "ui/resources/destroy_dialog.h"
#include "ui/resources/failure_banner.h"
#include "ui/resources/filter_chips.h"
#include "ui/resources/resources_page.h"
#include "ui/resources/runtime_actions.h"
#include "ui/resources/runtime_grid.h"
#include "ui/resources/runtime_sheet.h"
#include "ui/resources/time_chart.h"
#include "ui/style/theme.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/search_field.h"
#include "ui/widgets/tool_tip.h"
#include "widget/support/scripted_engine.h"

#include <QtGui/QAccessible>
#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMenu>

using namespace berth;
using namespace berth::ui;
using application::RuntimeView;
using domain::ObservedState;
using test::ScriptedEngine;

namespace {

struct Fixture
{
    ScriptedEngine engine;
    std::unique_ptr<application::InProcessClient> client;
    RuntimeModel runtimes;
    ProviderModel providers;
    std::unique_ptr<ResourcesPage> page;

    Fixture() { engine.fillProviders(); }

    RuntimeView add(const QString &alias, ObservedState observed = ObservedState::Running)
    {
        return engine.addRuntime(alias, observed);
    }

    void open(const QSize &size = {1192, 900})
    {
        client = engine.makeClient();
        QTRY_VERIFY(client->isConnected());
        QObject::connect(client.get(), &application::EngineClient::event, &runtimes,
                         &RuntimeModel::apply);
        QObject::connect(client.get(), &application::EngineClient::event, &providers,
                         &ProviderModel::apply);
        runtimes.setAgents(engine.state.agents);
        runtimes.setRuntimes(engine.state.runtimes);
        providers.setProviders(engine.state.providers);
        page = std::make_unique<ResourcesPage>(*client, runtimes, providers);
        page->resize(size);
        page->show();
        QVERIFY(QTest::qWaitForWindowActive(page.get()));
    }

    [[nodiscard]] QModelIndex indexOf(const QString &alias) const
    {
        const QAbstractItemModel *model = page->grid()->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            const QModelIndex index = model->index(row, 0);
            if (index.data(RuntimeModel::ViewRole).value<RuntimeView>().alias == alias)
                return index;
        }
        return {};
    }

    void clickPart(const QString &alias, CardPart part) const
    {
        const QModelIndex index = indexOf(alias);
        QVERIFY(index.isValid());
        const QRect rect = page->grid()->layoutAt(index).rectOf(part);
        QTest::mouseClick(page->grid()->viewport(), Qt::LeftButton, {}, rect.center());
    }

    void focusCard(const QString &alias) const
    {
        page->grid()->setFocus();
        page->grid()->selectionModel()->setCurrentIndex(indexOf(alias),
                                                        QItemSelectionModel::NoUpdate);
        page->grid()->scrollTo(indexOf(alias));
    }

    [[nodiscard]] QString stateOf(const QString &alias) const
    {
        return indexOf(alias).data(RuntimeModel::StateTextRole).toString();
    }
};

domain::ResourceSample sampleNow(double cores)
{
    domain::ResourceSample sample;
    sample.at = QDateTime::currentDateTimeUtc();
    sample.cpuCores = cores;
    sample.cpuLimitCores = 2;
    sample.memoryBytes = 412ll << 20;
    return sample;
}

} // namespace

class TestResources final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        m_theme = std::make_unique<Theme>(*qApp, ThemeMode::Light);
    }

    void emptyPageOffersOneThing()
    {
        Fixture f;
        f.open();
        QSignalSpy start(f.page.get(), &ResourcesPage::startThread);
        QPushButton *action = nullptr;
        for (QPushButton *button : f.page->findChildren<QPushButton *>()) {
            if (button->text() == QLatin1String("Start a thread"))
                action = button;
        }
        QVERIFY(action && action->isVisible());
        QVERIFY(!f.page->grid()->isVisible());
        action->click();
        QCOMPARE(start.size(), 1);
        f.add(QStringLiteral("docker-1"));
        f.engine.emitEvent(application::RuntimeChanged{f.engine.state.runtimes.first()});
        QTRY_VERIFY(f.page->grid()->isVisible());
    }

    void filtersByProviderAndWords()
    {
        Fixture f;
        f.add(QStringLiteral("docker-1"));
        f.add(QStringLiteral("docker-2"), ObservedState::Paused);
        f.add(QStringLiteral("local-1"));
        RuntimeView &local = f.engine.state.runtimes.last();
        local.providerConfig = domain::ConfigName(QStringLiteral("local"));
        local.providerLabel = QStringLiteral("Local");
        f.open();
        const QList<Button *> chips = f.page->filterChips()->buttons();
        QCOMPARE(chips.size(), 3);
        QCOMPARE(chips[0]->text(), QStringLiteral("All 3"));
        QCOMPARE(chips[1]->text(), QStringLiteral("Docker 2"));
        QTest::mouseClick(chips[2], Qt::LeftButton);
        QCOMPARE(f.page->grid()->model()->rowCount(), 1);
        QTest::mouseClick(chips[0], Qt::LeftButton);
        QTest::keyClick(f.page.get(), Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(f.page->searchField()->hasFocus());
        QTest::keyClicks(f.page->searchField(), QStringLiteral("paused"));
        QCOMPARE(f.page->grid()->model()->rowCount(), 1);
        QCOMPARE(f.stateOf(QStringLiteral("docker-2")), QStringLiteral("Paused"));
        QTest::keyClick(f.page->searchField(), Qt::Key_Escape);
        QCOMPARE(f.page->grid()->model()->rowCount(), 3);
    }

    void pausesAndResumesFromTheCard()
    {
        Fixture f;
        f.add(QStringLiteral("docker-1"));
        f.open();
        f.clickPart(QStringLiteral("docker-1"), CardPart::PauseResume);
        QTRY_COMPARE(f.stateOf(QStringLiteral("docker-1")), QStringLiteral("Paused"));
        QCOMPARE(f.engine.last<application::PauseRuntime>().runtime,
                 f.engine.state.runtimes.first().id);
        f.clickPart(QStringLiteral("docker-1"), CardPart::PauseResume);
        QTRY_COMPARE(f.stateOf(QStringLiteral("docker-1")), QStringLiteral("Running"));
        QCOMPARE(f.engine.count<application::ResumeRuntime>(), 1);
        QVERIFY(!f.page->sheet()->isVisible());
    }

    void oneCommandAtATime()
    {
        Fixture f;
        const QString id = f.add(QStringLiteral("docker-1")).id;
        f.engine.held = {QStringLiteral("runtime.pause")};
        f.open();
        f.page->actions()->pause(id);
        f.page->actions()->pause(id);
        QTRY_COMPARE(f.engine.count<application::PauseRuntime>(), 1);
        QVERIFY(f.page->actions()->isPending(id));
        f.engine.release();
        QTRY_VERIFY(!f.page->actions()->isPending(id));
        QCOMPARE(f.engine.count<application::PauseRuntime>(), 1);
    }

    void failureIsShownWhereItWasAsked()
    {
        Fixture f;
        const QString id = f.add(QStringLiteral("docker-1")).id;
        domain::Error error;
        error.kind = domain::ErrorKind::Unavailable;
        error.message = QStringLiteral("The engine does not answer");
        error.detail = QStringLiteral("Start it, then try again.");
        f.engine.failures.insert(QStringLiteral("runtime.pause"), error);
        f.open();
        f.clickPart(QStringLiteral("docker-1"), CardPart::PauseResume);
        FailureBanner *shown = f.page->failureBanner();
        QTRY_VERIFY(shown->isVisible());
        QCOMPARE(shown->banner()->title(), QStringLiteral("Could not pause default / docker-1"));
        QVERIFY(shown->banner()->detail().contains(QLatin1String("Start it, then try again.")));
        for (QPushButton *button : shown->findChildren<QPushButton *>()) {
            if (button->text() == QLatin1String("Copy details"))
                button->click();
        }
        QVERIFY(QGuiApplication::clipboard()->text().contains(QLatin1String("kind: unavailable")));
        f.page->actions()->dismissFailure(id);
        QVERIFY(!shown->isVisible());
    }

    void destroyAsksAndReturnMeansCancel()
    {
        Fixture f;
        f.add(QStringLiteral("docker-1"));
        f.engine.state.runtimes.first().threads = {
            {domain::ThreadId(QStringLiteral("t1")), QStringLiteral("Fix the upload test")}};
        f.open();
        f.focusCard(QStringLiteral("docker-1"));
        QTest::keyClick(f.page->grid(), Qt::Key_Delete);
        QPointer<DestroyDialog> dialog = f.page->actions()->confirmation();
        QVERIFY(dialog);
        QVERIFY(QTest::qWaitForWindowActive(dialog));
        QString words;
        for (QLabel *label : dialog->findChildren<QLabel *>())
            words += label->text() + QLatin1Char('\n');
        QVERIFY(words.contains(QLatin1String("The container and its volume")));
        QVERIFY(words.contains(QLatin1String("Fix the upload test")));
        QVERIFY(dialog->cancelButton()->isDefault());
        QTRY_VERIFY(dialog->cancelButton()->hasFocus());
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_VERIFY(!dialog);
        QCOMPARE(f.engine.count<application::DestroyRuntime>(), 0);

        QTest::keyClick(f.page->grid(), Qt::Key_Delete);
        dialog = f.page->actions()->confirmation();
        QVERIFY(dialog);
        QTest::mouseClick(dialog->destroyButton(), Qt::LeftButton);
        QTRY_COMPARE(f.engine.count<application::DestroyRuntime>(), 1);
        QTRY_COMPARE(f.runtimes.rowCount(), 0);
        // The answer comes after the event that took it away.
        QTest::qWait(20);
        QCOMPARE(f.runtimes.rowCount(), 0);
    }

    void watchesOnlyWhatIsSeen()
    {
        Fixture f;
        for (int i = 0; i < 40; ++i)
            f.add(QStringLiteral("docker-%1").arg(i, 2, 10, QLatin1Char('0')));
        f.open({700, 600});
        QTRY_VERIFY(f.engine.count<application::WatchRuntimes>() > 0);
        const auto watched = [&f] { return f.engine.last<application::WatchRuntimes>().runtimes; };
        const auto first = watched();
        QVERIFY2(!first.isEmpty() && first.size() <= 6, qPrintable(QString::number(first.size())));
        const QString top =
            f.indexOf(QStringLiteral("docker-00")).data(RuntimeModel::IdRole).toString();
        const QString last =
            f.indexOf(QStringLiteral("docker-39")).data(RuntimeModel::IdRole).toString();
        QVERIFY(first.contains(top));
        // By keyboard to the end: other cards are seen.
        f.page->grid()->setFocus();
        QTest::keyClick(f.page->grid(), Qt::Key_End);
        QTRY_VERIFY(watched().contains(last));
        QVERIFY(!watched().contains(top));
        f.page->hide();
        QTRY_VERIFY(watched().isEmpty());
        f.page->show();
        QTRY_VERIFY(!watched().isEmpty());
        f.page->showMinimized();
        QTRY_VERIFY(watched().isEmpty());
    }

    void samplesReachTheCard()
    {
        Fixture f;
        const QString id = f.add(QStringLiteral("docker-1")).id;
        f.open();
        const auto view = [&] {
            return f.indexOf(QStringLiteral("docker-1"))
                .data(RuntimeModel::ViewRole)
                .value<RuntimeView>();
        };
        QCOMPARE(cpuOf(view(), QDateTime::currentDateTimeUtc()).value, QStringLiteral("—"));
        f.engine.emitEvent(application::RuntimeSampled{id, sampleNow(1.24)});
        QTRY_COMPARE(cpuOf(view(), QDateTime::currentDateTimeUtc()).value, QStringLiteral("62 %"));
        QCOMPARE(f.runtimes.history(id)->size(), 1);
    }

    void focusAndScrollSurviveARefresh()
    {
        Fixture f;
        for (int i = 0; i < 20; ++i)
            f.add(QStringLiteral("docker-%1").arg(i, 2, 10, QLatin1Char('0')));
        f.open({700, 600});
        f.focusCard(QStringLiteral("docker-15"));
        const QPersistentModelIndex before = f.page->grid()->currentIndex();
        const int offset = f.page->grid()->mapTo(f.page.get(), QPoint()).y();
        QVERIFY(offset < 0);
        std::reverse(f.engine.state.runtimes.begin(), f.engine.state.runtimes.end());
        QTest::keyClick(f.page->grid(), Qt::Key_F5);
        QTRY_COMPARE(f.engine.count<application::ListRuntimes>(), 1);
        QVERIFY(f.engine.last<application::ListRuntimes>().refresh);
        QTest::qWait(30);
        QCOMPARE(QPersistentModelIndex(f.page->grid()->currentIndex()), before);
        QCOMPARE(f.page->grid()->currentIndex(), f.indexOf(QStringLiteral("docker-15")));
        QVERIFY(f.page->grid()->hasFocus());
        QCOMPARE(f.page->grid()->mapTo(f.page.get(), QPoint()).y(), offset);
    }

    void arrowsGoByWhereCardsStand()
    {
        Fixture f;
        for (int i = 0; i < 7; ++i)
            f.add(QStringLiteral("docker-%1").arg(i));
        f.open({1192, 900});
        QCOMPARE(f.page->grid()->columns(), 4);
        f.focusCard(QStringLiteral("docker-1"));
        const auto at = [&f] {
            return f.page->grid()
                ->currentIndex()
                .data(RuntimeModel::ViewRole)
                .value<RuntimeView>()
                .alias;
        };
        QTest::keyClick(f.page->grid(), Qt::Key_Down);
        QCOMPARE(at(), QStringLiteral("docker-5"));
        QTest::keyClick(f.page->grid(), Qt::Key_Right);
        QCOMPARE(at(), QStringLiteral("docker-6"));
        QTest::keyClick(f.page->grid(), Qt::Key_Up);
        QCOMPARE(at(), QStringLiteral("docker-2"));
        QTest::keyClick(f.page->grid(), Qt::Key_Home);
        QCOMPARE(at(), QStringLiteral("docker-0"));
        f.page->resize(600, 700);
        QTRY_COMPARE(f.page->grid()->columns(), 2);
        QTest::keyClick(f.page->grid(), Qt::Key_Down);
        QCOMPARE(at(), QStringLiteral("docker-2"));
    }

    void sheetOpensAndGivesTheFocusBack()
    {
        Fixture f;
        f.add(QStringLiteral("docker-1"));
        RuntimeView &view = f.engine.state.runtimes.first();
        view.threads = {
            {domain::ThreadId(QStringLiteral("t1")), QStringLiteral("Fix the upload test")}};
        f.open();
        f.focusCard(QStringLiteral("docker-1"));
        QTest::keyClick(f.page->grid(), Qt::Key_Return);
        RuntimeSheet *sheet = f.page->sheet();
        QVERIFY(sheet->isVisible());
        QCOMPARE(sheet->width(), RuntimeSheet::kWidth);
        QCOMPARE(sheet->charts().size(), 4);
        QSignalSpy opened(f.page.get(), &ResourcesPage::openThread);
        QTest::mouseClick(sheet->openThreadButton(), Qt::LeftButton);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened.first().first().value<domain::ThreadId>().toString(), QStringLiteral("t1"));
        f.engine.emitEvent(application::RuntimeSampled{view.id, sampleNow(1.0)});
        QTRY_VERIFY(sheet->charts().first()->range().toMs > 0
                    && f.runtimes.history(view.id)->size() == 1);
        sheet->tick(QDateTime::currentDateTimeUtc());
        QVERIFY(sheet->charts().first()->accessibleDescription().startsWith(
            QLatin1String("now 1.00 cores")));
        QAccessibleInterface *chart =
            QAccessible::queryAccessibleInterface(sheet->charts().first());
        QVERIFY(chart);
        QCOMPARE(chart->role(), QAccessible::Chart);
        QCOMPARE(chart->text(QAccessible::Name), QStringLiteral("CPU"));
        QTest::mouseClick(sheet->pauseResumeButton(), Qt::LeftButton);
        QTRY_COMPARE(sheet->pauseResumeButton()->text(), QStringLiteral("Resume"));
        sheet->pauseResumeButton()->setFocus();
        QTest::keyClick(sheet->pauseResumeButton(), Qt::Key_Escape);
        QVERIFY(!sheet->isVisible());
        QTRY_VERIFY(f.page->grid()->hasFocus());
    }

    void sheetClosesWhenItsRuntimeGoes()
    {
        Fixture f;
        const QString id = f.add(QStringLiteral("docker-1")).id;
        f.add(QStringLiteral("docker-2"));
        f.open();
        f.page->showRuntime(id);
        QVERIFY(f.page->sheet()->isVisible());
        f.engine.emitEvent(application::RuntimeRemoved{id});
        QTRY_VERIFY(!f.page->sheet()->isVisible());
        QCOMPARE(f.runtimes.rowCount(), 1);
    }

    void menuSaysWhyPauseIsNotThere()
    {
        Fixture f;
        f.add(QStringLiteral("docker-1"));
        RuntimeView &view = f.engine.state.runtimes.first();
        view.canPause = false;
        view.pauseReason = QStringLiteral("This engine cannot freeze processes");
        f.open();
        f.clickPart(QStringLiteral("docker-1"), CardPart::PauseResume);
        QTest::qWait(10);
        QCOMPARE(f.engine.count<application::PauseRuntime>(), 0);
        f.clickPart(QStringLiteral("docker-1"), CardPart::More);
        auto *menu = f.page->findChild<QMenu *>(QStringLiteral("runtimeMenu"));
        QVERIFY(menu);
        QAction *pause = nullptr;
        for (QAction *action : menu->actions()) {
            if (action->text() == QLatin1String("Pause"))
                pause = action;
        }
        QVERIFY(pause && !pause->isEnabled());
        QCOMPARE(pause->toolTip(), toolTipOf(view.pauseReason));
        menu->close();
    }

private:
    std::unique_ptr<Theme> m_theme;
};

QTEST_MAIN(TestResources)
#include "test_resources.moc"
