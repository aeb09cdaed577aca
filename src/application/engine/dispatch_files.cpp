// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Files inside sandboxes.
#include "application/engine/command_table.h"

namespace berth::application {

using domain::Async;

namespace {

Async<FileList> perform(CommandContext context, ListFiles command)
{
    return context.services.files.list(command, context.source, context.stop);
}

Async<FileView> perform(CommandContext context, StatFile command)
{
    return context.services.files.stat(command, context.source, context.stop);
}

Async<FileChunk> perform(CommandContext context, ReadFile command)
{
    return context.services.files.read(command, context.source, context.stop);
}

Async<UploadView> perform(CommandContext context, OpenUpload command)
{
    return context.services.files.openUpload(command, context.client, context.source, context.stop);
}

Async<Nothing> perform(CommandContext context, WriteUpload command)
{
    return context.services.files.writeUpload(command, context.client, context.stop);
}

Async<FileView> perform(CommandContext context, CommitUpload command)
{
    return context.services.files.commitUpload(command, context.client, context.stop);
}

Async<Nothing> perform(CommandContext context, AbortUpload command)
{
    return context.services.files.abortUpload(command, context.client);
}

Async<FileView> perform(CommandContext context, MakeFolder command)
{
    return context.services.files.makeFolder(command, context.source, context.stop);
}

Async<FileView> perform(CommandContext context, RenameFile command)
{
    return context.services.files.rename(command, context.source, context.stop);
}

Async<Nothing> perform(CommandContext context, RemoveFile command)
{
    return context.services.files.remove(command, context.source, context.stop);
}

struct DoFiles
{
    template <typename Command>
    auto operator()(const CommandContext &context, const Command &command) const
    {
        return perform(context, command);
    }
};

} // namespace

CommandTable filesCommands()
{
    // An upload belongs to its client and ends with it, so there is nothing that another request
    // could ask again; and pieces come by the thousand.
    return CommandTable{
        commandEntry<ListFiles, DoFiles>(false),   commandEntry<StatFile, DoFiles>(false),
        commandEntry<ReadFile, DoFiles>(false),    commandEntry<OpenUpload, DoFiles>(false),
        commandEntry<WriteUpload, DoFiles>(false), commandEntry<CommitUpload, DoFiles>(true),
        commandEntry<AbortUpload, DoFiles>(false), commandEntry<MakeFolder, DoFiles>(true),
        commandEntry<RenameFile, DoFiles>(true),   commandEntry<RemoveFile, DoFiles>(true),
    };
}

} // namespace berth::application
