// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QLatin1String>
#include <QtCore/QStringView>

#include <cstring>

namespace berth::domain {

// Tables of names are texts with blanks between; looking through one takes nothing from the heap.

//! Whether \a test is true for one of the words of \a list.
template <typename Test>
bool anyWord(const char *list, Test test)
{
    while (*list != '\0') {
        const std::size_t length = std::strcspn(list, " ");
        if (length > 0 && test(QLatin1String(list, static_cast<qsizetype>(length))))
            return true;
        list += length;
        list += std::strspn(list, " ");
    }
    return false;
}

inline bool listHas(const char *list, QStringView word)
{
    return anyWord(list, [word](QLatin1String one) { return word == one; });
}

//! A long option may be cut short: "--out" for "--output".
inline bool listHasBeginning(const char *list, QStringView option)
{
    return option.size() >= 3
        && anyWord(list, [option](QLatin1String one) { return one.startsWith(option); });
}

} // namespace berth::domain
