// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Settings, Security: rules, hooks and the audit, by clicks and keys.
#include "ui/settings/audit_model.h"
#include "ui/settings/audit_view.h"
#include "ui/settings/entry_row.h"
#include "ui/settings/field_editor.h"
#include "ui/settings/hook_form.h"
#include "ui/settings/hook_settings.h"
#include "ui/settings/rule_editor.h"
#include "ui/settings/rule_form.h"
#include "ui/settings/rule_list.h"
#include "ui/settings/security_section.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/choices.h"
#include "ui/widgets/label.h"
#include "ui/widgets/search_field.h"
#include "ui/widgets/tab_strip.h"
#include "widget/support/scripted_engine.h"

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtTest/QTest>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QTableView>

using namespace berth;
using namespace berth::ui;
using test::ScriptedEngine;

namespace {

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

void click(QWidget *button)
{
    QTest::mouseClick(button, Qt::LeftButton);
}

//! The chip with that word.
void choose(QWidget *chips, const char *word)
{
    for (QPushButton *chip : chips->findChildren<QPushButton *>()) {
        if (chip->text() == s(word)) {
            click(chip);
            return;
        }
    }
    QFAIL(word);
}

void fill(QLineEdit *line, const char *text)
{
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, s(text));
}

struct SecurityFixture
{
    SecurityFixture()
    {
        engine.fillProviders();
        thread = engine.addThread(s("Fix the test"), QDateTime::currentDateTimeUtc());
        addRule("r1", "global", {}, "git status", "allow");
        addRule("r2", "thread", thread.toString(), "git push *", "ask");
        addRule("r3", "agent", s("default"), "rm -rf *", "deny");
    }
    void addRule(const char *id, const char *scope, const QString &owner, const char *pattern,
                 const char *decision)
    {
        application::RuleView rule;
        rule.id = s(id);
        rule.scope = s(scope);
        rule.owner = owner;
        rule.tool = s("shell");
        rule.pattern = s(pattern);
        rule.decision = s(decision);
        engine.agents.rules.rules.append(rule);
    }
    //! \a at: minutes ago.
    void addEntry(qint64 at, const char *command, const char *decision, const char *by)
    {
        application::AuditEntry entry;
        entry.at = now.addSecs(-60 * at);
        entry.thread = thread;
        entry.toolCall = domain::ToolCallId::create();
        entry.origin = s("model");
        entry.tool = s("shell");
        entry.command = s(command);
        entry.decision = s(decision);
        entry.decidedBy = s(by);
        engine.agents.audit.entries.append(entry);
    }
    void open(SecuritySection::Part part = SecuritySection::Part::Rules)
    {
        client = engine.makeClient();
        [this] { QTRY_VERIFY(client->isConnected()); }();
        section = std::make_unique<SecuritySection>(*client);
        section->resize(860, 800);
        section->showPart(part);
        section->show();
        section->loadNames();
        [this] { QVERIFY(QTest::qWaitForWindowActive(section.get())); }();
    }
    [[nodiscard]] EntryRow *rule(const char *pattern) const
    {
        for (EntryRow *row : section->rules()->rows()) {
            if (row->title() == s(pattern))
                return row;
        }
        return nullptr;
    }
    [[nodiscard]] const application::RuleView *stored(const char *pattern) const
    {
        for (const application::RuleView &rule : engine.agents.rules.rules) {
            if (rule.pattern == s(pattern))
                return &rule;
        }
        return nullptr;
    }

    ScriptedEngine engine;
    domain::ThreadId thread;
    QDateTime now = QDateTime::currentDateTimeUtc();
    std::unique_ptr<application::InProcessClient> client;
    std::unique_ptr<SecuritySection> section;
};

} // namespace

class TestSettingsSecurity final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void rulesSayWhatWinsAndForWhom()
    {
        SecurityFixture f;
        f.open();
        QTRY_COMPARE(f.section->rules()->rows().size(), 3);
        QCOMPARE(f.section->rules()->rows().first()->title(), s("rm -rf *"));
        QCOMPARE(f.rule("rm -rf *")->chip()->text(), s("Deny"));
        QCOMPARE(f.rule("git status")->chip()->text(), s("Allow"));
        QTRY_VERIFY(f.rule("git push *")->detail().contains(s("Fix the test")));
        QVERIFY(f.rule("rm -rf *")->detail().contains(s("default")));
        QVERIFY(f.rule("git status")->editButton()->accessibleName().contains(s("git status")));
    }

    void aRuleIsAdded()
    {
        SecurityFixture f;
        f.open();
        QTRY_VERIFY(f.rule("git push *") && f.rule("git push *")->detail().contains(s("Fix")));
        click(f.section->rules()->addButton());
        RuleForm *form = f.section->rules()->form();
        QVERIFY(form);
        RuleEditor *editor = form->editor();
        QLineEdit *line = editor->patternLines().value(0);
        QCOMPARE(f.section->focusWidget(), line);
        // Nothing without a pattern that the Engine took.
        QVERIFY(!editor->acceptButton()->isEnabled());
        choose(form->decisionField()->input(), "Deny");
        choose(form->scopeField()->input(), "One agent");
        QVERIFY(form->agentField()->isVisible());
        QVERIFY(!form->threadField()->isVisible());
        fill(line, "curl *");
        QVERIFY(!editor->acceptButton()->isEnabled());
        QTRY_VERIFY(editor->acceptButton()->isEnabled());
        QVERIFY(editor->matches()->text().contains(s("curl * --all")));
        QVERIFY(editor->asks()->text().contains(s("rm -rf /")));
        QVERIFY(f.engine.last<application::SaveRule>().dryRun);
        QVERIFY(!f.stored("curl *"));
        click(editor->acceptButton());
        QTRY_VERIFY(f.stored("curl *"));
        QCOMPARE(f.stored("curl *")->decision, s("deny"));
        QCOMPARE(f.stored("curl *")->scope, s("agent"));
        QCOMPARE(f.stored("curl *")->owner, s("default"));
        QTRY_VERIFY(f.rule("curl *"));
        QVERIFY(!f.section->rules()->form());
        QCOMPARE(f.section->focusWidget(), f.section->rules()->addButton());
    }

    void aRuleIsChanged()
    {
        SecurityFixture f;
        f.open();
        QTRY_VERIFY(f.rule("git push *"));
        click(f.rule("git push *")->editButton());
        RuleForm *form = f.section->rules()->form();
        QVERIFY(form);
        QCOMPARE(form->editor()->patterns(), QStringList{s("git push *")});
        QCOMPARE(form->target().owner, f.thread.toString());
        QTRY_VERIFY(form->editor()->acceptButton()->isEnabled());
        choose(form->scopeField()->input(), "Everything");
        // Another rule: its examples are asked for again.
        QVERIFY(!form->editor()->acceptButton()->isEnabled());
        QTRY_VERIFY(form->editor()->acceptButton()->isEnabled());
        click(form->editor()->acceptButton());
        QTRY_COMPARE(f.stored("git push *")->scope, s("global"));
        QCOMPARE(f.stored("git push *")->owner, QString());
        QCOMPARE(f.stored("git push *")->id, s("r2"));
        QCOMPARE(f.engine.agents.rules.rules.size(), 3);
        QTRY_COMPARE(f.section->rules()->rows().size(), 3);
    }

    void whatIsNotTakenStaysInTheForm()
    {
        SecurityFixture f;
        f.open();
        QTRY_VERIFY(f.rule("git status"));
        click(f.rule("git status")->editButton());
        RuleForm *form = f.section->rules()->form();
        QTRY_VERIFY(form->editor()->acceptButton()->isEnabled());
        f.engine.failures.insert(QString::fromLatin1(application::SaveRule::kName),
                                 {domain::ErrorKind::Storage, s("The disk is full"), {}});
        click(form->editor()->acceptButton());
        QTRY_VERIFY(form->editor()->problem()->text().contains(s("The disk is full")));
        QCOMPARE(form->editor()->patterns(), QStringList{s("git status")});
        QVERIFY(form->editor()->acceptButton()->isEnabled());
        QTest::keyClick(form->editor()->patternLines().first(), Qt::Key_Escape);
        QVERIFY(!f.section->rules()->form());
    }

    void removingARuleAsks()
    {
        SecurityFixture f;
        f.open();
        QTRY_VERIFY(f.rule("git status"));
        EntryRow *row = f.rule("git status");
        click(row->removeButton());
        QVERIFY(row->question()->isVisible());
        QCOMPARE(f.section->focusWidget(), row->cancelButton());
        QTest::keyClick(row->cancelButton(), Qt::Key_Escape);
        QVERIFY(!row->question()->isVisible());
        QCOMPARE(f.section->focusWidget(), row->removeButton());
        QVERIFY(f.stored("git status"));
        click(row->removeButton());
        click(row->confirmButton());
        QTRY_VERIFY(!f.stored("git status"));
        QTRY_COMPARE(f.section->rules()->rows().size(), 2);
    }

    void hooksAreSavedWhole()
    {
        SecurityFixture f;
        application::HookView first;
        first.program = s("/usr/bin/first");
        f.engine.security.hooks.hooks = {first};
        f.open(SecuritySection::Part::Hooks);
        HookSettings *hooks = f.section->hooks();
        QTRY_COMPARE(hooks->rows().size(), 1);
        QVERIFY(hooks->warning()->isVisible());
        QVERIFY(hooks->warning()->title().contains(s("outside of any sandbox")));
        click(hooks->addButton());
        HookForm *form = hooks->form();
        QVERIFY(form && !form->saveButton()->isEnabled());
        auto *program = qobject_cast<QLineEdit *>(form->programField()->input());
        fill(program, "check.sh");
        QVERIFY(!form->saveButton()->isEnabled());
        QVERIFY(!form->programField()->problem().isEmpty());
        fill(program, "/opt/check");
        auto *arguments = qobject_cast<QPlainTextEdit *>(form->argumentsField()->input());
        arguments->setFocus();
        QTest::keyClicks(arguments, s("--strict"));
        QTest::keyClick(arguments, Qt::Key_Return);
        QTest::keyClicks(arguments, s("two words"));
        choose(form->momentField()->input(), "Told after");
        for (QCheckBox *box : form->toolBoxes()) {
            if (box->objectName() == QLatin1String("shell"))
                box->click();
        }
        click(form->saveButton());
        QTRY_COMPARE(f.engine.security.hooks.hooks.size(), 2);
        const application::HookView made = f.engine.security.hooks.hooks.last();
        QCOMPARE(f.engine.security.hooks.hooks.first(), first);
        QCOMPARE(made.program, s("/opt/check"));
        QCOMPARE(made.arguments, (QStringList{s("--strict"), s("two words")}));
        QCOMPARE(made.moment, s("after_tool"));
        QCOMPARE(made.tools, QStringList{s("shell")});
        QTRY_COMPARE(hooks->rows().size(), 2);
        QCOMPARE(hooks->rows().last()->chip()->text(), s("Told after"));

        click(hooks->rows().first()->editButton());
        fill(qobject_cast<QLineEdit *>(hooks->form()->programField()->input()), "/usr/bin/other");
        click(hooks->form()->saveButton());
        QTRY_COMPARE(f.engine.security.hooks.hooks.first().program, s("/usr/bin/other"));
        QCOMPARE(f.engine.security.hooks.hooks.last(), made);

        click(hooks->rows().last()->removeButton());
        QCOMPARE(f.engine.security.hooks.hooks.size(), 2);
        click(hooks->rows().last()->confirmButton());
        QTRY_COMPARE(f.engine.security.hooks.hooks.size(), 1);
        QTRY_COMPARE(hooks->rows().size(), 1);
    }

    void aBrokenHookFileIsNotWrittenOver()
    {
        SecurityFixture f;
        f.engine.security.hooks.path = s("/home/u/.config/berth/hooks.json");
        f.engine.security.hooks.problem = s("Others may write it (mode 0666)");
        f.open(SecuritySection::Part::Hooks);
        HookSettings *hooks = f.section->hooks();
        QTRY_VERIFY(hooks->problem()->isVisible());
        QVERIFY(hooks->problem()->title().contains(s("no tool call is allowed")));
        QVERIFY(hooks->problem()->detail().contains(s("mode 0666")));
        QVERIFY(hooks->problem()->detail().contains(s("/home/u/.config/berth/hooks.json")));
        QVERIFY(!hooks->addButton()->isEnabled());
        f.engine.security.hooks.problem.clear();
        click(hooks->againButton());
        QTRY_VERIFY(!hooks->problem()->isVisible());
        QVERIFY(hooks->addButton()->isEnabled());
    }

    void hooksAreAddedOnlyToAListThatWasRead()
    {
        SecurityFixture f;
        application::HookView old;
        old.program = s("/usr/bin/old");
        f.engine.security.hooks.hooks = {old};
        const QString list = QString::fromLatin1(application::ListHooks::kName);
        f.engine.failures.insert(list, {domain::ErrorKind::Storage, s("Not now"), {}, {}, {}});
        f.open(SecuritySection::Part::Hooks);
        HookSettings *hooks = f.section->hooks();
        QTRY_VERIFY(hooks->problem()->isVisible());
        QVERIFY(!hooks->addButton()->isEnabled());
        QVERIFY(!hooks->noneLabel()->isVisible());
        f.engine.failures.clear();
        f.engine.held = {list};
        click(hooks->againButton());
        QTest::qWait(20);
        QVERIFY(!hooks->addButton()->isEnabled());
        f.engine.release();
        QTRY_VERIFY(hooks->addButton()->isEnabled());
        QVERIFY(!hooks->problem()->isVisible());
        // Another window has added one: it is not lost.
        click(hooks->addButton());
        fill(qobject_cast<QLineEdit *>(hooks->form()->programField()->input()), "/bin/mine");
        application::HookView theirs;
        theirs.program = s("/bin/theirs");
        f.engine.security.hooks.hooks.append(theirs);
        click(hooks->form()->saveButton());
        QTRY_COMPARE(f.engine.security.hooks.hooks.size(), 3);
        QCOMPARE(f.engine.security.hooks.hooks[1], theirs);
        QTRY_VERIFY(!hooks->form());
    }

    void aHookThatIsGoneIsNotSavedOver()
    {
        SecurityFixture f;
        application::HookView first;
        first.program = s("/usr/bin/first");
        application::HookView second;
        second.program = s("/usr/bin/second");
        f.engine.security.hooks.hooks = {first, second};
        f.open(SecuritySection::Part::Hooks);
        HookSettings *hooks = f.section->hooks();
        QTRY_COMPARE(hooks->rows().size(), 2);
        click(hooks->rows().first()->editButton());
        fill(qobject_cast<QLineEdit *>(hooks->form()->programField()->input()), "/bin/new");
        f.engine.security.hooks.hooks = {second};
        click(hooks->form()->saveButton());
        QTRY_VERIFY(hooks->form() && hooks->form()->problem()->isVisible());
        QVERIFY(hooks->form()->problem()->title().contains(s("changed meanwhile")));
        QCOMPARE(f.engine.security.hooks.hooks, QList<application::HookView>{second});
        QCOMPARE(f.engine.count<application::SaveHooks>(), 0);
    }

    void argumentsThatNobodyChangedStay()
    {
        SecurityFixture f;
        application::HookView odd;
        odd.program = s("/usr/bin/odd");
        odd.arguments = {s("--sep"), s(""), s("a\nb"), s(" c")};
        application::HookView plain;
        plain.program = s("/usr/bin/plain");
        plain.arguments = {s("one"), s("two")};
        f.engine.security.hooks.hooks = {odd, plain};
        f.open(SecuritySection::Part::Hooks);
        HookSettings *hooks = f.section->hooks();
        QTRY_COMPARE(hooks->rows().size(), 2);
        click(hooks->rows().first()->editButton());
        auto *lines = qobject_cast<QPlainTextEdit *>(hooks->form()->argumentsField()->input());
        QVERIFY(lines && lines->isReadOnly());
        fill(qobject_cast<QLineEdit *>(hooks->form()->programField()->input()), "/bin/odd");
        click(hooks->form()->saveButton());
        QTRY_COMPARE(f.engine.security.hooks.hooks.first().program, s("/bin/odd"));
        QCOMPARE(f.engine.security.hooks.hooks.first().arguments, odd.arguments);
        QTRY_VERIFY(!hooks->form());
        click(hooks->rows().last()->editButton());
        lines = qobject_cast<QPlainTextEdit *>(hooks->form()->argumentsField()->input());
        QVERIFY(!lines->isReadOnly());
        QCOMPARE(hooks->form()->hook().arguments, plain.arguments);
    }

    void refusedHooksStayInTheForm()
    {
        SecurityFixture f;
        f.open(SecuritySection::Part::Hooks);
        HookSettings *hooks = f.section->hooks();
        QTRY_VERIFY(hooks->addButton()->isEnabled());
        click(hooks->addButton());
        fill(qobject_cast<QLineEdit *>(hooks->form()->programField()->input()), "/bin/x");
        f.engine.failures.insert(
            QString::fromLatin1(application::SaveHooks::kName),
            {domain::ErrorKind::InvalidInput, s("/bin/x is not there"), s("Name another one")});
        click(hooks->form()->saveButton());
        QTRY_VERIFY(hooks->form()->problem()->isVisible());
        QVERIFY(hooks->form()->problem()->title().contains(s("/bin/x is not there")));
        QVERIFY(hooks->form()->saveButton()->isEnabled());
    }

    void theAuditLoadsWhatIsOlder()
    {
        SecurityFixture f;
        for (int i = 0; i < 450; ++i)
            f.addEntry(i, "ls", "allowed", "allowed by rule ls");
        // A page's end falls between entries of one moment.
        for (int i = 195; i < 205; ++i)
            f.engine.agents.audit.entries[i].at = f.engine.agents.audit.entries[195].at;
        f.open(SecuritySection::Part::Audit);
        AuditView *audit = f.section->audit();
        QTRY_COMPARE(audit->filter()->rowCount(), 200);
        QCOMPARE(f.engine.count<application::ListAudit>(), 1);
        QScrollBar *bar = audit->table()->verticalScrollBar();
        bar->setValue(bar->maximum());
        QTRY_VERIFY(audit->filter()->rowCount() > 200);
        QTRY_VERIFY_WITH_TIMEOUT(
            (bar->setValue(bar->maximum()), audit->filter()->rowCount() == 450), 5000);
        QSet<QString> seen;
        for (int row = 0; row < 450; ++row) {
            const auto entry = audit->filter()
                                   ->index(row, 0)
                                   .data(AuditModel::EntryRole)
                                   .value<application::AuditEntry>();
            seen.insert(entry.toolCall.toString());
        }
        QCOMPARE(seen.size(), 450);
        const int asked = f.engine.count<application::ListAudit>();
        bar->setValue(0);
        bar->setValue(bar->maximum());
        QTest::qWait(30);
        QCOMPARE(f.engine.count<application::ListAudit>(), asked);
    }

    void theAuditIsFiltered()
    {
        SecurityFixture f;
        for (int i = 0; i < 300; ++i)
            f.addEntry(i, "ls", "allowed", "allowed: no approval required");
        f.addEntry(301, "rm -rf /", "denied", "denied by rule rm -rf *");
        f.addEntry(302, "make deploy", "hook_denied", "denied by hook");
        f.addEntry(303, "wget x", "not run", "");
        f.open(SecuritySection::Part::Audit);
        AuditView *audit = f.section->audit();
        QTRY_COMPARE(audit->filter()->rowCount(), 200);
        const auto decision = [audit](int row) {
            return audit->filter()->index(row, AuditModel::Decision).data().toString();
        };
        // What matches lies behind the first page: it is looked for there.
        choose(audit->decisions(), "Denied");
        QTRY_COMPARE(audit->filter()->rowCount(), 2);
        QCOMPARE(decision(0), s("Denied"));
        QCOMPARE(decision(1), s("Denied by a hook"));
        choose(audit->decisions(), "Not run");
        QTRY_COMPARE(audit->filter()->rowCount(), 1);
        QCOMPARE(decision(0), s("Not run"));
        choose(audit->decisions(), "All");
        fill(audit->searchField(), "RM -RF");
        QTRY_COMPARE(audit->filter()->rowCount(), 1);
        audit->table()->selectRow(0);
        QVERIFY(audit->command()->isVisible());
        QCOMPARE(audit->command()->toPlainText(), s("rm -rf /"));
        fill(audit->searchField(), "no such thing");
        QTRY_COMPARE(audit->filter()->rowCount(), 0);
        QVERIFY(!audit->table()->isVisible());
        QVERIFY(!audit->copyButton()->isEnabled());
    }

    void theAuditIsCopied()
    {
        SecurityFixture f;
        f.addEntry(1, "x", "denied", "denied by you");
        f.engine.agents.audit.entries[0].command = s("echo a\nrm \u202e-r");
        f.addEntry(2, "git push", "allowed", "allowed by rule git push *");
        f.addEntry(3, "make", "asked", "");
        f.open(SecuritySection::Part::Audit);
        AuditView *audit = f.section->audit();
        QTRY_COMPARE(audit->filter()->rowCount(), 3);
        click(audit->copyButton());
        const QStringList lines =
            QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        // One line each, with nothing hidden in it.
        QVERIFY(lines[0].contains(s("rm \\u{202e}-r")));
        QVERIFY(lines[0].contains(s("by you")));
        QVERIFY(lines[1].contains(s("Fix the test")));
        QVERIFY(lines[1].contains(s("rule git push *")));
        QVERIFY(lines[2].contains(s("Waits for you")));
        audit->table()->setFocus();
        audit->table()->selectRow(1);
        QTest::keyClick(audit->table(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), lines[1]);
    }

    void aFailureIsSaid()
    {
        SecurityFixture f;
        f.engine.failures.insert(QString::fromLatin1(application::ListRules::kName),
                                 {domain::ErrorKind::Storage, s("The records cannot be read"), {}});
        f.open();
        QTRY_VERIFY(f.section->rules()->problem()->isVisible());
        QCOMPARE(f.section->rules()->problem()->title(), s("The records cannot be read"));
        // Not that there is none: that is not known.
        QVERIFY(!f.section->rules()->noneLabel()->isVisible());
        f.engine.failures.clear();
        f.engine.agents.rules.rules.clear();
        click(f.section->rules()->againButton());
        QTRY_VERIFY(f.section->rules()->noneLabel()->isVisible());
        QVERIFY(!f.section->rules()->problem()->isVisible());
    }
};

QTEST_MAIN(TestSettingsSecurity)
#include "test_settings_security.moc"
