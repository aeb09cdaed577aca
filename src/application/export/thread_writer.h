// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "application/export/thread_export.h"

#include <memory>

namespace berth::application {

//! What was read of a call's output: all of it, or its beginning and its end.
struct CallOutput
{
    struct Piece
    {
        domain::OutputStream stream = domain::OutputStream::Stdout;
        QByteArray bytes;
    };
    QList<Piece> head;
    QList<Piece> tail;
    //! Bytes between them.
    qint64 leftOut = 0;
    qint64 total = 0;
    //! Why it could not be read; empty: it could.
    QString problem;
};

//! A form in which a thread is written down: one call for each part, in order; each answers with
//! the bytes to be written.
class ThreadWriter
{
public:
    virtual ~ThreadWriter() = default;
    virtual QByteArray begin(const ThreadDetail &detail) = 0;
    virtual QByteArray message(const MessageView &message) = 0;
    //! \a superseded: of a message that was replaced by a later edit.
    virtual QByteArray call(const ToolCallView &call, const CallOutput &output,
                            bool superseded) = 0;
    virtual QByteArray end() = 0;

    static std::unique_ptr<ThreadWriter> create(ExportFormat format);
};

std::unique_ptr<ThreadWriter> makeMarkdownWriter();
std::unique_ptr<ThreadWriter> makeJsonWriter();

} // namespace berth::application
