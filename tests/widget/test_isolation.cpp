// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/provider/isolation.h"
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_page.h"
#include "ui/main/new_thread_page.h"
#include "ui/models/sandbox_choice_model.h"
#include "ui/settings/passthrough_setting.h"
#include "ui/settings/sandbox_section.h"
#include "ui/settings/settings_page.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "widget/support/window_rig.h"

using namespace berth;
using namespace berth::ui;
using application::AllowPassthrough;
using application::NewThread;
using application::SendMessage;
using test::WindowRig;

namespace {

void openLocal(test::ScriptedEngine &engine)
{
    for (application::ProviderView &provider : engine.state.providers) {
        if (provider.kind == QLatin1String("local")) {
            provider.isolation = domain::noIsolationText();
            provider.summary = domain::noIsolationText();
        }
    }
}

const QString kWords =
    QStringLiteral("No isolation: everything that you can do, Berth's own files included");

} // namespace

//! The switch for sandboxes without isolation, and the question before a thread's first command.
class IsolationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void switchTakesTwoClicks();
    void refusalIsShown();
    void followsTheEngine();
    void pickerSaysIt();
    void newThreadAsks();
    void threadAsksOnce();
    void isolatedOnesAreNotAskedAbout();
    void furtherConfigHasItsName();
};

static PassthroughSetting *settingOf(WindowRig &rig)
{
    rig.window->settingsPage()->showSection(SettingsPage::Section::Sandbox);
    return rig.window->settingsPage()->sandbox()->passthrough();
}

void IsolationTest::switchTakesTwoClicks()
{
    WindowRig rig;
    QVERIFY(rig.open());
    rig.window->showSettings();
    PassthroughSetting *setting = settingOf(rig);
    QVERIFY(!setting->isAllowed());
    QVERIFY(setting->question()->isHidden());
    setting->switchButton()->click();
    QVERIFY(!setting->question()->isHidden());
    QCOMPARE(setting->question()->title(), kWords);
    QCOMPARE(rig.engine.count<AllowPassthrough>(), 0);
    // Return is the safe one.
    QTRY_VERIFY(setting->cancelButton()->hasFocus());
    QTest::keyClick(setting->cancelButton(), Qt::Key_Space);
    QVERIFY(setting->question()->isHidden());
    QCOMPARE(rig.engine.count<AllowPassthrough>(), 0);
    setting->switchButton()->click();
    QTest::keyClick(setting->cancelButton(), Qt::Key_Escape);
    QVERIFY(setting->question()->isHidden());
    setting->switchButton()->click();
    QTest::mouseClick(setting->confirmButton(), Qt::LeftButton);
    QTRY_COMPARE(rig.engine.count<AllowPassthrough>(), 1);
    QVERIFY(rig.engine.last<AllowPassthrough>().allowed);
    QTRY_VERIFY(setting->isAllowed());
    QVERIFY(setting->question()->isHidden());
    // Off takes one.
    setting->switchButton()->click();
    QTRY_COMPARE(rig.engine.count<AllowPassthrough>(), 2);
    QVERIFY(!rig.engine.last<AllowPassthrough>().allowed);
    QTRY_VERIFY(!setting->isAllowed());
}

void IsolationTest::refusalIsShown()
{
    WindowRig rig;
    rig.engine.failures.insert(QString::fromLatin1(AllowPassthrough::kName),
                               {domain::ErrorKind::Forbidden,
                                QStringLiteral("Only Berth's window on this machine can do that"),
                                {},
                                {},
                                {}});
    QVERIFY(rig.open());
    PassthroughSetting *setting = settingOf(rig);
    setting->switchButton()->click();
    setting->confirmButton()->click();
    QTRY_VERIFY(!setting->errorBar()->isHidden());
    QVERIFY(setting->errorBar()->title().contains(QLatin1String("Only Berth's window")));
    QVERIFY(!setting->isAllowed());
}

void IsolationTest::followsTheEngine()
{
    WindowRig rig;
    QVERIFY(rig.open());
    PassthroughSetting *setting = settingOf(rig);
    application::EngineView engine = rig.engine.state.engine;
    engine.passthroughAllowed = true;
    rig.engine.emitEvent(application::EngineChanged{engine});
    QTRY_VERIFY(setting->isAllowed());
}

void IsolationTest::pickerSaysIt()
{
    test::ScriptedEngine engine;
    engine.fillProviders();
    openLocal(engine);
    SandboxChoiceModel model;
    model.set(engine.state, engine.state.agents.first().id);
    const QModelIndex local =
        model.indexOfKey(SandboxChoiceModel::keyOf(domain::ConfigName(QStringLiteral("local"))));
    QCOMPARE(local.data(SandboxChoiceModel::DetailRole).toString(), kWords);
    QVERIFY(local.data(Qt::AccessibleTextRole).toString().contains(kWords));
}

void IsolationTest::newThreadAsks()
{
    WindowRig rig(&openLocal);
    QVERIFY(rig.open());
    Composer *composer = rig.window->newThreadPage()->composer();
    composer->setText(QStringLiteral("!id"));
    QTest::keyClick(composer->edit(), Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY(!composer->confirmBar()->isHidden());
    QCOMPARE(composer->confirmBar()->title(), kWords);
    QCOMPARE(rig.engine.count<NewThread>(), 0);
    composer->keepButton()->click();
    QVERIFY(composer->confirmBar()->isHidden());
    QCOMPARE(composer->text(), QStringLiteral("!id"));
    QTest::keyClick(composer->edit(), Qt::Key_Return, Qt::ControlModifier);
    composer->allowButton()->click();
    QTRY_COMPARE(rig.engine.count<NewThread>(), 1);
}

void IsolationTest::threadAsksOnce()
{
    WindowRig rig(&openLocal);
    const domain::ThreadId thread =
        rig.engine.addThread(QStringLiteral("Open"), QDateTime::currentDateTimeUtc());
    application::SandboxView sandbox;
    sandbox.id = rig.engine.state.threads.last().sandbox;
    sandbox.agent = rig.engine.state.agents.first().id;
    sandbox.providerConfig = domain::ConfigName(QStringLiteral("local"));
    rig.engine.state.sandboxes.append(sandbox);
    QVERIFY(rig.open());
    rig.window->showThread(thread);
    Composer *composer = rig.window->conversationPage()->composer();
    QTRY_COMPARE(rig.engine.count<application::GetThread>(), 1);
    composer->setText(QStringLiteral("!id"));
    QTest::keyClick(composer->edit(), Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY(!composer->confirmBar()->isHidden());
    QCOMPARE(rig.engine.count<SendMessage>(), 0);
    composer->allowButton()->click();
    QTRY_COMPARE(rig.engine.count<SendMessage>(), 1);
    QTRY_VERIFY(composer->text().isEmpty());
    composer->setText(QStringLiteral("!pwd"));
    QTest::keyClick(composer->edit(), Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE(rig.engine.count<SendMessage>(), 2);
    QVERIFY(composer->confirmBar()->isHidden());
}

void IsolationTest::isolatedOnesAreNotAskedAbout()
{
    WindowRig rig;
    QVERIFY(rig.open());
    Composer *composer = rig.window->newThreadPage()->composer();
    composer->setText(QStringLiteral("!id"));
    QTest::keyClick(composer->edit(), Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE(rig.engine.count<NewThread>(), 1);
}

void IsolationTest::furtherConfigHasItsName()
{
    test::ScriptedEngine engine;
    engine.fillProviders();
    application::ProviderView further = engine.state.providers.last();
    further.config = domain::ConfigName(QStringLiteral("docker-gpu"));
    engine.state.providers.append(further);
    SandboxChoiceModel model;
    model.set(engine.state, engine.state.agents.first().id);
    const QModelIndex index = model.indexOfKey(QStringLiteral("docker-gpu"));
    QVERIFY2(index.data().toString().contains(QLatin1String("docker-gpu")),
             qPrintable(index.data().toString()));
}

QTEST_MAIN(IsolationTest)
#include "test_isolation.moc"
