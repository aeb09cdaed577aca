// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/private_paths.h"

#include <QtCore/QDir>

namespace berth::domain {

bool isRunByOthers(const QString &path, const QString &workspace)
{
    const QString clean = QDir::cleanPath(path);
    QString below = workspace.isEmpty() ? QString() : QDir::cleanPath(workspace);
    if (!below.endsWith(u'/'))
        below += u'/';
    const QString seen = u'/' + (clean.startsWith(below) ? clean.mid(below.size()) : clean);
    return seen.contains(QLatin1String("/.")) || seen.endsWith(QLatin1String("/HEAD"));
}

} // namespace berth::domain
