// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_client.h"
#include "bootstrap/engine_thread.h"
#include "ui/conversation/conversation_delegate.h"
#include "ui/resources/runtime_card.h"
#include "ui/style/theme.h"

#include <QtCore/QTemporaryDir>

#include <memory>

class QAbstractButton;

namespace berth::ui {
class Composer;
class ConversationPage;
class MainWindow;
class ProviderCard;
class ResourcesPage;
} // namespace berth::ui

namespace berth::test {

enum class Way { InProcess, Socket };

//! A real window on a real Engine with storage and providers of its own, both in this process, as
//! the program has them. Only by keys and clicks does a test act on it. Whatever it leaves at a
//! provider is destroyed at the end.
class LiveWindow
{
public:
    LiveWindow();
    ~LiveWindow();
    LiveWindow(const LiveWindow &) = delete;
    LiveWindow &operator=(const LiveWindow &) = delete;

    [[nodiscard]] bool open(Way way);

    [[nodiscard]] ui::ConversationPage *talk() const;
    [[nodiscard]] ui::ResourcesPage *resources() const;
    [[nodiscard]] const application::Snapshot &snapshot() const;
    [[nodiscard]] const QString &dataDirectory() const { return m_paths.engine.data; }

    // --- Settings ---
    //! Opens the card of a provider by keys and waits for its form.
    [[nodiscard]] ui::ProviderCard *openProvider(const QString &config);
    //! Types image and network into Docker's card, and saves; changes and saves Local's. Waits
    //! until it is ready.
    [[nodiscard]] bool setUp(const QString &config);

    // --- threads ---
    //! Chooses the provider in the dropdown of the new-thread page, and sends \a text.
    [[nodiscard]] bool startThread(const QString &config, const QString &text);
    //! In the thread that is open.
    void send(const QString &text);
    [[nodiscard]] int calls() const;
    //! The \a n th tool call of the open thread, from 0; its id is null when there is none.
    [[nodiscard]] application::ToolCallView call(int n) const;
    [[nodiscard]] bool waitDone(int n);
    //! Opens the card by a click unless it is open, and waits for its text to be \a text.
    [[nodiscard]] bool shows(int n, const QString &text);
    [[nodiscard]] QString shownText(int n) const;
    [[nodiscard]] bool clickCall(int n, ui::ConversationDelegate::Part part);
    [[nodiscard]] QString outcomeWord(int n) const;

    // --- Resources ---
    void openResources();
    [[nodiscard]] int cards() const;
    [[nodiscard]] QString cardState() const;
    //! What the only card shows.
    [[nodiscard]] application::RuntimeView card() const;
    void clickCard(ui::CardPart part);

    std::unique_ptr<ui::MainWindow> window;

private:
    [[nodiscard]] QModelIndex indexOf(int n) const;
    void destroyAll();

    QTemporaryDir m_directory;
    bootstrap::AppPaths m_paths;
    ui::Theme m_theme;
    std::unique_ptr<bootstrap::EngineThread> m_engine;
    std::unique_ptr<application::EngineClient> m_client;
};

//! A click of the user: false when nobody could have clicked there.
[[nodiscard]] bool click(QAbstractButton *button);
//! Text and Ctrl+Return.
void typeAndSend(ui::Composer *composer, const QString &text);

} // namespace berth::test
