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
    if (!command.argv.isEmpty() && command.argv.first().isEmpty())
        return QStringLiteral("The program has no name");
    return std::nullopt;
}

GuestWriter encodeStart(const CommandSpec &command, const GuestShellOptions &options)
{
    const bool tracks = command.trackState && command.argv.isEmpty();
    quint32 flags = BG_START_INHERIT_ENV;
    if (tracks)
        flags |= BG_START_STATE | BG_START_TRACE;
    if (command.openInput)
        flags |= BG_START_STDIN_OPEN;
    const qint64 timeout = qBound(qint64(0), qint64(command.timeout.count()), qint64(0xFFFFFFFF));
    QList<QByteArray> argv = command.argv;
    if (argv.isEmpty())
        argv = {options.shell, QByteArrayLiteral("-c"), command.shellText};

    GuestWriter start;
    start.u32(flags).u32(options.user.uid).u32(options.user.gid);
    start.u32(static_cast<quint32>(timeout)).u32(BG_CREDIT).u32(kGraceMs).u32(0);
    start.bytes(command.cwd.isEmpty() ? options.homeDirectory : command.cwd);
    start.u32(static_cast<quint32>(argv.size()));
    for (const QByteArray &argument : argv)
        start.bytes(argument);
    // Last wins: the guest takes the entries as they come, and two of one name would be the
    // program's to choose.
    QList<QByteArray> entries;
    for (qsizetype i = 0; i < command.environment.size(); ++i) {
        const auto &[name, value] = command.environment.at(i);
        bool later = false;
        for (qsizetype k = i + 1; k < command.environment.size() && !later; ++k)
            later = command.environment.at(k).first == name;
        if (!later)
            entries.append(name + '=' + value);
    }
    start.u32(static_cast<quint32>(entries.size()));
    for (const QByteArray &entry : entries)
        start.bytes(entry);
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

    const auto execution = std::make_shared<GuestExecution>(
        channel.get(), command.trackState && command.argv.isEmpty(), command.openInput);
    const QByteArray program = command.argv.isEmpty() ? options.shell : command.argv.first();
    const QByteArray directory = command.cwd.isEmpty() ? options.homeDirectory : command.cwd;
    execution->launch(start,
                      directory.isEmpty()
                          ? QString::fromUtf8(program)
                          : QStringLiteral("%1 in %2")
                                .arg(QString::fromUtf8(program), QString::fromUtf8(directory)));
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

} // namespace

GuestShell::GuestShell(std::shared_ptr<GuestChannel> channel, GuestShellOptions options)
    : m_channel(std::move(channel)), m_options(std::move(options))
{}

domain::Async<std::shared_ptr<Execution>> GuestShell::start(CommandSpec command,
                                                            std::stop_token stop)
{
    return startNow(m_channel, std::move(command), m_options, std::move(stop));
}

} // namespace berth::net
