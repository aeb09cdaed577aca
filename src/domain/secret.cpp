// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/secret.h"

#include <QtCore/QList>
#include <QtCore/QUrl>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

namespace berth::domain {

namespace {

constexpr qsizetype kShortestRedacted = 6;
constexpr qsizetype kShortestCore = 8;
constexpr qsizetype kHintNeeds = 12;
// Keys are few; the bound only stops a loop that makes secrets without end.
constexpr qsizetype kMostSpellings = 4096;

using Spellings = std::shared_ptr<const QList<QByteArray>>;

// Read on every log line of every thread, so a copy-on-write list instead of a lock.
std::atomic<Spellings> &known()
{
    static std::atomic<Spellings> list{std::make_shared<const QList<QByteArray>>()};
    return list;
}

//! As writers of JSON spell it: with or without everything beyond ASCII as \u.
QByteArray jsonEscaped(const QByteArray &value, bool asciiOnly)
{
    QByteArray result;
    const QString text = QString::fromUtf8(value);
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char16_t unit = text[i].unicode();
        static constexpr char kPlain[] = "\b\t\n\f\r\"\\";
        static constexpr char kSpelled[] = "btnfr\"\\";
        const char *plain = unit > 0 && unit < 0x80 ? std::strchr(kPlain, char(unit)) : nullptr;
        if (plain)
            result.append('\\').append(kSpelled[plain - kPlain]);
        else if (unit < 0x20 || (asciiOnly && unit >= 0x7f))
            result += "\\u" + QByteArray::number(unit, 16).rightJustified(4, '0');
        else if (unit < 0x80)
            result += char(unit);
        else if (text[i].isHighSurrogate() && i + 1 < text.size())
            result += text.mid(i++, 2).toUtf8();
        else
            result += QString(text[i]).toUtf8();
    }
    return result;
}

//! The characters that stand for \a value alone when Base64 was made of a text that has it after a
//! number of bytes that leaves \a offset, as in "Basic" of user and password.
QByteArray base64Core(const QByteArray &value, qsizetype offset, QByteArray::Base64Options options)
{
    const QByteArray encoded = (QByteArray(offset, 'x') + value).toBase64(options);
    const qsizetype first = (offset * 8 + 5) / 6;
    const qsizetype behind = (offset + value.size()) * 8 / 6;
    return encoded.mid(first, behind - first);
}

QByteArray lowerHex(QByteArray percentEncoded)
{
    for (qsizetype i = 0; i + 2 < percentEncoded.size(); ++i) {
        if (percentEncoded[i] != '%')
            continue;
        percentEncoded.replace(i + 1, 2, percentEncoded.mid(i + 1, 2).toLower());
    }
    return percentEncoded;
}

QList<QByteArray> spellingsOf(const QByteArray &value)
{
    const QByteArray percent = value.toPercentEncoding();
    const QByteArray json = jsonEscaped(value, false);
    QByteArray slashed = json;
    slashed.replace('/', QByteArrayLiteral("\\/"));
    QList<QByteArray> spellings{value, percent, lowerHex(percent),
                                json,  slashed, jsonEscaped(value, true)};
    for (const auto alphabet : {QByteArray::Base64Encoding, QByteArray::Base64UrlEncoding}) {
        spellings << value.toBase64(alphabet)
                  << value.toBase64(alphabet | QByteArray::OmitTrailingEquals);
        for (const qsizetype offset : {0, 1, 2}) {
            const QByteArray core = base64Core(value, offset, alphabet);
            // Shorter ones stand in innocent text too often.
            if (core.size() >= kShortestCore)
                spellings << core;
        }
    }
    return spellings;
}

void remember(const QByteArray &value)
{
    if (value.size() < kShortestRedacted)
        return;
    const QList<QByteArray> spellings = spellingsOf(value);
    Spellings before = known().load();
    for (;;) {
        if (before->contains(value) || before->size() >= kMostSpellings)
            return;
        auto after = std::make_shared<QList<QByteArray>>(*before);
        for (const QByteArray &spelling : spellings) {
            if (!after->contains(spelling))
                after->append(spelling);
        }
        // Longest first: a short one must not cut a longer one that contains it.
        std::sort(after->begin(), after->end(),
                  [](const QByteArray &a, const QByteArray &b) { return a.size() > b.size(); });
        if (known().compare_exchange_weak(before, Spellings(after)))
            return;
    }
}

} // namespace

Secret::Secret(QByteArray value) : m_value(std::move(value))
{
    remember(m_value);
}

QString Secret::hint() const
{
    const QString dots = QStringLiteral("\u2026");
    return m_value.size() < kHintNeeds ? dots : dots + QString::fromUtf8(m_value.right(4));
}

QByteArray redacted(const QByteArray &text)
{
    QByteArray result = text;
    const Spellings spellings = known().load();
    for (const QByteArray &spelling : *spellings)
        result.replace(spelling, QByteArrayLiteral("[redacted]"));
    return result;
}

QString redacted(const QString &text)
{
    if (known().load()->isEmpty())
        return text;
    return QString::fromUtf8(redacted(text.toUtf8()));
}

} // namespace berth::domain
