// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_session.h"

#include "ui/models/runtime_text.h"

#include <QtCore/QTimerEvent>

namespace berth::ui {

using application::OutputChunk;
using application::ProcessKind;
using application::ProcessState;
using application::ReadProcess;

namespace {

constexpr int kPollMs = 20'000;
//! An empty answer that came at once is no long poll; asking again at once would be a busy loop.
constexpr int kRetryMs = 250;
constexpr int kPieceBytes = 8 * 1024;
constexpr int kUsualColumns = 80;
constexpr int kUsualRows = 24;

} // namespace

TerminalSession::TerminalSession(application::EngineClient &client,
                                 const application::ProcessView &process, bool fresh,
                                 QObject *parent)
    : QObject(parent),
      m_client(client),
      m_process(process),
      m_screen(new TerminalScreen(process.columns > 0 ? process.columns : kUsualColumns,
                                  process.rows > 0 ? process.rows : kUsualRows, this)),
      m_fresh(fresh),
      m_replaying(!fresh)
{
    if (fresh)
        m_offset = 0;
    m_screen->setAddsReturn(!isTerminal());
    if (isTerminal()) {
        connect(m_screen, &TerminalScreen::output, this, &TerminalSession::write);
        m_wantedSize = {process.columns, process.rows};
    }
}

TerminalSession::~TerminalSession()
{
    if (m_reading)
        m_client.cancel(m_question);
}

bool TerminalSession::isTerminal() const
{
    return m_process.kind == ProcessKind::Terminal;
}

bool TerminalSession::isRunning() const
{
    return m_process.state == ProcessState::Running || m_process.state == ProcessState::Starting;
}

void TerminalSession::update(const application::ProcessView &process)
{
    if (process == m_process)
        return;
    const bool woke = !isRunning() && process.state == ProcessState::Running;
    m_process = process;
    Q_EMIT processChanged();
    if (woke)
        resume();
}

void TerminalSession::watch()
{
    if (++m_watchers > 1)
        return;
    // What came while nobody looked is as old as what came before the window was opened.
    m_replaying = !std::exchange(m_fresh, false);
    read();
    if (!m_backlog.isEmpty())
        frame();
}

void TerminalSession::unwatch()
{
    if (--m_watchers > 0)
        return;
    if (m_reading)
        m_client.cancel(m_question);
    m_retry.stop();
}

void TerminalSession::resume()
{
    if (m_watchers > 0)
        read();
    sendInput();
}

void TerminalSession::read()
{
    if (m_watchers == 0 || m_reading || m_complete || m_backlog.size() >= kRead
        || m_retry.isActive())
        return;
    m_reading = true;
    m_asked.start();
    ReadProcess command;
    command.process = m_process.id;
    command.offset = m_offset < 0 ? -kReplay : m_offset;
    command.limit = kRead;
    command.waitMs = m_offset < 0 ? 0 : kPollMs;
    m_question = application::deliver(
        this, m_client, command,
        [this, generation = m_generation](const domain::Result<OutputChunk> &chunk) {
            m_reading = false;
            if (generation != m_generation) {
                read();
                return;
            }
            if (chunk) {
                if (std::exchange(m_failing, false))
                    Q_EMIT recovered();
                take(*chunk);
                return;
            }
            if (chunk.error().kind != domain::ErrorKind::Cancelled) {
                m_retry.start(4 * kRetryMs, this);
                if (!std::exchange(m_failing, true))
                    Q_EMIT failed(chunk.error());
            } else if (m_watchers > 0) {
                read();
            }
        });
}

void TerminalSession::take(const OutputChunk &chunk)
{
    if (m_replaying) {
        m_replaying = false;
        m_answersFrom = chunk.total;
    }
    QByteArray bytes = chunk.bytes;
    qint64 offset = chunk.offset;
    if (m_offset < 0 && offset > 0) {
        // Begins anywhere: the first whole line is a better start than half a sequence.
        const qsizetype feed = bytes.indexOf('\n');
        if (feed >= 0) {
            bytes.remove(0, feed + 1);
            offset += feed + 1;
        }
    }
    if (m_backlog.isEmpty())
        m_shown = offset;
    m_backlog += bytes;
    m_offset = offset + bytes.size();
    m_complete = chunk.complete && m_offset >= chunk.total;
    const qint64 behind = chunk.total - m_offset;
    if (behind > kMostBehind) {
        // All that lies between would have gone through and out of the scrollback again.
        const qint64 gap = behind - kReplay;
        m_passedOver += gap;
        m_offset += gap;
        m_backlog = "\x18\x1b[0m\r\n" + tr("[%1 of output passed over]").arg(byteText(gap)).toUtf8()
            + "\r\n";
        m_shown = m_offset - m_backlog.size();
    }
    const bool early = bytes.isEmpty() && !m_complete && m_asked.elapsed() < kRetryMs;
    if (early)
        m_retry.start(kRetryMs, this);
    if (!m_frame.isActive())
        frame();
    read();
}

void TerminalSession::frame()
{
    QElapsedTimer clock;
    clock.start();
    qsizetype at = 0;
    while (at < m_backlog.size() && clock.elapsed() < kBudgetMs) {
        qsizetype length = qMin<qsizetype>(kPieceBytes, m_backlog.size() - at);
        const bool old = m_shown < m_answersFrom;
        if (old)
            length = static_cast<qsizetype>(qMin<qint64>(length, m_answersFrom - m_shown));
        m_screen->feed(QByteArrayView(m_backlog).sliced(at, length),
                       old ? TerminalScreen::Answers::Drop : TerminalScreen::Answers::Send);
        at += length;
        m_shown += length;
    }
    m_backlog.remove(0, at);
    // The timer also keeps the next chunk from being painted before its time.
    if (at > 0)
        m_frame.start(kFrameMs, this);
    else
        m_frame.stop();
    Q_EMIT framed();
}

void TerminalSession::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_frame.timerId()) {
        if (m_backlog.isEmpty())
            m_frame.stop();
        else
            frame();
    } else if (event->timerId() == m_retry.timerId()) {
        m_retry.stop();
    }
    read();
}

void TerminalSession::write(const QByteArray &bytes)
{
    if (!isTerminal() || m_process.state == ProcessState::Ended)
        return;
    m_input += bytes;
    sendInput();
}

void TerminalSession::sendInput()
{
    // One at a time: what is typed meanwhile goes together with the next one.
    if (m_writing || m_input.isEmpty())
        return;
    m_writing = true;
    application::WriteProcess command;
    command.process = m_process.id;
    command.bytes = m_input.left(kWrite);
    m_input.remove(0, command.bytes.size());
    application::deliver(this, m_client, command,
                         [this](const domain::Result<application::Nothing> &done) {
                             m_writing = false;
                             if (!done) {
                                 // Never twice, and nothing of it later: a command typed blindly
                                 // is not run minutes after.
                                 m_input.clear();
                                 if (m_process.state != ProcessState::Ended)
                                     Q_EMIT failed(done.error());
                                 return;
                             }
                             sendInput();
                         });
}

void TerminalSession::resize(const QSize &cells)
{
    const bool other = cells.width() != m_screen->columns();
    m_screen->resize(cells.width(), cells.height());
    if (isTerminal()) {
        if (cells != m_wantedSize) {
            m_wantedSize = cells;
            sendSize();
        }
    } else if (other && m_offset >= 0) {
        // Nobody at the other end breaks the lines anew: this does, from what is stored.
        replayAll();
    }
    Q_EMIT framed();
}

void TerminalSession::replayAll()
{
    ++m_generation;
    m_screen->reset();
    m_backlog.clear();
    m_offset = -1;
    m_complete = false;
    if (m_reading)
        m_client.cancel(m_question);
    else
        read();
}

void TerminalSession::sendSize()
{
    if (m_sizing || m_process.state != ProcessState::Running)
        return;
    m_sizing = true;
    application::ResizeProcess command;
    command.process = m_process.id;
    command.columns = m_wantedSize.width();
    command.rows = m_wantedSize.height();
    application::deliver(this, m_client, command,
                         [this, sent = m_wantedSize](const domain::Result<application::Nothing> &) {
                             // A size that was not taken is of no harm; the next one may be.
                             m_sizing = false;
                             if (m_wantedSize != sent)
                                 sendSize();
                         });
}

} // namespace berth::ui
