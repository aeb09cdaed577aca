// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main/main_window.h"

#include "ui/agents/agents_page.h"
#include "ui/conversation/approval_panel.h"
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_page.h"
#include "ui/files/transfer_queue.h"
#include "ui/main/new_thread_page.h"
#include "ui/models/engine_state.h"
#include "ui/models/provider_model.h"
#include "ui/models/runtime_model.h"
#include "ui/models/thread_list_model.h"
#include "ui/resources/resources_page.h"
#include "ui/resources/runtime_sheet.h"
#include "ui/sandboxes/sandboxes_page.h"
#include "ui/settings/settings_page.h"
#include "ui/style/icons.h"
#include "ui/style/theme.h"
#include "ui/terminal/terminal_sessions.h"
#include "ui/widgets/banner.h"

#include <QtCore/QSettings>
#include <QtCore/QTimerEvent>
#include <QtGui/QCloseEvent>
#include <QtGui/QShortcut>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

namespace {

constexpr int kNarrow = 960;

} // namespace

MainWindow::MainWindow(application::EngineClient &client, Theme &theme,
                       const MainWindowOptions &options)
    : m_theme(theme),
      m_options(options),
      m_settings(std::make_unique<QSettings>(options.settingsFile, QSettings::IniFormat)),
      m_state(new EngineState(client, this)),
      m_threads(new ThreadListModel(this)),
      m_runtimes(new RuntimeModel(this)),
      m_providers(new ProviderModel(this)),
      m_terminals(new TerminalSessions(*m_state, this)),
      m_transfers(new TransferQueue(client, this)),
      m_sidebar(new Sidebar(*m_threads)),
      m_connection(new Banner(Tone::Warn)),
      m_pages(new QStackedWidget),
      m_newThread(new NewThreadPage(*m_state, *m_settings)),
      m_conversation(new ConversationPage(*m_state)),
      m_resources(new ResourcesPage(client, *m_runtimes, *m_providers)),
      m_agents(new AgentsPage(*m_state)),
      m_sandboxes(new SandboxesPage(*m_state)),
      m_settingsPage(new SettingsPage(client, *m_providers, theme))
{
    setObjectName(QStringLiteral("MainWindow"));
    setWindowIcon(applicationIcon());
    setMinimumSize(880, 560);
    m_theme.setMode(themeModeFromWire(
        m_settings->value(QStringLiteral("theme"), wireName(theme.mode())).toString()));
    build();
    buildShortcuts();
    connectPages();
    m_conversation->setTerminals(*m_terminals);
    m_resources->sheet()->setFiles(client, *m_transfers);
    m_resources->sheet()->setTerminals(*m_terminals);
    m_conversation->restoreTerminalLayout(
        m_settings->value(QStringLiteral("window/terminal")).toByteArray());
    const bool enterSends = m_settings->value(QStringLiteral("enter_sends"), false).toBool();
    m_newThread->setEnterSends(enterSends);
    m_conversation->setEnterSends(enterSends);
    resize(1240, 800);
    restoreGeometry(m_settings->value(QStringLiteral("window/geometry")).toByteArray());
    m_collapsedByUser =
        m_settings->value(QStringLiteral("window/sidebar_collapsed"), false).toBool();
    updateSidebar();
    updateTitle();
    showNewThread();
    m_minute.start(60'000, this);
    m_connectionGrace.start(1500, this);
    if (m_state->isLoaded())
        onReset();
}

MainWindow::~MainWindow()
{
    // What pages do when they are hidden uses members that go before they do.
    hide();
}

void MainWindow::build()
{
    auto *whole = new QWidget;
    auto *row = new QHBoxLayout(whole);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_sidebar);
    auto *column = new QVBoxLayout;
    column->setSpacing(0);
    m_connection->setFlat(true);
    m_connection->hide();
    column->addWidget(m_connection);
    column->addWidget(m_pages, 1);
    row->addLayout(column, 1);
    for (QWidget *page : std::initializer_list<QWidget *>{m_newThread, m_conversation, m_resources,
                                                          m_agents, m_sandboxes, m_settingsPage})
        m_pages->addWidget(page);
    setCentralWidget(whole);
}

void MainWindow::buildShortcuts()
{
    const auto add = [this](const QKeySequence &keys, auto action) {
        auto *shortcut = new QShortcut(keys, this);
        connect(shortcut, &QShortcut::activated, this, action);
    };
    add(QKeySequence(Qt::CTRL | Qt::Key_N), [this] { showNewThread(); });
    add(QKeySequence(Qt::CTRL | Qt::Key_Comma), [this] { showSettings(); });
    add(QKeySequence(Qt::CTRL | Qt::Key_B), [this] { toggleSidebar(); });
    add(QKeySequence(Qt::CTRL | Qt::Key_1), [this] { showNewThread(); });
    add(QKeySequence(Qt::CTRL | Qt::Key_2), [this] { showResources(); });
    add(QKeySequence(Qt::CTRL | Qt::Key_3), [this] { showAgents(); });
    add(QKeySequence(Qt::CTRL | Qt::Key_4), [this] { showSandboxes(); });
    add(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N), [this] {
        showAgents();
        m_agents->addAgent();
    });
    add(QKeySequence(Qt::CTRL | Qt::Key_5), [this] {
        if (!m_conversation->thread().isNull())
            showThread(m_conversation->thread());
    });
    add(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A), [this] { showNextApproval(); });
    add(QKeySequence(Qt::Key_F2), [this] {
        if (m_pages->currentWidget() == m_conversation)
            m_conversation->rename();
    });
    add(QKeySequence(Qt::CTRL | Qt::Key_QuoteLeft), [this] {
        if (m_pages->currentWidget() == m_conversation)
            m_conversation->toggleTerminals();
    });
    // Only there: elsewhere Esc belongs to what has the focus.
    auto *escape = new QShortcut(QKeySequence(Qt::Key_Escape), m_conversation);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, m_conversation, &ConversationPage::escape);
}

void MainWindow::connectPages()
{
    connect(m_state, &EngineState::reset, this, &MainWindow::onReset);
    connect(m_state, &EngineState::event, this, &MainWindow::onEvent);
    connect(m_state, &EngineState::approvalsChanged, this, &MainWindow::showWaiting);
    connect(m_state, &EngineState::connectionChanged, this, &MainWindow::showConnection);
    connect(m_sidebar, &Sidebar::entryChosen, this, [this](Sidebar::Entry entry) {
        switch (entry) {
        case Sidebar::Entry::None:
            break;
        case Sidebar::Entry::NewThread:
            showNewThread();
            break;
        case Sidebar::Entry::Resources:
            showResources();
            break;
        case Sidebar::Entry::Agents:
            showAgents();
            break;
        case Sidebar::Entry::Sandboxes:
            showSandboxes();
            break;
        case Sidebar::Entry::Settings:
            showSettings();
            break;
        }
    });
    connect(m_sidebar, &Sidebar::threadChosen, this, &MainWindow::showThread);
    connect(m_sidebar, &Sidebar::renameRequested, this, [this](const domain::ThreadId &thread) {
        showThread(thread);
        m_conversation->rename();
    });
    connect(m_sidebar, &Sidebar::archiveRequested, this, &MainWindow::archive);
    connect(m_newThread, &NewThreadPage::started, this, &MainWindow::showThread);
    connect(m_newThread, &NewThreadPage::setUpRequested, this, &MainWindow::showProviderSettings);
    connect(m_newThread, &NewThreadPage::connectModelRequested, this,
            &MainWindow::showModelSettings);
    connect(m_conversation, &ConversationPage::connectModelRequested, this,
            &MainWindow::showModelSettings);
    connect(m_conversation, &ConversationPage::showRuntime, this, &MainWindow::showResources);
    connect(m_resources, &ResourcesPage::openThread, this, &MainWindow::showThread);
    connect(m_resources, &ResourcesPage::openProviderSettings, this,
            &MainWindow::showProviderSettings);
    connect(m_resources, &ResourcesPage::startThread, this, &MainWindow::showNewThread);
    connect(m_agents, &AgentsPage::providerSettingsRequested, this, &MainWindow::showSettings);
    connect(m_sandboxes, &SandboxesPage::providerSettingsRequested, this,
            &MainWindow::showSettings);
    connect(m_sandboxes, &SandboxesPage::openThread, this, &MainWindow::showThread);
    connect(m_sandboxes, &SandboxesPage::showRuntime, this, &MainWindow::showResources);
    connect(m_runtimes, &RuntimeModel::countsChanged, this, [this] {
        m_sidebar->setResourceCount(m_runtimes->counts().total, m_runtimes->counts().needsCare);
    });
    connect(&m_theme, &Theme::modeChanged, this, [this](ThemeMode mode) {
        m_settings->setValue(QStringLiteral("theme"), wireName(mode));
    });
}

void MainWindow::onReset()
{
    const application::Snapshot &snapshot = m_state->snapshot();
    m_threads->setThreads(snapshot.threads);
    m_runtimes->setAgents(snapshot.agents);
    m_runtimes->setRuntimes(snapshot.runtimes);
    m_providers->setProviders(snapshot.providers);
    m_settingsPage->setEngine(snapshot.engine);
    m_sidebar->setResourceCount(m_runtimes->counts().total, m_runtimes->counts().needsCare);
    showConnection();
    restorePage();
    if (m_pages->currentWidget() == m_conversation)
        m_sidebar->setCurrentThread(m_conversation->thread());
}

void MainWindow::onEvent(const application::Event &event)
{
    if (const auto *changed = std::get_if<application::ThreadChanged>(&event.body)) {
        const bool isNew = !m_threads->indexOf(changed->thread.id).isValid();
        m_threads->update(changed->thread);
        if (m_pages->currentWidget() == m_conversation
            && changed->thread.id == m_conversation->thread()) {
            updateTitle();
            if (isNew)
                m_sidebar->setCurrentThread(changed->thread.id);
        }
        return;
    }
    if (const auto *engine = std::get_if<application::EngineChanged>(&event.body))
        m_settingsPage->setEngine(engine->engine);
    if (const auto *ending = std::get_if<application::EngineEnding>(&event.body)) {
        m_connection->setTone(Tone::Info);
        m_connection->setText(ending->text,
                              ending->total > 0
                                  ? tr("%1 of %2 done").arg(ending->done).arg(ending->total)
                                  : QString());
        m_connection->show();
        return;
    }
    m_runtimes->apply(event);
    m_providers->apply(event);
}

void MainWindow::showConnection()
{
    if (m_state->isConnected()) {
        m_connection->hide();
        return;
    }
    // At the start it is not connected for a moment; that is no news.
    if (m_connectionGrace.isActive())
        return;
    m_connection->setTone(Tone::Warn);
    m_connection->setText(
        tr("Not connected to the Engine"),
        m_state->lostReason().isEmpty()
            ? tr("What is shown may be out of date. Berth connects again by itself.")
            : tr("%1. Berth connects again by itself.").arg(m_state->lostReason()));
    m_connection->show();
}

void MainWindow::showPage(QWidget *page, Sidebar::Entry entry)
{
    m_pages->setCurrentWidget(page);
    m_sidebar->setCurrent(entry);
    if (page != m_conversation)
        m_sidebar->setCurrentThread({});
    updateTitle();
}

void MainWindow::showNewThread()
{
    showPage(m_newThread, Sidebar::Entry::NewThread);
    m_newThread->composer()->edit()->setFocus();
}

void MainWindow::showResources(const QString &runtime)
{
    showPage(m_resources, Sidebar::Entry::Resources);
    if (!runtime.isEmpty())
        m_resources->showRuntime(runtime);
    else
        m_resources->setFocus();
}

void MainWindow::showAgents(const domain::AgentId &agent)
{
    showPage(m_agents, Sidebar::Entry::Agents);
    if (!agent.isNull())
        m_agents->showAgent(agent);
    m_agents->setFocus();
}

void MainWindow::showSandboxes()
{
    showPage(m_sandboxes, Sidebar::Entry::Sandboxes);
    m_sandboxes->setFocus();
}

void MainWindow::showSettings()
{
    showPage(m_settingsPage, Sidebar::Entry::Settings);
    m_settingsPage->setFocus();
}

void MainWindow::showProviderSettings(const domain::ConfigName &config)
{
    showPage(m_settingsPage, Sidebar::Entry::Settings);
    m_settingsPage->showProvider(config);
}

void MainWindow::showModelSettings()
{
    showPage(m_settingsPage, Sidebar::Entry::Settings);
    m_settingsPage->showSection(SettingsPage::Section::Models);
}

void MainWindow::showThread(const domain::ThreadId &thread)
{
    m_conversation->openThread(thread);
    showPage(m_conversation, Sidebar::Entry::None);
    m_sidebar->setCurrentThread(thread);
    m_conversation->composer()->edit()->setFocus();
}

void MainWindow::showWaiting()
{
    QHash<domain::ThreadId, int> waiting;
    for (const application::ApprovalView &approval : m_state->snapshot().approvals)
        ++waiting[approval.thread];
    m_threads->setWaiting(waiting);
}

void MainWindow::showNextApproval()
{
    const QList<application::ApprovalView> &all = m_state->snapshot().approvals;
    if (all.isEmpty())
        return;
    // Behind the one in which the focus is; from the oldest on otherwise.
    const domain::ToolCallId now = m_pages->currentWidget() == m_conversation
        ? m_conversation->approvals()->focusedCall()
        : domain::ToolCallId();
    qsizetype next = 0;
    for (qsizetype i = 0; i < all.size(); ++i) {
        if (!now.isNull() && all[i].toolCall == now)
            next = (i + 1) % all.size();
    }
    const application::ApprovalView approval = all[next];
    if (m_pages->currentWidget() != m_conversation || m_conversation->thread() != approval.thread)
        showThread(approval.thread);
    // Its card stands beside the conversation, not in the view of an output.
    while (m_conversation->isViewerOpen() && m_conversation->escape()) {}
    m_conversation->approvals()->focusCard(approval.toolCall);
}

void MainWindow::archive(const domain::ThreadId &thread)
{
    application::UpdateThread command;
    command.thread = thread;
    command.archived = true;
    application::deliver(this, m_state->client(), command,
                         [this, thread](const domain::Result<application::ThreadView> &view) {
                             if (!view)
                                 return;
                             m_state->apply(*view);
                             m_threads->update(*view);
                             if (m_pages->currentWidget() == m_conversation
                                 && m_conversation->thread() == thread)
                                 showNewThread();
                         });
}

void MainWindow::toggleSidebar()
{
    m_collapsedByUser = !m_sidebar->isCollapsed();
    m_sidebar->setCollapsed(m_collapsedByUser);
    m_settings->setValue(QStringLiteral("window/sidebar_collapsed"), m_collapsedByUser);
}

void MainWindow::updateSidebar()
{
    const bool collapsed = width() < kNarrow || m_collapsedByUser;
    if (collapsed != m_sidebar->isCollapsed())
        m_sidebar->setCollapsed(collapsed);
}

void MainWindow::raiseWindow()
{
    setWindowState(windowState() & ~Qt::WindowMinimized);
    show();
    raise();
    activateWindow();
}

void MainWindow::updateTitle()
{
    QString page;
    if (m_pages->currentWidget() == m_resources)
        page = tr("Resources");
    else if (m_pages->currentWidget() == m_agents)
        page = tr("Agents");
    else if (m_pages->currentWidget() == m_sandboxes)
        page = tr("Sandboxes");
    else if (m_pages->currentWidget() == m_settingsPage)
        page = tr("Settings");
    else if (m_pages->currentWidget() == m_newThread)
        page = tr("New thread");
    else if (const auto *thread = m_state->thread(m_conversation->thread()))
        page = thread->title;
    QString title = page.isEmpty() ? QStringLiteral("Berth") : tr("%1 — Berth").arg(page);
    if (!m_options.dataDirectory.isEmpty())
        title = tr("%1 (%2)", "window title, data directory").arg(title, m_options.dataDirectory);
    setWindowTitle(title);
}

void MainWindow::restorePage()
{
    if (std::exchange(m_restored, true))
        return;
    const domain::ThreadId thread(m_settings->value(QStringLiteral("window/thread")).toString());
    const QString page = m_settings->value(QStringLiteral("window/page")).toString();
    // A page that was opened before the first snapshot came is the user's choice.
    if (m_pages->currentWidget() != m_newThread)
        return;
    if (page == QLatin1String("resources"))
        showResources();
    else if (page == QLatin1String("agents"))
        showAgents();
    else if (page == QLatin1String("sandboxes"))
        showSandboxes();
    else if (page == QLatin1String("settings"))
        showSettings();
    else if (page == QLatin1String("thread") && m_state->thread(thread)
             && !m_state->thread(thread)->archived)
        showThread(thread);
}

void MainWindow::saveState()
{
    m_conversation->flushDraft();
    m_settings->setValue(QStringLiteral("window/geometry"), saveGeometry());
    QString page = QStringLiteral("new");
    if (m_pages->currentWidget() == m_resources)
        page = QStringLiteral("resources");
    else if (m_pages->currentWidget() == m_agents)
        page = QStringLiteral("agents");
    else if (m_pages->currentWidget() == m_sandboxes)
        page = QStringLiteral("sandboxes");
    else if (m_pages->currentWidget() == m_settingsPage)
        page = QStringLiteral("settings");
    else if (m_pages->currentWidget() == m_conversation)
        page = QStringLiteral("thread");
    m_settings->setValue(QStringLiteral("window/page"), page);
    m_settings->setValue(QStringLiteral("window/terminal"), m_conversation->terminalLayout());
    m_settings->setValue(QStringLiteral("window/thread"), m_conversation->thread().toString());
    m_settings->sync();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    saveState();
    Q_EMIT closing();
    QMainWindow::closeEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    const bool narrow = event->size().width() < kNarrow;
    const bool wasNarrow = event->oldSize().width() < kNarrow;
    if (!event->oldSize().isValid() || narrow != wasNarrow)
        updateSidebar();
}

void MainWindow::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_minute.timerId()) {
        m_threads->regroup();
        saveState(); // so that a crash loses little
    } else if (event->timerId() == m_connectionGrace.timerId()) {
        m_connectionGrace.stop();
        showConnection();
    } else {
        QMainWindow::timerEvent(event);
    }
}

} // namespace berth::ui
