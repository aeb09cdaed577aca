// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_client.h"
#include "ui/terminal/terminal_screen.h"

#include <QtCore/QBasicTimer>
#include <QtCore/QElapsedTimer>
#include <QtCore/QSize>

namespace berth::ui {

//! One background command or terminal as this window follows it: reads its output into a screen
//! while somebody looks, and writes what is typed, in order. Work per frame is bounded, whatever
//! the process writes.
class TerminalSession final : public QObject
{
    Q_OBJECT
public:
    //! Of the output of a process that runs already so much is played again.
    static constexpr qint64 kReplay = 2 * 1024 * 1024;
    //! Behind by more than this, what lies between is passed over.
    static constexpr qint64 kMostBehind = 8 * 1024 * 1024;
    static constexpr qint64 kRead = 256 * 1024;
    static constexpr qint64 kWrite = 64 * 1024;
    static constexpr int kFrameMs = 16;
    //! Of each frame, at most, for reading sequences; the rest is for painting and all else.
    static constexpr int kBudgetMs = 6;

    //! \a fresh: it was started just now, so that what it asks of its terminal waits for an answer.
    TerminalSession(application::EngineClient &client, const application::ProcessView &process,
                    bool fresh, QObject *parent = nullptr);
    ~TerminalSession() override;

    [[nodiscard]] const application::ProcessView &process() const { return m_process; }
    [[nodiscard]] bool isTerminal() const;
    [[nodiscard]] bool isRunning() const;
    void update(const application::ProcessView &process);
    [[nodiscard]] TerminalScreen &screen() { return *m_screen; }

    //! Reads only while somebody watches; each who begins also ends.
    void watch();
    void unwatch();
    [[nodiscard]] bool isWatched() const { return m_watchers > 0; }
    //! The connection is there (again).
    void resume();
    void write(const QByteArray &bytes);
    //! Of the screen at once, of the process behind it as well.
    void resize(const QSize &cells);

    //! Everything that was written up to the end is on the screen.
    [[nodiscard]] bool isComplete() const { return m_complete && m_backlog.isEmpty(); }
    [[nodiscard]] qint64 passedOver() const { return m_passedOver; }

Q_SIGNALS:
    //! The screen has something new; at most 60 times a second.
    void framed();
    void processChanged();
    //! Input was not taken, or output could not be read.
    void failed(const berth::domain::Error &error);
    //! Output can be read again.
    void recovered();

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    void read();
    void take(const application::OutputChunk &chunk);
    void frame();
    void sendInput();
    void sendSize();
    void replayAll();

    application::EngineClient &m_client;
    application::ProcessView m_process;
    TerminalScreen *m_screen;
    bool m_fresh;
    int m_watchers = 0;
    bool m_reading = false;
    bool m_complete = false;
    bool m_failing = false;
    //! Where to read on; -1: from the end minus kReplay.
    qint64 m_offset = -1;
    //! Output before this is old: what it asks is not answered.
    qint64 m_answersFrom = 0;
    //! Set anew by the next chunk.
    bool m_replaying;
    //! Read but not on the screen; begins at m_shown.
    QByteArray m_backlog;
    qint64 m_shown = 0;
    qint64 m_passedOver = 0;
    domain::RequestId m_question;
    //! Answers to questions of an earlier one are of no use.
    int m_generation = 0;
    QElapsedTimer m_asked;
    QBasicTimer m_frame;
    QBasicTimer m_retry;

    QByteArray m_input;
    bool m_writing = false;
    QSize m_wantedSize;
    bool m_sizing = false;
};

} // namespace berth::ui
