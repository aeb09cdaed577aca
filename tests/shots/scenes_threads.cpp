// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shots/scenes_threads.h"

#include "shots/sample_state.h"
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_page.h"
#include "ui/conversation/conversation_view.h"
#include "ui/main/new_thread_page.h"
#include "ui/main/sandbox_picker.h"
#include "ui/models/conversation_model.h"
#include "ui/models/engine_state.h"

#include <QtWidgets/QScrollBar>

namespace berth::shots {

using namespace berth::ui;

namespace {

bool playFirstStart(Stage &stage, const QSize &size)
{
    fill(stage.engine);
    stage.engine.state.threads.clear();
    stage.engine.state.runtimes.clear();
    stage.engine.state.sandboxes.clear();
    if (!stage.open(size))
        return false;
    stage.window->showNewThread();
    Stage::settle();
    return true;
}

bool playNewThread(Stage &stage, const QSize &size, bool openList)
{
    fill(stage.engine);
    if (!stage.open(size))
        return false;
    stage.window->showNewThread();
    NewThreadPage &page = *stage.window->newThreadPage();
    page.composer()->edit()->setPlainText(
        QStringLiteral("!python3 -m cProfile -s cumtime import_csv.py big.csv"));
    Stage::settle();
    if (!openList)
        return true;
    page.picker()->openList();
    stage.over = page.picker()->popover();
    const QPoint below =
        page.picker()->mapTo(stage.window.get(), QPoint(0, page.picker()->height() + 6));
    stage.overAt = below - QPoint(Popover::kShadow, Popover::kShadow);
    Stage::settle();
    return stage.over->isVisible();
}

bool playConversation(Stage &stage, const QSize &size, bool running)
{
    fill(stage.engine);
    const domain::ThreadId thread = conversation(stage.engine);
    if (!running)
        stage.engine.finish(stage.engine.details[thread].toolCalls.last().id,
                            domain::OutcomeKind::Exited, 0);
    if (!stage.open(size))
        return false;
    stage.window->showThread(thread);
    ConversationPage &page = *stage.window->conversationPage();
    if (!Stage::wait([&page] { return page.model()->rowCount() > 0; }))
        return false;
    // Output is fetched once its card is seen.
    Stage::settle(300);
    return true;
}

bool playLost(Stage &stage, const QSize &size)
{
    if (!playConversation(stage, size, true))
        return false;
    Stage::settle(1600);
    Q_EMIT stage.client->connectionChanged(false, QStringLiteral("The Engine has ended"));
    Stage::settle();
    return true;
}

bool playAgent(Stage &stage, const QSize &size,
               const std::function<void(Stage &, const domain::ThreadId &)> &then = {})
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
    Stage::settle(300);
    if (then)
        then(stage, thread);
    Stage::settle(150);
    return true;
}

//! The beginning of the thread.
void toTop(Stage &stage, const domain::ThreadId &)
{
    ConversationView *view = stage.window->conversationPage()->view();
    view->verticalScrollBar()->setValue(0);
}

void waiting(Stage &stage, const domain::ThreadId &thread)
{
    stage.engine.agents.grow(thread,
                             QStringLiteral("The push was refused. I'll look at the "
                                            "remote's hooks and then"),
                             QStringLiteral("Maybe a hook."));
    stage.engine.agents.notice(thread, QStringLiteral("waiting"),
                               QStringLiteral("The model's service is busy"),
                               QStringLiteral("429 Too Many Requests from api.example.com"), false,
                               QDateTime::currentDateTimeUtc().addSecs(12));
}

} // namespace

QList<Scene> threadScenes()
{
    return {
        {QStringLiteral("first-start"), playFirstStart},
        {QStringLiteral("new-thread"),
         [](Stage &stage, const QSize &size) { return playNewThread(stage, size, false); }},
        {QStringLiteral("new-thread-list"),
         [](Stage &stage, const QSize &size) { return playNewThread(stage, size, true); }},
        {QStringLiteral("conversation"),
         [](Stage &stage, const QSize &size) { return playConversation(stage, size, true); }},
        {QStringLiteral("conversation-done"),
         [](Stage &stage, const QSize &size) { return playConversation(stage, size, false); }},
        {QStringLiteral("conversation-output"),
         [](Stage &stage, const QSize &size) {
             if (!playConversation(stage, size, false))
                 return false;
             ConversationPage &page = *stage.window->conversationPage();
             const auto &calls = stage.engine.details[page.thread()].toolCalls;
             Q_EMIT page.view()->showAllRequested(calls[1].id);
             Stage::settle(300);
             return page.isViewerOpen();
         }},
        {QStringLiteral("agent-end"),
         [](Stage &stage, const QSize &size) { return playAgent(stage, size); }},
        {QStringLiteral("agent-begin"),
         [](Stage &stage, const QSize &size) { return playAgent(stage, size, toTop); }},
        {QStringLiteral("agent-waiting"),
         [](Stage &stage, const QSize &size) { return playAgent(stage, size, waiting); }},
        {QStringLiteral("engine-lost"), playLost},
    };
}

} // namespace berth::shots
