// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shots/scenes_agents.h"

#include "domain/text.h"
#include "shots/sample_state.h"
#include "ui/agents/agent_basics.h"
#include "ui/agents/agent_security.h"
#include "ui/agents/agents_page.h"
#include "ui/models/sandbox_model.h"
#include "ui/sandboxes/add_sandbox_panel.h"
#include "ui/sandboxes/sandbox_actions.h"
#include "ui/sandboxes/sandboxes_page.h"
#include "ui/settings/preset_card.h"
#include "ui/settings/preset_fields.h"
#include "ui/settings/preset_section.h"
#include "ui/settings/settings_page.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card_table.h"
#include "ui/widgets/confirm_dialog.h"
#include "ui/widgets/save_bar.h"

#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>

namespace berth::shots {

using namespace berth::ui;
using domain::ObservedState;

namespace {

const domain::AgentId kScout(QStringLiteral("scout"));

void fillRows(test::ScriptedEngine &engine)
{
    fill(engine);
    fillAgents(engine);
    test::ScriptedSandboxes &rows = engine.sandboxes;
    const domain::AgentId archivist(QStringLiteral("archivist"));
    const QDateTime now = domain::nowUtc();
    const auto age = [&](qint64 seconds) {
        engine.state.runtimes.last().observedAt = now.addSecs(-seconds);
        rows.find(engine.state.runtimes.last().sandbox)->lastSeenAt = now.addSecs(-seconds);
    };
    rows.addRunning(kScout, QStringLiteral("default"), QStringLiteral("docker"),
                    ObservedState::Paused);
    age(7300);
    rows.addRunning(kScout, QStringLiteral("ci"), QStringLiteral("daytona"),
                    ObservedState::Archived);
    engine.state.runtimes.last().name = QStringLiteral("5b1e0c9a-77d2-4c1f-9a55-b6f1a2c37d77");
    age(800'000);
    rows.add(kScout, QStringLiteral("gpu"), QStringLiteral("tenki"), QStringLiteral("pending"));
    const auto far = rows.addRunning(archivist, QStringLiteral("far"), QStringLiteral("docker"));
    rows.find(far.id)->notice = QStringLiteral("on another engine");
    const auto left =
        rows.addRunning(archivist, QStringLiteral("default"), QStringLiteral("e2b")).id;
    engine.state.runtimes.last().name = QStringLiteral("k8d0xq2m1c");
    age(20);
    application::SandboxView row = *rows.find(left);
    row.status = QStringLiteral("deleted");
    engine.state.sandboxes.removeIf([&left](const auto &one) { return one.id == left; });
    rows.deleted.append(row);
    application::SkillView notes;
    notes.name = QStringLiteral("release-notes");
    notes.source = QStringLiteral("/home/ada/skills/release-notes");
    application::SkillView gone;
    gone.name = QStringLiteral("style-guide");
    gone.source = QStringLiteral("/home/ada/old/style-guide");
    gone.problem = QStringLiteral("The folder is not there");
    rows.skills[kScout].skills = {notes, gone};
    rows.skills[kScout].pending = {QStringLiteral("ci"), QStringLiteral("gpu")};
    for (application::AgentView &agent : engine.state.agents) {
        if (agent.autonomy == QLatin1String("supervised"))
            agent.requireApprovalFor = {QStringLiteral("exec")};
    }
    for (application::PresetView &preset : engine.agents.presets.presets) {
        if (preset.type == QLatin1String("docker"))
            preset.config = QStringLiteral("{\"docker.image\":\"ubuntu:24.04\","
                                           "\"docker.memory_limit\":\"2g\"}");
    }
    application::PresetView broken;
    broken.name = QStringLiteral("old-gpu");
    broken.type = QStringLiteral("docker");
    broken.problem = QStringLiteral("Docker sandboxes have no setting \"gpus\"");
    engine.agents.presets.presets.append(broken);
    engine.agents.presets.path = QStringLiteral("~/.config/berth/gateway.json");
}

bool playAgents(Stage &stage, const QSize &size, const std::function<bool(AgentsPage &)> &then)
{
    fillRows(stage.engine);
    if (!stage.open(size))
        return false;
    stage.window->showAgents();
    const bool done = then(*stage.window->agentsPage());
    Stage::settle(120);
    return done;
}

bool playSandboxes(Stage &stage, const QSize &size, bool filled,
                   const std::function<bool(SandboxesPage &)> &then)
{
    if (filled)
        fillRows(stage.engine);
    if (!stage.open(size))
        return false;
    stage.window->showSandboxes();
    Stage::settle(80);
    const bool done = then(*stage.window->sandboxesPage());
    Stage::settle(120);
    return done;
}

bool playPresets(Stage &stage, const QSize &size, const std::function<bool(PresetSection &)> &then)
{
    fillRows(stage.engine);
    if (!stage.open(size))
        return false;
    stage.window->showSettings();
    stage.window->settingsPage()->showSection(SettingsPage::Section::Presets);
    auto *section = stage.window->findChild<PresetSection *>();
    if (!section || !Stage::wait([section] { return section->cards().size() == 3; }))
        return false;
    const bool done = then(*section);
    Stage::settle(120);
    return done;
}

Scene agentScene(const char *name, const std::function<bool(AgentsPage &)> &then)
{
    return {QString::fromLatin1(name),
            [then](Stage &stage, const QSize &size) { return playAgents(stage, size, then); }};
}

Scene agentTab(const char *name, AgentPanel::Tab tab)
{
    return agentScene(name, [tab](AgentsPage &page) {
        page.showAgent(kScout, tab);
        return page.panel() != nullptr;
    });
}

Scene rowScene(const char *name, const std::function<bool(SandboxesPage &)> &then)
{
    return {QString::fromLatin1(name), [then](Stage &stage, const QSize &size) {
                return playSandboxes(stage, size, true, then);
            }};
}

} // namespace

QList<Scene> agentScenes()
{
    return {
        agentScene("agents", [](AgentsPage &) { return true; }),
        agentScene("agents-new",
                   [](AgentsPage &page) {
                       page.addAgent();
                       AgentBasics *form = page.panel()->basics();
                       form->name()->setText(QStringLiteral("builder-2"));
                       Q_EMIT form->name()->textEdited(form->name()->text());
                       form->instructions()->setPlainText(
                           QStringLiteral("You look after the build…"));
                       return true;
                   }),
        agentTab("agent-form", AgentPanel::Tab::Basics),
        agentTab("agent-security", AgentPanel::Tab::Security),
        agentScene("agent-security-json",
                   [](AgentsPage &page) {
                       page.showAgent(kScout, AgentPanel::Tab::Security);
                       AgentSecurity *form = page.panel()->security();
                       if (!Stage::wait([form] { return form->isEnabled(); }))
                           return false;
                       form->showJson(true);
                       form->json()->setPlainText(QStringLiteral(
                           "{\n  \"access\": \"nobody\",\n  \"autonomy_level\": \"supervised\",\n"
                           "  \"require_approval_for\": [\n    \"exec\",\n    3\n  ]\n}"));
                       form->bar()->saveButton()->click();
                       return Stage::wait([form] { return !form->bar()->problem()->isHidden(); });
                   }),
        agentTab("agent-lifecycle", AgentPanel::Tab::Lifecycle),
        agentTab("agent-skills", AgentPanel::Tab::Skills),
        {QStringLiteral("agent-delete"),
         [](Stage &stage, const QSize &size) {
             return playAgents(stage, size, [&stage](AgentsPage &page) {
                 page.showAgent(kScout);
                 Q_EMIT page.panel()->removeRequested();
                 stage.over = page.question();
                 return stage.over != nullptr;
             });
         }},
        rowScene("sandboxes", [](SandboxesPage &) { return true; }),
        {QStringLiteral("sandboxes-empty"),
         [](Stage &stage, const QSize &size) {
             return playSandboxes(stage, size, false, [](SandboxesPage &) { return true; });
         }},
        rowScene("sandbox-add",
                 [](SandboxesPage &page) {
                     page.addSandbox();
                     page.addPanel()->alias()->setText(QStringLiteral("wheel"));
                     return true;
                 }),
        rowScene("sandbox-row",
                 [](SandboxesPage &page) {
                     for (const auto &row : page.model()->rows()) {
                         if (row.agent == kScout && row.alias == QLatin1String("default"))
                             page.showSandbox(row.id);
                     }
                     return page.panel() != nullptr;
                 }),
        {QStringLiteral("sandbox-remove"),
         [](Stage &stage, const QSize &size) {
             return playSandboxes(stage, size, true, [&stage](SandboxesPage &page) {
                 page.actions()->remove(page.model()->rows().first().id, true, page.window());
                 stage.over = page.actions()->question();
                 return stage.over != nullptr;
             });
         }},
        {QStringLiteral("presets"),
         [](Stage &stage, const QSize &size) {
             return playPresets(stage, size, [](PresetSection &section) {
                 PresetCard *card = section.cards().first();
                 card->setExpanded(true);
                 return Stage::wait([card] { return card->fields()->fields() != nullptr; });
             });
         }},
        {QStringLiteral("presets-new"),
         [](Stage &stage, const QSize &size) {
             return playPresets(stage, size, [](PresetSection &section) {
                 section.addPreset();
                 PresetCard *card = section.cards().last();
                 return Stage::wait([card] { return card->fields()->fields() != nullptr; });
             });
         }},
    };
}

} // namespace berth::shots
