// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/file_side.h"

#include "cli/ids.h"

namespace berth::cli {

using domain::FileKind;

FileSide copySide(const QString &typed)
{
    const qsizetype colon = typed.indexOf(QLatin1Char(':'));
    const qsizetype slash = typed.indexOf(QLatin1Char('/'));
    if (colon <= 0 || (slash >= 0 && slash < colon))
        return {{}, typed};
    return {typed.first(colon), typed.mid(colon + 1)};
}

FileSide sandboxSide(const QString &typed)
{
    const qsizetype colon = typed.indexOf(QLatin1Char(':'));
    if (colon < 0)
        return {typed, {}};
    return {typed.first(colon), typed.mid(colon + 1)};
}

domain::Async<FileSide> fileInSandbox(Context context, QString typed)
{
    FileSide side = sandboxSide(typed);
    if (side.path.isEmpty())
        co_return domain::failure(domain::ErrorKind::InvalidInput,
                                  QStringLiteral("No path is given"),
                                  QStringLiteral("Write it as <thread-or-sandbox>:<path>."));
    const domain::Result<QString> target = co_await resolveTarget(context, side.target);
    if (!target)
        co_return domain::failure(target.error());
    side.target = *target;
    const FileSide result = side;
    co_return result;
}

QString modeText(const application::FileView &file)
{
    QString text = QStringLiteral("?rwxrwxrwx");
    switch (file.kind) {
    case FileKind::Regular:
        text[0] = QLatin1Char('-');
        break;
    case FileKind::Directory:
        text[0] = QLatin1Char('d');
        break;
    case FileKind::Symlink:
        text[0] = QLatin1Char('l');
        break;
    case FileKind::Other:
        break;
    }
    for (int bit = 0; bit < 9; ++bit) {
        if ((file.mode & (0400 >> bit)) == 0)
            text[bit + 1] = QLatin1Char('-');
    }
    const auto special = [&](int bit, int at, char with, char without) {
        if ((file.mode & bit) != 0)
            text[at] = QLatin1Char(text[at] == QLatin1Char('x') ? with : without);
    };
    special(04000, 3, 's', 'S');
    special(02000, 6, 's', 'S');
    special(01000, 9, 't', 'T');
    return text;
}

} // namespace berth::cli
