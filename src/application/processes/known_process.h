// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/processes/process_log.h"
#include "application/processes/process_service.h"

#include <QtCore/QElapsedTimer>

namespace berth::application {

//! How the sandbox knows a process.
inline QByteArray tagOf(const domain::ProcessId &id)
{
    return "process:" + id.toString().toUtf8();
}

//! One process that has a record.
struct ProcessService::Known
{
    domain::ProcessRecord record;
    //! While it is followed.
    std::shared_ptr<domain::Execution> execution;
    std::unique_ptr<ProcessLog> log;
    //! This Engine is just starting it.
    bool starting = false;
    QString preparing;
    //! Why it is not followed.
    QString reason;
    bool stopAsked = false;
    std::stop_source stop;
    //! The lease was told of it.
    bool counted = false;
    bool isForgotten = false;

    qint64 inputGiven = 0;
    qint64 inputTaken = 0;
    struct Writer
    {
        qint64 until = 0;
        async::Completion<bool> taken;
    };
    QList<Writer> writers;

    QElapsedTimer lastGrowth;
    bool growthPending = false;
    //! Readers who wait for news.
    QList<async::Completion<bool>> readers;
    async::Completion<bool> ended;
    //! As last told, to tell changes only.
    ProcessState toldState = ProcessState::Starting;
    QString toldDetail;

    [[nodiscard]] bool hasEnded() const { return record.stage == domain::ProcessStage::Ended; }

    void wake()
    {
        for (const async::Completion<bool> &reader : std::exchange(readers, {}))
            reader.complete(true);
    }
    void releaseWriters()
    {
        for (const Writer &writer : std::exchange(writers, {}))
            writer.taken.complete(false);
    }
};

} // namespace berth::application
