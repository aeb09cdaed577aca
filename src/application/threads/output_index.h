// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/outcome.h"

#include <QtCore/QByteArray>
#include <QtCore/QFile>

#include <functional>
#include <optional>

namespace berth::application {

//! Which stream each byte of an OutputLog is of, in a file of pages of 4 KiB. A page has a header -
//! the offset of its first byte in the output, the line feeds before that (both 8 bytes, little
//! endian), the stream of that byte (8 bytes) - and behind it the lengths of runs, each of the
//! other stream than the one before, as LEB128; zero ends them. The last run of a page goes on to
//! the next page. A page begins when one is full or covers kPageCovers, so the file is never longer
//! than the output plus 0.1 %, is searched by halving, and needs 24 bytes for one stream. What is
//! before the first page is standard output.
namespace output_index {

inline constexpr qint64 kPageSize = 4096;
inline constexpr qint64 kHeaderSize = 24;
inline constexpr qint64 kLongestRunEntry = 10;
inline constexpr qint64 kPageCovers = 4 * 1024 * 1024;

struct Header
{
    qint64 offset = 0;
    qint64 lineFeeds = 0;
    domain::OutputStream stream = domain::OutputStream::Stdout;
};

QByteArray encodedHeader(const Header &header);
QByteArray encodedRun(qint64 length);
qint64 lineFeedsIn(QByteArrayView bytes);

//! Reads an index, also one that grows or whose last write was torn.
class Reader
{
public:
    explicit Reader(const QString &path);
    [[nodiscard]] qint64 pageCount() const { return m_pages; }
    //! The last page that begins at or before \a offset; -1: none.
    [[nodiscard]] qint64 pageBefore(qint64 offset);
    [[nodiscard]] Header headerAt(qint64 page);
    //! The runs that touch [from, until), cut to it, with \a until being known to exist.
    void runs(qint64 from, qint64 until,
              const std::function<void(domain::OutputStream, qint64 length)> &each);

private:
    QFile m_file;
    qint64 m_pages = 0;
};

} // namespace output_index
} // namespace berth::application
