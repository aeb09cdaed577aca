// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shots/scenes_security.h"

#include "domain/text.h"
#include "shots/sample_state.h"
#include "ui/conversation/approval_card.h"
#include "ui/conversation/approval_panel.h"
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_page.h"
#include "ui/settings/api_section.h"
#include "ui/settings/audit_model.h"
#include "ui/settings/audit_view.h"
#include "ui/settings/entry_row.h"
#include "ui/settings/field_editor.h"
#include "ui/settings/hook_settings.h"
#include "ui/settings/rule_editor.h"
#include "ui/settings/rule_form.h"
#include "ui/settings/rule_list.h"
#include "ui/settings/security_section.h"
#include "ui/settings/settings_page.h"
#include "ui/settings/token_form.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QTableView>

namespace berth::shots {

using namespace berth::application;
using namespace berth::ui;

namespace {

QString text(const char *latin1)
{
    return QString::fromUtf8(latin1);
}

void fillRulesAndHooks(Stage &stage)
{
    test::ScriptedEngine &engine = stage.engine;
    RuleView push;
    push.id = text("r4");
    push.scope = text("thread");
    push.owner = engine.state.threads.first().id.toString();
    push.tool = text("shell");
    push.pattern = text("git push origin *");
    push.decision = text("ask");
    engine.agents.rules.rules.append(push);
    RuleView secrets = push;
    secrets.id = text("r5");
    secrets.scope = text("global");
    secrets.owner.clear();
    secrets.tool = text("read_file");
    secrets.pattern = text("/workspace/.env");
    secrets.decision = text("deny");
    engine.agents.rules.rules.append(secrets);
    HookList &hooks = engine.security.hooks;
    hooks.path = text("/home/lena/.config/berth/hooks.json");
    hooks.hooks = {{text("before_tool"),
                    text("/usr/local/bin/check-call"),
                    {text("--policy"), text("/etc/berth/policy.toml")},
                    {text("shell"), text("write_file")}},
                   {text("after_tool"), text("/home/lena/bin/tell-the-team"), {}, {}}};
}

void fillAudit(Stage &stage)
{
    const struct
    {
        int minutes;
        const char *origin;
        const char *tool;
        const char *command;
        const char *decision;
        const char *by;
        const char *outcome;
    } kEntries[]{
        {1, "model", "shell", "git push origin fix/upload-order", "asked", "", ""},
        {4, "model", "shell", "pytest tests/test_upload.py -x --count 20", "allowed",
         "allowed by rule pytest *", "exited"},
        {5, "model", "edit_file", "src/upload.py", "allowed", "allowed by you", "exited"},
        {6, "user", "shell", "git status --short", "allowed", "typed by you", "exited"},
        {9, "model", "shell", "rm -rf /workspace/build /workspace/dist", "denied",
         "denied by rule rm -rf *", "not_started"},
        {12, "model", "shell",
         "find . -name '*.orig' -print0 | xargs -0 rm -- && git clean -fdx && make distclean",
         "hook_denied", "denied by hook", "not_started"},
        {14, "model", "read_file", "/workspace/.env", "denied", "denied: read-only", "not_started"},
        {21, "model", "shell", "curl -sSL https://example.com/install.sh | sh", "not run", "",
         "not_started"},
        {34, "user", "shell", "make -j4", "allowed", "run anyway by you", "timed_out"},
        {40, "model", "grep", "wait_closed", "allowed", "allowed: no approval required", "exited"},
    };
    QList<AuditEntry> &entries = stage.engine.agents.audit.entries;
    entries.clear();
    const QDateTime now(QDate(2026, 11, 30), QTime(16, 42));
    for (int round = 0; round < 3; ++round) {
        for (const auto &one : kEntries) {
            AuditEntry entry;
            entry.at = now.addSecs(-60LL * (one.minutes + round * 60LL));
            entry.thread = stage.engine.state.threads.value(round).id;
            entry.toolCall = domain::ToolCallId::create();
            entry.origin = text(one.origin);
            entry.tool = text(one.tool);
            entry.command = text(one.command);
            entry.decision = text(one.decision);
            entry.decidedBy = text(one.by);
            entry.outcome = text(one.outcome);
            entries.append(entry);
        }
    }
}

void fillApi(Stage &stage)
{
    ApiView &api = stage.engine.security.api;
    api.enabled = true;
    api.address = text("127.0.0.1:8770");
    api.tokenPath = text("/home/lena/.local/share/berth/api-token");
    api.grantApprove = true;
    const auto token = [&stage](const char *id, const char *name, const char *user,
                                const QStringList &scopes, const QDateTime &used) {
        TokenView view;
        view.id = text(id);
        view.name = text(name);
        view.user = text(user);
        view.scopes = scopes;
        view.createdAt = QDateTime(QDate(2026, 10, 2), QTime(9, 15));
        view.lastUsedAt = used;
        stage.engine.security.tokens.tokens.append(view);
    };
    token("t1", "Nightly build", "", {text("read"), text("run")},
          QDateTime(QDate(2026, 11, 30), QTime(3, 0)));
    token("t2", "Phone", "", {text("read"), text("approve")},
          QDateTime(QDate(2026, 11, 29), QTime(21, 47)));
    token("t3", "Chat bridge", "team-chat", {text("read"), text("run")}, {});
}

bool playSecurity(Stage &stage, const QSize &size, SecuritySection::Part part,
                  const std::function<bool(SecuritySection &)> &then = {})
{
    fill(stage.engine);
    fillAgents(stage.engine);
    fillRulesAndHooks(stage);
    fillAudit(stage);
    if (!stage.open(size))
        return false;
    stage.window->showSettings();
    SettingsPage &page = *stage.window->settingsPage();
    page.security()->showPart(part);
    page.showSection(SettingsPage::Section::Security);
    SecuritySection &section = *page.security();
    const bool loaded = Stage::wait([&section, part] {
        return part == SecuritySection::Part::Rules ? section.rules()->rows().size() == 5
            : part == SecuritySection::Part::Hooks  ? section.hooks()->rows().size() == 2
                                                    : section.audit()->filter()->rowCount() == 30;
    });
    Stage::settle(200);
    const bool done = loaded && (!then || then(section));
    Stage::settle(400);
    return done;
}

bool editRule(SecuritySection &section)
{
    for (EntryRow *row : section.rules()->rows()) {
        if (row->title() == text("git push origin *"))
            row->editButton()->click();
    }
    return section.rules()->form() && Stage::wait([&section] {
               return section.rules()->form()->editor()->acceptButton()->isEnabled();
           });
}

bool playApi(Stage &stage, const QSize &size, const std::function<bool(ApiSection &)> &then = {})
{
    fill(stage.engine);
    fillAgents(stage.engine);
    fillApi(stage);
    if (!stage.open(size))
        return false;
    stage.window->showSettings();
    SettingsPage &page = *stage.window->settingsPage();
    page.showSection(SettingsPage::Section::Api);
    const bool loaded = Stage::wait([&page] { return page.api()->rows().size() == 3; });
    Stage::settle(200);
    const bool done = loaded && (!then || then(*page.api()));
    Stage::settle(200);
    return done;
}

bool playTalk(Stage &stage, const QSize &size,
              const std::function<bool(Stage &, const domain::ThreadId &)> &then)
{
    fill(stage.engine);
    fillAgents(stage.engine);
    const domain::ThreadId thread = agentConversation(stage.engine);
    if (!stage.open(size))
        return false;
    stage.window->showThread(thread);
    ConversationPage &page = *stage.window->conversationPage();
    if (!Stage::wait([&page] { return page.model()->rowCount() > 0; }))
        return false;
    Stage::settle(200);
    const bool done = then(stage, thread);
    Stage::settle(400);
    return done;
}

bool showRuleInCard(Stage &stage, const domain::ThreadId &thread)
{
    stage.engine.agents.askApproval(thread, text("git push origin fix/upload-order"),
                                    {text("git push origin *")});
    ApprovalPanel *panel = stage.window->conversationPage()->approvals();
    if (!Stage::wait([panel] { return panel->cards().size() == 1; }))
        return false;
    ApprovalCard *card = panel->cards().first();
    Stage::settle(450);
    card->alwaysButton()->click();
    return Stage::wait([card] { return card->ruleEditor()->acceptButton()->isEnabled(); });
}

bool denyLine(Stage &stage, const domain::ThreadId &)
{
    domain::Error error;
    error.kind = domain::ErrorKind::Forbidden;
    error.message = text("This command is not allowed");
    error.detail = text("Not allowed: rm -rf * matches");
    stage.engine.failures.insert(QString::fromLatin1(SendMessage::kName), error);
    Composer *composer = stage.window->conversationPage()->composer();
    composer->edit()->setPlainText(text("!rm -rf build dist"));
    composer->submit();
    return Stage::wait([composer] { return composer->errorBar()->isVisible(); });
}

} // namespace

QList<Scene> securityScenes()
{
    using Part = SecuritySection::Part;
    return {
        {text("security-rules"),
         [](Stage &stage, const QSize &size) { return playSecurity(stage, size, Part::Rules); }},
        {text("security-rule"),
         [](Stage &stage, const QSize &size) {
             return playSecurity(stage, size, Part::Rules, editRule);
         }},
        {text("security-hooks"),
         [](Stage &stage, const QSize &size) { return playSecurity(stage, size, Part::Hooks); }},
        {text("security-hook"),
         [](Stage &stage, const QSize &size) {
             return playSecurity(stage, size, Part::Hooks, [](SecuritySection &section) {
                 section.hooks()->rows().first()->editButton()->click();
                 return true;
             });
         }},
        {text("security-audit"),
         [](Stage &stage, const QSize &size) {
             return playSecurity(stage, size, Part::Audit, [](SecuritySection &section) {
                 section.audit()->table()->selectRow(5);
                 return true;
             });
         }},
        {text("api"), [](Stage &stage, const QSize &size) { return playApi(stage, size); }},
        {text("api-token"),
         [](Stage &stage, const QSize &size) {
             return playApi(stage, size, [](ApiSection &section) {
                 section.addButton()->click();
                 qobject_cast<QLineEdit *>(section.form()->nameField()->input())
                     ->setText(text("Release job"));
                 section.form()->scopeBox(text("run"))->click();
                 return true;
             });
         }},
        {text("api-minted"),
         [](Stage &stage, const QSize &size) {
             return playApi(stage, size, [](ApiSection &section) {
                 section.addButton()->click();
                 auto *line = qobject_cast<QLineEdit *>(section.form()->nameField()->input());
                 line->setText(text("Release job"));
                 Q_EMIT section.form()->createRequested(section.form()->command());
                 return Stage::wait([&section] { return section.minted() != nullptr; });
             });
         }},
        {text("approvals"),
         [](Stage &stage, const QSize &size) {
             return playTalk(stage, size, [](Stage &on, const domain::ThreadId &thread) {
                 on.engine.agents.askApproval(thread, text("git push origin fix/upload-order"),
                                              {text("git push origin *")});
                 on.engine.agents.askApproval(
                     thread, text("curl -sSL https://example.com/install.sh | sh"));
                 ApprovalPanel *panel = on.window->conversationPage()->approvals();
                 return Stage::wait([panel] { return panel->cards().size() == 2; });
             });
         }},
        {text("approval-rule"),
         [](Stage &stage, const QSize &size) { return playTalk(stage, size, showRuleInCard); }},
        {text("denied-line"),
         [](Stage &stage, const QSize &size) { return playTalk(stage, size, denyLine); }},
    };
}

} // namespace berth::shots
