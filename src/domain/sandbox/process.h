// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/shell.h"
#include "domain/id.h"

#include <QtCore/QDateTime>

namespace berth::domain {

//! How far a record of a process has come.
enum class ProcessStage {
    //! Written before the sandbox is asked; whether it began is not known.
    Starting,
    //! It began, and nobody has heard of its end.
    Running,
    Ended,
};

QString wireName(ProcessStage stage);
std::optional<ProcessStage> processStageFromWire(QStringView name);

//! A background command or a terminal, as kept over restarts. The sandbox knows it by
//! a tag made of its id. The environment is not kept: it may hold keys.
struct ProcessRecord
{
    ProcessId id;
    LeaseId lease;
    //! In which it runs; null until the sandbox is ready.
    InstanceId instance;
    //! Null: of no thread.
    ThreadId thread;
    //! Has a terminal; else it is a background command.
    std::optional<TerminalSize> terminal;
    QString title;
    //! What to show.
    QString command;
    QByteArray cwd;
    ProcessStage stage = ProcessStage::Starting;
    //! Set when ended: kind, code, detail and duration.
    std::optional<Outcome> outcome;
    //! Where the output lies, relative to the output directory; empty: none.
    QString outputRef;
    qint64 outputBytes = 0;
    qint64 skippedBytes = 0;
    //! Bytes of each stream that were taken over; following goes on behind them.
    qint64 outOffset = 0;
    qint64 errOffset = 0;
    QDateTime startedAt;
    QDateTime endedAt;
};

//! Records of processes, in sandbox.db.
class ProcessStore
{
public:
    virtual ~ProcessStore();

    //! All, oldest first.
    virtual Async<QList<ProcessRecord>> processes() = 0;
    //! Adds it or changes it.
    virtual Async<void> saveProcess(ProcessRecord process) = 0;
    virtual Async<void> removeProcess(ProcessId id) = 0;
};

} // namespace berth::domain
