// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/text.h"

#include <QtCore/QStringDecoder>
#include <QtCore/QTimeZone>

namespace berth::domain {

QString toWireTime(const QDateTime &time)
{
    return time.isValid() ? time.toUTC().toString(Qt::ISODateWithMs) : QString();
}

QDateTime fromWireTime(const QString &text)
{
    const QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    // Without Z or an offset it would mean another instant on each machine.
    return time.isValid() && time.timeSpec() != Qt::LocalTime ? time.toUTC() : QDateTime();
}

QDateTime nowUtc()
{
    return QDateTime::currentDateTimeUtc();
}

namespace {

bool isInvisible(char32_t codePoint)
{
    const QChar::Category category = QChar::category(codePoint);
    return category == QChar::Other_Control || category == QChar::Other_Format
        || category == QChar::Separator_Line || category == QChar::Separator_Paragraph;
}

QString escaped(const QByteArray &bytes)
{
    QString result;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        result += QStringLiteral("\\x%1").arg(byte, 2, 16, QLatin1Char('0'));
    }
    return result;
}

} // namespace

QString displayName(const QByteArray &bytes)
{
    QString result;
    qsizetype at = 0;
    while (at < bytes.size()) {
        // One code point at a time: a bad byte must not take its good neighbours along.
        const auto lead = static_cast<unsigned char>(bytes[at]);
        const qsizetype length = lead < 0x80 ? 1
            : lead >= 0xf0                   ? 4
            : lead >= 0xe0                   ? 3
            : lead >= 0xc2                   ? 2
                                             : 1;
        const QByteArray piece = bytes.mid(at, length);
        QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
        const QString text = decoder.decode(piece);
        const bool bad = decoder.hasError() || text.isEmpty() || isInvisible(text.toUcs4().front())
            || text.contains(QChar::ReplacementCharacter);
        const qsizetype taken = bad && decoder.hasError() ? 1 : piece.size();
        result += bad ? escaped(bytes.mid(at, taken)) : text;
        at += taken;
    }
    return result;
}

QString escapedBytes(const QByteArray &bytes)
{
    // A doubled backslash in the bytes stays apart from the one that begins an escape.
    QByteArray doubled = bytes;
    doubled.replace('\\', QByteArrayLiteral("\\\\"));
    return displayName(doubled);
}

QByteArray unescapedBytes(const QString &text)
{
    const QByteArray utf8 = text.toUtf8();
    QByteArray result;
    for (qsizetype at = 0; at < utf8.size(); ++at) {
        if (utf8[at] == '\\' && at + 1 < utf8.size()) {
            if (utf8[at + 1] == '\\') {
                result += '\\';
                ++at;
                continue;
            }
            bool isHex = false;
            const int byte = at + 3 < utf8.size() && utf8[at + 1] == 'x'
                ? utf8.mid(at + 2, 2).toInt(&isHex, 16)
                : 0;
            if (isHex) {
                result += static_cast<char>(byte);
                at += 3;
                continue;
            }
        }
        result += utf8[at];
    }
    return result;
}

QByteArray shellQuoted(const QByteArray &bytes)
{
    QByteArray result = bytes.left(bytes.indexOf('\0') < 0 ? bytes.size() : bytes.indexOf('\0'));
    result.replace('\'', QByteArrayLiteral("'\\''"));
    return '\'' + result + '\'';
}

} // namespace berth::domain
