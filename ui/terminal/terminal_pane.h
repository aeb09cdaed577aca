// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/error.h"
#include "ui/terminal/terminal_session.h"

#include <QtCore/QPointer>
#include <QtWidgets/QWidget>

class QVBoxLayout;

namespace berth::ui {

class Banner;
class Button;
class TerminalSearch;
class TerminalView;

//! One terminal, or the output of one background command, with the lines that ask or explain above
//! it and the search below it.
class TerminalPane final : public QWidget
{
    Q_OBJECT
public:
    explicit TerminalPane(TerminalSession *session, QWidget *parent = nullptr);
    ~TerminalPane() override;

    [[nodiscard]] TerminalSession *session() const { return m_session; }
    [[nodiscard]] TerminalView *view() const { return m_view; }
    [[nodiscard]] TerminalSearch *search() const { return m_search; }
    //! Of its sandbox; says what can be done while it is not known whether the process runs.
    void setCanResume(bool can);
    //! Asks what shall become of the running process.
    void askClose();

    [[nodiscard]] Banner *stateBar() const { return m_state; }
    [[nodiscard]] Banner *pasteBar() const { return m_pasteBar; }
    [[nodiscard]] Banner *closeBar() const { return m_closeBar; }
    [[nodiscard]] Button *pasteButton() const { return m_paste; }
    [[nodiscard]] Button *stateButton() const { return m_stateAction; }
    [[nodiscard]] Button *stopButton() const { return m_stop; }
    [[nodiscard]] Button *leaveButton() const { return m_leave; }

Q_SIGNALS:
    void startAgainRequested();
    void resumeRequested();
    void stopRequested();
    //! Close the tab, the process goes on.
    void leaveRequested();
    void titleChanged();
    void sizeChanged();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void setWatching(bool on);
    void buildBars(QVBoxLayout *column);
    void showState();
    void askPaste(const QString &text);
    void answerPaste(bool yes);
    void showFailure(const domain::Error &error);
    void openAddress(const QString &address);

    QPointer<TerminalSession> m_session;
    TerminalView *m_view;
    TerminalSearch *m_search;
    Banner *m_state = nullptr;
    Button *m_stateAction = nullptr;
    Banner *m_failure = nullptr;
    Banner *m_pasteBar = nullptr;
    Button *m_paste = nullptr;
    Button *m_pasteNot = nullptr;
    Banner *m_closeBar = nullptr;
    Button *m_stop = nullptr;
    Button *m_leave = nullptr;
    Button *m_closeNot = nullptr;
    QString m_toPaste;
    bool m_canResume = false;
    bool m_watching = false;
};

} // namespace berth::ui
