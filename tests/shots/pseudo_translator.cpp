// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shots/pseudo_translator.h"

namespace berth::shots {

QString PseudoTranslator::translate(const char *, const char *source, const char *, int) const
{
    const QString text = QString::fromUtf8(source);
    static const QString kPlain = QStringLiteral("aeiouycnsAEIOUYCNS");
    static const QString kAccented = QStringLiteral("åéîôûýçñšÅÉÎÔÛÝÇÑŠ");
    QString longer;
    int letters = 0;
    bool placeholder = false;
    for (const QChar c : text) {
        const qsizetype at = kPlain.indexOf(c);
        // "%n" and "%L1" must stay what they are.
        longer.append(at >= 0 && !placeholder ? kAccented.at(at) : c);
        placeholder = c == QLatin1Char('%') || (placeholder && c == QLatin1Char('L'));
        letters += c.isLetter() ? 1 : 0;
    }
    // Words, so that what wraps may wrap.
    const QString filler = QStringLiteral(" løñg");
    for (qsizetype more = (letters * 4 + 9) / 10; more > 0; more -= filler.size())
        longer.append(more >= filler.size() ? filler : filler.left(more));
    return longer;
}

} // namespace berth::shots
