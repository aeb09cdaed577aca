// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/shell.h"
#include "support/await.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QObject>

namespace berth::test {

//! One command under way, with all that it said.
class CommandRun : public QObject
{
    Q_OBJECT
public:
    enum class Acknowledge { AtOnce, ByHand };

    explicit CommandRun(std::shared_ptr<domain::Execution> execution,
                        Acknowledge acknowledge = Acknowledge::AtOnce);

    [[nodiscard]] domain::Execution &execution() const { return *m_execution; }
    [[nodiscard]] bool isFinished() const { return m_outcome.has_value(); }
    //! False when it took longer.
    bool waitForEnd(std::chrono::milliseconds limit = std::chrono::seconds(30));
    //! Until standard output holds \a bytes.
    bool waitForOutput(const QByteArray &bytes,
                       std::chrono::milliseconds limit = std::chrono::seconds(10));

    //! Only once finished.
    [[nodiscard]] const domain::Outcome &outcome() const { return *m_outcome; }
    [[nodiscard]] std::chrono::milliseconds elapsed() const { return m_elapsed; }
    //! Signals that came after finished(): must stay 0.
    [[nodiscard]] int afterEnd() const { return m_afterEnd; }

    QByteArray out;
    QByteArray err;

Q_SIGNALS:
    void changed();

private:
    std::shared_ptr<domain::Execution> m_execution;
    std::optional<domain::Outcome> m_outcome;
    QElapsedTimer m_clock;
    std::chrono::milliseconds m_elapsed{0};
    int m_afterEnd = 0;
};

domain::CommandSpec shellCommand(const QByteArray &text);
domain::CommandSpec program(const QList<QByteArray> &argv);

//! Starts \a command; null (with a warning) when that failed.
std::unique_ptr<CommandRun> start(
    domain::Shell &shell, domain::CommandSpec command,
    CommandRun::Acknowledge acknowledge = CommandRun::Acknowledge::AtOnce);

struct Finished
{
    domain::Outcome outcome;
    QByteArray out;
    QByteArray err;
    std::chrono::milliseconds elapsed{0};
};

//! Runs \a command to its end. A refused start or one that takes longer than \a limit is told as
//! NotStarted with the reason in detail.
Finished run(domain::Shell &shell, domain::CommandSpec command,
             std::chrono::milliseconds limit = std::chrono::seconds(30));
Finished run(domain::Shell &shell, const QByteArray &text,
             std::chrono::milliseconds limit = std::chrono::seconds(30));

//! "exited 3, out: …, err: …", for the messages of failed checks.
QByteArray told(const Finished &finished);

} // namespace berth::test
