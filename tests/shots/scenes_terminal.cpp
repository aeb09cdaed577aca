// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shots/scenes_terminal.h"

#include "shots/sample_state.h"
#include "ui/conversation/conversation_page.h"
#include "ui/models/conversation_model.h"
#include "ui/models/engine_state.h"
#include "ui/resources/resources_page.h"
#include "ui/resources/runtime_sheet.h"
#include "ui/terminal/terminal_pane.h"
#include "ui/terminal/terminal_panel.h"
#include "ui/terminal/terminal_search.h"
#include "ui/terminal/terminal_view.h"
#include "ui/widgets/tab_strip.h"

#include <QtWidgets/QLineEdit>

namespace berth::shots {

using namespace berth::ui;
using application::ProcessKind;
using application::ProcessState;
using application::ProcessView;

namespace {

const QByteArray kPrompt = "\x1b[32mroot@7f3a9c21\x1b[0m:\x1b[34m/workspace\x1b[0m# ";

//! A test run, and below it what colours and boxes look like.
QByteArray session()
{
    QByteArray text = kPrompt + "pytest -q\r\n.................." + QByteArray(18, ' ')
        + "[100%]\r\n\x1b[32m18 passed\x1b[0m in 2.41s\r\n" + kPrompt
        + "ls --color\r\n\x1b[1;34mdocs\x1b[0m  \x1b[1;34msrc\x1b[0m  \x1b[1;32mrun.sh\x1b[0m  "
          "\x1b[0;36mlatest\x1b[0m  \x1b[30;42mshared\x1b[0m  "
          "notes-\xe4\xb8\xad\xe6\x96\x87.txt\r\n"
        + kPrompt + "./colours\r\n";
    for (int i = 0; i < 16; ++i)
        text +=
            "\x1b[38;5;" + QByteArray::number(i) + "m text \x1b[0m" + (i % 8 == 7 ? "\r\n" : "");
    for (int i = 0; i < 8; ++i)
        text += "\x1b[48;5;" + QByteArray::number(i) + "m " + QByteArray::number(i) + " \x1b[0m";
    text += "  \x1b[1mbold\x1b[0m \x1b[3mslanted\x1b[0m \x1b[4munder\x1b[0m \x1b[7minverse\x1b[0m "
            "\x1b[9mstruck\x1b[0m\r\n";
    for (int i = 0; i < 48; ++i)
        text += "\x1b[48;2;" + QByteArray::number(5 * i) + ";90;" + QByteArray::number(240 - 5 * i)
            + "m \x1b[0m";
    text +=
        "\r\n\xe2\x94\x8c\xe2\x94\x80\xe2\x94\x80\xe2\x94\xac\xe2\x94\x80\xe2\x94\x80\xe2\x94\x90"
        " \xe2\x95\x94\xe2\x95\x90\xe2\x95\x97 \xe2\x96\x81\xe2\x96\x82\xe2\x96\x83\xe2\x96\x84"
        "\xe2\x96\x85\xe2\x96\x86\xe2\x96\x87\xe2\x96\x88\r\n"
        "\xe2\x94\x82"
        "ab\xe2\x94\x82"
        "cd\xe2\x94\x82 \xe2\x95\x91x\xe2\x95\x91\r\n"
        "\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80\xe2\x94\xb4\xe2\x94\x80\xe2\x94\x80\xe2\x94\x98"
        " \xe2\x95\x9a\xe2\x95\x90\xe2\x95\x9d\r\n";
    return text + kPrompt;
}

void addProcesses(test::ScriptedEngine &engine, qsizetype runtime)
{
    const application::RuntimeView &on = engine.state.runtimes.at(runtime);
    const ProcessView shell = engine.processes.add(on, ProcessKind::Terminal, {});
    engine.processes.write(shell.id, "\x1b]0;root@7f3a9c21: /workspace\x07" + session());
    ProcessView dev = engine.processes.add(on, ProcessKind::Background,
                                           QStringLiteral("npm run dev -- --port 3000"));
    engine.processes.write(dev.id,
                           "\n> dev\n> vite --port 3000\n\n  \x1b[32mready\x1b[0m in 412 ms\n");
    ProcessView watch = engine.processes.add(on, ProcessKind::Background,
                                             QStringLiteral("pytest --watch tests/test_upload.py"));
    engine.processes.write(watch.id, QByteArray(183'000, '.'));
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (ProcessView &view : engine.state.processes) {
        if (view.id == shell.id || view.id == dev.id)
            view.startedAt = now.addSecs(view.id == dev.id ? -754 : -760);
        if (view.id == watch.id) {
            view.startedAt = now.addSecs(-3000);
            view.endedAt = now.addSecs(-2900);
            view.state = ProcessState::Ended;
            view.outcome = domain::OutcomeKind::Exited;
            view.exitCode = 2;
        }
    }
}

bool playSheet(Stage &stage, const QSize &size, qsizetype runtime,
               const std::function<bool(TerminalPanel &)> &then)
{
    fill(stage.engine);
    addProcesses(stage.engine, 0);
    if (!stage.open(size))
        return false;
    stage.window->showResources(stage.engine.state.runtimes.at(runtime).id);
    RuntimeSheet &sheet = *stage.window->resourcesPage()->sheet();
    sheet.showTerminals();
    TerminalPanel &panel = *sheet.terminals();
    Stage::settle(300);
    const bool done = then(panel);
    Stage::settle(300);
    return done;
}

bool shown(TerminalPanel &panel, const QString &text)
{
    return Stage::wait(
        [&] { return panel.pane() && panel.pane()->view()->visibleLines().contains(text); });
}

bool playConversation(Stage &stage, const QSize &size)
{
    fill(stage.engine);
    const domain::ThreadId thread = conversation(stage.engine);
    addProcesses(stage.engine, 0);
    if (!stage.open(size))
        return false;
    stage.window->showThread(thread);
    ConversationPage &page = *stage.window->conversationPage();
    if (!Stage::wait([&page] { return page.model()->rowCount() > 0; }))
        return false;
    page.toggleTerminals();
    const bool done = shown(*page.terminals(), QStringLiteral("pytest"));
    Stage::settle(300);
    return done;
}

} // namespace

QList<Scene> terminalScenes()
{
    return {
        {QStringLiteral("terminal"),
         [](Stage &stage, const QSize &size) {
             return playSheet(stage, size, 0, [](TerminalPanel &panel) {
                 panel.enter();
                 return shown(panel, QStringLiteral("root@"));
             });
         }},
        {QStringLiteral("terminal-paste"),
         [](Stage &stage, const QSize &size) {
             return playSheet(stage, size, 0, [](TerminalPanel &panel) {
                 if (!shown(panel, QStringLiteral("root@")))
                     return false;
                 Q_EMIT panel.pane()->view()->pasteAsked(
                     QStringLiteral("curl -O example.org/a\nsh a\nrm a\n"));
                 return true;
             });
         }},
        {QStringLiteral("terminal-search"),
         [](Stage &stage, const QSize &size) {
             return playSheet(stage, size, 0, [](TerminalPanel &panel) {
                 if (!shown(panel, QStringLiteral("root@")))
                     return false;
                 panel.pane()->search()->open();
                 panel.pane()->search()->field()->setText(QStringLiteral("work"));
                 return panel.pane()->search()->matchCount() > 1;
             });
         }},
        {QStringLiteral("terminal-background"),
         [](Stage &stage, const QSize &size) {
             return playSheet(stage, size, 0, [](TerminalPanel &panel) {
                 panel.setListOpen(true);
                 return true;
             });
         }},
        {QStringLiteral("terminal-ended"),
         [](Stage &stage, const QSize &size) {
             return playSheet(stage, size, 0, [&stage](TerminalPanel &panel) {
                 if (!shown(panel, QStringLiteral("root@")))
                     return false;
                 stage.engine.processes.end(panel.pane()->session()->process().id,
                                            domain::OutcomeKind::Exited, 130);
                 return true;
             });
         }},
        {QStringLiteral("terminal-paused"),
         [](Stage &stage, const QSize &size) {
             return playSheet(stage, size, 2, [](TerminalPanel &) { return true; });
         }},
        {QStringLiteral("terminal-beside"), playConversation},
    };
}

} // namespace berth::shots
