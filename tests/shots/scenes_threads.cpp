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
        {QStringLiteral("engine-lost"), playLost},
    };
}

} // namespace berth::shots
