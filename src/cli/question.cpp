// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/question.h"

namespace berth::cli {

async::Completion<QString> typedLine(const Context &context)
{
    const async::Completion<QString> line;
    context->streams.readLine(context->guard, [line](const QString &text) { line.complete(text); });
    return line;
}

async::Completion<QString> typedKey(const Context &context)
{
    const async::Completion<QString> line;
    context->streams.readHiddenLine(context->guard,
                                    [line](const QString &text) { line.complete(text); });
    return line;
}

} // namespace berth::cli
