// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/guest/guest_shell.h"

#include "async/post.h"
#include "net/guest/guest_execution.h"

namespace berth::net {

using domain::CommandSpec;
using domain::ErrorKind;
using domain::Execution;
using domain::failure;

namespace {

// After the main process has ended, what others still write is waited for so long.
constexpr quint32 kGraceMs = 100;

std::optional<QString> problemWith(const CommandSpec &command)
{
    if (command.argv.isEmpty() && command.shellText.contains('\0'))
        return QStringLiteral("The command holds a NUL byte");
    for (const QByteArray &argument : command.argv)
        if (argument.contains('\0'))
            return QStringLiteral("An argument holds a NUL byte");
    if (command.cwd.contains('\0') || command.cwd.size() >= BG_MAX_PATH)
        return QStringLiteral("The working directory cannot be a path");
    for (const auto &[name, value] : command.environment)
        if (name.isEmpty() || name.contains('=') || name.contains('\0') || value.contains('\0'))
            return QStringLiteral("An environment variable has a name or value that cannot be");
    if (command.tag.size() > BG_MAX_TAG)
        return QStringLiteral("The command's tag is too long");
    if (!command.argv.isEmpty() && command.argv.first().isEmpty())
        return QStringLiteral("The program has no name");
    return std::nullopt;
}

domain::Async<std::shared_ptr<Execution>> startedOne(std::shared_ptr<GuestExecution> execution,
                                                     std::stop_token stop)
{
    const auto started = execution->started();
    {
        const std::stop_callback onStop(stop, [started] {
            started.complete(failure(ErrorKind::Cancelled,
                                     QStringLiteral("Cancelled before the command started")));
        });
        co_await started;
    }
    const domain::Result<bool> result = co_await started;
    if (!result)
        co_return failure(result.error()); // dropping it kills what may have started after all
    GuestExecution *raw = execution.get();
    async::post(raw, [raw] { raw->release(); });
    co_return std::shared_ptr<Execution>(execution);
}

GuestWriter encodeStart(const CommandSpec &command, const GuestShellOptions &options)
{
    const bool tracks = command.trackState && command.argv.isEmpty();
    quint32 flags = BG_START_INHERIT_ENV;
    if (tracks)
        flags |= BG_START_STATE | BG_START_TRACE;
    if (command.openInput)
        flags |= BG_START_STDIN_OPEN;
    if (command.background)
        flags |= BG_START_BACKGROUND;
    if (command.terminal)
        flags |= BG_START_PTY;
    const qint64 timeout = qBound(qint64(0), qint64(command.timeout.count()), qint64(0xFFFFFFFF));
    QList<QByteArray> argv = command.argv;
    if (argv.isEmpty())
        argv = {options.shell, QByteArrayLiteral("-c"), command.shellText};

    GuestWriter start;
    start.u32(flags).u32(options.user.uid).u32(options.user.gid);
    start.u32(static_cast<quint32>(timeout)).u32(BG_CREDIT).u32(kGraceMs);
    start.u32(command.terminal ? packedSize(command.terminal->columns, command.terminal->rows) : 0);
    start.bytes(command.cwd.isEmpty() ? options.homeDirectory : command.cwd);
    start.u32(static_cast<quint32>(argv.size()));
    for (const QByteArray &argument : argv)
        start.bytes(argument);
    // Last wins: the guest takes the entries as they come, and two of one name would be the
    // program's to choose.
    QList<QByteArray> entries;
    bool hasTerm = false;
    for (qsizetype i = 0; i < command.environment.size(); ++i) {
        const auto &[name, value] = command.environment.at(i);
        bool later = false;
        for (qsizetype k = i + 1; k < command.environment.size() && !later; ++k)
            later = command.environment.at(k).first == name;
        hasTerm = hasTerm || name == "TERM";
        if (!later)
            entries.append(name + '=' + value);
    }
    if (command.terminal && !hasTerm)
        entries.append(QByteArrayLiteral("TERM=xterm-256color"));
    start.u32(static_cast<quint32>(entries.size()));
    for (const QByteArray &entry : entries)
        start.bytes(entry);
    start.bytes(command.tag);
    return start;
}

domain::Async<std::shared_ptr<Execution>> startNow(std::shared_ptr<GuestChannel> channel,
                                                   CommandSpec command, GuestShellOptions options,
                                                   std::stop_token stop)
{
    if (const std::optional<QString> problem = problemWith(command))
        co_return failure(ErrorKind::InvalidInput, *problem);
    const GuestWriter start = encodeStart(command, options);
    if (start.body().size() > static_cast<qsizetype>(BG_MAX_TO_GUEST))
        co_return failure(
            ErrorKind::InvalidInput, QStringLiteral("Command and environment are too large"),
            QStringLiteral("Together they may have %1 KiB. Write the text to a file and run that.")
                .arg(BG_MAX_TO_GUEST / 1024));
    if (stop.stop_requested())
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    if (!channel->isOpen())
        co_return failure(ErrorKind::Unavailable,
                          QStringLiteral("The connection to the sandbox is closed"));

    if (command.terminal && !(channel->hello().capabilities & BG_CAP_PTY))
        co_return failure(ErrorKind::Unsupported, QStringLiteral("This sandbox has no terminals"),
                          QStringLiteral("Its /dev/ptmx cannot be opened."));
    GuestExecutionTraits traits;
    traits.tracksState = command.trackState && command.argv.isEmpty();
    traits.inputOpen = command.openInput || command.terminal.has_value();
    traits.terminal = command.terminal.has_value();
    traits.background = command.background;
    const auto execution = std::make_shared<GuestExecution>(channel.get(), traits);
    // Images without a shell are not rare.
    const QString program = command.argv.isEmpty()
        ? QStringLiteral("%1, the sandbox's own shell,").arg(QString::fromUtf8(options.shell))
        : QString::fromUtf8(command.argv.first());
    const QByteArray directory = command.cwd.isEmpty() ? options.homeDirectory : command.cwd;
    execution->launch(start,
                      directory.isEmpty()
                          ? program
                          : QStringLiteral("%1 in %2").arg(program, QString::fromUtf8(directory)));
    const domain::Result<std::shared_ptr<Execution>> started = co_await startedOne(execution, stop);
    co_return started;
}

domain::Async<QList<domain::Job>> jobsNow(std::shared_ptr<GuestChannel> channel,
                                          std::stop_token stop)
{
    const domain::Result<GuestChannel::Answer> answer =
        co_await channel->request(BG_JOBS, {}, 0, stop);
    if (!answer)
        co_return failure(answer.error());
    const std::optional<QList<GuestJob>> listed = decodeGuestJobs(answer->reply);
    if (!listed) {
        channel->close(QStringLiteral("The guest runner broke the protocol: a list of commands"));
        co_return failure(ErrorKind::Protocol,
                          QStringLiteral("The guest runner sent a list that makes no sense"));
    }
    QList<domain::Job> jobs;
    for (const GuestJob &one : *listed) {
        // Foreground commands of this connection, and the children that they left behind, are no
        // jobs; those of a lost connection are, for the one who knows their tag.
        if (!one.survives() && (one.followed || one.released || one.tag.isEmpty()))
            continue;
        domain::Job job;
        job.id = one.id;
        job.tag = one.tag;
        job.pid = one.pid;
        job.hasTerminal = (one.flags & BG_START_PTY) != 0;
        job.ended = one.mainEnded;
        job.outBytes = static_cast<qint64>(one.stdoutOffset);
        job.errBytes = static_cast<qint64>(one.stderrOffset);
        jobs.append(job);
    }
    const QList<domain::Job> result = jobs;
    co_return result;
}

domain::Async<std::shared_ptr<Execution>> attachNow(std::shared_ptr<GuestChannel> channel,
                                                    quint32 job, qint64 outOffset, qint64 errOffset,
                                                    std::stop_token stop)
{
    if (outOffset < 0 || errOffset < 0)
        co_return failure(ErrorKind::InvalidInput, QStringLiteral("An offset cannot be negative"));
    if (stop.stop_requested())
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    if (!channel->isOpen())
        co_return failure(ErrorKind::Unavailable,
                          QStringLiteral("The connection to the sandbox is closed"));
    const auto execution = std::make_shared<GuestExecution>(channel.get(), GuestExecutionTraits());
    const domain::Result<void> followed = execution->follow(job, outOffset, errOffset);
    if (!followed)
        co_return failure(followed.error());
    const domain::Result<std::shared_ptr<Execution>> started = co_await startedOne(execution, stop);
    co_return started;
}

} // namespace

GuestShell::GuestShell(std::shared_ptr<GuestChannel> channel, GuestShellOptions options)
    : m_channel(std::move(channel)), m_options(std::move(options))
{}

domain::Async<std::shared_ptr<Execution>> GuestShell::start(CommandSpec command,
                                                            std::stop_token stop)
{
    return startNow(m_channel, std::move(command), m_options, std::move(stop));
}

domain::Async<QList<domain::Job>> GuestShell::jobs(std::stop_token stop)
{
    return jobsNow(m_channel, std::move(stop));
}

domain::Async<std::shared_ptr<Execution>> GuestShell::attach(quint32 job, qint64 outOffset,
                                                             qint64 errOffset, std::stop_token stop)
{
    return attachNow(m_channel, job, outOffset, errOffset, std::move(stop));
}

} // namespace berth::net
