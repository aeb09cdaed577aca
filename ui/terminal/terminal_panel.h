// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"
#include "ui/terminal/terminal_sessions.h"

#include <QtCore/QBasicTimer>
#include <QtWidgets/QWidget>

class QLineEdit;
class QStackedWidget;
class QVBoxLayout;

namespace berth::ui {

class Banner;
class Button;
class EmptyState;
class IconButton;
class Label;
class ProcessList;
class ProcessModel;
class TerminalPane;
class TerminalTabs;

//! Whose terminals are shown.
struct TerminalTarget
{
    domain::LeaseId lease;
    //! For StartProcess: a thread, sandbox or lease.
    QString target;
    //! "default / docker-1"
    QString name;
    //! Why there can be none; empty: there can.
    QString refusal;
    bool operator==(const TerminalTarget &) const = default;
};

//! Terminals of one sandbox as tabs, with the list of what runs in its background. The same in the
//! detail sheet and beside a conversation.
class TerminalPanel final : public QWidget
{
    Q_OBJECT
public:
    //! From here on the list stands beside the terminal; else in its place.
    static constexpr int kBeside = 720;

    explicit TerminalPanel(TerminalSessions &sessions, QWidget *parent = nullptr);

    void setTarget(const TerminalTarget &target);
    [[nodiscard]] const TerminalTarget &target() const { return m_target; }
    //! A new terminal; also makes a sandbox ready that is not.
    void openNew();
    //! The shown terminal gets the focus; without one, and with a running sandbox, one is opened.
    void enter();

    [[nodiscard]] TerminalTabs *tabs() const { return m_tabs; }
    [[nodiscard]] TerminalPane *pane() const;
    [[nodiscard]] EmptyState *empty() const { return m_empty; }
    [[nodiscard]] Button *openButton() const { return m_open; }
    [[nodiscard]] IconButton *newButton() const { return m_new; }
    [[nodiscard]] Button *listButton() const { return m_listButton; }
    [[nodiscard]] ProcessList *list() const { return m_list; }
    [[nodiscard]] QLineEdit *commandField() const { return m_command; }
    [[nodiscard]] Banner *question() const { return m_question; }
    [[nodiscard]] Button *resumeButton() const { return m_resume; }
    [[nodiscard]] bool isListOpen() const { return m_listOpen; }
    void setListOpen(bool open);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void timerEvent(QTimerEvent *event) override;

private:
    enum class Ready { Running, Sleeps, New, Never };
    void buildHead(QVBoxLayout *column);
    QWidget *buildList();
    [[nodiscard]] Ready readiness() const;
    [[nodiscard]] TerminalPane *paneAt(int tab) const;
    [[nodiscard]] int tabOf(const domain::ProcessId &id) const;
    void addTab(const application::ProcessView &process);
    void connectPane(TerminalPane *pane);
    void refresh();
    void refreshTabs();
    void refreshEmpty();
    void arrange();
    void closeTab(int tab);
    void askNew();
    void runInBackground();
    void startAgain(const application::ProcessView &process);
    void openProcess(const QString &id);
    void showFailure(const QString &what, const domain::Error &error);

    TerminalSessions &m_sessions;
    TerminalTarget m_target;
    ProcessModel *m_processes;
    TerminalTabs *m_tabs = nullptr;
    IconButton *m_new = nullptr;
    IconButton *m_search = nullptr;
    Button *m_listButton = nullptr;
    Label *m_size = nullptr;
    Banner *m_question = nullptr;
    Button *m_resume = nullptr;
    Banner *m_failure = nullptr;
    QStackedWidget *m_pages = nullptr;
    EmptyState *m_empty = nullptr;
    Button *m_open = nullptr;
    QWidget *m_busy = nullptr;
    Label *m_busyText = nullptr;
    QWidget *m_side = nullptr;
    ProcessList *m_list = nullptr;
    Label *m_none = nullptr;
    QLineEdit *m_command = nullptr;
    QList<domain::ProcessId> m_shown;
    domain::RequestId m_starting;
    //! What is being started belongs to this lease's target.
    QString m_startingTarget;
    QBasicTimer m_second;
    bool m_listOpen = false;
    bool m_enter = false;
};

} // namespace berth::ui
