// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shots/sample_state.h"

#include "domain/text.h"

namespace berth::shots {

using namespace berth::application;

namespace {

const char *const kTable = R"(The numbers over twenty runs:

| variant | failures | mean time |
|:--|--:|--:|
| as it was | 3 of 20 | 4.1 s |
| `wait_closed()` first | **0 of 20** | 4.3 s |

### What to know

1. The writer's buffer is flushed by the *event loop*, not by `flush()`.
2. `close()` only asks for it:
   - the transport goes on until its buffer is empty,
   - then `wait_closed()` returns.
3. See [the documentation](https://docs.python.org/3/library/asyncio-stream.html) for both.

```python
async def finish(self) -> int:
    self._writer.close()
    await self._writer.wait_closed()
    return len(self._parts)
```

> A part that is counted before it is written is counted twice when the write fails.

<b>Raw HTML</b> stays text, and so does ![a picture](https://example.com/x.png).
)";

ModelEndpointView endpoint(const char *name, const char *dialect, const char *url,
                           const char *model, const char *state, const char *words)
{
    ModelEndpointView view;
    view.name = QString::fromLatin1(name);
    view.dialect = QString::fromLatin1(dialect);
    view.baseUrl = QString::fromLatin1(url);
    view.model = QString::fromLatin1(model);
    view.state = QString::fromLatin1(state);
    view.stateText = QString::fromLatin1(words);
    view.keyOrigin = QStringLiteral("none");
    view.currency = QStringLiteral("USD");
    return view;
}

AgentView agent(const char *id, const char *model, int sandboxes, int threads, const char *autonomy,
                const char *access)
{
    AgentView view;
    view.id = domain::AgentId(QString::fromLatin1(id));
    view.name = QString::fromLatin1(id);
    view.model = QString::fromLatin1(model);
    view.sandboxes = sandboxes;
    view.threads = threads;
    view.autonomy = QString::fromLatin1(autonomy);
    view.access = QString::fromLatin1(access);
    view.instructions = QStringLiteral("You look after the build.");
    return view;
}

void fillRules(test::ScriptedEngine &engine)
{
    const auto rule = [&engine](const char *id, const char *scope, const char *owner,
                                const char *pattern, const char *decision) {
        RuleView view;
        view.id = QString::fromLatin1(id);
        view.scope = QString::fromLatin1(scope);
        view.owner = QString::fromLatin1(owner);
        view.tool = QStringLiteral("shell");
        view.pattern = QString::fromLatin1(pattern);
        view.decision = QString::fromLatin1(decision);
        view.createdAt = domain::nowUtc().addDays(-3);
        engine.agents.rules.rules.append(view);
    };
    rule("r1", "global", "", "git status", "allow");
    rule("r2", "agent", "default", "pytest *", "allow");
    rule("r3", "global", "", "rm -rf *", "deny");
    const auto entry = [&engine](int minutes, const char *origin, const char *command,
                                 const char *decision, const char *by, const char *outcome) {
        AuditEntry e;
        e.at = domain::nowUtc().addSecs(-60 * minutes);
        e.thread = engine.state.threads.first().id;
        e.origin = QString::fromLatin1(origin);
        e.tool = QStringLiteral("shell");
        e.command = QString::fromLatin1(command);
        e.decision = QString::fromLatin1(decision);
        e.decidedBy = QString::fromLatin1(by);
        e.outcome = QString::fromLatin1(outcome);
        engine.agents.audit.entries.append(e);
    };
    entry(1, "model", "git push origin fix/upload-order", "asked", "user", "exit 0");
    entry(4, "model", "pytest tests/test_upload.py -x --count 20", "allowed", "rule pytest *",
          "exit 1");
    entry(9, "model", "rm -rf /workspace/build /workspace/dist", "denied", "rule rm -rf *", "");
    entry(12, "user", "ls -la", "allowed", "user", "exit 0");
}

} // namespace

void fillAgents(test::ScriptedEngine &engine)
{
    ModelList &models = engine.agents.models;
    ModelEndpointView local = endpoint("llama-server", "openai", "http://127.0.0.1:8080/v1",
                                       "qwen3-coder-30b", "ready", "Ready");
    local.models = {QStringLiteral("qwen3-coder-30b"), QStringLiteral("gpt-oss-20b")};
    local.contextTokens = 32'768;
    local.isDefault = true;
    ModelEndpointView claude = endpoint("claude", "anthropic", "https://api.anthropic.com",
                                        "claude-sonnet", "ready", "Ready");
    claude.keyOrigin = QStringLiteral("key_store");
    claude.keyHint = QStringLiteral("…7f3a");
    claude.inputPrice = 3;
    claude.outputPrice = 15;
    ModelEndpointView vllm = endpoint("qwen-vllm", "openai", "http://gpu-box:8000/v1", "qwen",
                                      "unreachable", "Unreachable");
    vllm.stateDetail = QStringLiteral("Connection refused at gpu-box:8000. Is the server running?");
    models.endpoints = {local, claude, vllm};
    const auto preset = [&models](const char *id, const char *label, const char *dialect,
                                  const char *url, const char *variable, bool found) {
        ModelPresetView view;
        view.id = QString::fromLatin1(id);
        view.label = QString::fromLatin1(label);
        view.dialect = QString::fromLatin1(dialect);
        view.baseUrl = QString::fromLatin1(url);
        view.keyVariable = QString::fromLatin1(variable);
        view.needsKey = variable[0] != 0;
        view.found = found;
        models.presets.append(view);
    };
    preset("ollama", "Ollama on this machine", "openai", "http://127.0.0.1:11434/v1", "", true);
    preset("llama", "llama.cpp server", "openai", "http://127.0.0.1:8080/v1", "", false);
    preset("openai", "OpenAI", "openai", "https://api.openai.com/v1", "OPENAI_API_KEY", false);
    preset("anthropic", "Anthropic", "anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY",
           false);
    models.hasKeyStore = true;
    using domain::StepState;
    using std::chrono::milliseconds;
    engine.agents.modelHealth.ok = true;
    engine.agents.modelHealth.durationMs = 861;
    engine.agents.modelHealth.steps = {
        {QStringLiteral("List models"), StepState::Ok, QStringLiteral("3 found"), milliseconds(11)},
        {QStringLiteral("One-token reply"), StepState::Ok, QStringLiteral("“Hello”"),
         milliseconds(240)},
        {QStringLiteral("Tool call"), StepState::Ok, QStringLiteral("shell {command}"),
         milliseconds(610)}};
    engine.state.engine.hasModel = true;
    engine.state.agents = {agent("default", "llama-server", 3, 12, "supervised", "private"),
                           agent("scout", "claude", 2, 4, "supervised", "private"),
                           agent("archivist", "qwen-vllm", 1, 31, "readonly", "protected")};
    PresetView ubuntu;
    ubuntu.name = QStringLiteral("docker-ubuntu");
    ubuntu.type = QStringLiteral("docker");
    PresetView cloud;
    cloud.name = QStringLiteral("cloud");
    cloud.type = QStringLiteral("e2b");
    engine.agents.presets.presets = {ubuntu, cloud};
    engine.agents.presets.autoProvision = QStringLiteral("docker-ubuntu");
    fillRules(engine);
}

domain::ThreadId agentConversation(test::ScriptedEngine &engine)
{
    const domain::ThreadId thread = engine.state.threads.first().id;
    engine.agents.ask(thread,
                      QStringLiteral("The upload test fails about one run in ten. Find "
                                     "out why and fix it."));
    engine.agents.say(thread, QStringLiteral("I'll run it repeatedly to see the failure first."),
                      QStringLiteral("The user wants the cause. A flaky test is best seen by "
                                     "running it often; then look at the order of events."));
    const domain::ToolCallId run =
        engine.agents.used(thread, QStringLiteral("shell"),
                           QStringLiteral("pytest tests/test_upload.py -x --count 20"), {});
    engine.write(run, "tests/test_upload.py .............\x1b[31mF\x1b[0m\n");
    engine.write(run, "E   AssertionError: expected 3 parts, got 2\n",
                 domain::OutputStream::Stderr);
    engine.change(run, [](ToolCallView &view) {
        view.exitCode = 1;
        view.durationMs = 18'400;
    });
    engine.agents.used(thread, QStringLiteral("read_file"),
                       QStringLiteral("src/upload.py · lines 40–88"), QStringLiteral("…"));
    engine.agents.say(thread,
                      QStringLiteral("The parts are counted before the last `flush()` returns. "
                                     "Waiting for the writer to close fixes the order:"));
    engine.agents.used(thread, QStringLiteral("edit_file"), QStringLiteral("src/upload.py"), {},
                       QStringLiteral("--- a/src/upload.py\n+++ b/src/upload.py\n"
                                      "@@ -61,3 +61,4 @@\n         await self._flush()\n"
                                      "-        parts = len(self._parts)\n"
                                      "+        await self._writer.wait_closed()\n"
                                      "+        parts = len(self._parts)\n"
                                      "         return parts\n"));
    engine.agents.say(thread, QString::fromUtf8(kTable));
    engine.agents.change(thread, [](RunView &view) {
        view.usage.inputTokens = 11'600;
        view.usage.outputTokens = 812;
        view.usage.cost = 0.031;
        view.usage.currency = QStringLiteral("USD");
        view.usage.contextUsed = 9'400;
        view.usage.contextSize = 32'768;
    });
    return thread;
}

} // namespace berth::shots
