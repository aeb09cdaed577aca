// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>

#include <optional>

// As much of the ustar format as the engine's archive calls need here.
namespace berth::docker {

struct TarEntry
{
    //! Relative, without a leading slash; at most 100 bytes.
    QByteArray path;
    bool isDirectory = false;
    int mode = 0644;
    int uid = 0;
    int gid = 0;
    QByteArray content;
};

QByteArray tarArchive(const QList<TarEntry> &entries);
//! The content of the first regular file; nullopt when there is none, or the archive is cut or odd.
std::optional<QByteArray> firstFileOf(const QByteArray &archive);

} // namespace berth::docker
