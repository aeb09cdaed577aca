// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"
#include "domain/sandbox/sandbox_connection.h"
#include "providers/local/bubblewrap.h"
#include "providers/local/process_metrics.h"

#include <QtCore/QProcess>

#include <memory>
#include <stop_token>

namespace berth::net {
class GuestChannel;
}

namespace berth::local {

struct SandboxLaunch
{
    QString program;
    QStringList arguments;
    QByteArray home;
    LocalSettings settings;
    //! Of its control groups.
    QString group;
    //! For bwrap --seccomp; without isolation there is none.
    QByteArray filter;
    QProcessEnvironment environment;
    //! Working directory of the program itself.
    QString directory;
    //! For the reason when it fails.
    HostSystem system;
};

//! One bubblewrap with the runner as its process 1, or without isolation the runner alone. Ends
//! with this object, with Berth, or when its runner ends.
class SandboxProcess : public QObject, public std::enable_shared_from_this<SandboxProcess>
{
    Q_OBJECT
public:
    //! Answers once the runner has greeted. A machine that does not let bubblewrap isolate is told
    //! by isolationError().
    static domain::Async<std::shared_ptr<SandboxProcess>> start(SandboxLaunch launch,
                                                                std::stop_token stop);
    ~SandboxProcess() override;

    [[nodiscard]] bool isRunning() const { return !m_ended.isComplete(); }
    //! One for all callers, as long as it runs.
    [[nodiscard]] std::shared_ptr<domain::SandboxConnection> connection() const
    {
        return m_connection;
    }
    //! The outer bubblewrap's; without isolation the runner's.
    [[nodiscard]] qint64 processId() const { return m_process->processId(); }
    [[nodiscard]] ProcessMeter &meter() { return m_meter; }
    [[nodiscard]] const LocalSettings &settings() const { return m_settings; }
    [[nodiscard]] const LimitsHeld &limits() const { return m_limits; }

    //! Ends everything inside; answers when nothing is left of it. Commands under way are told \a
    //! reason.
    static async::Task<void> end(std::shared_ptr<SandboxProcess> self, QString reason);

Q_SIGNALS:
    //! By itself or by end(). Once.
    void ended();

private:
    SandboxProcess();
    static domain::Async<std::shared_ptr<SandboxProcess>> startNow(
        std::shared_ptr<SandboxProcess> self, SandboxLaunch launch, std::stop_token stop);
    domain::Result<int> launchProcess(const SandboxLaunch &launch);
    [[nodiscard]] domain::Error startError(const SandboxLaunch &launch,
                                           const domain::Error &error) const;
    void onFinished();
    domain::Result<void> keepToLimits(const SandboxLaunch &launch);
    void killInside() const;
    void onLost();
    static async::Task<bool> endedWithin(std::shared_ptr<SandboxProcess> self,
                                         std::chrono::milliseconds limit);

    //! Deleted from the event loop.
    QProcess *m_process;
    QByteArray m_said;
    async::Completion<bool> m_ended;
    std::shared_ptr<net::GuestChannel> m_channel;
    std::shared_ptr<domain::SandboxConnection> m_connection;
    ProcessMeter m_meter;
    LocalSettings m_settings;
    LimitsHeld m_limits;
};

} // namespace berth::local
