// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_page.h"
#include "ui/main/new_thread_page.h"
#include "ui/main/sandbox_picker.h"
#include "ui/models/sandbox_choice_model.h"
#include "ui/settings/settings_page.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "widget/support/window_rig.h"

#include <QtWidgets/QListView>
#include <QtWidgets/QListWidget>
#include <QtWidgets/QStackedWidget>

using namespace berth;
using namespace berth::ui;
using application::NewThread;
using test::WindowRig;

class TestNewThread : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void commandStartsAThread();
    void otherLinesNeverRun();
    void runAsCommandRunsTheWholeText();
    void connectAModelOpensItsSettings();
    void choiceByKeyboardIsUsedAndRemembered();
    void unusableEntryOpensItsSettings();
    void existingSandboxIsTaken();
    void withoutAnyUsableSandboxNothingStarts();
    void failureKeepsTheText();
    void draftSurvivesARestart();
    void firstRunShowsWhereItCouldRun();
};

namespace {

Composer *composer(const WindowRig &rig)
{
    return rig.window->newThreadPage()->composer();
}

void type(const WindowRig &rig, const QString &text)
{
    QTest::keyClicks(composer(rig)->edit(), text);
}

void ctrlReturn(const WindowRig &rig)
{
    QTest::keyClick(composer(rig)->edit(), Qt::Key_Return, Qt::ControlModifier);
}

} // namespace

void TestNewThread::commandStartsAThread()
{
    WindowRig rig;
    QVERIFY(rig.open());
    type(rig, QStringLiteral("!echo hi"));
    ctrlReturn(rig);
    QTRY_COMPARE(rig.engine.count<NewThread>(), 1);
    const auto sent = rig.engine.last<NewThread>();
    QCOMPARE(sent.text, QStringLiteral("!echo hi"));
    QCOMPARE(sent.config.toString(), QStringLiteral("local"));
    QVERIFY(sent.sandbox.isNull());
    QVERIFY(!sent.asCommand);
    QTRY_COMPARE(rig.window->pages()->currentWidget(), rig.window->conversationPage());
    QVERIFY(composer(rig)->text().isEmpty());
}

void TestNewThread::otherLinesNeverRun()
{
    WindowRig rig;
    QVERIFY(rig.open());
    for (const QString &text :
         {QStringLiteral("rm -rf /"), QStringLiteral(" !indented"), QStringLiteral("say !x")}) {
        composer(rig)->clear();
        type(rig, text);
        ctrlReturn(rig);
        QTest::mouseClick(composer(rig)->sendButton(), Qt::LeftButton);
        QVERIFY(composer(rig)->draftBar()->isVisible());
        QVERIFY(composer(rig)->draftBar()->title().contains(QStringLiteral("No model")));
        QCOMPARE(composer(rig)->text(), text);
    }
    // "!" alone is nothing to run either.
    composer(rig)->clear();
    type(rig, QStringLiteral("!  "));
    ctrlReturn(rig);
    QTest::qWait(50);
    QCOMPARE(rig.engine.count<NewThread>(), 0);
    QCOMPARE(rig.engine.count<application::Exec>(), 0);
}

void TestNewThread::runAsCommandRunsTheWholeText()
{
    WindowRig rig;
    QVERIFY(rig.open());
    type(rig, QStringLiteral("echo hi"));
    ctrlReturn(rig);
    QTest::mouseClick(composer(rig)->runButton(), Qt::LeftButton);
    QTRY_COMPARE(rig.engine.count<NewThread>(), 1);
    QCOMPARE(rig.engine.last<NewThread>().text, QStringLiteral("echo hi"));
    QVERIFY(rig.engine.last<NewThread>().asCommand);
}

void TestNewThread::connectAModelOpensItsSettings()
{
    WindowRig rig;
    QVERIFY(rig.open());
    type(rig, QStringLiteral("hello"));
    ctrlReturn(rig);
    QTest::mouseClick(composer(rig)->connectButton(), Qt::LeftButton);
    QCOMPARE(rig.window->pages()->currentWidget(), rig.window->settingsPage());
    QCOMPARE(rig.window->settingsPage()->sections()->currentRow(),
             static_cast<int>(SettingsPage::Section::Models));
    rig.window->showNewThread();
    QCOMPARE(composer(rig)->text(), QStringLiteral("hello"));
}

void TestNewThread::choiceByKeyboardIsUsedAndRemembered()
{
    WindowRig rig;
    QVERIFY(rig.open());
    SandboxPicker *picker = rig.window->newThreadPage()->picker();
    picker->setFocus();
    QTest::keyClick(picker, Qt::Key_Down);
    QVERIFY(picker->popover()->isVisible());
    QListView *list = picker->popover()->list();
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Return);
    QVERIFY(!picker->popover()->isVisible());
    QCOMPARE(picker->key(), QStringLiteral("docker"));
    type(rig, QStringLiteral("!id"));
    ctrlReturn(rig);
    QTRY_COMPARE(rig.engine.count<NewThread>(), 1);
    QCOMPARE(rig.engine.last<NewThread>().config.toString(), QStringLiteral("docker"));
    rig.close();
    QVERIFY(rig.open());
    QCOMPARE(rig.window->newThreadPage()->picker()->key(), QStringLiteral("docker"));
}

void TestNewThread::unusableEntryOpensItsSettings()
{
    WindowRig rig([](test::ScriptedEngine &engine) {
        engine.addProvider(QStringLiteral("e2b"), QStringLiteral("E2"), QStringLiteral("E2B"), {},
                           application::ProviderState::NeedsKey);
    });
    QVERIFY(rig.open());
    SandboxPicker *picker = rig.window->newThreadPage()->picker();
    QTest::mouseClick(picker, Qt::LeftButton);
    QListView *list = picker->popover()->list();
    const QModelIndex row =
        static_cast<SandboxChoiceModel *>(list->model())->indexOfKey(QStringLiteral("e2b"));
    QVERIFY(row.isValid());
    QVERIFY(!row.data(SandboxChoiceModel::UsableRole).toBool());
    QVERIFY(!row.data(SandboxChoiceModel::DetailRole).toString().isEmpty());
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(row).center());
    QCOMPARE(rig.window->pages()->currentWidget(), rig.window->settingsPage());
    QCOMPARE(picker->key(), QStringLiteral("local"));
    QTRY_VERIFY(rig.engine.count<application::GetProviderForm>() > 0);
    QCOMPARE(rig.engine.last<application::GetProviderForm>().config.toString(),
             QStringLiteral("e2b"));
}

void TestNewThread::existingSandboxIsTaken()
{
    application::SandboxView sandbox;
    sandbox.id = domain::SandboxId::create();
    sandbox.agent = domain::AgentId(QStringLiteral("default"));
    sandbox.alias = QStringLiteral("docker-1");
    sandbox.type = QStringLiteral("docker");
    sandbox.providerConfig = domain::ConfigName(QStringLiteral("docker"));
    WindowRig rig(
        [&sandbox](test::ScriptedEngine &engine) { engine.state.sandboxes.append(sandbox); });
    QVERIFY(rig.open());
    SandboxPicker *picker = rig.window->newThreadPage()->picker();
    QTest::mouseClick(picker, Qt::LeftButton);
    QTest::keyClick(picker->popover()->list(), Qt::Key_End);
    QTest::keyClick(picker->popover()->list(), Qt::Key_Return);
    type(rig, QStringLiteral("!id"));
    ctrlReturn(rig);
    QTRY_COMPARE(rig.engine.count<NewThread>(), 1);
    QCOMPARE(rig.engine.last<NewThread>().sandbox, sandbox.id);
    QVERIFY(rig.engine.last<NewThread>().config.isNull());
}

void TestNewThread::withoutAnyUsableSandboxNothingStarts()
{
    WindowRig rig([](test::ScriptedEngine &engine) {
        for (auto &provider : engine.state.providers) {
            provider.usable = false;
            provider.state = application::ProviderState::NotSetUp;
        }
    });
    QVERIFY(rig.open());
    type(rig, QStringLiteral("!id"));
    ctrlReturn(rig);
    QVERIFY(!composer(rig)->sendButton()->isEnabled());
    QTest::qWait(50);
    QCOMPARE(rig.engine.count<NewThread>(), 0);
    // It becomes ready while the page is open.
    application::ProviderView docker = rig.engine.state.providers.last();
    docker.usable = true;
    docker.state = application::ProviderState::Ready;
    rig.engine.state.providers.last() = docker;
    rig.engine.emitEvent(application::ProviderChanged{docker});
    QTRY_VERIFY(composer(rig)->sendButton()->isEnabled());
}

void TestNewThread::failureKeepsTheText()
{
    WindowRig rig;
    rig.engine.failures.insert(QString::fromLatin1(NewThread::kName),
                               {domain::ErrorKind::Unavailable,
                                QStringLiteral("Docker does not answer"),
                                QStringLiteral("Start it"),
                                {},
                                {}});
    QVERIFY(rig.open());
    type(rig, QStringLiteral("!id"));
    ctrlReturn(rig);
    QTRY_VERIFY(composer(rig)->errorBar()->isVisible());
    QCOMPARE(composer(rig)->errorBar()->title(), QStringLiteral("Docker does not answer"));
    QCOMPARE(composer(rig)->text(), QStringLiteral("!id"));
    QCOMPARE(rig.window->pages()->currentWidget(), rig.window->newThreadPage());
}

void TestNewThread::draftSurvivesARestart()
{
    WindowRig rig;
    QVERIFY(rig.open());
    type(rig, QStringLiteral("an idea"));
    rig.close();
    QVERIFY(rig.open());
    QCOMPARE(composer(rig)->text(), QStringLiteral("an idea"));
}

void TestNewThread::firstRunShowsWhereItCouldRun()
{
    WindowRig rig([](test::ScriptedEngine &engine) {
        engine.addProvider(QStringLiteral("e2b"), QStringLiteral("E2"), QStringLiteral("E2B"), {},
                           application::ProviderState::NeedsKey);
    });
    QVERIFY(rig.open());
    Button *setUp = nullptr;
    Button *example = nullptr;
    const auto find = [&] {
        for (Button *button : rig.window->newThreadPage()->findChildren<Button *>()) {
            if (button->isVisible() && button->accessibleName() == QStringLiteral("Set up E2B"))
                setUp = button;
            if (button->isVisible() && button->text() == QStringLiteral("!python3 --version"))
                example = button;
        }
        return setUp && example;
    };
    QTRY_VERIFY(find());
    QTest::mouseClick(example, Qt::LeftButton);
    QCOMPARE(composer(rig)->text(), QStringLiteral("!python3 --version"));
    QCOMPARE(rig.engine.count<NewThread>(), 0); // writes it, does not run it
    QTest::mouseClick(setUp, Qt::LeftButton);
    QCOMPARE(rig.window->pages()->currentWidget(), rig.window->settingsPage());
}

QTEST_MAIN(TestNewThread)
#include "test_new_thread.moc"
