// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The Agents page: list, creating, changing, policy, lifecycle, skills, deleting, by clicks and
// keys.
#include "domain/text.h"
#include "ui/agents/agent_basics.h"
#include "ui/agents/agent_security.h"
#include "ui/agents/agent_skills.h"
#include "ui/agents/agents_page.h"
#include "ui/agents/lifecycle_form.h"
#include "ui/models/agent_model.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card_table.h"
#include "ui/widgets/choices.h"
#include "ui/widgets/confirm_dialog.h"
#include "ui/widgets/form_row.h"
#include "ui/widgets/save_bar.h"
#include "ui/widgets/tab_strip.h"
#include "widget/support/window_rig.h"

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
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

const domain::AgentId kScout(QStringLiteral("scout"));

void fillScout(ScriptedEngine &engine)
{
    application::AgentView scout;
    scout.id = kScout;
    scout.name = s("scout");
    scout.model = s("claude");
    scout.instructions = s("You look around.");
    scout.autonomy = s("supervised");
    scout.requireApprovalFor = {s("exec")};
    scout.access = s("private");
    engine.state.agents.append(scout);
    application::PresetView ubuntu;
    ubuntu.name = s("docker-ubuntu");
    ubuntu.type = s("docker");
    ubuntu.config = s("{\"image\":\"ubuntu:24.04\"}");
    engine.agents.presets.presets = {ubuntu};
    engine.agents.presets.autoProvision = s("docker-ubuntu");
    engine.sandboxes.policies[kScout] =
        s("{\"access\":\"private\",\"autonomy_level\":\"supervised\","
          "\"require_approval_for\":[\"exec\"],\"note\":\"kept\"}");
}

struct AgentsRig : WindowRig
{
    explicit AgentsRig(const std::function<void(ScriptedEngine &)> &more = {})
        : WindowRig([more](ScriptedEngine &scripted) {
              fillScout(scripted);
              if (more)
                  more(scripted);
          })
    {
        [this] { QVERIFY(open()); }();
        window->showAgents();
    }

    [[nodiscard]] AgentsPage &page() const { return *window->agentsPage(); }
    AgentPanel *show(AgentPanel::Tab tab)
    {
        page().showAgent(kScout, tab);
        return page().panel();
    }
    static void click(QWidget *widget) { QTest::mouseClick(widget, Qt::LeftButton); }
    static void choose(RadioChips *chips, const char *value)
    {
        chips->setValue(s(value));
        Q_EMIT chips->valueChosen(s(value));
    }
    [[nodiscard]] const application::AgentView *stored(const domain::AgentId &id) const
    {
        for (const auto &agent : engine.state.agents) {
            if (agent.id == id)
                return &agent;
        }
        return nullptr;
    }
};

} // namespace

class TestAgents final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aRowSaysWhatTheAgentIs();
    void theSidebarAndKeysOpenThePage();
    void anAgentIsCreatedByTyping();
    void aNewAgentsSandboxIsChosen();
    void aDanglingDefaultIsSaidBefore();
    void whatTheEngineRefusesStaysInTheForm();
    void aChangeLeavesThePolicyAlone();
    void whatIsTypedSurvivesNews();
    void leavingAsksWhenSomethingWasTyped();
    void deletingAsksAndSaysWhatStandsAgainst();
    void theDefaultAgentHasNoDelete();
    void aDeletedAgentClosesItsForm();
    void thePolicyIsSavedWhole();
    void thePolicyAsJsonSaysEachMistake();
    void jsonAndFieldsShowTheSame();
    void aTokenIsSetAndRemoved();
    void aPolicyThatChangedMeanwhileKeepsBoth();
    void aDocumentThatChangedMeanwhileSaysSo();
    void theLifecycleIsSaved();
    void aWrongIdleTimeIsNotSaved();
    void skillsAreAddedAndRemoved();
    void aSkillsProblemIsShown();
    void narrowShowsTheFormInPlaceOfTheList();
    void everyControlHasAName();
};

void TestAgents::aRowSaysWhatTheAgentIs()
{
    AgentsRig rig([](ScriptedEngine &engine) {
        engine.sandboxes.add(kScout, s("ci"), s("docker"), s("pending"));
        engine.sandboxes.add(kScout, s("old"), s("docker"), s("deleted"));
        const auto thread = engine.addThread(s("Look"), domain::nowUtc().addSecs(-7200));
        engine.change(thread, [](auto &view) { view.agent = kScout; });
    });
    const AgentModel *model = rig.page().model();
    const QModelIndex row = model->indexOf(kScout);
    QVERIFY(row.isValid());
    const auto cell = [&](AgentModel::Column column) {
        return row.siblingAtColumn(column).data().toString();
    };
    QCOMPARE(cell(AgentModel::Model), s("claude"));
    QCOMPARE(cell(AgentModel::Sandboxes), s("1"));
    QCOMPARE(cell(AgentModel::Threads), s("1"));
    QCOMPARE(cell(AgentModel::Approvals), s("asks for exec"));
    QCOMPARE(cell(AgentModel::Access), s("private"));
    QCOMPARE(cell(AgentModel::Activity), s("2 h ago"));
    const QString spoken = row.data(Qt::AccessibleTextRole).toString();
    QVERIFY(spoken.contains(s("scout")) && spoken.contains(s("Model claude")));
    // A new sandbox is counted without a new list of agents.
    rig.engine.sandboxes.add(kScout, s("more"), s("docker"), s("pending"));
    rig.engine.sandboxes.change(rig.engine.state.sandboxes.last().id, [](auto &) {});
    QTRY_COMPARE(cell(AgentModel::Sandboxes), s("2"));
}

void TestAgents::theSidebarAndKeysOpenThePage()
{
    AgentsRig rig;
    rig.window->showNewThread();
    AgentsRig::click(rig.window->sidebar()->agents());
    QCOMPARE(rig.window->pages()->currentWidget(), &rig.page());
    QVERIFY(rig.window->sidebar()->agents()->isChecked());
    QCOMPARE(rig.window->windowTitle(), s("Agents — Berth"));
    rig.window->showNewThread();
    QTest::keyClick(rig.window.get(), Qt::Key_3, Qt::ControlModifier);
    QCOMPARE(rig.window->pages()->currentWidget(), &rig.page());
    // From the row to its form and back, without a pointer.
    QTRY_VERIFY(rig.page().table()->hasFocus());
    rig.page().table()->setCurrentIndex(rig.page().model()->indexOf(kScout));
    QTest::keyClick(rig.page().table(), Qt::Key_Return);
    QVERIFY(rig.page().panel());
    QCOMPARE(rig.page().panel()->agent(), kScout);
    QTest::keyClick(rig.page().panel(), Qt::Key_Escape);
    QVERIFY(!rig.page().panel());
}

void TestAgents::anAgentIsCreatedByTyping()
{
    AgentsRig rig;
    QTest::keyClick(rig.window.get(), Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    AgentPanel *panel = rig.page().panel();
    QVERIFY(panel && panel->isNew());
    AgentBasics *form = panel->basics();
    QVERIFY(form->name()->hasFocus());
    QVERIFY(!form->bar()->saveButton()->isEnabled());
    QTest::keyClicks(form->name(), s("Builder Two"));
    form->instructions()->setPlainText(s("You look after the build."));
    form->approvals()->setCurrentIndex(1);
    AgentsRig::choose(form->access(), "public");
    AgentsRig::click(form->bar()->saveButton());
    const domain::AgentId id(s("builder-two"));
    QTRY_VERIFY(rig.stored(id));
    const auto sent = rig.engine.last<application::SaveAgent>();
    QVERIFY(sent.isNew);
    QCOMPARE(sent.sandbox, s("default"));
    QCOMPARE(sent.agent.name, s("Builder Two"));
    QCOMPARE(sent.agent.instructions, s("You look after the build."));
    QCOMPARE(sent.agent.autonomy, s("supervised"));
    QCOMPARE(sent.agent.requireApprovalFor, QStringList({s("exec"), s("write")}));
    QCOMPARE(sent.agent.access, s("public"));
    // Its row comes by the event, its form follows.
    QTRY_VERIFY(rig.page().model()->find(id));
    QTRY_VERIFY(rig.page().panel() && rig.page().panel()->agent() == id);
}

void TestAgents::aNewAgentsSandboxIsChosen()
{
    AgentsRig rig;
    AgentsRig::click(rig.page().newButton());
    AgentBasics *form = rig.page().panel()->basics();
    QTRY_COMPARE(form->sandbox()->count(), 3);
    QCOMPARE(form->sandbox()->itemText(0), s("Default — docker-ubuntu"));
    QCOMPARE(form->sandbox()->itemData(1).toString(), s("docker-ubuntu"));
    QCOMPARE(form->sandbox()->itemData(2).toString(), s("none"));
    form->sandbox()->setCurrentIndex(2);
    QTest::keyClicks(form->name(), s("bare"));
    AgentsRig::click(form->bar()->saveButton());
    QTRY_COMPARE(rig.engine.count<application::SaveAgent>(), 1);
    QCOMPARE(rig.engine.last<application::SaveAgent>().sandbox, s("none"));
}

void TestAgents::aDanglingDefaultIsSaidBefore()
{
    AgentsRig rig([](ScriptedEngine &engine) {
        engine.agents.presets.autoProvision = s("gone");
        engine.agents.presets.problem = s("There is no preset \"gone\". There are: docker-ubuntu.");
    });
    AgentsRig::click(rig.page().newButton());
    AgentBasics *form = rig.page().panel()->basics();
    QTRY_VERIFY(form->sandboxRow()->error().contains(s("docker-ubuntu")));
    form->sandbox()->setCurrentIndex(1);
    QVERIFY(form->sandboxRow()->error().isEmpty());
}

void TestAgents::whatTheEngineRefusesStaysInTheForm()
{
    AgentsRig rig;
    domain::Error error;
    error.kind = domain::ErrorKind::InvalidInput;
    error.message = s("There is no preset \"old\"");
    error.detail = s("There are: docker-ubuntu.");
    rig.engine.failures.insert(s("agent.save"), error);
    AgentsRig::click(rig.page().newButton());
    AgentBasics *form = rig.page().panel()->basics();
    QTest::keyClicks(form->name(), s("x"));
    QTest::keyClick(form->name(), Qt::Key_Return);
    QTRY_VERIFY(form->bar()->problem()->isVisible());
    QVERIFY(form->bar()->problem()->title().contains(s("There is no preset")));
    QVERIFY(form->bar()->problem()->detail().contains(s("docker-ubuntu")));
    QCOMPARE(form->name()->text(), s("x"));
    QVERIFY(form->bar()->saveButton()->isEnabled());
}

void TestAgents::aChangeLeavesThePolicyAlone()
{
    AgentsRig rig;
    AgentBasics *form = rig.show(AgentPanel::Tab::Basics)->basics();
    QVERIFY(!form->bar()->saveButton()->isEnabled());
    form->name()->setFocus();
    form->name()->selectAll();
    QTest::keyClicks(form->name(), s("Scout II"));
    AgentsRig::click(form->bar()->saveButton());
    QTRY_COMPARE(rig.engine.count<application::SaveAgent>(), 1);
    const auto sent = rig.engine.last<application::SaveAgent>();
    QVERIFY(!sent.isNew);
    QCOMPARE(sent.agent.id, kScout);
    QCOMPARE(sent.agent.name, s("Scout II"));
    // Empty: as it is.
    QVERIFY(sent.agent.autonomy.isEmpty() && sent.agent.access.isEmpty());
}

void TestAgents::whatIsTypedSurvivesNews()
{
    AgentsRig rig;
    AgentBasics *form = rig.show(AgentPanel::Tab::Basics)->basics();
    form->instructions()->setPlainText(s("half-wri"));
    rig.engine.state.agents.last().model = s("other");
    rig.engine.emitEvent(application::AgentsChanged{rig.engine.state.agents});
    QTRY_COMPARE(rig.page().model()->find(kScout)->model, s("other"));
    QCOMPARE(form->instructions()->toPlainText(), s("half-wri"));
    AgentsRig::click(form->bar()->revertButton());
    QCOMPARE(form->instructions()->toPlainText(), s("You look around."));
}

void TestAgents::leavingAsksWhenSomethingWasTyped()
{
    AgentsRig rig;
    AgentPanel *panel = rig.show(AgentPanel::Tab::Basics);
    panel->basics()->instructions()->setPlainText(s("new words"));
    rig.page().showAgent(domain::AgentId(s("default")));
    QVERIFY(rig.page().question());
    AgentsRig::click(rig.page().question()->cancelButton());
    QCOMPARE(rig.page().panel(), panel);
    QCOMPARE(panel->basics()->instructions()->toPlainText(), s("new words"));
    QTRY_VERIFY(!rig.page().question());
    AgentsRig::click(panel->closeButton());
    QVERIFY(rig.page().question());
    AgentsRig::click(rig.page().question()->actionButton());
    QVERIFY(!rig.page().panel());
    // Nothing typed: nothing asked.
    QTRY_VERIFY(!rig.page().question());
    rig.show(AgentPanel::Tab::Basics);
    rig.page().showAgent(domain::AgentId(s("default")));
    QVERIFY(!rig.page().question());
    QCOMPARE(rig.page().panel()->agent(), domain::AgentId(s("default")));
}

void TestAgents::deletingAsksAndSaysWhatStandsAgainst()
{
    AgentsRig rig([](ScriptedEngine &engine) {
        engine.sandboxes.add(kScout, s("ci"), s("docker"), s("pending"));
        const auto thread = engine.addThread(s("Scrape the tables"), domain::nowUtc());
        engine.change(thread, [](auto &view) { view.agent = kScout; });
        domain::Error error;
        error.kind = domain::ErrorKind::Conflict;
        error.message = s("The agent \"scout\" has threads or sandboxes");
        engine.failures.insert(s("agent.remove"), error);
    });
    AgentPanel *panel = rig.show(AgentPanel::Tab::Basics);
    AgentsRig::click(panel->removeButton());
    QVERIFY(rig.page().question());
    QVERIFY(rig.page().question()->text().contains(s("Scrape the tables")));
    QVERIFY(rig.page().question()->text().contains(s("ci")));
    // The safe button is the default one.
    QVERIFY(rig.page().question()->cancelButton()->isDefault());
    AgentsRig::click(rig.page().question()->cancelButton());
    QCOMPARE(rig.engine.count<application::RemoveAgent>(), 0);
    QTRY_VERIFY(!rig.page().question());
    AgentsRig::click(panel->removeButton());
    AgentsRig::click(rig.page().question()->actionButton());
    QTRY_VERIFY(panel->basics()->bar()->problem()->isVisible());
    const QString why = panel->basics()->bar()->problem()->detail();
    QVERIFY2(why.contains(s("Scrape the tables")) && why.contains(s("ci")), qPrintable(why));
    QVERIFY(rig.stored(kScout));
}

void TestAgents::theDefaultAgentHasNoDelete()
{
    AgentsRig rig;
    rig.page().showAgent(domain::AgentId(s("default")));
    QVERIFY(rig.page().panel());
    QVERIFY(!rig.page().panel()->removeButton());
}

void TestAgents::aDeletedAgentClosesItsForm()
{
    AgentsRig rig;
    AgentsRig::click(rig.show(AgentPanel::Tab::Basics)->removeButton());
    AgentsRig::click(rig.page().question()->actionButton());
    QTRY_VERIFY(!rig.stored(kScout));
    QTRY_VERIFY(!rig.page().panel());
    QTRY_VERIFY(!rig.page().model()->find(kScout));
}

void TestAgents::thePolicyIsSavedWhole()
{
    AgentsRig rig;
    AgentSecurity *form = rig.show(AgentPanel::Tab::Security)->security();
    QTRY_VERIFY(form->isEnabled());
    QCOMPARE(form->autonomy()->value(), s("supervised"));
    QVERIFY(form->asks(s("exec"))->isChecked() && !form->asks(s("write"))->isChecked());
    QVERIFY(!form->bar()->saveButton()->isEnabled());
    form->asks(s("write"))->click();
    QTest::keyClicks(form->tools(), s("glob, grep"));
    AgentsRig::choose(form->access(), "public");
    QVERIFY(form->bar()->saveButton()->isEnabled());
    AgentsRig::click(form->bar()->saveButton());
    QTRY_COMPARE(rig.engine.count<application::SetSecurity>(), 1);
    const QString document = rig.engine.last<application::SetSecurity>().document;
    // Keys without a field stay; a token that nobody touched is not mentioned.
    QVERIFY2(document.contains(s("\"note\":\"kept\"")), qPrintable(document));
    QVERIFY(
        document.contains(s("\"require_approval_for\":[\"exec\",\"write\",\"glob\",\"grep\"]")));
    QVERIFY(!document.contains(s("access_token")));
    QTRY_VERIFY(!form->hasChanges());
    QTRY_COMPARE(rig.stored(kScout)->access, s("public"));
}

void TestAgents::thePolicyAsJsonSaysEachMistake()
{
    AgentsRig rig;
    AgentSecurity *form = rig.show(AgentPanel::Tab::Security)->security();
    QTRY_VERIFY(form->isEnabled());
    AgentsRig::click(form->jsonButton());
    QVERIFY(form->json()->isVisible());
    form->json()->setPlainText(s("{\"access\": "));
    QVERIFY(!form->bar()->saveButton()->isEnabled());
    form->json()->setPlainText(
        s("{\"access\": \"nobody\", \"require_approval_for\": [\"exec\", 3]}"));
    QVERIFY(form->bar()->saveButton()->isEnabled());
    AgentsRig::click(form->bar()->saveButton());
    QTRY_VERIFY(form->bar()->problem()->isVisible());
    const QString why = form->bar()->problem()->detail();
    QVERIFY2(why.contains(s("access: must be one of public, protected, private")), qPrintable(why));
    QVERIFY(why.contains(s("require_approval_for[1]: must be a text")));
    QCOMPARE(why.count(QLatin1Char('\n')), 1);
    QVERIFY(rig.engine.sandboxes.policies[kScout].contains(s("kept")));
}

void TestAgents::jsonAndFieldsShowTheSame()
{
    AgentsRig rig;
    AgentSecurity *form = rig.show(AgentPanel::Tab::Security)->security();
    QTRY_VERIFY(form->isEnabled());
    AgentsRig::choose(form->autonomy(), "full");
    form->showJson(true);
    QVERIFY(form->json()->toPlainText().contains(s("\"autonomy_level\": \"full\"")));
    form->json()->setPlainText(s("{\"autonomy_level\": \"readonly\", \"mine\": 1}"));
    form->showJson(false);
    QCOMPARE(form->autonomy()->value(), s("readonly"));
    QVERIFY(form->hasChanges());
    AgentsRig::click(form->bar()->saveButton());
    QTRY_COMPARE(rig.engine.count<application::SetSecurity>(), 1);
    QVERIFY(rig.engine.last<application::SetSecurity>().document.contains(s("\"mine\":1")));
}

void TestAgents::aTokenIsSetAndRemoved()
{
    AgentsRig rig;
    AgentSecurity *form = rig.show(AgentPanel::Tab::Security)->security();
    QTRY_VERIFY(form->isEnabled());
    AgentsRig::choose(form->access(), "protected");
    QTest::keyClicks(form->token(), s("open-sesame"));
    QCOMPARE(form->token()->echoMode(), QLineEdit::Password);
    AgentsRig::click(form->bar()->saveButton());
    QTRY_VERIFY(rig.engine.sandboxes.tokens.value(kScout));
    // It is never shown again.
    QTRY_VERIFY(form->token()->text().isEmpty());
    form->showJson(true);
    QVERIFY(!form->json()->toPlainText().contains(s("open-sesame")));
    form->showJson(false);
    AgentsRig::choose(form->access(), "private");
    auto *remove = form->token()->parentWidget()->findChild<Button *>();
    QVERIFY(remove && remove->isVisible());
    AgentsRig::click(remove);
    AgentsRig::click(form->bar()->saveButton());
    QTRY_VERIFY(!rig.engine.sandboxes.tokens.value(kScout));
    QVERIFY(
        rig.engine.last<application::SetSecurity>().document.contains(s("\"access_token\":null")));
}

void TestAgents::aPolicyThatChangedMeanwhileKeepsBoth()
{
    AgentsRig rig;
    AgentSecurity *form = rig.show(AgentPanel::Tab::Security)->security();
    QTRY_VERIFY(form->isEnabled());
    form->asks(s("write"))->click();
    rig.engine.sandboxes.policies[kScout] = s("{\"autonomy_level\":\"full\",\"n\":\"theirs\"}");
    form->load();
    QTRY_COMPARE(form->autonomy()->value(), s("full"));
    AgentsRig::click(form->bar()->saveButton());
    QTRY_COMPARE(rig.engine.count<application::SetSecurity>(), 1);
    const QString saved = rig.engine.last<application::SetSecurity>().document;
    QVERIFY2(saved.contains(s("theirs")) && saved.contains(s("\"write\"")), qPrintable(saved));
}

void TestAgents::aDocumentThatChangedMeanwhileSaysSo()
{
    AgentsRig rig;
    AgentSecurity *form = rig.show(AgentPanel::Tab::Security)->security();
    QTRY_VERIFY(form->isEnabled());
    form->showJson(true);
    form->json()->setPlainText(s("{\"autonomy_level\": \"full\"}"));
    rig.engine.sandboxes.policies[kScout] = s("{\"autonomy_level\": \"readonly\"}");
    form->load();
    QTRY_VERIFY(form->bar()->problem()->title().contains(s("changed meanwhile")));
    const auto sent = [&rig] { return rig.engine.count<application::SetSecurity>() > 0; };
    AgentsRig::click(form->bar()->saveButton());
    QVERIFY(!QTest::qWaitFor(sent, 30));
    AgentsRig::click(form->bar()->saveButton());
    QTRY_VERIFY(sent());
}

void TestAgents::theLifecycleIsSaved()
{
    AgentsRig rig;
    LifecycleForm *form = rig.show(AgentPanel::Tab::Lifecycle)->lifecycle();
    QTRY_VERIFY(form->isEnabled());
    QVERIFY(form->summary().contains(s("stops after 30 min idle")));
    AgentsRig::choose(form->start(), "session");
    QTest::keyClicks(form->idle(), s("5"));
    QVERIFY(form->summary().contains(s("starts with a session, stops after 5 min idle")));
    AgentsRig::click(form->bar()->saveButton());
    QTRY_COMPARE(rig.engine.count<application::SetLifecycle>(), 1);
    const auto sent = rig.engine.last<application::SetLifecycle>();
    QCOMPARE(sent.agent, kScout);
    QVERIFY(sent.sandbox.isNull());
    QCOMPARE(sent.own.start, std::optional(domain::StartPolicy::Session));
    QVERIFY(!sent.own.stop);
    QCOMPARE(sent.own.idleTimeoutMinutes, std::optional(5));
    QTRY_VERIFY(!form->hasChanges());
}

void TestAgents::aWrongIdleTimeIsNotSaved()
{
    AgentsRig rig;
    LifecycleForm *form = rig.show(AgentPanel::Tab::Lifecycle)->lifecycle();
    QTRY_VERIFY(form->isEnabled());
    for (const char *wrong : {"-1", "10081", "soon", "2.5"}) {
        form->idle()->clear();
        QTest::keyClicks(form->idle(), s(wrong));
        QVERIFY2(!form->bar()->saveButton()->isEnabled(), wrong);
        QVERIFY2(!form->idleRow()->error().isEmpty(), wrong);
    }
    form->idle()->clear();
    QTest::keyClicks(form->idle(), s("0"));
    QVERIFY(form->bar()->saveButton()->isEnabled());
    QVERIFY(form->summary().contains(s("never stops by itself")));
}

void TestAgents::skillsAreAddedAndRemoved()
{
    AgentsRig rig([](ScriptedEngine &engine) {
        engine.sandboxes.add(kScout, s("ci"), s("docker"), s("pending"));
    });
    AgentSkills *form = rig.show(AgentPanel::Tab::Skills)->skills();
    QTRY_VERIFY(form->isEnabled());
    AgentsRig::click(form->addButton());
    QVERIFY(form->chooser());
    form->chooser()->reject();
    form->addFolder(s("/home/ada/skills/Release Notes"));
    QCOMPARE(form->rows().size(), 1);
    QCOMPARE(form->rows().first()->name()->text(), s("release-notes"));
    AgentsRig::click(form->bar()->saveButton());
    QTRY_COMPARE(rig.engine.count<application::SetSkills>(), 1);
    QCOMPARE(rig.engine.last<application::SetSkills>().skills.first().source,
             s("/home/ada/skills/Release Notes"));
    QTRY_VERIFY(form->pendingText().contains(s("ci")));
    form->rows().first()->removeButton()->click();
    QVERIFY(form->rows().isEmpty());
    AgentsRig::click(form->bar()->saveButton());
    QTRY_COMPARE(rig.engine.count<application::SetSkills>(), 2);
    QVERIFY(rig.engine.last<application::SetSkills>().skills.isEmpty());
}

void TestAgents::aSkillsProblemIsShown()
{
    AgentsRig rig([](ScriptedEngine &engine) {
        application::SkillView skill;
        skill.name = s("notes");
        skill.source = s("/srv/notes");
        skill.problem = s("It is not there any more");
        engine.sandboxes.skills[kScout].skills = {skill};
    });
    AgentSkills *form = rig.show(AgentPanel::Tab::Skills)->skills();
    QTRY_COMPARE(form->rows().size(), 1);
    QCOMPARE(form->rows().first()->problem(), s("It is not there any more"));
    // Two of one name, and a wrong name, are not sent.
    form->addFolder(s("/srv/notes"));
    AgentsRig::click(form->bar()->saveButton());
    QVERIFY(!form->rows().last()->problem().isEmpty());
    QCOMPARE(rig.engine.count<application::SetSkills>(), 0);
    form->rows().last()->name()->setText(s("more"));
    form->rows().last()->setSource(s("/srv/missing"));
    AgentsRig::click(form->bar()->saveButton());
    QTRY_VERIFY(form->bar()->problem()->isVisible());
    QVERIFY(form->bar()->problem()->title().contains(s("/srv/missing is not a folder")));
    QCOMPARE(form->rows().size(), 2);
}

void TestAgents::narrowShowsTheFormInPlaceOfTheList()
{
    AgentsRig rig;
    rig.window->resize(880, 560);
    rig.show(AgentPanel::Tab::Basics);
    QTRY_VERIFY(!rig.page().table()->isVisible());
    QVERIFY(rig.page().panel()->isVisible());
    rig.page().closePanel();
    QVERIFY(rig.page().table()->isVisible());
    rig.window->resize(1440, 900);
    rig.show(AgentPanel::Tab::Basics);
    QTRY_VERIFY(rig.page().table()->isVisible() && rig.page().panel()->isVisible());
}

void TestAgents::everyControlHasAName()
{
    AgentsRig rig;
    for (const auto tab : {AgentPanel::Tab::Basics, AgentPanel::Tab::Security,
                           AgentPanel::Tab::Lifecycle, AgentPanel::Tab::Skills}) {
        AgentPanel *panel = rig.show(tab);
        for (QWidget *widget : panel->findChildren<QWidget *>()) {
            const bool operated = qobject_cast<QLineEdit *>(widget)
                || qobject_cast<QComboBox *>(widget) || qobject_cast<QPlainTextEdit *>(widget)
                || qobject_cast<QAbstractButton *>(widget);
            if (!operated || !widget->isVisible())
                continue;
            auto *button = qobject_cast<QAbstractButton *>(widget);
            const bool named =
                !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty());
            QVERIFY2(named, widget->metaObject()->className());
        }
    }
}

QTEST_MAIN(TestAgents)
#include "test_agents.moc"
