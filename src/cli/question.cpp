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

domain::Async<QString> keyGiven(Context context, QString what)
{
    QString key;
    if (context->streams.terminal.inIsTerminal) {
        context->streams.err.write((what + QStringLiteral(" (not shown): ")).toUtf8());
        key = co_await typedKey(context);
        context->streams.err.write("\n");
    } else {
        key = co_await typedLine(context);
    }
    key = key.trimmed();
    if (key.isEmpty())
        co_return domain::failure(domain::ErrorKind::InvalidInput,
                                  QStringLiteral("No key was given"),
                                  QStringLiteral("Type it, or give it on standard input."));
    // A copy: QCoro moves from a value that is not const.
    const QString given = key;
    co_return given;
}

} // namespace berth::cli
