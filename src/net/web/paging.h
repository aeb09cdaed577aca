// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QSet>

#include <functional>
#include <optional>
#include <stop_token>

namespace berth::net {

template <typename T>
struct Page
{
    QList<T> items;
    //! Leads to the next page; empty on the last.
    QByteArray next;
};

//! Fetches the page that \a token leads to; empty: the first.
template <typename T>
using PageFetch = std::function<domain::Async<Page<T>>(QByteArray token, std::stop_token stop)>;

struct PageLimits
{
    int pages = 100;
    qsizetype items = 20000;
};

template <typename T>
struct Paged
{
    QList<T> items;
    //! Why there may be more than these: what is missing must not be taken for gone.
    std::optional<domain::Error> incomplete;
};

//! \a what as in "page 3 of the list".
domain::Error repeatedPageError(int page);
domain::Error tooManyPagesError(int pages, qsizetype items);

//! All pages, one after the other. An error of the first page is an error; a failed later one, a
//! token that was seen before, or more than \a limits allows leaves the list incomplete. Cancelled
//! is an error at any page.
template <typename T>
domain::Async<Paged<T>> collectPages(PageFetch<T> fetch, PageLimits limits, std::stop_token stop)
{
    Paged<T> all;
    QSet<QByteArray> seen;
    QByteArray token;
    for (int page = 1;; ++page) {
        domain::Result<Page<T>> fetched = co_await fetch(token, stop);
        if (!fetched) {
            if (page == 1 || fetched.error().kind == domain::ErrorKind::Cancelled)
                co_return domain::failure(fetched.error());
            all.incomplete = fetched.error();
            break;
        }
        all.items.append(fetched->items);
        token = fetched->next;
        if (token.isEmpty())
            break;
        if (seen.contains(token)) {
            all.incomplete = repeatedPageError(page);
            break;
        }
        seen.insert(token);
        if (page >= limits.pages || all.items.size() >= limits.items) {
            all.incomplete = tooManyPagesError(page, all.items.size());
            break;
        }
    }
    co_return all;
}

} // namespace berth::net
