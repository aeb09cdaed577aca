// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/hex_text.h"

#include <QtCore/QStringDecoder>

namespace berth::ui {

namespace {

constexpr qsizetype kPerLine = 16;
constexpr qsizetype kLongestCharacter = 4;

} // namespace

QString hexText(const QByteArray &bytes)
{
    QString text;
    text.reserve(bytes.size() * 5);
    for (qsizetype at = 0; at < bytes.size(); at += kPerLine) {
        const QByteArray line = bytes.mid(at, kPerLine);
        QString printable;
        text += QStringLiteral("%1  ").arg(at, 8, 16, QLatin1Char('0'));
        for (qsizetype i = 0; i < kPerLine; ++i) {
            if (i < line.size()) {
                const auto byte = static_cast<unsigned char>(line[i]);
                text += QStringLiteral("%1 ").arg(byte, 2, 16, QLatin1Char('0'));
                printable += byte >= 0x20 && byte < 0x7f ? QLatin1Char(line[i]) : QLatin1Char('.');
            } else {
                text += QStringLiteral("   ");
            }
            if (i == kPerLine / 2 - 1)
                text += QLatin1Char(' ');
        }
        text += QLatin1Char(' ') + printable + QLatin1Char('\n');
    }
    return text;
}

bool isPlainText(const QByteArray &bytes, bool isCut)
{
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\033')
            || byte == 0x7f)
            return false;
    }
    for (qsizetype cut = 0; cut < (isCut ? kLongestCharacter : 1); ++cut) {
        QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
        const QString text = decoder.decode(bytes.chopped(qMin(cut, bytes.size())));
        if (!decoder.hasError() && !text.contains(QChar::ReplacementCharacter))
            return true;
    }
    return false;
}

} // namespace berth::ui
