// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/file_side.h"
#include "cli/human.h"
#include "cli/ids.h"
#include "cli/json_output.h"
#include "cli/table.h"
#include "cli/verbs/verbs.h"

#include <algorithm>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::FileKind;
using domain::Result;

namespace {

constexpr int kPage = 1000;

QString marked(const FileView &file, bool wide)
{
    QString text = file.name;
    if (file.kind == FileKind::Directory)
        text += QLatin1Char('/');
    else if (file.kind == FileKind::Symlink)
        text += wide ? QStringLiteral(" -> ") + file.linkTarget : QStringLiteral("@");
    if (wide && !file.problem.isEmpty())
        text += QStringLiteral("  (%1)").arg(file.problem);
    return text;
}

//! In as many columns as fit, down and then across, as people know it.
QString inColumns(const QStringList &names, int columns)
{
    int widest = 0;
    for (const QString &name : names)
        widest = std::max(widest, displayWidth(name));
    const qsizetype across = std::max<qsizetype>(1, columns / (widest + 2));
    const qsizetype rows = (names.size() + across - 1) / across;
    QString text;
    for (qsizetype row = 0; row < rows; ++row) {
        for (qsizetype at = row; at < names.size(); at += rows) {
            text += names[at];
            if (at + rows < names.size())
                text += QString(widest + 2 - displayWidth(names[at]), QLatin1Char(' '));
        }
        text += QLatin1Char('\n');
    }
    return text;
}

void show(const Context &context, QList<FileView> files)
{
    const bool all = context->options.has("a") || context->options.has("la");
    const bool wide = context->options.has("l") || context->options.has("la");
    if (!all)
        files.removeIf([](const FileView &file) { return file.name.startsWith(QLatin1Char('.')); });
    std::sort(files.begin(), files.end(),
              [](const FileView &a, const FileView &b) { return a.name < b.name; });
    if (wide) {
        Table table({QStringLiteral("MODE"), QStringLiteral("SIZE"), QStringLiteral("CHANGED"),
                     QStringLiteral("NAME")});
        for (const FileView &file : std::as_const(files))
            table.add(
                {modeText(file),
                 file.kind == FileKind::Regular ? humanBytes(file.size) : QStringLiteral("\u2014"),
                 humanAge(file.modified, QDateTime::currentDateTimeUtc()), marked(file, true)});
        if (!table.isEmpty())
            context->print(table.text(0, context->streams.terminal.colours));
        return;
    }
    QStringList names;
    for (const FileView &file : std::as_const(files))
        names.append(marked(file, false));
    const int columns =
        context->streams.terminal.outIsTerminal ? context->streams.terminal.columns : 0;
    if (!names.isEmpty())
        context->print(inColumns(names, columns));
}

} // namespace

Async<int> ls(Context context)
{
    const FileSide side = sandboxSide(context->options.arguments[0]);
    const Result<QString> target = co_await resolveTarget(context, side.target);
    if (!target)
        co_return failure(target.error());
    StatFile stat;
    stat.target = *target;
    stat.path = side.path;
    stat.wake = context->options.has("wake");
    const Result<FileView> what = co_await ask(context, stat);
    if (!what && what.error().kind == domain::ErrorKind::Conflict && !stat.wake)
        co_return failure(domain::ErrorKind::Conflict, what.error().message,
                          QStringLiteral("Add --wake to start it."));
    if (!what)
        co_return failure(what.error());
    FileList list;
    if (what->kind != FileKind::Directory && !what->linkToDirectory) {
        list.directory = side.path;
        list.entries = {*what};
    } else {
        ListFiles command;
        command.target = *target;
        command.path = side.path;
        command.limit = kPage;
        command.wake = stat.wake;
        do {
            const Result<FileList> page = co_await ask(context, command);
            if (!page)
                co_return failure(page.error());
            list.directory = page->directory;
            list.entries += page->entries;
            command.cursor = page->next;
        } while (!command.cursor.isEmpty());
    }
    if (context->options.json)
        printView(context, list);
    else
        show(context, list.entries);
    co_return 0;
}

} // namespace berth::cli
