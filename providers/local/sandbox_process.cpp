// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/local/sandbox_process.h"

#include "net/byte_stream.h"
#include "net/guest/guest_channel.h"
#include "net/guest/guest_file_system.h"
#include "net/guest/guest_shell.h"

#include <QtCore/QFile>
#include <QtCore/QTimer>
#include <QtNetwork/QLocalSocket>

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <linux/keyctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace berth::local {

using domain::ErrorKind;
using namespace std::chrono_literals;

namespace {

//! As bubblewrapArguments() asks for.
constexpr quint32 kUserInside = 1000;
constexpr qsizetype kSaidKept = 16 * 1024;
constexpr auto kFirstWait = 2s;
constexpr auto kSecondWait = 5s;
constexpr auto kGroupWait = 200ms;
constexpr int kGroupTries = 10;

//! Neither standard input nor output, which the child gets anew.
int aboveStandard(int descriptor)
{
    if (descriptor > STDERR_FILENO)
        return descriptor;
    const int other = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::close(descriptor);
    return other;
}

//! A file in memory that holds \a bytes, read from its start; -1: none.
int memoryFile(const QByteArray &bytes)
{
    const int file = ::memfd_create("berth-filter", MFD_CLOEXEC);
    if (file < 0)
        return -1;
    if (::write(file, bytes.constData(), static_cast<size_t>(bytes.size())) != bytes.size()
        || ::lseek(file, 0, SEEK_SET) != 0) {
        ::close(file);
        return -1;
    }
    return aboveStandard(file);
}

//! In the child, between fork and exec: system calls only. \a filter is left open, -1: none.
void prepareChild(int stream, int filter)
{
    if (filter < 0)
        ::setsid(); // bubblewrap makes a session of its own
    ::dup2(stream, STDIN_FILENO);
    ::dup2(stream, STDOUT_FILENO);
    // What Berth has open is not for sandboxes, whether or not each file was opened with
    // close-on-exec.
    if (::syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */) != 0) {
        for (int fd = 3; fd < 4096; ++fd)
            ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    if (filter >= 0)
        ::fcntl(filter, F_SETFD, 0);
    // Some programs close or poll all numbers up to the limit.
    rlimit files{};
    constexpr rlim_t most = 65536;
    if (::getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_max > most) {
        files.rlim_max = most;
        files.rlim_cur = files.rlim_cur < most ? files.rlim_cur : most;
        ::setrlimit(RLIMIT_NOFILE, &files);
    }
    // The user's session keyring is inherited over namespaces; an empty one takes its place.
    ::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr);
    // A dump would be handled outside of the sandbox.
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    ::umask(022);
    // When memory runs out, sandboxes go before the desktop does.
    const int score = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (score >= 0) {
        [[maybe_unused]] const ssize_t written = ::write(score, "500", 3);
        ::close(score);
    }
}

//! The last processes leave a moment after the one that was waited for.
void dropGroups(const QStringList &groups, int tries)
{
    if (!removeGroups(groups) && tries > 0)
        QTimer::singleShot(kGroupWait, [groups, tries] { dropGroups(groups, tries - 1); });
}

class LocalConnection : public domain::SandboxConnection
{
public:
    LocalConnection(std::shared_ptr<net::GuestChannel> channel, QByteArray home)
        : m_channel(std::move(channel)),
          m_home(std::move(home)),
          m_shell(m_channel, {{}, m_home}),
          m_files(m_channel)
    {
        connect(m_channel.get(), &net::GuestChannel::lost, this, &SandboxConnection::lost);
    }

    domain::Shell &shell() override { return m_shell; }
    domain::FileSystem &fs() override { return m_files; }
    [[nodiscard]] QByteArray homeDirectory() const override { return m_home; }
    [[nodiscard]] bool isOpen() const override { return m_channel->isOpen(); }

private:
    std::shared_ptr<net::GuestChannel> m_channel;
    QByteArray m_home;
    net::GuestShell m_shell;
    net::GuestFileSystem m_files;
};

} // namespace

SandboxProcess::SandboxProcess() : m_process(new QProcess)
{
    connect(m_process, &QProcess::readyReadStandardError, this, [this] {
        m_said += m_process->readAllStandardError().left(kSaidKept - m_said.size());
    });
    connect(m_process, &QProcess::finished, this, &SandboxProcess::onFinished);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            onFinished();
    });
}

SandboxProcess::~SandboxProcess()
{
    m_process->disconnect(this);
    if (m_channel)
        m_channel->close(QStringLiteral("The sandbox was shut down"));
    if (m_process->state() == QProcess::NotRunning) {
        m_process->deleteLater();
        return;
    }
    killInside();
    m_process->kill();
    connect(m_process, &QProcess::finished, m_process,
            [process = m_process, groups = m_limits.groups] {
                dropGroups(groups, kGroupTries);
                process->deleteLater();
            });
}

domain::Async<std::shared_ptr<SandboxProcess>> SandboxProcess::start(SandboxLaunch launch,
                                                                     std::stop_token stop)
{
    return startNow(std::shared_ptr<SandboxProcess>(new SandboxProcess), std::move(launch),
                    std::move(stop));
}

//! Answers our end of the stream.
domain::Result<int> SandboxProcess::launchProcess(const SandboxLaunch &launch)
{
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return domain::failure(ErrorKind::Unavailable,
                               QStringLiteral("A sandbox could not be started"),
                               QString::fromLocal8Bit(strerror(errno)));
    QStringList arguments = launch.arguments;
    int filter = -1;
    if (launch.settings.isolated) {
        filter = memoryFile(launch.filter);
        if (filter < 0) {
            const int error = errno;
            ::close(ends[0]);
            ::close(ends[1]);
            return domain::failure(ErrorKind::Unavailable,
                                   QStringLiteral("A sandbox could not be started"),
                                   QString::fromLocal8Bit(strerror(error)));
        }
        arguments = QStringList{QStringLiteral("--seccomp"), QString::number(filter)} + arguments;
    }
    m_settings = launch.settings;
    m_process->setProcessEnvironment(launch.environment);
    m_process->setWorkingDirectory(launch.directory);
    m_process->setStandardInputFile(QProcess::nullDevice());
    m_process->setStandardOutputFile(QProcess::nullDevice());
    const int ours = aboveStandard(ends[0]);
    const int theirs = aboveStandard(ends[1]);
    m_process->setChildProcessModifier([theirs, filter] { prepareChild(theirs, filter); });
    m_process->start(launch.program, arguments);
    ::close(theirs);
    if (filter >= 0)
        ::close(filter);
    return ours;
}

domain::Async<std::shared_ptr<SandboxProcess>> SandboxProcess::startNow(
    std::shared_ptr<SandboxProcess> self, SandboxLaunch launch, std::stop_token stop)
{
    if (stop.stop_requested())
        co_return domain::failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    const domain::Result<int> descriptor = self->launchProcess(launch);
    if (!descriptor)
        co_return domain::failure(descriptor.error());
    auto *socket = new QLocalSocket;
    const net::ByteStream stream = net::ownedStream(socket);
    socket->setReadBufferSize(net::kReadBuffer);
    if (!socket->setSocketDescriptor(*descriptor)) {
        ::close(*descriptor);
        co_return domain::failure(ErrorKind::Internal,
                                  QStringLiteral("A sandbox could not be started"),
                                  socket->errorString());
    }
    domain::Result<std::shared_ptr<net::GuestChannel>> channel =
        co_await net::GuestChannel::open(stream, {}, stop);
    if (!channel) {
        // Its last words are the reason, and they come before its end.
        co_await end(self, channel.error().message);
        co_return domain::failure(self->startError(launch, channel.error()));
    }
    self->m_channel = *channel;
    self->m_connection = std::make_shared<LocalConnection>(*channel, launch.home);
    // The runner closes the connection when it ends; a runner that was cut off must not live on.
    connect(self->m_channel.get(), &net::GuestChannel::lost, self.get(),
            [process = self.get()] { process->onLost(); });
    // What its options say must be so: process 1 and user 1000 are had only in namespaces of one's
    // own.
    if (launch.settings.isolated
        && ((*channel)->hello().pid != 1 || (*channel)->hello().uid != kUserInside)) {
        const QString what =
            QStringLiteral("%1 did not isolate what it started").arg(launch.program);
        co_await end(self, what);
        co_return domain::failure(ErrorKind::Unavailable, what,
                                  QStringLiteral("Nothing was run in it."));
    }
    // Before anything but the runner runs in it.
    const domain::Result<void> limited = self->keepToLimits(launch);
    if (!limited) {
        co_await end(self, limited.error().message);
        co_return domain::failure(limited.error());
    }
    co_return self;
}

domain::Result<void> SandboxProcess::keepToLimits(const SandboxLaunch &launch)
{
    const QList<qint64> inner = m_settings.isolated ? childProcesses(m_process->processId())
                                                    : QList<qint64>{m_process->processId()};
    if (!isRunning() || inner.isEmpty())
        return domain::failure(ErrorKind::Unavailable, QStringLiteral("The sandbox ended at once"));
    m_limits = applyLimits(m_settings, inner.first(), launch.group, launch.system.cgroups);
    return {};
}

domain::Error SandboxProcess::startError(const SandboxLaunch &launch,
                                         const domain::Error &error) const
{
    if (m_process->error() == QProcess::FailedToStart)
        return {ErrorKind::Unavailable,
                QStringLiteral("%1 could not be started").arg(launch.program),
                m_process->errorString(),
                {},
                {}};
    if (!m_settings.isolated)
        return error;
    if (error.kind != ErrorKind::Cancelled && !m_said.isEmpty())
        return isolationError(m_said, launch.system);
    // It ended without a word.
    if (error.kind == ErrorKind::Unavailable)
        return isolationError({}, launch.system);
    return error;
}

void SandboxProcess::onFinished()
{
    if (m_ended.isComplete())
        return;
    const auto keep = weak_from_this().lock();
    m_said += m_process->readAllStandardError().left(kSaidKept - m_said.size());
    m_ended.complete(true);
    dropGroups(m_limits.groups, kGroupTries);
    if (m_channel)
        m_channel->close(QStringLiteral("The sandbox ended"));
    Q_EMIT ended();
}

void SandboxProcess::onLost()
{
    if (m_settings.isolated) {
        killInside();
        return;
    }
    // The runner itself ends what it started; only one that hangs is killed.
    QTimer::singleShot(kSecondWait, this, [this] { killInside(); });
}

//! Process 1 of the sandbox, the only child of the outer bubblewrap. With it the kernel ends all
//! others in there, and the outer one ends only when that is done. Without isolation the runner:
//! each of its supervisors then ends its own tree.
void SandboxProcess::killInside() const
{
    const qint64 outer = m_process->processId();
    if (outer <= 0)
        return;
    if (!m_settings.isolated) {
        ::kill(static_cast<pid_t>(outer), SIGKILL);
        return;
    }
    for (const qint64 inner : childProcesses(outer))
        ::kill(static_cast<pid_t>(inner), SIGKILL);
}

async::Task<bool> SandboxProcess::endedWithin(std::shared_ptr<SandboxProcess> self,
                                              std::chrono::milliseconds limit)
{
    const async::Completion<bool> done;
    const QMetaObject::Connection connection =
        connect(self.get(), &SandboxProcess::ended, self.get(), [done] { done.complete(true); });
    if (!self->isRunning())
        done.complete(true);
    QTimer timer;
    timer.setSingleShot(true);
    connect(&timer, &QTimer::timeout, &timer, [done] { done.complete(false); });
    timer.start(limit);
    const bool ended = co_await done;
    disconnect(connection);
    co_return ended;
}

async::Task<void> SandboxProcess::end(std::shared_ptr<SandboxProcess> self, QString reason)
{
    // Closing tells the runner; lost() kills what is inside without waiting for it.
    if (self->m_channel)
        self->m_channel->close(reason);
    if (self->m_channel || self->m_process->state() != QProcess::NotRunning) {
        const bool ended = co_await endedWithin(self, kFirstWait);
        if (ended)
            co_return;
    }
    self->killInside();
    self->m_process->kill();
    co_await endedWithin(self, kSecondWait);
}

} // namespace berth::local
