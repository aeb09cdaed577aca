// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/policy/shell_parser.h"

namespace berth::domain {

//! The parser behind parseShell(): one cursor over one text. Texts within the text (backticks,
//! here-documents) get a reader of their own that adds to the same line. Each function leaves the
//! cursor behind what it read; false: not understood, and nothing more is read.
class ShellReader
{
public:
    //! \a depth: constructs around it; \a nesting: substitutions around it.
    ShellReader(const QString &text, ShellLine *line, int depth, int nesting)
        : m_text(text), m_line(line), m_depth(depth), m_nesting(nesting)
    {}

    //! All of the text as commands.
    bool commands(bool mayBeEmpty);
    //! All of the text as the body of a here-document whose delimiter was not quoted.
    bool hereText();

private:
    struct HereDoc
    {
        QString delimiter;
        bool stripTabs = false;
        bool quoted = false;
        qsizetype segment = 0;
        qsizetype redirect = 0;
    };

    // shell_grammar.cpp
    bool list(bool mayBeEmpty);
    bool andOr();
    bool pipeline();
    bool command();
    bool compound(const QString &word);
    bool conditional();
    bool loop();
    bool forLoop();
    bool caseOf();
    bool test();
    bool simple();
    bool assignment(ShellSegment *segment, bool *found);
    bool array();
    bool functionBody();
    bool redirect(ShellSegment *segment, qsizetype index);
    bool trailingRedirects();
    bool expectWord(const char *word);
    bool expectChar(char16_t c);
    bool blanks();
    bool newlines();
    bool takeNewline();
    bool hereBody(const HereDoc &doc);
    bool isCloser() const;
    bool isRedirect() const;
    qsizetype begin(ShellSegment segment);
    QString bareWord() const;

    // shell_words.cpp
    bool word(ShellWord *out);
    bool single(ShellWord *out);
    bool ansiC(ShellWord *out);
    bool doubled(ShellWord *out);
    bool dollar(ShellWord *out, bool inDouble);
    bool braces(ShellWord *out, bool inDouble);
    bool bracedWord(bool inDouble);
    bool arithmetic(ShellWord *out, bool inDouble);
    bool substitution(ShellWord *out, ShellPart::Kind kind, bool inDouble);
    bool backtick(ShellWord *out, bool inDouble);
    bool quotedNewline();
    bool add(ShellWord *out, ShellPart::Kind kind, const QString &text, bool quoted);

    bool enter();
    void leave() { --m_depth; }
    bool unknown(const char *why);
    void hazard(const char *what);
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] char16_t at(qsizetype ahead = 0) const
    {
        const qsizetype where = m_at + ahead;
        return where < m_text.size() ? m_text.at(where).unicode() : u'\0';
    }

    const QString &m_text;
    ShellLine *m_line;
    int m_depth;
    int m_nesting;
    qsizetype m_at = 0;
    qsizetype m_newlines = 0;
    QList<HereDoc> m_pending;
};

} // namespace berth::domain
