// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/shell_parser.h"

#include "domain/policy/shell_reader.h"

#include <algorithm>
#include <array>

namespace berth::domain {

namespace {

constexpr qsizetype kLongestLine = 1024 * 1024;

//! Characters that no shell reads as one would think on seeing them, or that cannot be seen.
bool hasStrangeCharacter(const QString &text)
{
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (c.unicode() >= 0x20 && c.unicode() < 0x7f)
            continue;
        if (c == u'\n' || c == u'\t')
            continue;
        if (c.isHighSurrogate() && i + 1 < text.size() && text.at(i + 1).isLowSurrogate()) {
            const char32_t code = QChar::surrogateToUcs4(c, text.at(i + 1));
            if (QChar::category(code) == QChar::Other_Format)
                return true;
            ++i;
            continue;
        }
        switch (c.category()) {
        case QChar::Other_Control:
        case QChar::Other_Format:
        case QChar::Other_Surrogate:
        case QChar::Other_NotAssigned:
        case QChar::Separator_Line:
        case QChar::Separator_Paragraph:
        case QChar::Separator_Space:
            return true;
        default:
            break;
        }
    }
    return false;
}

bool isDescriptor(const QString &text)
{
    if (text == QLatin1String("-"))
        return true;
    const qsizetype digits = text.endsWith(u'-') ? text.size() - 1 : text.size();
    return digits > 0 && std::all_of(text.cbegin(), text.cbegin() + digits, [](QChar c) {
               return c >= u'0' && c <= u'9';
           });
}

} // namespace

bool ShellWord::isLiteral() const
{
    return std::all_of(parts.cbegin(), parts.cend(),
                       [](const ShellPart &part) { return part.kind == ShellPart::Literal; });
}

bool ShellWord::isSingle() const
{
    return std::all_of(parts.cbegin(), parts.cend(), [](const ShellPart &part) {
        // "$@" is any number of words, quoted or not.
        return part.kind == ShellPart::Literal
            || (part.quoted && !part.text.contains(u'@') && part.kind != ShellPart::Glob
                && part.kind != ShellPart::Brace);
    });
}

bool ShellWord::maySplit() const
{
    return std::any_of(parts.cbegin(), parts.cend(), [](const ShellPart &part) {
        const bool expands = part.kind == ShellPart::Parameter || part.kind == ShellPart::Command
            || part.kind == ShellPart::Arithmetic;
        return expands && (!part.quoted || part.text.contains(u'@'));
    });
}

QChar ShellWord::knownStart() const
{
    for (const ShellPart &part : parts) {
        if (part.kind != ShellPart::Literal)
            return {};
        if (!part.text.isEmpty())
            return part.text.front();
    }
    return {};
}

QString ShellWord::text() const
{
    QString all;
    for (const ShellPart &part : parts) {
        if (part.kind == ShellPart::Literal || part.kind == ShellPart::Glob
            || part.kind == ShellPart::Brace || part.kind == ShellPart::Tilde)
            all += part.text;
    }
    return all;
}

bool ShellWord::has(ShellPart::Kind kind) const
{
    return std::any_of(parts.cbegin(), parts.cend(),
                       [kind](const ShellPart &part) { return part.kind == kind; });
}

bool ShellRedirect::writesFile() const
{
    if (op == QLatin1String(">&"))
        return !(target.isLiteral() && isDescriptor(target.text()));
    return op == QLatin1String(">") || op == QLatin1String(">>") || op == QLatin1String(">|")
        || op == QLatin1String("&>") || op == QLatin1String("&>>") || op == QLatin1String("<>");
}

bool ShellRedirect::isInput() const
{
    return op.startsWith(u'<') && (descriptor.isEmpty() || descriptor == QLatin1String("0"));
}

ShellLine parseShell(const QString &text)
{
    ShellLine line;
    if (text.size() > kLongestLine) {
        line.unknown = QStringLiteral("it is longer than 1 MiB");
        return line;
    }
    if (hasStrangeCharacter(text)) {
        line.unknown = QStringLiteral("it has control or invisible characters");
        return line;
    }
    ShellReader(text, &line, 0, 0).commands(true);
    return line;
}

bool isShellReserved(const QString &word)
{
    static constexpr std::array kWords{"!",    "{",    "}",      "if",    "then",  "else",
                                       "elif", "fi",   "for",    "while", "until", "do",
                                       "done", "case", "esac",   "[[",    "]]",    "function",
                                       "time", "in",   "select", "coproc"};
    return std::any_of(kWords.begin(), kWords.end(),
                       [&word](const char *reserved) { return word == QLatin1String(reserved); });
}

} // namespace berth::domain
