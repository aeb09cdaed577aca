// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/main/main_window.h"
#include "ui/style/theme.h"
#include "widget/support/scripted_engine.h"

#include <QtCore/QSize>
#include <QtCore/QTemporaryDir>

#include <functional>
#include <memory>
#include <optional>

namespace berth::shots {

//! One screen: an Engine with something to show, a client, and the window; made anew for each
//! picture, so that none depends on another.
struct Stage
{
    test::ScriptedEngine engine;
    std::unique_ptr<application::InProcessClient> client;
    QTemporaryDir settings;
    ui::Theme *theme = nullptr;
    std::unique_ptr<ui::MainWindow> window;
    //! A window over it, put into the picture too; a popup where it stands, a dialog in the middle.
    QWidget *over = nullptr;
    //! Where in the window; the offscreen screen is smaller than the window and would move it.
    std::optional<QPoint> overAt;

    //! Opens the window on what the Engine has by now.
    bool open(const QSize &size);
    //! Turns the event loop until \a condition holds; false after three seconds.
    static bool wait(const std::function<bool()> &condition);
    static void settle(int milliseconds = 60);
};

struct Scene
{
    QString name;
    //! Opens the window at that size and brings it into the state; false: it could not.
    std::function<bool(Stage &stage, const QSize &size)> play;
};

QList<Scene> scenes();

} // namespace berth::shots
