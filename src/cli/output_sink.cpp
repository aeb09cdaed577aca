// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/output_sink.h"

#include "async/completion.h"

#include <QtCore/QPointer>

namespace berth::cli {

OutputSink::OutputSink(QObject *parent) : QObject(parent) {}

OutputSink::~OutputSink() = default;

async::Task<bool> OutputSink::room(qint64 below)
{
    const QPointer<OutputSink> self(this); // an end in haste deletes it meanwhile
    while (!isBroken() && pending() > below) {
        const async::Completion<bool> progress;
        connect(
            this, &OutputSink::progressed, this, [progress] { progress.complete(true); },
            Qt::SingleShotConnection);
        co_await progress;
        if (!self)
            co_return false;
    }
    co_return !isBroken();
}

} // namespace berth::cli
