// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The Sandboxes page: rows, filters, adding, removing, restoring, purging, copying, by clicks and
// keys.
#include "domain/text.h"
#include "ui/agents/lifecycle_form.h"
#include "ui/conversation/conversation_page.h"
#include "ui/models/sandbox_model.h"
#include "ui/resources/resources_page.h"
#include "ui/sandboxes/add_sandbox_panel.h"
#include "ui/sandboxes/sandbox_actions.h"
#include "ui/sandboxes/sandbox_panel.h"
#include "ui/sandboxes/sandboxes_page.h"
#include "ui/settings/field_editor.h"
#include "ui/settings/preset_fields.h"
#include "ui/settings/provider_fields.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card_table.h"
#include "ui/widgets/choices.h"
#include "ui/widgets/confirm_dialog.h"
#include "ui/widgets/save_bar.h"
#include "ui/widgets/search_field.h"
#include "widget/support/window_rig.h"

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QStackedWidget>

using namespace berth;
using namespace berth::ui;
using test::ScriptedEngine;
using test::WindowRig;

namespace {

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

const domain::AgentId kDefault(QStringLiteral("default"));

application::FieldView imageField()
{
    application::FieldView image;
    image.key = s("image");
    image.type = s("text");
    image.label = s("Image");
    image.defaultValue = s("python:3.12-slim");
    image.pattern = s("[a-z0-9.:/-]+");
    image.patternHint = s("a name such as python:3.12-slim");
    return image;
}

struct SandboxesRig : WindowRig
{
    explicit SandboxesRig(const std::function<void(ScriptedEngine &)> &more = {})
        : WindowRig([more](ScriptedEngine &scripted) {
              application::FieldView host;
              host.key = s("docker_host");
              host.type = s("text");
              host.environmentVariables = {s("DOCKER_HOST")};
              scripted.forms[domain::ConfigName(s("docker"))].fields = {imageField(), host};
              if (more)
                  more(scripted);
          })
    {
        [this] { QVERIFY(open()); }();
        window->showSandboxes();
        [this] { QTRY_VERIFY(engine.count<application::ListSandboxes>() > 0); }();
        QTest::qWait(20);
    }

    [[nodiscard]] SandboxesPage &page() const { return *window->sandboxesPage(); }
    [[nodiscard]] QString cell(const domain::SandboxId &id, SandboxModel::Column column) const
    {
        return page().model()->indexOf(id).siblingAtColumn(column).data().toString();
    }
    static void click(QWidget *widget) { QTest::mouseClick(widget, Qt::LeftButton); }
    //! The entry whose text begins so; nullptr: there is none.
    static QAction *entry(QMenu *menu, const char *text)
    {
        for (QAction *action : menu->actions()) {
            if (action->text().startsWith(s(text)))
                return action;
        }
        return nullptr;
    }
    [[nodiscard]] QMenu *menu(const domain::SandboxId &id) const
    {
        return page().actions()->menuFor(id, &page());
    }
};

} // namespace

class TestSandboxes final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aRowSaysWhatDatabaseAndProviderSay();
    void anotherEnginesRowSaysSo();
    void anOldWordHasItsAge();
    void deletedOnesAreShownWhenAskedOrStillThere();
    void rowsAreFiltered();
    void oneIsAddedFromAType();
    void oneIsAddedFromAPreset();
    void leavingAsksWhenSomethingWasTyped();
    void lateAnswersLeaveWhatWasChosen();
    void aTakenAliasIsRefusedInTheForm();
    void removingAsks();
    void removingAndDestroyingSaysWhatIsLost();
    void aDeletedOneIsRestored();
    void aTakenAliasStandsAgainstRestoring();
    void purgingAsksAndDestroys();
    void whatStillRunsIsOffered();
    void aCopyWhereTheProviderCan();
    void threadsAndResourcesOpen();
    void aRowsLifecycleIsItsOwn();
    void emptyPageSaysWhatToDo();
    void keysReachEverything();
};

void TestSandboxes::aRowSaysWhatDatabaseAndProviderSay()
{
    domain::SandboxId running;
    domain::SandboxId pending;
    SandboxesRig rig([&](ScriptedEngine &engine) {
        running = engine.sandboxes.addRunning(kDefault, s("bench"), s("docker")).id;
        pending = engine.sandboxes.add(kDefault, s("gpu"), s("docker"), s("pending")).id;
    });
    QCOMPARE(rig.cell(running, SandboxModel::Lifecycle), s("provisioned"));
    QCOMPARE(rig.cell(running, SandboxModel::Runtime), s("Running"));
    QCOMPARE(rig.cell(running, SandboxModel::External), s("berth-default-bench"));
    QCOMPARE(rig.cell(running, SandboxModel::LastSeen), s("now"));
    QCOMPARE(rig.cell(pending, SandboxModel::Lifecycle), s("pending"));
    // Missing is "—" with the reason, never something invented.
    const QModelIndex runtime =
        rig.page().model()->indexOf(pending).siblingAtColumn(SandboxModel::Runtime);
    QCOMPARE(runtime.data().toString(), s("—"));
    QVERIFY(!runtime.data(Qt::ToolTipRole).toString().isEmpty());
    QCOMPARE(rig.cell(pending, SandboxModel::LastSeen), s("never"));
    // The provider says something else: only the overlay changes.
    rig.engine.state.runtimes.last().observed = domain::ObservedState::Paused;
    rig.engine.emitEvent(application::RuntimeChanged{rig.engine.state.runtimes.last()});
    QTRY_COMPARE(rig.cell(running, SandboxModel::Runtime), s("Paused"));
    QCOMPARE(rig.cell(running, SandboxModel::Lifecycle), s("provisioned"));
}

void TestSandboxes::anotherEnginesRowSaysSo()
{
    domain::SandboxId other;
    SandboxesRig rig([&](ScriptedEngine &engine) {
        other = engine.sandboxes.addRunning(kDefault, s("far"), s("docker")).id;
        engine.sandboxes.find(other)->notice = s("on another engine");
    });
    QCOMPARE(rig.cell(other, SandboxModel::Runtime), s("— on another engine"));
    rig.page().showSandbox(other);
    QVERIFY(rig.page().panel()->notice()->isVisibleTo(rig.page().panel()));
    QCOMPARE(rig.page().panel()->notice()->title(), s("on another engine"));
}

void TestSandboxes::anOldWordHasItsAge()
{
    domain::SandboxId old;
    SandboxesRig rig([&](ScriptedEngine &engine) {
        old = engine.sandboxes.addRunning(kDefault, s("slow"), s("docker")).id;
        engine.state.runtimes.last().observedAt = domain::nowUtc().addSecs(-600);
    });
    QCOMPARE(rig.cell(old, SandboxModel::Runtime), s("Running · 10 m ago"));
}

void TestSandboxes::deletedOnesAreShownWhenAskedOrStillThere()
{
    domain::SandboxId past;
    domain::SandboxId left;
    SandboxesRig rig([&](ScriptedEngine &engine) {
        past = engine.sandboxes.add(kDefault, s("past"), s("docker"), s("deleted")).id;
        left = engine.sandboxes.addRunning(kDefault, s("left"), s("e2b")).id;
        application::SandboxView row = *engine.sandboxes.find(left);
        row.status = s("deleted");
        engine.state.sandboxes.clear();
        engine.sandboxes.deleted.append(row);
    });
    QTRY_COMPARE(rig.page().model()->rowCount(), 2);
    QCOMPARE(rig.page().filter()->rowCount(), 1);
    QCOMPARE(rig.cell(left, SandboxModel::Runtime), s("Still running"));
    rig.page().deletedBox()->click();
    QCOMPARE(rig.page().filter()->rowCount(), 2);
}

void TestSandboxes::rowsAreFiltered()
{
    SandboxesRig rig([&](ScriptedEngine &engine) {
        application::AgentView scout;
        scout.id = domain::AgentId(s("scout"));
        scout.name = s("Scout");
        engine.state.agents.append(scout);
        engine.sandboxes.add(kDefault, s("one"), s("docker"), s("pending"));
        engine.sandboxes.add(kDefault, s("two"), s("local"), s("pending"));
        engine.sandboxes.add(scout.id, s("three"), s("docker"), s("pending"));
    });
    QTRY_COMPARE(rig.page().filter()->rowCount(), 3);
    rig.page().filter()->setAgent(s("scout"));
    QCOMPARE(rig.page().filter()->rowCount(), 1);
    rig.page().filter()->setAgent({});
    rig.page().filter()->setType(s("docker"));
    QCOMPARE(rig.page().filter()->rowCount(), 2);
    rig.page().filter()->setType({});
    QTest::keyClicks(rig.page().search(), s("THREE"));
    QCOMPARE(rig.page().filter()->rowCount(), 1);
    // By the menu below the button, too.
    rig.page().search()->clear();
    SandboxesRig::click(rig.page().agentButton());
    auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QVERIFY(menu);
    SandboxesRig::entry(menu, "Scout")->trigger();
    menu->close();
    QCOMPARE(rig.page().filter()->rowCount(), 1);
    QCOMPARE(rig.page().agentButton()->text(), s("Scout"));
    QTest::keyClicks(rig.page().search(), s("nothing"));
    QTRY_VERIFY(rig.page().emptyState()->isVisible());
    SandboxesRig::click(rig.page().emptyAction());
    QCOMPARE(rig.page().filter()->rowCount(), 3);
    QVERIFY(rig.page().table()->isVisible());
}

void TestSandboxes::oneIsAddedFromAType()
{
    SandboxesRig rig;
    SandboxesRig::click(rig.page().addButton());
    AddSandboxPanel *panel = rig.page().addPanel();
    QVERIFY(panel);
    QTRY_VERIFY(panel->fields()->fields());
    // What says where the engine is belongs to the provider's own file.
    QVERIFY(panel->fields()->fields()->editor(s("image")));
    QVERIFY(!panel->fields()->fields()->editor(s("docker_host")));
    QTest::keyClicks(panel->alias(), s("Bad Alias"));
    QVERIFY(!panel->bar()->saveButton()->isEnabled());
    panel->alias()->clear();
    QTest::keyClicks(panel->alias(), s("wheel"));
    auto *image = qobject_cast<QLineEdit *>(panel->fields()->fields()->editor(s("image"))->input());
    QVERIFY(image);
    QTest::keyClicks(image, s("ubuntu:24.04"));
    QVERIFY(panel->bar()->saveButton()->isEnabled());
    SandboxesRig::click(panel->bar()->saveButton());
    QTRY_COMPARE(rig.engine.count<application::AddSandbox>(), 1);
    const auto sent = rig.engine.last<application::AddSandbox>();
    QCOMPARE(sent.agent, kDefault);
    QCOMPARE(sent.alias, s("wheel"));
    QCOMPARE(sent.type, s("docker"));
    QCOMPARE(sent.config, s("{\"image\":\"ubuntu:24.04\"}"));
    QVERIFY(sent.preset.isEmpty());
    QTRY_VERIFY(rig.page().panel());
    QCOMPARE(rig.cell(rig.page().panel()->sandbox(), SandboxModel::Alias), s("wheel"));
    QVERIFY(rig.page().panel()->config().contains(s("ubuntu:24.04")));
}

void TestSandboxes::oneIsAddedFromAPreset()
{
    SandboxesRig rig([](ScriptedEngine &engine) {
        application::PresetView ubuntu;
        ubuntu.name = s("docker-ubuntu");
        ubuntu.type = s("docker");
        application::PresetView broken = ubuntu;
        broken.name = s("broken");
        broken.problem = s("No such setting");
        engine.agents.presets.presets = {broken, ubuntu};
    });
    rig.page().addSandbox();
    AddSandboxPanel *panel = rig.page().addPanel();
    QTRY_COMPARE(panel->preset()->count(), 2);
    QCOMPARE(panel->from()->value(), s("preset"));
    // Never one that cannot be used.
    QCOMPARE(panel->preset()->currentData().toString(), s("docker-ubuntu"));
    SandboxesRig::click(panel->bar()->saveButton());
    QTRY_COMPARE(rig.engine.count<application::AddSandbox>(), 1);
    const auto sent = rig.engine.last<application::AddSandbox>();
    QCOMPARE(sent.preset, s("docker-ubuntu"));
    QVERIFY(sent.type.isEmpty() && sent.providerConfig.isNull());
    QCOMPARE(sent.config, s("{}"));
}

void TestSandboxes::leavingAsksWhenSomethingWasTyped()
{
    domain::SandboxId one;
    domain::SandboxId two;
    SandboxesRig rig([&](ScriptedEngine &engine) {
        one = engine.sandboxes.add(kDefault, s("one"), s("docker"), s("pending")).id;
        two = engine.sandboxes.add(kDefault, s("two"), s("docker"), s("pending")).id;
    });
    rig.page().addSandbox();
    AddSandboxPanel *add = rig.page().addPanel();
    QTest::keyClicks(add->alias(), s("wheel"));
    rig.page().showSandbox(one);
    QVERIFY(rig.page().question());
    QTest::keyClick(rig.page().question(), Qt::Key_Escape);
    QTRY_VERIFY(!rig.page().question());
    QCOMPARE(rig.page().addPanel(), add);
    QCOMPARE(add->alias()->text(), s("wheel"));
    rig.page().showSandbox(one);
    SandboxesRig::click(rig.page().question()->actionButton());
    QTRY_VERIFY(rig.page().panel());
    QCOMPARE(rig.page().panel()->sandbox(), one);
    // The same for what is typed for a row.
    QTRY_VERIFY(!rig.page().question());
    LifecycleForm *lifecycle = rig.page().panel()->lifecycle();
    QTRY_VERIFY(lifecycle->isEnabled());
    lifecycle->start()->setValue(s("session"));
    Q_EMIT lifecycle->start()->valueChosen(s("session"));
    QVERIFY(lifecycle->hasChanges());
    QTest::keyClick(rig.page().panel(), Qt::Key_Escape);
    QVERIFY(rig.page().question() && rig.page().panel());
    QTest::keyClick(rig.page().question(), Qt::Key_Escape);
    QTRY_VERIFY(!rig.page().question());
    rig.page().showSandbox(two);
    SandboxesRig::click(rig.page().question()->actionButton());
    QTRY_COMPARE(rig.page().panel()->sandbox(), two);
}

void TestSandboxes::lateAnswersLeaveWhatWasChosen()
{
    SandboxesRig rig([](ScriptedEngine &engine) {
        application::PresetView ubuntu;
        ubuntu.name = s("docker-ubuntu");
        ubuntu.type = s("docker");
        engine.agents.presets.presets = {ubuntu};
    });
    rig.engine.held = {QString::fromLatin1(application::ListPresets::kName)};
    rig.page().addSandbox();
    AddSandboxPanel *panel = rig.page().addPanel();
    QCOMPARE(panel->from()->value(), s("provider"));
    Q_EMIT panel->from()->valueChosen(s("provider"));
    rig.engine.release();
    QTRY_COMPARE(panel->preset()->count(), 1);
    QCOMPARE(panel->from()->value(), s("provider"));
}

void TestSandboxes::aTakenAliasIsRefusedInTheForm()
{
    SandboxesRig rig([](ScriptedEngine &engine) {
        engine.sandboxes.add(kDefault, s("wheel"), s("docker"), s("pending"));
    });
    rig.page().addSandbox();
    AddSandboxPanel *panel = rig.page().addPanel();
    QTRY_VERIFY(panel->fields()->fields());
    QTest::keyClicks(panel->alias(), s("wheel"));
    QTest::keyClick(panel->alias(), Qt::Key_Return);
    QTRY_VERIFY(panel->bar()->problem()->isVisible());
    QCOMPARE(panel->bar()->problem()->detail(), s("Choose another alias."));
    QCOMPARE(rig.page().addPanel(), panel);
    QCOMPARE(panel->alias()->text(), s("wheel"));
}

void TestSandboxes::removingAsks()
{
    domain::SandboxId cloud;
    SandboxesRig rig([&](ScriptedEngine &engine) {
        cloud = engine.sandboxes.addRunning(kDefault, s("wheel"), s("e2b")).id;
    });
    QMenu *menu = rig.menu(cloud);
    SandboxesRig::entry(menu, "Remove…")->trigger();
    menu->deleteLater();
    ConfirmDialog *question = rig.page().actions()->question();
    QVERIFY(question);
    // A cloud's goes on, and costs.
    QVERIFY2(question->text().contains(s("goes on")), qPrintable(question->text()));
    QTest::keyClick(question, Qt::Key_Escape);
    QTRY_VERIFY(!rig.page().actions()->question());
    QCOMPARE(rig.engine.count<application::RemoveSandbox>(), 0);
    rig.page().actions()->remove(cloud, false, rig.window.get());
    SandboxesRig::click(rig.page().actions()->question()->actionButton());
    QTRY_COMPARE(rig.engine.count<application::RemoveSandbox>(), 1);
    QVERIFY(!rig.engine.last<application::RemoveSandbox>().destroy);
    QTRY_COMPARE(rig.cell(cloud, SandboxModel::Lifecycle), s("deleted"));
    QCOMPARE(rig.cell(cloud, SandboxModel::Runtime), s("Still running"));
}

void TestSandboxes::removingAndDestroyingSaysWhatIsLost()
{
    domain::SandboxId id;
    SandboxesRig rig([&](ScriptedEngine &engine) {
        id = engine.sandboxes.addRunning(kDefault, s("bench"), s("docker")).id;
        const auto thread = engine.addThread(s("Bench"), domain::nowUtc());
        engine.change(thread, [&](auto &view) { view.sandbox = id; });
    });
    rig.page().actions()->remove(id, true, rig.window.get());
    ConfirmDialog *question = rig.page().actions()->question();
    QVERIFY(question->text().contains(s("The container berth-default-bench and its volume")));
    QVERIFY(question->text().contains(s("thread")));
    QVERIFY(question->cancelButton()->isDefault());
    SandboxesRig::click(question->actionButton());
    QTRY_VERIFY(rig.engine.count<application::RemoveSandbox>() == 1
                && rig.engine.last<application::RemoveSandbox>().destroy);
    QTRY_VERIFY(rig.engine.state.runtimes.isEmpty());
    // Nothing is left of it: it is past.
    QTRY_COMPARE(rig.page().filter()->rowCount(), 0);
}

void TestSandboxes::aDeletedOneIsRestored()
{
    domain::SandboxId id;
    SandboxesRig rig([&](ScriptedEngine &engine) {
        id = engine.sandboxes.add(kDefault, s("old"), s("docker"), s("deleted")).id;
    });
    QTRY_VERIFY(rig.page().model()->find(id));
    QMenu *menu = rig.menu(id);
    QVERIFY(!SandboxesRig::entry(menu, "Remove…"));
    SandboxesRig::entry(menu, "Restore")->trigger();
    menu->deleteLater();
    QTRY_COMPARE(rig.cell(id, SandboxModel::Lifecycle), s("provisioned"));
    QVERIFY(!rig.page().failure()->isVisible());
}

void TestSandboxes::aTakenAliasStandsAgainstRestoring()
{
    domain::SandboxId id;
    SandboxesRig rig([&](ScriptedEngine &engine) {
        id = engine.sandboxes.add(kDefault, s("same"), s("docker"), s("deleted")).id;
        engine.sandboxes.add(kDefault, s("same"), s("docker"), s("pending"));
    });
    QTRY_VERIFY(rig.page().model()->find(id));
    rig.page().actions()->restore(id);
    QTRY_VERIFY(rig.page().failure()->isVisible());
    QVERIFY(rig.page().failure()->title().contains(s("Another sandbox has the alias")));
    QCOMPARE(rig.page().failure()->detail(), s("Remove that one first."));
    QCOMPARE(rig.cell(id, SandboxModel::Lifecycle), s("deleted"));
}

void TestSandboxes::purgingAsksAndDestroys()
{
    domain::SandboxId id;
    SandboxesRig rig([&](ScriptedEngine &engine) {
        id = engine.sandboxes.addRunning(kDefault, s("kept"), s("docker")).id;
    });
    rig.page().actions()->remove(id, false, rig.window.get());
    SandboxesRig::click(rig.page().actions()->question()->actionButton());
    QTRY_COMPARE(rig.cell(id, SandboxModel::Lifecycle), s("deleted"));
    QTRY_VERIFY(!rig.page().actions()->question());
    rig.page().actions()->purge(id, rig.window.get());
    QVERIFY(rig.page().actions()->question()->text().contains(s("its volume")));
    SandboxesRig::click(rig.page().actions()->question()->actionButton());
    QTRY_COMPARE(rig.engine.count<application::PurgeSandbox>(), 1);
    QTRY_VERIFY(rig.engine.state.runtimes.isEmpty());
}

void TestSandboxes::whatStillRunsIsOffered()
{
    domain::SandboxId id;
    SandboxesRig rig([&](ScriptedEngine &engine) {
        id = engine.sandboxes.addRunning(kDefault, s("left"), s("e2b")).id;
    });
    QVERIFY(rig.page().leftText().isEmpty());
    rig.page().actions()->remove(id, false, rig.window.get());
    SandboxesRig::click(rig.page().actions()->question()->actionButton());
    QTRY_COMPARE(rig.page().leftText(), s("1 deleted sandbox(es) still run."));
}

void TestSandboxes::aCopyWhereTheProviderCan()
{
    domain::SandboxId can;
    domain::SandboxId cannot;
    SandboxesRig rig([&](ScriptedEngine &engine) {
        can = engine.sandboxes.addRunning(kDefault, s("original"), s("daytona")).id;
        engine.state.runtimes.last().canFork = true;
        cannot = engine.sandboxes.addRunning(kDefault, s("other"), s("docker")).id;
    });
    QMenu *menu = rig.menu(cannot);
    QAction *greyed = SandboxesRig::entry(menu, "Copy of this sandbox");
    QVERIFY(greyed && !greyed->isEnabled());
    QVERIFY(greyed->text().contains(s("Docker cannot copy a running container")));
    menu->deleteLater();
    menu = rig.menu(can);
    QVERIFY(SandboxesRig::entry(menu, "Copy of this sandbox")->isEnabled());
    SandboxesRig::entry(menu, "Copy of this sandbox")->trigger();
    menu->deleteLater();
    QTRY_COMPARE(rig.engine.count<application::ForkRuntime>(), 1);
    QTRY_VERIFY(rig.page().failure()->isVisible());
    QVERIFY(rig.page().failure()->title().contains(s("original-copy")));
    QTRY_COMPARE(rig.page().filter()->rowCount(), 3);
}

void TestSandboxes::threadsAndResourcesOpen()
{
    domain::SandboxId id;
    domain::ThreadId thread;
    SandboxesRig rig([&](ScriptedEngine &engine) {
        id = engine.sandboxes.addRunning(kDefault, s("bench"), s("docker")).id;
        thread = engine.addThread(s("Bench"), domain::nowUtc());
        engine.change(thread, [&](auto &view) { view.sandbox = id; });
    });
    QTRY_COMPARE(rig.cell(id, SandboxModel::Threads), s("1"));
    QMenu *menu = rig.menu(id);
    QVERIFY(SandboxesRig::entry(menu, "Open thread"));
    SandboxesRig::entry(menu, "Open thread")->trigger();
    QCOMPARE(rig.window->pages()->currentWidget(), rig.window->conversationPage());
    QCOMPARE(rig.window->conversationPage()->thread(), thread);
    SandboxesRig::entry(menu, "Show in Resources")->trigger();
    menu->deleteLater();
    QCOMPARE(rig.window->pages()->currentWidget(), rig.window->resourcesPage());
}

void TestSandboxes::aRowsLifecycleIsItsOwn()
{
    domain::SandboxId id;
    SandboxesRig rig([&](ScriptedEngine &engine) {
        id = engine.sandboxes.add(kDefault, s("gpu"), s("docker"), s("pending")).id;
    });
    rig.page().showSandbox(id);
    LifecycleForm *form = rig.page().panel()->lifecycle();
    QTRY_VERIFY(form->isEnabled());
    QTest::keyClicks(form->idle(), s("7"));
    SandboxesRig::click(form->bar()->saveButton());
    QTRY_COMPARE(rig.engine.count<application::SetLifecycle>(), 1);
    const auto sent = rig.engine.last<application::SetLifecycle>();
    QCOMPARE(sent.sandbox, id);
    QVERIFY(sent.agent.isNull());
    QCOMPARE(sent.own.idleTimeoutMinutes, std::optional(7));
}

void TestSandboxes::emptyPageSaysWhatToDo()
{
    SandboxesRig rig;
    QTRY_VERIFY(rig.page().emptyState()->isVisible());
    QVERIFY(!rig.page().table()->isVisible());
    SandboxesRig::click(rig.page().emptyAction());
    QVERIFY(rig.page().addPanel());
}

void TestSandboxes::keysReachEverything()
{
    domain::SandboxId id;
    SandboxesRig rig([&](ScriptedEngine &engine) {
        id = engine.sandboxes.addRunning(kDefault, s("bench"), s("docker")).id;
    });
    rig.window->showNewThread();
    QTest::keyClick(rig.window.get(), Qt::Key_4, Qt::ControlModifier);
    QCOMPARE(rig.window->pages()->currentWidget(), &rig.page());
    QVERIFY(rig.window->sidebar()->sandboxes()->isChecked());
    QTRY_VERIFY(rig.page().table()->hasFocus());
    QTest::keyClick(rig.page().table(), Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(rig.page().search()->hasFocus());
    rig.page().table()->setFocus();
    rig.page().table()->setCurrentIndex(rig.page().filter()->index(0, 0));
    QTest::keyClick(rig.page().table(), Qt::Key_Return);
    QVERIFY(rig.page().panel());
    QCOMPARE(rig.page().panel()->sandbox(), id);
    QTest::keyClick(rig.page().panel(), Qt::Key_Escape);
    QVERIFY(!rig.page().panel());
    const QString spoken = rig.page().filter()->index(0, 0).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(spoken.contains(s("bench of")) && spoken.contains(s("Runtime Running")),
             qPrintable(spoken));
}

QTEST_MAIN(TestSandboxes)
#include "test_sandboxes.moc"
