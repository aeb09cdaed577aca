// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shots/studio.h"

#include "shots/scenes_agents.h"
#include "shots/scenes_pages.h"
#include "shots/scenes_security.h"
#include "shots/scenes_terminal.h"
#include "shots/scenes_threads.h"
#include "ui/models/engine_state.h"

#include <QtTest/QTest>

namespace berth::shots {

bool Stage::open(const QSize &size)
{
    client = engine.makeClient();
    if (!wait([this] { return client->isConnected(); }))
        return false;
    const ui::ThemeMode mode = theme->mode();
    window = std::make_unique<ui::MainWindow>(
        *client, *theme,
        ui::MainWindowOptions{settings.filePath(QStringLiteral("window.ini")), {}});
    theme->setMode(mode);
    window->resize(size);
    window->show();
    return wait([this] { return window->state()->isLoaded(); });
}

bool Stage::wait(const std::function<bool()> &condition)
{
    return QTest::qWaitFor(condition, 3000);
}

void Stage::settle(int milliseconds)
{
    QTest::qWait(milliseconds);
}

QList<Scene> scenes()
{
    return threadScenes() + pageScenes() + securityScenes() + agentScenes() + terminalScenes();
}

} // namespace berth::shots
