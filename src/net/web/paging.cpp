// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/web/paging.h"

namespace berth::net {

domain::Error repeatedPageError(int page)
{
    return {
        domain::ErrorKind::Protocol,
        QStringLiteral("The list is not complete: page %1 leads back to an earlier one").arg(page),
        {},
        {},
        {}};
}

domain::Error tooManyPagesError(int pages, qsizetype items)
{
    return {domain::ErrorKind::Protocol,
            QStringLiteral("The list is not complete: reading stopped after %1 pages with %2 "
                           "entries")
                .arg(pages)
                .arg(items),
            {},
            {},
            {}};
}

} // namespace berth::net
