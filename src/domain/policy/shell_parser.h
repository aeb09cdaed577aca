// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>

namespace berth::domain {

//! A piece of a word.
struct ShellPart
{
    //! Literal: these very characters, after quotes were removed. Everything else is known only
    //! when the shell runs; Glob, Brace and Tilde have their source characters as text.
    enum Kind { Literal, Parameter, Command, Process, Arithmetic, Glob, Brace, Tilde };
    Kind kind = Literal;
    QString text;
    bool quoted = false;
};

struct ShellWord
{
    QList<ShellPart> parts;
    //! The source had quotes or backslashes.
    bool quoted = false;

    //! Known as it stands: one word with exactly text().
    [[nodiscard]] bool isLiteral() const;
    //! Exactly one word whatever it expands to.
    [[nodiscard]] bool isSingle() const;
    //! Has an expansion that the shell splits into several words, or that stands for several.
    [[nodiscard]] bool maySplit() const;
    //! Its first character is known, and this is it; null for an empty or unknown one.
    [[nodiscard]] QChar knownStart() const;
    //! The known characters and the sources of globs, braces and tildes.
    [[nodiscard]] QString text() const;
    [[nodiscard]] bool has(ShellPart::Kind kind) const;
};

struct ShellAssignment
{
    QString name;
    ShellWord value;
};

struct ShellRedirect
{
    //! "<", "<<", "<<-", "<<<", "<&", "<>", ">", ">>", ">|", ">&", "&>", "&>>"
    QString op;
    //! "3" of 3>file; empty: the operator's own.
    QString descriptor;
    //! The delimiter of a here-document.
    ShellWord target;
    //! Of a here-document or here-string, where it is known.
    QString body;
    bool bodyIsKnown = false;

    //! Opens a file for writing (and not a descriptor that is open already).
    [[nodiscard]] bool writesFile() const;
    //! Changes what standard input is.
    [[nodiscard]] bool isInput() const;
};

//! One simple command; without words where only assignments or redirections stand.
struct ShellSegment
{
    QList<ShellAssignment> assignments;
    QList<ShellWord> words;
    QList<ShellRedirect> redirects;
    //! 0: of the line itself; more: within that many substitutions.
    int nesting = 0;
};

//! What a command line would run.
struct ShellLine
{
    //! All simple commands, also those in groups, loops, functions, substitutions, here-documents.
    QList<ShellSegment> segments;
    //! Understood, but able to run or set what cannot be seen: "defines a function".
    QStringList hazards;
    //! Why it was not understood; segments are then those read so far. Empty: understood.
    QString unknown;

    [[nodiscard]] bool isUnderstood() const { return unknown.isEmpty(); }
};

//! Reads \a text as POSIX sh and bash would, without aliases and history. Whatever the two could
//! read in different ways, is out of balance, nested deeper than 32 or longer than 1 MiB is not
//! understood. Linear in the length of the text.
ShellLine parseShell(const QString &text);

//! "if", "{", "[[", …: not a command's name when unquoted.
bool isShellReserved(const QString &word);

} // namespace berth::domain
