// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/sandbox/naming.h"

#include <algorithm>

namespace berth::domain {

namespace {

constexpr qsizetype kLongestName = 32;

bool isNameStart(QChar c)
{
    return (c >= QLatin1Char('a') && c <= QLatin1Char('z'))
        || (c >= QLatin1Char('0') && c <= QLatin1Char('9'));
}

bool isNameCharacter(QChar c)
{
    return isNameStart(c) || c == QLatin1Char('_') || c == QLatin1Char('-');
}

} // namespace

bool isValidName(QStringView name)
{
    return !name.isEmpty() && name.size() <= kLongestName && isNameStart(name.front())
        && std::all_of(name.begin(), name.end(), isNameCharacter);
}

QString sandboxName(const InstallationId &installation, const AgentId &agent, const QString &alias)
{
    return QStringLiteral("berth-%1-%2-%3")
        .arg(installation.toString().left(8), agent.toString(), alias);
}

QString nameFrom(const QString &text)
{
    QString name;
    for (const QChar c : text.toLower()) {
        if (isNameCharacter(c) && (isNameStart(c) || !name.isEmpty()))
            name += c;
        else if (c.isSpace() && !name.isEmpty() && !name.endsWith(QLatin1Char('-')))
            name += QLatin1Char('-');
    }
    name = name.left(kLongestName);
    while (name.endsWith(QLatin1Char('-')))
        name.chop(1);
    return name.isEmpty() ? QStringLiteral("agent") : name;
}

} // namespace berth::domain
