// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/outcome.h"
#include "domain/id.h"

namespace berth::application {

struct Nothing
{
    bool operator==(const Nothing &) const = default;
};

//! A stretch of one stream within a chunk of output.
struct OutputSegment
{
    domain::OutputStream stream = domain::OutputStream::Stdout;
    qint64 length = 0;
    bool operator==(const OutputSegment &) const = default;
};

//! Bytes in the order in which they arrived; \a bytes travels as binary, not in the JSON.
struct OutputChunk
{
    domain::ToolCallId toolCall;
    qint64 offset = 0;
    //! Bytes stored so far.
    qint64 total = 0;
    //! The command has ended and all its output is stored.
    bool complete = false;
    QList<OutputSegment> segments;
    QByteArray bytes;
    bool operator==(const OutputChunk &) const = default;
};

} // namespace berth::application
