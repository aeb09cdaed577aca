// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_page.h"
#include "ui/main/new_thread_page.h"
#include "ui/models/thread_list_model.h"
#include "ui/resources/resources_page.h"
#include "ui/settings/settings_page.h"
#include "ui/widgets/banner.h"
#include "widget/support/window_rig.h"

#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QAbstractSpinBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QListView>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QStackedWidget>

using namespace berth;
using namespace berth::ui;
using test::WindowRig;

namespace {

//! A client that never connects, and says so.
class LostClient final : public application::EngineClient
{
public:
    void submit(domain::RequestId, const QString &, application::Payload, Done) override {}
    void cancel(const domain::RequestId &) override {}
    [[nodiscard]] bool isConnected() const override { return false; }
};

} // namespace

class TestMainWindow : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void shortcutsOpenPages();
    void threadsAreGroupedByDay();
    void threadsOpenByClickAndKey();
    void orderStaysUnderThePointer();
    void collapses();
    void restoresWindowPageAndThread();
    void countsRuntimes();
    void titleNamesTheDataDirectory();
    void saysWhenNotConnected();
    void missedEventTakesANewSnapshot();
    void controlsHaveNames();
    void nothingIsWiderThanTheSmallestWindow();
};

void TestMainWindow::shortcutsOpenPages()
{
    WindowRig rig;
    QVERIFY(rig.open());
    MainWindow &w = *rig.window;
    QCOMPARE(w.pages()->currentWidget(), w.newThreadPage());
    QTest::keyClick(&w, Qt::Key_Comma, Qt::ControlModifier);
    QCOMPARE(w.pages()->currentWidget(), w.settingsPage());
    QTest::keyClick(&w, Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(w.pages()->currentWidget(), w.resourcesPage());
    QTest::keyClick(&w, Qt::Key_N, Qt::ControlModifier);
    QCOMPARE(w.pages()->currentWidget(), w.newThreadPage());
    QVERIFY(w.newThreadPage()->composer()->edit()->hasFocus());
    QTest::mouseClick(w.sidebar()->settings(), Qt::LeftButton);
    QCOMPARE(w.pages()->currentWidget(), w.settingsPage());
    QVERIFY(w.sidebar()->settings()->isChecked());
    QTest::mouseClick(w.sidebar()->newThread(), Qt::LeftButton);
    QCOMPARE(w.pages()->currentWidget(), w.newThreadPage());
    QVERIFY(!w.sidebar()->settings()->isChecked());
}

void TestMainWindow::threadsAreGroupedByDay()
{
    const QDateTime noon(QDate::currentDate(), QTime(0, 0, 1));
    WindowRig rig([&](test::ScriptedEngine &engine) {
        engine.addThread(QStringLiteral("old"), noon.addDays(-9).toUTC());
        engine.addThread(QStringLiteral("new"), noon.toUTC());
        engine.addThread(QStringLiteral("yesterday"), noon.addDays(-1).toUTC());
    });
    QVERIFY(rig.open());
    QStringList rows;
    const ThreadListModel *model = rig.window->threadModel();
    for (int row = 0; row < model->rowCount(); ++row)
        rows.append(model->index(row).data().toString());
    QCOMPARE(rows,
             QStringList({QStringLiteral("Today"), QStringLiteral("new"),
                          QStringLiteral("Yesterday"), QStringLiteral("yesterday"),
                          QStringLiteral("Earlier"), QStringLiteral("old")}));
    QVERIFY(!(model->index(0).flags() & Qt::ItemIsSelectable));
    QVERIFY(
        model->index(1).data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("Active")));
}

void TestMainWindow::threadsOpenByClickAndKey()
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    domain::ThreadId a;
    domain::ThreadId b;
    WindowRig rig([&](test::ScriptedEngine &engine) {
        a = engine.addThread(QStringLiteral("a"), now);
        b = engine.addThread(QStringLiteral("b"), now.addSecs(-1));
    });
    QVERIFY(rig.open());
    QListView *list = rig.window->sidebar()->threads();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualRect(rig.window->threadModel()->indexOf(a)).center());
    QCOMPARE(rig.window->conversationPage()->thread(), a);
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(rig.window->conversationPage()->thread(), b);
    QCOMPARE(rig.window->windowTitle(), QStringLiteral("b — Berth"));
}

void TestMainWindow::orderStaysUnderThePointer()
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    domain::ThreadId a;
    WindowRig rig([&](test::ScriptedEngine &engine) {
        a = engine.addThread(QStringLiteral("a"), now.addSecs(-10));
        engine.addThread(QStringLiteral("b"), now);
    });
    QVERIFY(rig.open());
    ThreadListModel *model = rig.window->threadModel();
    const auto rowOfA = [&] { return model->indexOf(a).row(); };
    QCOMPARE(rowOfA(), 2);
    model->setFrozen(true);
    rig.engine.change(a, [&](application::ThreadView &view) {
        view.lastActivityAt = now.addSecs(5);
        view.title = QStringLiteral("a, changed");
    });
    QTRY_COMPARE(model->indexOf(a).data().toString(), QStringLiteral("a, changed"));
    QCOMPARE(rowOfA(), 2);
    model->setFrozen(false);
    QCOMPARE(rowOfA(), 1);
}

void TestMainWindow::collapses()
{
    WindowRig rig;
    QVERIFY(rig.open());
    QVERIFY(!rig.window->sidebar()->isCollapsed());
    QCOMPARE(rig.window->sidebar()->width(), 248);
    QTest::keyClick(rig.window.get(), Qt::Key_B, Qt::ControlModifier);
    QVERIFY(rig.window->sidebar()->isCollapsed());
    QTest::keyClick(rig.window.get(), Qt::Key_B, Qt::ControlModifier);
    rig.window->resize(900, 600);
    QTRY_VERIFY(rig.window->sidebar()->isCollapsed());
    QTRY_COMPARE(rig.window->sidebar()->width(), 56);
    rig.window->resize(1200, 600);
    QTRY_VERIFY(!rig.window->sidebar()->isCollapsed());
    QCOMPARE(rig.window->minimumSize(), QSize(880, 560));
}

void TestMainWindow::restoresWindowPageAndThread()
{
    domain::ThreadId a;
    WindowRig rig([&](test::ScriptedEngine &engine) {
        a = engine.addThread(QStringLiteral("a"), QDateTime::currentDateTimeUtc());
    });
    QVERIFY(rig.open());
    rig.window->resize(1000, 640);
    rig.window->showThread(a);
    rig.close();
    QVERIFY(rig.open({}, QSize()));
    QCOMPARE(rig.window->size(), QSize(1000, 640));
    QTRY_COMPARE(rig.window->pages()->currentWidget(), rig.window->conversationPage());
    QCOMPARE(rig.window->conversationPage()->thread(), a);
    rig.window->showSettings();
    rig.close();
    QVERIFY(rig.open());
    QTRY_COMPARE(rig.window->pages()->currentWidget(), rig.window->settingsPage());
}

void TestMainWindow::countsRuntimes()
{
    WindowRig rig([](test::ScriptedEngine &engine) {
        engine.addRuntime(QStringLiteral("docker-1"), domain::ObservedState::Running);
    });
    QVERIFY(rig.open());
    QCOMPARE(rig.window->sidebar()->resources()->note(), QStringLiteral("1"));
    rig.engine.emitEvent(application::RuntimeChanged{
        rig.engine.addRuntime(QStringLiteral("docker-2"), domain::ObservedState::Paused)});
    QTRY_COMPARE(rig.window->sidebar()->resources()->note(), QStringLiteral("2"));
}

void TestMainWindow::titleNamesTheDataDirectory()
{
    WindowRig rig;
    QVERIFY(rig.open(QStringLiteral("/srv/berth")));
    QCOMPARE(rig.window->windowTitle(), QStringLiteral("New thread — Berth (/srv/berth)"));
}

void TestMainWindow::saysWhenNotConnected()
{
    QTemporaryDir directory;
    Theme theme(*qApp);
    LostClient client;
    MainWindow window(client, theme, {directory.filePath(QStringLiteral("window.ini")), {}});
    window.show();
    QVERIFY(!window.connectionBanner()->isVisible());
    QTRY_VERIFY(window.connectionBanner()->isVisible());
    Q_EMIT client.connectionChanged(false, QStringLiteral("The Engine has ended"));
    QVERIFY(window.connectionBanner()->detail().contains(QStringLiteral("The Engine has ended")));
}

void TestMainWindow::missedEventTakesANewSnapshot()
{
    WindowRig rig;
    QVERIFY(rig.open());
    rig.engine.addThread(QStringLiteral("made elsewhere"), QDateTime::currentDateTimeUtc());
    rig.engine.state.seq += 5; // as if five events were lost
    rig.engine.emitEvent(application::RuntimeRemoved{QStringLiteral("none")});
    QTRY_COMPARE(rig.engine.count<application::GetSnapshot>(), 2);
    QTRY_COMPARE(rig.window->threadModel()->threadCount(), 1);
}

void TestMainWindow::controlsHaveNames()
{
    WindowRig rig([](test::ScriptedEngine &engine) {
        engine.addThread(QStringLiteral("a"), QDateTime::currentDateTimeUtc());
    });
    QVERIFY(rig.open());
    QStringList unnamed;
    for (const QWidget *root : std::initializer_list<const QWidget *>{
             rig.window->sidebar(), rig.window->newThreadPage(), rig.window->conversationPage()}) {
        for (const QWidget *widget : root->findChildren<QWidget *>()) {
            const auto *button = qobject_cast<const QAbstractButton *>(widget);
            const bool control = button || qobject_cast<const QLineEdit *>(widget)
                || qobject_cast<const QPlainTextEdit *>(widget)
                || qobject_cast<const QAbstractItemView *>(widget)
                || qobject_cast<const QComboBox *>(widget)
                || qobject_cast<const QAbstractSpinBox *>(widget);
            if (!control || (button && !button->text().isEmpty()))
                continue;
            if (widget->accessibleName().isEmpty())
                unnamed.append(
                    QStringLiteral("%1 in %2")
                        .arg(QLatin1String(widget->metaObject()->className()),
                             QLatin1String(widget->parentWidget()->metaObject()->className())));
        }
    }
    QCOMPARE(unnamed.join(QStringLiteral(", ")), QString());
}

void TestMainWindow::nothingIsWiderThanTheSmallestWindow()
{
    domain::ThreadId a;
    WindowRig rig([&](test::ScriptedEngine &engine) {
        a = engine.addThread(QString(300, QLatin1Char('w')), QDateTime::currentDateTimeUtc());
        for (auto &provider : engine.state.providers)
            provider.summary = QString(200, QLatin1Char('s'));
    });
    QVERIFY(rig.open({}, QSize(880, 560)));
    QCOMPARE(rig.window->size(), QSize(880, 560));
    rig.window->showThread(a);
    QTest::qWait(50);
    // A page that needs more would have widened the window or pushed its controls over the edge.
    QCOMPARE(rig.window->size(), QSize(880, 560));
    for (QWidget *page : std::initializer_list<QWidget *>{rig.window->newThreadPage(),
                                                          rig.window->conversationPage()})
        QVERIFY2(page->minimumSizeHint().width() <= 880 - 56, page->metaObject()->className());
}

QTEST_MAIN(TestMainWindow)
#include "test_main_window.moc"
