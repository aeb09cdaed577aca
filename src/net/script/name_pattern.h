// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>

#include <optional>

namespace berth::net {

//! A pattern of names as domain::GlobRequest has it: *, ?, [a-z] within a name, ** over
//! directories.
class PathPattern
{
public:
    //! nullopt when it makes no sense or leads out of its root.
    static std::optional<PathPattern> parse(const QByteArray &pattern);

    //! \a path: relative to the root, without a slash at either end.
    [[nodiscard]] bool matches(const QByteArray &path, bool hidden) const;
    [[nodiscard]] bool onlyDirectories() const { return m_onlyDirectories; }
    //! Directories that every match is below of, as they are; may be empty.
    [[nodiscard]] const QList<QByteArray> &literalStart() const { return m_start; }
    //! How many names a match has at most below that; nullopt: any number.
    [[nodiscard]] std::optional<qsizetype> depth() const;
    //! It can match a name that begins with a dot.
    [[nodiscard]] bool namesHidden() const;
    //! The pattern of the last name when any tool understands it the same way; else empty.
    [[nodiscard]] QByteArray simpleEnd() const;

private:
    [[nodiscard]] bool isDeep(qsizetype part) const;
    [[nodiscard]] quint64 closed(quint64 set) const;

    QList<QByteArray> m_parts;
    QList<QByteArray> m_start;
    bool m_onlyDirectories = false;
};

//! One name against one pattern. "?" is a character of UTF-8; a byte that is none counts as one.
bool matchesName(const QByteArray &pattern, const QByteArray &name);

} // namespace berth::net
