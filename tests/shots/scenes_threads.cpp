// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shots/scenes_threads.h"

#include "shots/sample_state.h"
#include "ui/conversation/attachment_bar.h"
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_page.h"
#include "ui/conversation/conversation_view.h"
#include "ui/conversation/thread_search.h"
#include "ui/main/new_thread_page.h"
#include "ui/main/sandbox_picker.h"
#include "ui/models/conversation_model.h"
#include "ui/models/engine_state.h"

#include <QtCore/QBuffer>
#include <QtCore/QFile>
#include <QtGui/QImage>
#include <QtGui/QPainter>
#include <QtWidgets/QLineEdit>
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

void finding(Stage &stage, const domain::ThreadId &)
{
    ConversationPage *page = stage.window->conversationPage();
    page->find();
    page->search()->field()->setText(QStringLiteral("parts"));
    Stage::settle(250);
    page->search()->next();
    page->search()->next();
}

void attaching(Stage &stage, const domain::ThreadId &)
{
    ConversationPage *page = stage.window->conversationPage();
    stage.engine.files.files.insert(QStringLiteral("/workspace/notes.txt"), "there");
    const auto made = [&stage](const char *name) {
        QFile file(stage.settings.filePath(QString::fromLatin1(name)));
        if (file.open(QIODevice::WriteOnly))
            file.write("x");
        return QFile::encodeName(file.fileName());
    };
    page->attach({made("measurements-2026.csv"), made("notes.txt"), made("plan.md")});
    page->composer()->edit()->setPlainText(QStringLiteral("Compare these with the last run."));
    Stage::settle(400);
}

//! A plot as a script would make it.
QByteArray plot()
{
    QImage image(1200, 640, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int i = 0; i < 20; ++i)
        painter.fillRect(QRect(60 + i * 55, 600 - (i * i * 37) % 500, 36, (i * i * 37) % 500),
                         QColor(70, 110, 170));
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

void pictured(Stage &stage, const domain::ThreadId &thread)
{
    stage.engine.files.files.insert(QStringLiteral("/workspace/plot.png"), plot());
    stage.engine.agents.say(thread,
                            QStringLiteral("The mean times, run by run:\n\n![plot](plot.png)\n\n"
                                           "And the one that is missing: ![old](old.png)"));
    const domain::ToolCallId run = stage.engine.agents.used(thread, QStringLiteral("shell"),
                                                            QStringLiteral("python3 plot.py"), {});
    stage.engine.write(run, "wrote plot.png\n");
    stage.engine.change(run, [](application::ToolCallView &view) {
        view.durationMs = 2100;
        view.peakMemoryBytes = 212LL * 1024 * 1024;
        view.cpuTimeMs = 1300;
    });
    Stage::settle(200);
    stage.window->conversationPage()->model()->setOpen(
        stage.window->conversationPage()->model()->indexOf(run), true);
    Stage::settle(300);
    stage.window->conversationPage()->view()->jumpToLatest();
}

void editing(Stage &stage, const domain::ThreadId &thread)
{
    ConversationPage *page = stage.window->conversationPage();
    application::ThreadDetail &detail = stage.engine.details[thread];
    for (application::MessageView &message : detail.messages) {
        message.superseded = true;
        stage.engine.emitEvent(application::MessageAdded{message});
    }
    stage.engine.agents.ask(thread, QStringLiteral("The upload test fails. Find out why."));
    stage.engine.agents.say(thread, QStringLiteral("Which of the two?"));
    Stage::settle();
    Q_EMIT page->view()->editRequested(detail.messages.last().seq - 1,
                                       QStringLiteral("The upload test fails. Find out why."));
    page->view()->jumpToLatest();
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
        {QStringLiteral("agent-find"),
         [](Stage &stage, const QSize &size) { return playAgent(stage, size, finding); }},
        {QStringLiteral("agent-attach"),
         [](Stage &stage, const QSize &size) { return playAgent(stage, size, attaching); }},
        {QStringLiteral("agent-picture"),
         [](Stage &stage, const QSize &size) { return playAgent(stage, size, pictured); }},
        {QStringLiteral("agent-edit"),
         [](Stage &stage, const QSize &size) { return playAgent(stage, size, editing); }},
        {QStringLiteral("engine-lost"), playLost},
    };
}

} // namespace berth::shots
