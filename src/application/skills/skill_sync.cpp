// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/skills/skill_sync.h"

#include <QtCore/QCryptographicHash>

#include <algorithm>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::FileEntry;
using domain::FileKind;
using domain::Result;
using domain::SandboxPath;

namespace {

using Connection = std::shared_ptr<domain::SandboxConnection>;

constexpr int kListPage = 500;
constexpr qsizetype kWritePiece = 256 * 1024;
//! A tree with more is not what was put there.
constexpr qsizetype kMostListed = 2 * kMostSkillEntries;

//! Missing is an answer, not an error.
Async<std::optional<FileEntry>> statOrNone(Connection connection, SandboxPath path,
                                           std::stop_token stop)
{
    const Result<FileEntry> entry = co_await connection->fs().stat(path, stop);
    if (!entry && entry.error().kind == ErrorKind::NotFound)
        co_return std::optional<FileEntry>();
    if (!entry)
        co_return failure(entry.error());
    co_return std::optional<FileEntry>(*entry);
}

Async<void> removed(Connection connection, SandboxPath path, std::stop_token stop)
{
    const Result<void> done = co_await connection->fs().remove(path, true, stop);
    if (!done && done.error().kind != ErrorKind::NotFound)
        co_return failure(done.error());
    co_return Result<void>();
}

Async<QList<FileEntry>> listed(Connection connection, SandboxPath path, std::stop_token stop)
{
    QList<FileEntry> all;
    QByteArray cursor;
    do {
        const Result<domain::FilePage> page =
            co_await connection->fs().list(path, cursor, kListPage, stop);
        if (!page)
            co_return failure(page.error());
        all += page->entries;
        cursor = page->next;
    } while (!cursor.isEmpty() && all.size() <= kMostListed);
    std::sort(all.begin(), all.end(),
              [](const FileEntry &left, const FileEntry &right) { return left.name < right.name; });
    const QList<FileEntry> entries = all;
    co_return entries;
}

//! Names, kinds, sizes, permissions and times of all below \a root; empty when there is too much of
//! it.
Async<QByteArray> lookOf(Connection connection, SandboxPath root, std::stop_token stop)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    QList<SandboxPath> open{root};
    qsizetype seen = 0;
    while (!open.isEmpty()) {
        const SandboxPath here = open.takeFirst();
        const Result<QList<FileEntry>> entries = co_await listed(connection, here, stop);
        if (!entries)
            co_return failure(entries.error());
        for (const FileEntry &entry : *entries) {
            if (++seen > kMostListed)
                co_return QByteArray();
            const SandboxPath path = here + '/' + entry.name;
            QByteArray line = path.mid(root.size()) + '\0'
                + QByteArray::number(static_cast<int>(entry.kind)) + '\0';
            // A directory's own time and size move with what is renamed in it.
            if (entry.kind == FileKind::Regular)
                line += QByteArray::number(entry.size) + '\0' + QByteArray::number(entry.mode)
                    + '\0' + QByteArray::number(entry.modified.toMSecsSinceEpoch());
            hash.addData(line + '\n');
            if (entry.kind == FileKind::Directory)
                open.append(path);
        }
    }
    co_return hash.result().toHex();
}

Async<void> writeFile(Connection connection, SandboxPath path, SkillFile file, std::stop_token stop)
{
    const int mode = file.executable ? 0755 : 0644;
    const Result<std::shared_ptr<domain::FileWriter>> writer =
        co_await connection->fs().openWrite(path, mode, false, stop);
    if (!writer)
        co_return failure(writer.error());
    const std::shared_ptr<domain::FileWriter> open = *writer;
    for (qsizetype at = 0; at < file.content.size(); at += kWritePiece) {
        const Result<void> taken = co_await open->append(file.content.mid(at, kWritePiece), stop);
        if (!taken) {
            open->abort();
            co_return failure(taken.error());
        }
    }
    const Result<void> committed = co_await open->commit(stop);
    co_return committed;
}

Async<void> writeFolder(Connection connection, SandboxPath into, SkillFolder skill,
                        std::stop_token stop)
{
    const Result<void> made = co_await connection->fs().makeDirectory(into, stop);
    if (!made)
        co_return failure(made.error());
    for (const QByteArray &directory : skill.directories) {
        const Result<void> below =
            co_await connection->fs().makeDirectory(into + '/' + directory, stop);
        if (!below)
            co_return failure(below.error());
    }
    for (const SkillFile &file : skill.files) {
        const Result<void> written =
            co_await writeFile(connection, into + '/' + file.path, file, stop);
        if (!written)
            co_return failure(written.error());
    }
    co_return Result<void>();
}

//! Beside first, then by renames, so that nobody ever sees half of it under its name.
Async<void> placeSkill(Connection connection, SandboxPath root, SandboxPath beside,
                       SkillFolder skill, bool isThere, std::stop_token stop)
{
    const QByteArray name = skill.name.toUtf8();
    const SandboxPath fresh = beside + "/new-" + name;
    const Result<void> written = co_await writeFolder(connection, fresh, skill, stop);
    if (!written)
        co_return failure(written.error());
    const SandboxPath place = root + '/' + name;
    if (isThere) {
        const Result<void> aside =
            co_await connection->fs().rename(place, beside + "/old-" + name, stop);
        if (!aside)
            co_return failure(aside.error());
    }
    const Result<void> placed = co_await connection->fs().rename(fresh, place, stop);
    co_return placed;
}

//! A directory and nothing else at \a path, if anything.
Async<bool> isFolder(Connection connection, SandboxPath path, std::stop_token stop)
{
    const Result<std::optional<FileEntry>> entry = co_await statOrNone(connection, path, stop);
    if (!entry)
        co_return failure(entry.error());
    if (!*entry)
        co_return false;
    if ((*entry)->kind == FileKind::Directory)
        co_return true;
    // A link, too: not what it points to is taken away.
    const Result<void> gone = co_await removed(connection, path, stop);
    if (!gone)
        co_return failure(gone.error());
    co_return false;
}

} // namespace

Async<QMap<QString, AppliedSkill>> syncSkills(Connection connection, QList<SkillFolder> wanted,
                                              QMap<QString, AppliedSkill> before,
                                              std::stop_token stop)
{
    const SandboxPath base = connection->homeDirectory() + "/.berth";
    const SandboxPath root = base + "/skills";
    const SandboxPath beside = base + "/skills.tmp";
    QMap<QString, AppliedSkill> applied;
    QList<FileEntry> there;
    const Result<bool> hasBase = co_await isFolder(connection, base, stop);
    if (!hasBase)
        co_return failure(hasBase.error());
    if (*hasBase) {
        const Result<bool> hasRoot = co_await isFolder(connection, root, stop);
        if (!hasRoot)
            co_return failure(hasRoot.error());
        if (*hasRoot) {
            const Result<QList<FileEntry>> entries = co_await listed(connection, root, stop);
            if (!entries)
                co_return failure(entries.error());
            there = *entries;
        }
    }
    QHash<QString, FileKind> left;
    for (const FileEntry &entry : std::as_const(there)) {
        const auto isWanted = [&entry](const SkillFolder &skill) {
            return skill.name.toUtf8() == entry.name;
        };
        if (std::any_of(wanted.cbegin(), wanted.cend(), isWanted)) {
            left.insert(QString::fromUtf8(entry.name), entry.kind);
            continue;
        }
        const Result<void> gone = co_await removed(connection, root + '/' + entry.name, stop);
        if (!gone)
            co_return failure(gone.error());
    }
    bool wrote = false;
    for (const SkillFolder &skill : std::as_const(wanted)) {
        const SandboxPath place = root + '/' + skill.name.toUtf8();
        const AppliedSkill known = before.value(skill.name);
        const bool isThere = left.contains(skill.name);
        if (left.value(skill.name, FileKind::Other) == FileKind::Directory
            && known.hash == skill.hash && !known.seen.isEmpty()) {
            const Result<QByteArray> look = co_await lookOf(connection, place, stop);
            if (!look)
                co_return failure(look.error());
            if (*look == known.seen) {
                applied.insert(skill.name, known);
                continue;
            }
        }
        if (!wrote) {
            // What a crash in the middle may have left.
            const Result<void> cleared = co_await removed(connection, beside, stop);
            if (!cleared)
                co_return failure(cleared.error());
            const Result<void> made = co_await connection->fs().makeDirectory(root, stop);
            if (!made)
                co_return failure(made.error());
            wrote = true;
        }
        const Result<void> placed =
            co_await placeSkill(connection, root, beside, skill, isThere, stop);
        if (!placed)
            co_return failure(placed.error());
        const Result<QByteArray> look = co_await lookOf(connection, place, stop);
        if (!look)
            co_return failure(look.error());
        applied.insert(skill.name, {skill.hash, *look});
    }
    if (wrote) {
        const Result<void> cleared = co_await removed(connection, beside, stop);
        if (!cleared)
            co_return failure(cleared.error());
    }
    const QMap<QString, AppliedSkill> result = applied;
    co_return result;
}

} // namespace berth::application
