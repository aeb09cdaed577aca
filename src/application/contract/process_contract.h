// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/output_contract.h"
#include "domain/execution/outcome.h"

#include <QtCore/QDateTime>

#include <optional>

// Background commands and terminals of sandboxes: what lives beside the conversations.
namespace berth::application {

enum class ProcessKind { Background, Terminal };

enum class ProcessState {
    Starting,
    Running,
    //! Its sandbox is paused or not reachable; whether it still runs is not known.
    Unknown,
    Ended
};

//! One background command or terminal. Kept over restarts of Berth; runs on over them where the
//! provider keeps processes.
struct ProcessView
{
    domain::ProcessId id;
    ProcessKind kind = ProcessKind::Background;
    domain::LeaseId lease;
    domain::SandboxId sandbox;
    //! Whose working directory and variables it began with; null: the sandbox's own.
    domain::ThreadId thread;
    //! What to show: given at the start, else the command line.
    QString title;
    QString command;
    ProcessState state = ProcessState::Starting;
    //! Set when ended.
    std::optional<domain::OutcomeKind> outcome;
    //! As a shell would say it; see domain::exitCodeOf().
    int exitCode = 0;
    //! Why it ended or is not known, where the outcome does not say it all.
    QString detail;
    qint64 outputBytes = 0;
    //! Output that was lost while nobody could read it.
    qint64 skippedBytes = 0;
    //! Of a terminal.
    int columns = 0;
    int rows = 0;
    QString cwd;
    QDateTime startedAt;
    QDateTime endedAt;
    bool operator==(const ProcessView &) const = default;
};

struct ProcessList
{
    QList<ProcessView> processes;
    bool operator==(const ProcessList &) const = default;
};

struct ListProcesses
{
    using Reply = ProcessList;
    static constexpr const char *kName = "process.list";
    //! A thread id, sandbox id, lease id, or alias of agent "default"; empty: all.
    QString target;
};

//! Starts a background command, or with columns and rows a terminal (empty argv and shellText: the
//! user's login shell). Makes the sandbox ready first.
struct StartProcess
{
    using Reply = ProcessView;
    static constexpr const char *kName = "process.start";
    QString target;
    QStringList argv;
    QString shellText;
    QString title;
    int columns = 0;
    int rows = 0;
};

//! Kills the whole tree; answers once it has ended. Already ended is success.
struct StopProcess
{
    using Reply = ProcessView;
    static constexpr const char *kName = "process.stop";
    domain::ProcessId process;
};

//! Input for a terminal. Answers when the sandbox has taken it.
struct WriteProcess
{
    using Reply = Nothing;
    static constexpr const char *kName = "process.write";
    domain::ProcessId process;
    //! Travels as binary.
    QByteArray bytes;
};

struct ResizeProcess
{
    using Reply = Nothing;
    static constexpr const char *kName = "process.resize";
    domain::ProcessId process;
    int columns = 0;
    int rows = 0;
};

//! As ReadOutput. OutputChunk::toolCall stays null.
struct ReadProcess
{
    using Reply = OutputChunk;
    static constexpr const char *kName = "process.output";
    domain::ProcessId process;
    qint64 offset = 0;
    qint64 limit = 64 * 1024;
    qint64 waitMs = 0;
};

//! Forgets one that has ended, with its output.
struct RemoveProcess
{
    using Reply = Nothing;
    static constexpr const char *kName = "process.remove";
    domain::ProcessId process;
};

struct ProcessChanged
{
    static constexpr const char *kName = "process_changed";
    ProcessView process;
    bool operator==(const ProcessChanged &) const = default;
};
struct ProcessRemoved
{
    static constexpr const char *kName = "process_removed";
    domain::ProcessId process;
    bool operator==(const ProcessRemoved &) const = default;
};
//! At most twenty times a second per process; fetch what you show with ReadProcess.
struct ProcessOutputGrew
{
    static constexpr const char *kName = "process_output_grew";
    domain::ProcessId process;
    qint64 total = 0;
    bool operator==(const ProcessOutputGrew &) const = default;
};

} // namespace berth::application
