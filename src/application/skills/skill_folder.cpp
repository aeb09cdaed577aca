// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/skills/skill_folder.h"

#include "application/transfers/local_files.h"
#include "domain/text.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>

#include <algorithm>

namespace berth::application {

using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

constexpr qint64 kPiece = 256 * 1024;

tl::unexpected<domain::Error> refused(const QString &why)
{
    return failure(ErrorKind::InvalidInput, why);
}

Result<QByteArray> wholeFile(const LocalFile &folder, const QByteArray &path)
{
    const Result<LocalFile> file = openBelow(folder, path, false);
    if (!file)
        return failure(file.error());
    // What was opened, not what had the name a moment before.
    const Result<LocalFile::Facts> facts = file->facts();
    if (!facts)
        return failure(facts.error());
    if (!facts->isRegular)
        return refused(QStringLiteral("\"%1\" is no file").arg(domain::displayName(path)));
    QByteArray all;
    for (;;) {
        const Result<QByteArray> piece = file->read(kPiece);
        if (!piece)
            return failure(piece.error());
        if (piece->isEmpty())
            return all;
        all += *piece;
        if (all.size() > kLargestSkillFile)
            return refused(
                QStringLiteral("\"%1\" is larger than 2 MiB").arg(domain::displayName(path)));
    }
}

class FolderReader
{
public:
    //! Without \a contents only names and sizes are looked at.
    FolderReader(const LocalFile &folder, bool contents) : m_folder(folder), m_contents(contents) {}

    Result<void> read(const QByteArray &below, int depth, SkillFolder &into)
    {
        if (depth > kDeepestSkill)
            return refused(
                QStringLiteral("it is nested deeper than %1 directories").arg(kDeepestSkill));
        const Result<LocalFile> here = openBelow(m_folder, below, true);
        if (!here)
            return failure(here.error());
        Result<QList<QByteArray>> names = here->names();
        if (!names)
            return failure(names.error());
        std::sort(names->begin(), names->end());
        for (const QByteArray &name : std::as_const(*names)) {
            if (const Result<void> taken = take(*here, below, name, depth, into); !taken)
                return taken;
        }
        return {};
    }

private:
    Result<void> take(const LocalFile &here, const QByteArray &below, const QByteArray &name,
                      int depth, SkillFolder &into)
    {
        const QByteArray path = below.isEmpty() ? name : below + '/' + name;
        if (++m_entries > kMostSkillEntries)
            return refused(
                QStringLiteral("it has more than %1 files and directories").arg(kMostSkillEntries));
        const Result<LocalFile::Facts> facts = factsBelow(here, name);
        if (!facts)
            return failure(facts.error());
        if (facts->isDirectory) {
            into.directories.append(path);
            return read(path, depth + 1, into);
        }
        if (!facts->isRegular)
            return refused((facts->isLink
                                ? QStringLiteral("\"%1\" is a symbolic link, which is not followed")
                                : QStringLiteral("\"%1\" is neither a file nor a directory"))
                               .arg(domain::displayName(path)));
        if (!m_contents) {
            if (facts->size > kLargestSkillFile)
                return refused(
                    QStringLiteral("\"%1\" is larger than 2 MiB").arg(domain::displayName(path)));
            return counted(facts->size);
        }
        Result<QByteArray> content = wholeFile(m_folder, path);
        if (!content)
            return failure(content.error());
        if (const Result<void> fits = counted(content->size()); !fits)
            return fits;
        into.files.append({path, (facts->mode & 0111) != 0, std::move(*content)});
        return {};
    }

    Result<void> counted(qint64 bytes)
    {
        m_bytes += bytes;
        if (m_bytes > kLargestSkill)
            return refused(QStringLiteral("it is larger than 8 MiB"));
        return {};
    }

    const LocalFile &m_folder;
    bool m_contents;
    int m_entries = 0;
    qint64 m_bytes = 0;
};

QByteArray hashOf(const SkillFolder &skill)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    // Lengths first, so that no name can pass for another's content.
    const auto add = [&hash](const QByteArray &part) {
        hash.addData(QByteArray::number(part.size()) + ':');
        hash.addData(part);
    };
    for (const QByteArray &directory : skill.directories)
        add("d" + directory);
    for (const SkillFile &file : skill.files) {
        add((file.executable ? "x" : "f") + file.path);
        add(file.content);
    }
    return hash.result().toHex();
}

Result<SkillFolder> walked(const QString &source, bool contents)
{
    if (!QDir::isAbsolutePath(source))
        return refused(QStringLiteral("The path of a skill has to be absolute: %1").arg(source));
    if (QFileInfo(QDir::cleanPath(source)).isSymLink())
        return refused(QStringLiteral("%1 is a symbolic link, which is not followed").arg(source));
    const Result<LocalFile> folder = openLocalFolder(QFile::encodeName(QDir::cleanPath(source)));
    if (!folder)
        return failure(folder.error());
    SkillFolder skill;
    FolderReader reader(*folder, contents);
    if (const Result<void> read = reader.read({}, 1, skill); !read)
        return failure(read.error().kind, QStringLiteral("%1 cannot be used").arg(source),
                       read.error().message);
    return skill;
}

} // namespace

Result<SkillFolder> readSkillFolder(const QString &name, const QString &source)
{
    Result<SkillFolder> skill = walked(source, true);
    if (!skill)
        return skill;
    skill->name = name;
    skill->hash = hashOf(*skill);
    return skill;
}

Result<void> checkSkillFolder(const QString &source)
{
    const Result<SkillFolder> looked = walked(source, false);
    if (!looked)
        return failure(looked.error());
    return {};
}

} // namespace berth::application
