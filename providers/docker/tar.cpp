// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/tar.h"

#include <QtCore/QDateTime>
#include <QtCore/QList>

#include <algorithm>

namespace berth::docker {

namespace {

constexpr qsizetype kBlock = 512;

void put(QByteArray &header, qsizetype at, const QByteArray &bytes)
{
    std::copy(bytes.begin(), bytes.end(), header.begin() + at);
}

QByteArray octal(qint64 value, int digits)
{
    return QByteArray::number(value, 8).rightJustified(digits, '0', true) + '\0';
}

QByteArray padded(QByteArray bytes)
{
    const qsizetype rest = bytes.size() % kBlock;
    return rest == 0 ? bytes : bytes + QByteArray(kBlock - rest, '\0');
}

} // namespace

QByteArray tarArchive(const QList<TarEntry> &entries)
{
    QByteArray archive;
    for (const TarEntry &entry : entries) {
        QByteArray header(kBlock, '\0');
        Q_ASSERT(entry.path.size() < 100);
        put(header, 0, entry.isDirectory ? entry.path + '/' : entry.path);
        put(header, 100, octal(entry.mode, 7));
        put(header, 108, octal(entry.uid, 7));
        put(header, 116, octal(entry.gid, 7));
        put(header, 124, octal(entry.content.size(), 11));
        put(header, 136, octal(QDateTime::currentSecsSinceEpoch(), 11));
        put(header, 148, QByteArray(8, ' '));
        header[156] = entry.isDirectory ? '5' : '0';
        put(header, 257, QByteArray("ustar\00000", 8));
        int sum = 0;
        for (const char c : header)
            sum += static_cast<unsigned char>(c);
        put(header, 148, octal(sum, 6) + ' ');
        archive += header + padded(entry.content);
    }
    return archive + QByteArray(2 * kBlock, '\0');
}

std::optional<QByteArray> firstFileOf(const QByteArray &archive)
{
    qsizetype at = 0;
    while (at + kBlock <= archive.size() && archive[at] != '\0') {
        bool isNumber = false;
        const qint64 size =
            archive.mid(at + 124, 12).replace('\0', ' ').trimmed().toLongLong(&isNumber, 8);
        const char type = archive[at + 156];
        at += kBlock;
        if (!isNumber || size < 0 || size > archive.size() - at)
            return std::nullopt;
        if (type == '0' || type == '\0')
            return archive.mid(at, static_cast<qsizetype>(size));
        at += static_cast<qsizetype>((size + kBlock - 1) / kBlock * kBlock);
    }
    return std::nullopt;
}

} // namespace berth::docker
