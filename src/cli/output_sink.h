// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/task.h"

#include <QtCore/QByteArray>
#include <QtCore/QObject>

namespace berth::cli {

//! Where output goes. Takes everything at once and passes it on as fast as the other side reads;
//! who produces much waits for room() in between.
class OutputSink : public QObject
{
    Q_OBJECT
public:
    explicit OutputSink(QObject *parent = nullptr);
    ~OutputSink() override;

    virtual void write(const QByteArray &bytes) = 0;
    //! Bytes that wait.
    [[nodiscard]] virtual qint64 pending() const = 0;
    //! Nobody reads any more; what is written is dropped.
    [[nodiscard]] virtual bool isBroken() const = 0;

    //! Waits until at most \a below bytes wait; false once broken or deleted.
    async::Task<bool> room(qint64 below);

Q_SIGNALS:
    //! pending() or isBroken() changed.
    void progressed();
};

} // namespace berth::cli
