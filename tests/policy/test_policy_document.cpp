// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/constant_time.h"
#include "domain/policy/security_policy.h"
#include "domain/policy/tool_policy.h"

#include <QtTest/QTest>

#include <nlohmann/json.hpp>

using namespace berth::domain;
using json = nlohmann::json;
using Decision = PolicyVerdict::Decision;

namespace {

QStringList pathsOf(const QList<PolicyProblem> &problems)
{
    QStringList paths;
    for (const PolicyProblem &problem : problems)
        paths.append(problem.path);
    return paths;
}

ApprovalRule storedRule(const char *decision, const char *tool, const char *pattern)
{
    ApprovalRule rule;
    rule.scope = QStringLiteral("global");
    rule.tool = QLatin1String(tool);
    rule.decision = QLatin1String(decision);
    rule.pattern = QLatin1String(pattern);
    return rule;
}

PolicyCall shellCall(const char *command)
{
    PolicyCall call;
    call.tool = QStringLiteral("shell");
    call.command = QLatin1String(command);
    call.workspace = QStringLiteral("/ws");
    call.cwd = QStringLiteral("/ws");
    return call;
}

PolicyCall fileCall(const char *tool, ToolKind kind, const char *path)
{
    PolicyCall call = shellCall("");
    call.tool = QLatin1String(tool);
    call.kind = kind;
    call.path = QLatin1String(path);
    return call;
}

SecurityPolicy policyOf(Autonomy autonomy, const QStringList &require)
{
    SecurityPolicy policy;
    policy.autonomy = autonomy;
    policy.requireApprovalFor = require;
    return policy;
}

const QList<ApprovalRule> kNoRules;

} // namespace

class PolicyDocumentTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void newAgent()
    {
        const Result<SecurityPolicy> read = readStoredPolicy(QStringLiteral("{}"));
        QVERIFY(read.has_value());
        QCOMPARE(*read, SecurityPolicy());
        QCOMPARE(read->access, Access::Private);
        QCOMPARE(read->autonomy, Autonomy::Supervised);
        QCOMPARE(read->requireApprovalFor, QStringList{QStringLiteral("exec")});
        QVERIFY(!read->hasAccessToken());
    }

    void tokenIsKeptReplacedRemovedAndNeverShown()
    {
        const QByteArray withToken = R"({"access":"protected","autonomy_level":"supervised",
            "require_approval_for":["exec"],"access_token":"open sesame","future":{"a":1}})";
        const Result<SecurityPolicy> first = replacedPolicy({}, withToken);
        QVERIFY(first.has_value());
        for (const QString &text : {storedPolicyText(*first), shownPolicyText(*first)})
            QVERIFY(!text.contains(QStringLiteral("sesame")));
        QVERIFY(!shownPolicyText(*first).contains(QStringLiteral("pbkdf2")));
        const json shown = json::parse(shownPolicyText(*first).toStdString());
        QCOMPARE(shown["access_token_set"].get<bool>(), true);
        QVERIFY(!shown.contains("access_token"));
        QCOMPARE(shown["future"]["a"].get<int>(), 1);
        QVERIFY(isAccessToken(*first, Secret("open sesame")));
        QVERIFY(!isAccessToken(*first, Secret("open sesamf")));
        QVERIFY(!isAccessToken(*first, Secret("")));
        // Each hash has a salt of its own.
        QVERIFY(replacedPolicy({}, withToken)->accessTokenHash != first->accessTokenHash);

        const Result<SecurityPolicy> stored = readStoredPolicy(storedPolicyText(*first));
        QVERIFY(stored.has_value());
        QCOMPARE(*stored, *first);
        // What was shown may be sent back as it is.
        const Result<SecurityPolicy> kept =
            replacedPolicy(*stored, shownPolicyText(*stored).toUtf8());
        QVERIFY(kept.has_value());
        QCOMPARE(*kept, *first);
        const Result<SecurityPolicy> removed =
            replacedPolicy(*stored, R"({"access":"private","access_token":null})");
        QVERIFY(removed.has_value());
        QVERIFY(!removed->hasAccessToken());
        QVERIFY(!isAccessToken(*removed, Secret("open sesame")));
    }

    void clearTokenOfAnotherProgramIsHashed()
    {
        const Result<SecurityPolicy> read =
            readStoredPolicy(QStringLiteral(R"({"access":"protected","access_token":"abc-def"})"));
        QVERIFY(read.has_value());
        QVERIFY(isAccessToken(*read, Secret("abc-def")));
        QVERIFY(!storedPolicyText(*read).contains(QStringLiteral("abc-def")));
    }

    void problems_data()
    {
        QTest::addColumn<QByteArray>("document");
        QTest::addColumn<QStringList>("paths");
        const auto row = [](const char *name, const char *document, const QStringList &paths) {
            QTest::newRow(name) << QByteArray(document) << paths;
        };
        const QString token = QStringLiteral("access_token");
        row("no JSON", "{", {QString()});
        row("no object", "[]", {QString()});
        row("access", R"({"access":"open"})", {QStringLiteral("access")});
        row("access null", R"({"access":null})", {QStringLiteral("access")});
        row("autonomy", R"({"autonomy_level":"FULL"})", {QStringLiteral("autonomy_level")});
        row("list", R"({"require_approval_for":"exec"})", {QStringLiteral("require_approval_for")});
        row("entries", R"({"require_approval_for":["exec",3,""," x"]})",
            {QStringLiteral("require_approval_for[1]"), QStringLiteral("require_approval_for[2]"),
             QStringLiteral("require_approval_for[3]")});
        row("all at once", R"({"access":1,"autonomy_level":2,"on_unattended":3,"access_token":4})",
            {QStringLiteral("access"), QStringLiteral("autonomy_level"),
             QStringLiteral("on_unattended"), token});
        row("empty token", R"({"access_token":" "})", {token});
        row("protected without a token", R"({"access":"protected"})", {token});
        row("hash", R"({"access_token_hash":"x"})", {QStringLiteral("access_token_hash")});
        row("tokens of channels", R"({"channel_tokens":[]})", {QStringLiteral("channel_tokens")});
    }

    void problems()
    {
        QFETCH(QByteArray, document);
        QFETCH(QStringList, paths);
        QList<PolicyProblem> found;
        const Result<SecurityPolicy> result = replacedPolicy({}, document, &found);
        QVERIFY(!result.has_value());
        QCOMPARE(result.error().kind, ErrorKind::InvalidInput);
        QCOMPARE(pathsOf(found), paths);
        for (const QString &path : paths)
            QVERIFY(result.error().detail.contains(path));
    }

    void deepDocumentsAreRefused()
    {
        const QByteArray deep = "{\"x\":" + QByteArray(20'000, '[') + QByteArray(20'000, ']') + '}';
        QVERIFY(!replacedPolicy({}, deep).has_value());
        QVERIFY(!replacedPolicy({}, "{\"x\":\"" + QByteArray(70'000, 'a') + "\"}").has_value());
    }

    void brokenStoredPolicyIsNotGuessed()
    {
        for (const char *text :
             {"{\"autonomy_level\":\"ful\"}", "x", "{\"access_token_hash\":\"x\"}"})
            QVERIFY(!readStoredPolicy(QLatin1String(text)).has_value());
    }

    void constantTime()
    {
        QVERIFY(equalsInConstantTime("abc", "abc"));
        QVERIFY(!equalsInConstantTime("abc", "abd"));
        QVERIFY(!equalsInConstantTime("abc", "ab"));
        QVERIFY(equalsInConstantTime("", ""));
    }

    //! A file that other programs run is asked for, and only by its own name it is allowed.
    void filesThatOthersRun_data()
    {
        QTest::addColumn<QString>("path");
        for (const char *path : {"/ws/.git/hooks/pre-commit", "/ws/.envrc", "/ws/a/.bashrc",
                                 "/ws/.vscode/tasks.json", "/ws/evil/HEAD"})
            QTest::newRow(path) << QString(QLatin1String(path));
    }

    void filesThatOthersRun()
    {
        QFETCH(QString, path);
        const SecurityPolicy policy =
            policyOf(Autonomy::Supervised, QStringList{QStringLiteral("exec")});
        PolicyCall call = fileCall("write_file", ToolKind::Write, "");
        call.path = path;
        const PolicyVerdict verdict = decideCall(call, policy, kNoRules);
        QVERIFY(verdict.asks());
        QCOMPARE(verdict.patterns, QStringList{path});
        ApprovalRule rule = storedRule("allow", "write_file", "*");
        QVERIFY(decideCall(call, policy, {rule}).asks());
        for (const QString &pattern :
             {QStringLiteral("/ws/*"), path.section(u'/', 0, -2) + QStringLiteral("/*")}) {
            rule.pattern = pattern;
            QVERIFY2(decideCall(call, policy, {rule}).asks(), qPrintable(pattern));
        }
        rule.pattern = path;
        QVERIFY(decideCall(call, policy, {rule}).isAllowed());
        QVERIFY(decideCall(call, policyOf(Autonomy::Full, {}), kNoRules).isAllowed());
        call.kind = ToolKind::Read;
        QVERIFY(decideCall(call, policy, kNoRules).isAllowed());
        // Outside the workspace as well.
        call.kind = ToolKind::Write;
        call.path = QStringLiteral("/root/.bashrc");
        rule.pattern = QStringLiteral("/root/*");
        QVERIFY(decideCall(call, policy, {rule}).asks());
    }

    void calls_data()
    {
        QTest::addColumn<int>("autonomy");
        QTest::addColumn<QStringList>("require");
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("outside");
        QTest::addColumn<QString>("rule");
        QTest::addColumn<int>("expected");
        // Every combination, by the rules of the description rather than by the code's order.
        const QStringList lists[] = {
            {},
            {QStringLiteral("exec")},
            {QStringLiteral("write")},
            {QStringLiteral("exec"), QStringLiteral("write"), QStringLiteral("read")}};
        for (const Autonomy autonomy : {Autonomy::ReadOnly, Autonomy::Supervised, Autonomy::Full}) {
            for (const QStringList &list : lists) {
                for (const ToolKind kind : {ToolKind::Read, ToolKind::Write, ToolKind::Exec}) {
                    for (const bool outside : {false, true}) {
                        if (outside && kind == ToolKind::Exec)
                            continue;
                        for (const char *rule : {"none", "allow", "ask", "deny"})
                            addCall(autonomy, list, kind, outside, QLatin1String(rule));
                    }
                }
            }
        }
    }

    void calls()
    {
        QFETCH(int, autonomy);
        QFETCH(QStringList, require);
        QFETCH(int, kind);
        QFETCH(bool, outside);
        QFETCH(QString, rule);
        QFETCH(int, expected);
        const auto toolKind = static_cast<ToolKind>(kind);
        const char *path = outside ? "/etc/hosts" : "/ws/a";
        PolicyCall call = toolKind == ToolKind::Exec ? shellCall("ls -l")
            : toolKind == ToolKind::Write            ? fileCall("write_file", ToolKind::Write, path)
                                                     : fileCall("read_file", ToolKind::Read, path);
        QList<ApprovalRule> rules;
        if (rule != QLatin1String("none"))
            rules.append(storedRule(qPrintable(rule), qPrintable(call.tool),
                                    toolKind == ToolKind::Exec ? "ls *" : path));
        const SecurityPolicy policy = policyOf(static_cast<Autonomy>(autonomy), require);
        const PolicyVerdict verdict = decideCall(call, policy, rules);
        QCOMPARE(static_cast<int>(verdict.decision), expected);
        QVERIFY(verdict.isAllowed() || !verdict.reason.isEmpty());
        QVERIFY(verdict.asks() == verdict.decidedBy.isEmpty());
        QVERIFY(!verdict.mayRunAnyway);

        // The owner's own line is asked for never, and denied only as the agent's is.
        call.origin = ToolCallOrigin::User;
        call.mayApprove = true;
        const PolicyVerdict own = decideCall(call, policy, rules);
        QVERIFY(own.isDenied() ? verdict.isDenied() && own.mayRunAnyway : own.isAllowed());
        QVERIFY(!verdict.isDenied() || own.isDenied());
        call.runAnyway = true;
        QVERIFY(decideCall(call, policy, rules).isAllowed());
        // Not by itself through a token that may not approve.
        call.mayApprove = false;
        QCOMPARE(decideCall(call, policy, rules).decision, verdict.decision);

        // Without isolation nothing is allowed without asking.
        PolicyCall bare = call;
        bare.origin = ToolCallOrigin::Model;
        bare.passthrough = true;
        bare.passthroughAgreed = true;
        const PolicyVerdict asks = decideCall(bare, policy, rules);
        QCOMPARE(asks.isDenied(), verdict.isDenied());
        QVERIFY(!asks.isAllowed());
        QVERIFY(asks.patterns.isEmpty());

        // Where nobody is there, what asks is denied or waits, never allowed.
        PolicyCall alone = call;
        alone.origin = ToolCallOrigin::Model;
        alone.interactive = false;
        const PolicyVerdict unattended = decideCall(alone, policy, rules);
        QVERIFY(verdict.asks() ? unattended.isDenied() : unattended.decision == verdict.decision);
        SecurityPolicy waiting = policy;
        waiting.unattended = Unattended::Wait;
        const PolicyVerdict waits = decideCall(alone, waiting, rules);
        QCOMPARE(waits.decision, verdict.decision);
        QCOMPARE(waits.waits, verdict.asks());
    }

    void passthroughOfTheUser()
    {
        PolicyCall call = shellCall("ls");
        call.origin = ToolCallOrigin::User;
        call.mayApprove = true;
        call.passthrough = true;
        QVERIFY(decideCall(call, {}, kNoRules).asks());
        call.passthroughAgreed = true;
        QVERIFY(decideCall(call, {}, kNoRules).isAllowed());
        QVERIFY(decideCall(call, {}, {storedRule("deny", "shell", "ls")}).isDenied());
    }

    void byNameOfTool()
    {
        const SecurityPolicy policy = policyOf(Autonomy::Supervised, {QStringLiteral("edit_file")});
        QVERIFY(
            decideCall(fileCall("edit_file", ToolKind::Write, "/ws/a"), policy, kNoRules).asks());
        QVERIFY(decideCall(fileCall("write_file", ToolKind::Write, "/ws/a"), policy, kNoRules)
                    .isAllowed());
        QVERIFY(decideCall(shellCall("whatever"), policy, kNoRules).isAllowed());
    }

    void rulesOverPaths()
    {
        const SecurityPolicy policy = policyOf(Autonomy::Supervised, {QStringLiteral("write")});
        const auto write = [&policy](const char *path, const char *pattern) {
            return decideCall(fileCall("write_file", ToolKind::Write, path), policy,
                              {storedRule("allow", "write_file", pattern)})
                .isAllowed();
        };
        QVERIFY(write("/ws/src/a", "src/*"));
        QVERIFY(write("/ws/src/a", "/ws/src/a"));
        QVERIFY(write("/ws/src/a", "*"));
        QVERIFY(!write("/ws/srcx/a", "src/*"));
        QVERIFY(!write("/etc/hosts", "*"));
        QVERIFY(write("/etc/hosts", "/etc/*"));
        QVERIFY(!write("/wsx/a", "*"));
    }

    void offersOfTheCard()
    {
        const PolicyVerdict status = decideCall(shellCall("git status -s"), {}, kNoRules);
        QVERIFY(status.asks());
        QCOMPARE(status.patterns, QStringList{QStringLiteral("git status *")});
        QVERIFY(status.whyNotAlways.isEmpty());
        const PolicyVerdict code = decideCall(shellCall("python3 -c 1"), {}, kNoRules);
        QVERIFY(code.asks() && code.patterns.isEmpty() && !code.whyNotAlways.isEmpty());
    }

    void fullAutonomyAsksWhereADenyRuleCouldBeEvaded()
    {
        const SecurityPolicy full = policyOf(Autonomy::Full, {QStringLiteral("exec")});
        const QList<ApprovalRule> deny{storedRule("deny", "shell", "rm")};
        QVERIFY(decideCall(shellCall("$X y"), full, kNoRules).isAllowed());
        QVERIFY(decideCall(shellCall("$X y"), full, deny).asks());
        QVERIFY(decideCall(shellCall("echo $["), full, deny).asks());
        QVERIFY(decideCall(shellCall("sudo rm y"), full, deny).isDenied());
        QVERIFY(decideCall(shellCall("python3 x.py"), full, deny).isAllowed());
    }

    void rulesOfThisThread()
    {
        ApprovalRule thread = storedRule("allow", "shell", "a");
        thread.scope = QStringLiteral("thread");
        thread.owner = QStringLiteral("t1");
        ApprovalRule agent = storedRule("allow", "shell", "b");
        agent.scope = QStringLiteral("agent");
        agent.owner = QStringLiteral("default");
        const QList<ApprovalRule> all{thread, agent, storedRule("deny", "shell", "c")};
        const AgentId ours(QStringLiteral("default"));
        QCOMPARE(rulesFor(all, ThreadId(QStringLiteral("t1")), ours).size(), 3);
        QCOMPARE(rulesFor(all, ThreadId(QStringLiteral("t2")), ours).size(), 2);
        QCOMPARE(rulesFor(all, ThreadId(QStringLiteral("t2")), AgentId(QStringLiteral("x"))).size(),
                 1);
    }

private:
    static void addCall(Autonomy autonomy, const QStringList &list, ToolKind kind, bool outside,
                        const QString &rule)
    {
        Decision expected = Decision::Allow;
        const bool listed = list.contains(wireName(kind)) || outside;
        if (rule == QLatin1String("deny")
            || (autonomy == Autonomy::ReadOnly && kind != ToolKind::Read))
            expected = Decision::Deny;
        else if (rule == QLatin1String("ask"))
            expected = Decision::Ask;
        else if (autonomy != Autonomy::Full && listed && rule != QLatin1String("allow"))
            expected = Decision::Ask;
        QTest::addRow("%s, asks for [%s], %s%s, rule: %s", qPrintable(wireName(autonomy)),
                      qPrintable(list.join(u' ')), qPrintable(wireName(kind)),
                      outside ? " outside" : "", qPrintable(rule))
            << static_cast<int>(autonomy) << list << static_cast<int>(kind) << outside << rule
            << static_cast<int>(expected);
    }
};

QTEST_APPLESS_MAIN(PolicyDocumentTest)
#include "test_policy_document.moc"
