// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/script/script_runner.h"

#include <algorithm>

namespace berth::net {

ScriptRunner::~ScriptRunner() = default;

qint64 ScriptRunner::largestInput() const
{
    return 60 * 1024;
}

qint64 ScriptRunner::largestOutput() const
{
    return 256 * 1024;
}

bool ScriptRunner::isBinarySafe() const
{
    return false;
}

QByteArray scriptWithInput(const ScriptRequest &request)
{
    if (request.input.isEmpty())
        return "{ " + request.script + "\n} </dev/null";
    // Not a line of base64, and none of the script either.
    const QByteArray mark = QByteArrayLiteral("_berth.input.ends_");
    QByteArray text = "{ " + request.script + "\n} <<'" + mark + "'\n" + request.input;
    if (!text.endsWith('\n'))
        text += '\n';
    return text + mark + '\n';
}

QByteArray shellWord(const QByteArray &bytes)
{
    const auto isPlain = [](char c) { return (c >= ' ' && c < 0x7F) || c == '\n' || c == '\t'; };
    const bool plain = std::all_of(bytes.begin(), bytes.end(), isPlain);
    if (plain) {
        QByteArray word = bytes;
        word.replace('\'', "'\\''");
        return '\'' + word + '\'';
    }
    // A substitution loses the newlines at its end.
    qsizetype size = bytes.size();
    while (size > 0 && bytes.at(size - 1) == '\n')
        --size;
    QByteArray format;
    for (qsizetype i = 0; i < size; ++i) {
        const char c = bytes.at(i);
        if (c == '%')
            format += "%%";
        else if (c == '\\')
            format += "\\\\";
        else if (c == '\'')
            format += "'\\''";
        else if (isPlain(c) && !(i == 0 && c == '-'))
            format += c;
        else
            format +=
                '\\' + QByteArray::number(static_cast<unsigned char>(c), 8).rightJustified(3, '0');
    }
    QByteArray word = "\"$(printf '" + format + "')\"";
    if (size < bytes.size())
        word += '\'' + bytes.mid(size) + '\'';
    return word;
}

} // namespace berth::net
