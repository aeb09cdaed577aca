// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/main/main_window.h"
#include "ui/style/theme.h"
#include "widget/support/scripted_engine.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>

#include <functional>
#include <memory>

namespace berth::test {

//! A window on a scripted engine, with its settings in a directory of its own.
class WindowRig
{
public:
    explicit WindowRig(const std::function<void(ScriptedEngine &)> &fill = {})
    {
        engine.fillProviders();
        if (fill)
            fill(engine);
        client = engine.makeClient();
    }

    //! Opens the window and waits until it shows what the engine has.
    [[nodiscard]] bool open(const QString &dataDirectory = {}, const QSize &size = {1240, 800})
    {
        window = std::make_unique<ui::MainWindow>(
            *client, theme,
            ui::MainWindowOptions{directory.filePath(QStringLiteral("window.ini")), dataDirectory});
        if (size.isValid())
            window->resize(size);
        window->show();
        window->activateWindow();
        return QTest::qWaitForWindowActive(window.get())
            && QTest::qWaitFor([this] { return engine.count<application::GetSnapshot>() > 0; })
            && QTest::qWaitFor([this] { return window->isVisible() && loaded(); });
    }
    //! As a restart of the program does.
    void close()
    {
        window->close();
        window.reset();
        client = engine.makeClient();
    }

    ScriptedEngine engine;
    QTemporaryDir directory;
    ui::Theme theme{*qApp};
    std::unique_ptr<application::InProcessClient> client;
    std::unique_ptr<ui::MainWindow> window;

private:
    [[nodiscard]] bool loaded() const;
};

} // namespace berth::test
