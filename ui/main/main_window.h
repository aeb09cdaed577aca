// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"
#include "ui/main/sidebar.h"

#include <QtCore/QBasicTimer>
#include <QtWidgets/QMainWindow>

#include <memory>

class QSettings;
class QStackedWidget;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class AgentsPage;
class Banner;
class ConversationPage;
class EngineState;
class NewThreadPage;
class ProviderModel;
class ResourcesPage;
class RuntimeModel;
class SandboxesPage;
class SettingsPage;
class TerminalSessions;
class TransferQueue;
class Theme;
class ThreadListModel;

struct MainWindowOptions
{
    //! Where the window keeps its geometry, open page and drafts.
    QString settingsFile;
    //! Shown in the title when it is not the usual one.
    QString dataDirectory;
};

//! The window: sidebar, pages, and what is common to them. Uses nothing of the Engine but its
//! client.
class MainWindow final : public QMainWindow
{
    Q_OBJECT
public:
    //! Both outlive the window.
    MainWindow(application::EngineClient &client, Theme &theme, const MainWindowOptions &options);
    ~MainWindow() override;

    void showNewThread();
    void showResources(const QString &runtime = {});
    void showAgents(const domain::AgentId &agent = {});
    void showSandboxes();
    void showSettings();
    void showProviderSettings(const domain::ConfigName &config);
    void showModelSettings();
    void showThread(const domain::ThreadId &thread);
    void toggleSidebar();
    //! To the next action that waits for the user, over all threads.
    void showNextApproval();
    //! Another start of the program asks for this one.
    void raiseWindow();

    [[nodiscard]] EngineState *state() const { return m_state; }
    [[nodiscard]] Sidebar *sidebar() const { return m_sidebar; }
    [[nodiscard]] NewThreadPage *newThreadPage() const { return m_newThread; }
    [[nodiscard]] ConversationPage *conversationPage() const { return m_conversation; }
    [[nodiscard]] ResourcesPage *resourcesPage() const { return m_resources; }
    [[nodiscard]] AgentsPage *agentsPage() const { return m_agents; }
    [[nodiscard]] SandboxesPage *sandboxesPage() const { return m_sandboxes; }
    [[nodiscard]] SettingsPage *settingsPage() const { return m_settingsPage; }
    [[nodiscard]] ThreadListModel *threadModel() const { return m_threads; }
    [[nodiscard]] QStackedWidget *pages() const { return m_pages; }
    [[nodiscard]] TerminalSessions *terminals() const { return m_terminals; }
    [[nodiscard]] Banner *connectionBanner() const { return m_connection; }

Q_SIGNALS:
    //! The last page was saved, the window is going.
    void closing();

protected:
    void closeEvent(QCloseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void timerEvent(QTimerEvent *event) override;

private:
    void build();
    void buildShortcuts();
    void connectPages();
    void onReset();
    void onEvent(const application::Event &event);
    void showConnection();
    void showPage(QWidget *page, Sidebar::Entry entry);
    void updateTitle();
    void updateSidebar();
    void showWaiting();
    void archive(const domain::ThreadId &thread);
    void saveState();
    void restorePage();

    Theme &m_theme;
    MainWindowOptions m_options;
    std::unique_ptr<QSettings> m_settings;
    EngineState *m_state;
    ThreadListModel *m_threads;
    RuntimeModel *m_runtimes;
    ProviderModel *m_providers;
    TerminalSessions *m_terminals;
    TransferQueue *m_transfers;
    Sidebar *m_sidebar;
    Banner *m_connection;
    QStackedWidget *m_pages;
    NewThreadPage *m_newThread;
    ConversationPage *m_conversation;
    ResourcesPage *m_resources;
    AgentsPage *m_agents;
    SandboxesPage *m_sandboxes;
    SettingsPage *m_settingsPage;
    QBasicTimer m_minute;
    QBasicTimer m_connectionGrace;
    bool m_collapsedByUser = false;
    bool m_restored = false;
};

} // namespace berth::ui
