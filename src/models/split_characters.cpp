// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/split_characters.h"

#include <optional>

namespace berth::models {

namespace {

//! The last 2048 code points stand for the 2048 surrogates; nobody writes them.
constexpr char32_t kFirstKept = 0x10F800;
constexpr char16_t kFirstHalf = 0xD800;
constexpr qsizetype kEscapeLength = 6;

//! Of "\uXXXX" at \a at.
std::optional<char16_t> escapedUnit(const QByteArray &text, qsizetype at)
{
    if (at + kEscapeLength > text.size() || text.at(at) != '\\' || text.at(at + 1) != 'u')
        return std::nullopt;
    bool isNumber = false;
    const uint unit = text.mid(at + 2, 4).toUInt(&isNumber, 16);
    return isNumber ? std::optional(static_cast<char16_t>(unit)) : std::nullopt;
}

QByteArray keptHalf(char16_t half)
{
    const char32_t kept = kFirstKept + (half - kFirstHalf);
    return QString::fromUcs4(&kept, 1).toUtf8();
}

} // namespace

QByteArray withHalvesKept(const QByteArray &text, bool &found)
{
    if (!text.contains("\\u"))
        return text;
    QByteArray kept;
    kept.reserve(text.size());
    for (qsizetype at = 0; at < text.size();) {
        const std::optional<char16_t> unit = escapedUnit(text, at);
        if (!unit || !QChar::isSurrogate(*unit)) {
            // An escaped backslash does not begin an escape of its own.
            const qsizetype length = text.at(at) == '\\' ? 2 : 1;
            kept += text.mid(at, length);
            at += length;
            continue;
        }
        const std::optional<char16_t> next = escapedUnit(text, at + kEscapeLength);
        if (QChar::isHighSurrogate(*unit) && next && QChar::isLowSurrogate(*next)) {
            kept += text.mid(at, 2 * kEscapeLength);
            at += 2 * kEscapeLength;
            continue;
        }
        kept += keptHalf(*unit);
        found = true;
        at += kEscapeLength;
    }
    return kept;
}

QString withHalvesJoined(QString text)
{
    for (qsizetype i = 0; i + 1 < text.size(); ++i) {
        if (!text.at(i).isHighSurrogate() || !text.at(i + 1).isLowSurrogate())
            continue;
        const char32_t point = QChar::surrogateToUcs4(text.at(i), text.at(i + 1));
        if (point < kFirstKept) {
            ++i;
            continue;
        }
        const auto half = static_cast<char16_t>(kFirstHalf + (point - kFirstKept));
        text.replace(i, 2, QString(QChar(half)));
    }
    return text;
}

QByteArray withHalvesJoined(const QByteArray &utf8)
{
    return withHalvesJoined(QString::fromUtf8(utf8)).toUtf8();
}

} // namespace berth::models
