// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/human.h"

#include <QtCore/QRegularExpression>

#include <algorithm>

namespace berth::cli {

using std::chrono::milliseconds;

QString humanDuration(milliseconds duration)
{
    const qint64 ms = std::max<qint64>(0, duration.count());
    if (ms < 10'000)
        return QStringLiteral("%1 s").arg(static_cast<double>(ms) / 1000.0, 0, 'f', 2);
    const qint64 s = ms / 1000;
    if (s < 60)
        return QStringLiteral("%1 s").arg(s);
    if (s < 3600)
        return QStringLiteral("%1 min %2 s").arg(s / 60).arg(s % 60, 2, 10, QLatin1Char('0'));
    if (s < 86'400)
        return QStringLiteral("%1 h %2 min")
            .arg(s / 3600)
            .arg(s % 3600 / 60, 2, 10, QLatin1Char('0'));
    return QStringLiteral("%1 d %2 h").arg(s / 86'400).arg(s % 86'400 / 3600);
}

QString humanAge(const QDateTime &time, const QDateTime &now)
{
    if (!time.isValid())
        return QStringLiteral("\u2014");
    const qint64 s = time.secsTo(now);
    if (s < 5)
        return QStringLiteral("just now");
    if (s < 60)
        return QStringLiteral("%1 s ago").arg(s);
    if (s < 3600)
        return QStringLiteral("%1 min ago").arg(s / 60);
    if (s < 86'400)
        return QStringLiteral("%1 h ago").arg(s / 3600);
    return QStringLiteral("%1 d ago").arg(s / 86'400);
}

QString humanBytes(qint64 bytes)
{
    if (bytes < 1024)
        return QStringLiteral("%1 B").arg(bytes);
    double value = static_cast<double>(bytes);
    QString unit;
    for (const char *next : {"KiB", "MiB", "GiB", "TiB"}) {
        value /= 1024.0;
        unit = QString::fromLatin1(next);
        if (value < 1024.0)
            break;
    }
    return QStringLiteral("%1 %2").arg(value, 0, 'f', value < 100 ? 1 : 0).arg(unit);
}

std::optional<milliseconds> parseDuration(const QString &text)
{
    static const QRegularExpression part(
        QStringLiteral("(\\d{1,9}(?:\\.\\d{1,3})?)(ms|s|min|m|h|d)?"));
    static const QRegularExpression whole(
        QStringLiteral("^(?:\\d+(?:\\.\\d+)?|(?:\\d+(?:\\.\\d+)?(?:ms|s|min|m|h|d))+)$"));
    if (!whole.match(text).hasMatch())
        return std::nullopt;
    double total = 0;
    for (QRegularExpressionMatchIterator it = part.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        const QString unit = match.captured(2);
        const double scale = unit == QLatin1String("ms") ? 1
            : unit == QLatin1String("h")                 ? 3'600'000
            : unit == QLatin1String("d")                 ? 86'400'000
            : unit.startsWith(QLatin1Char('m'))          ? 60'000
                                                         : 1000;
        total += match.captured(1).toDouble() * scale;
    }
    if (total < 1 || total > 100.0 * 86'400'000)
        return std::nullopt;
    return milliseconds(static_cast<qint64>(total + 0.5));
}

QString onOneLine(const QString &text)
{
    QString result = text;
    for (QChar &c : result) {
        const QChar::Category category = c.category();
        if (category == QChar::Other_Control || category == QChar::Other_Format
            || category == QChar::Separator_Line || category == QChar::Separator_Paragraph) {
            c = QLatin1Char(' ');
        }
    }
    return result.simplified();
}

} // namespace berth::cli
