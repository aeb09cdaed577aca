// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>

namespace berth::application {

struct SkillFile
{
    //! Relative to the folder.
    QByteArray path;
    bool executable = false;
    QByteArray content;
};

//! A skill's folder of this machine as it was read.
struct SkillFolder
{
    QString name;
    //! Relative, those above before those below.
    QList<QByteArray> directories;
    QList<SkillFile> files;
    //! SHA-256 in hex of names, permissions and contents.
    QByteArray hash;
};

inline constexpr qsizetype kMostSkills = 32;
inline constexpr int kMostSkillEntries = 512;
inline constexpr int kDeepestSkill = 12;
inline constexpr qint64 kLargestSkillFile = 2 * 1024 * 1024;
inline constexpr qint64 kLargestSkill = 8 * 1024 * 1024;
//! Of all skills of an agent.
inline constexpr qint64 kLargestSkillSet = 16 * 1024 * 1024;

//! Follows no symbolic link: one that is there, or anything but files and directories, is
//! InvalidInput, as is what is larger than the bounds. \a source: an absolute directory.
domain::Result<SkillFolder> readSkillFolder(const QString &name, const QString &source);
//! The same refusals by names and sizes alone: no file is opened.
domain::Result<void> checkSkillFolder(const QString &source);

} // namespace berth::application
