// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widget/support/scripted_files.h"

#include "domain/text.h"

#include <functional>

namespace berth::test {

using namespace berth::application;
using domain::ErrorKind;
using domain::Result;

namespace {

using Answer = std::optional<Result<Payload>>;

template <typename Command>
bool onFile(const QString &name, const Payload &arguments, Answer &into,
            const std::function<Result<typename Command::Reply>(const Command &)> &work)
{
    if (name != QLatin1String(Command::kName))
        return false;
    const Result<Command> command = decode<Command>(arguments);
    if (!command) {
        into = tl::unexpected(command.error());
        return true;
    }
    const Result<typename Command::Reply> reply = work(*command);
    if (reply)
        into = encode(*reply);
    else
        into = tl::unexpected(reply.error());
    return true;
}

tl::unexpected<domain::Error> refused(ErrorKind kind, const char *text)
{
    return domain::failure(kind, QString::fromLatin1(text));
}

} // namespace

QString ScriptedFiles::absolute(const QString &path)
{
    if (path.startsWith(QLatin1Char('/')))
        return path;
    return path.isEmpty() ? QStringLiteral("/workspace") : QStringLiteral("/workspace/") + path;
}

bool ScriptedFiles::isFolder(const QString &path) const
{
    if (path == QLatin1String("/workspace") || files.contains(path + QLatin1Char('/')))
        return true;
    const auto below = files.lowerBound(path + QLatin1Char('/'));
    return below != files.end() && below.key().startsWith(path + QLatin1Char('/'));
}

FileView ScriptedFiles::viewOf(const QString &path) const
{
    FileView view;
    view.name = path.section(QLatin1Char('/'), -1);
    view.kind = isFolder(path) ? domain::FileKind::Directory : domain::FileKind::Regular;
    view.size = files.value(path).size();
    view.mode = 0644;
    view.modified = domain::nowUtc();
    return view;
}

Result<void> ScriptedFiles::awake(bool wake)
{
    if (asleep && !wake)
        return refused(ErrorKind::Conflict, "The sandbox is asleep");
    asleep = false;
    return {};
}

Answer ScriptedFiles::serve(const QString &name, const Payload &args)
{
    Answer answer;
    const bool known =
        onFile<ListFiles>(name, args, answer,
                          [this](const ListFiles &c) -> Result<FileList> {
                              if (const auto up = awake(c.wake); !up)
                                  return tl::unexpected(up.error());
                              const QString path = absolute(c.path);
                              if (!isFolder(path))
                                  return refused(ErrorKind::NotFound, "There is no such directory");
                              return FileList{path, {}, {}};
                          })
        || onFile<StatFile>(name, args, answer,
                            [this](const StatFile &c) -> Result<FileView> {
                                const QString path = absolute(c.path);
                                if (!files.contains(path) && !isFolder(path))
                                    return refused(ErrorKind::NotFound, "There is no such file");
                                return viewOf(path);
                            })
        || onFile<ReadFile>(name, args, answer,
                            [this](const ReadFile &c) -> Result<FileChunk> {
                                if (const auto up = awake(c.wake); !up)
                                    return tl::unexpected(up.error());
                                const QString path = absolute(c.path);
                                if (!files.contains(path))
                                    return refused(ErrorKind::NotFound, "There is no such file");
                                return FileChunk{c.offset, files[path].mid(c.offset, c.length)};
                            })
        || onFile<MakeFolder>(name, args, answer,
                              [this](const MakeFolder &c) -> Result<FileView> {
                                  const QString path = absolute(c.path);
                                  if (files.contains(path) || isFolder(path))
                                      return refused(ErrorKind::Conflict, "It is there already");
                                  files.insert(path + QLatin1Char('/'), {});
                                  return viewOf(path);
                              })
        || onFile<OpenUpload>(name, args, answer,
                              [this](const OpenUpload &c) -> Result<UploadView> {
                                  const QString path = absolute(c.path);
                                  if (files.contains(path) && !c.replace)
                                      return refused(ErrorKind::Conflict, "It is there already");
                                  m_uploads.insert(path, {});
                                  return UploadView{path};
                              })
        || onFile<WriteUpload>(name, args, answer,
                               [this](const WriteUpload &c) -> Result<Nothing> {
                                   m_uploads[c.upload] += c.bytes;
                                   return Nothing{};
                               })
        || onFile<CommitUpload>(name, args, answer,
                                [this](const CommitUpload &c) -> Result<FileView> {
                                    files.insert(c.upload, m_uploads.take(c.upload));
                                    return viewOf(c.upload);
                                })
        || onFile<AbortUpload>(name, args, answer, [this](const AbortUpload &c) -> Result<Nothing> {
               m_uploads.remove(c.upload);
               return Nothing{};
           });
    return known ? answer : std::nullopt;
}

} // namespace berth::test
