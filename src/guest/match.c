// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Wildcards. Own code instead of fnmatch(): no pattern may take more than the product of both
// lengths, and "?" is one character of UTF-8 without any locale.
#include "guest.h"

#include <string.h>

// Bytes of the character at s; a byte that is none in UTF-8 counts as one.
static size_t character(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    size_t n = u[0] >= 0xF0 ? 4 : u[0] >= 0xE0 ? 3 : u[0] >= 0xC2 ? 2 : 1;
    for (size_t i = 1; i < n; i++)
        if ((u[i] & 0xC0) != 0x80)
            return 1;
    return n;
}

static uint32_t value(const char *s, size_t n)
{
    uint32_t v = 0;
    for (size_t i = 0; i < n; i++)
        v = v << 8 | (unsigned char)s[i]; // keeps the order of the code points
    return v;
}

// One class "[…]" at p against the character c. The end of the class, or NULL when it has none and
// the bracket means itself.
static const char *class_match(const char *p, uint32_t c, bool *hit)
{
    bool negated = *++p == '!' || *p == '^';
    if (negated)
        p++;
    *hit = false;
    for (bool first = true; *p && (first || *p != ']'); first = false) {
        if (*p == '\\' && p[1])
            p++;
        size_t n = character(p);
        uint32_t low = value(p, n), high = low;
        p += n;
        if (*p == '-' && p[1] && p[1] != ']') {
            p += p[1] == '\\' && p[2] ? 2 : 1;
            n = character(p);
            high = value(p, n);
            p += n;
        }
        *hit |= low <= c && c <= high;
    }
    *hit ^= negated;
    return *p ? p + 1 : NULL;
}

bool match_name(const char *p, const char *s)
{
    const char *star = NULL, *from = NULL;
    while (*s) {
        size_t n = character(s);
        const char *next = NULL; // of the pattern behind what matched
        if (*p == '*') {
            star = ++p;
            from = s;
            continue;
        }
        if (*p == '?') {
            next = p + 1;
        } else if (*p == '[') {
            bool hit;
            const char *end = class_match(p, value(s, n), &hit);
            if (end && hit)
                next = end;
            else if (!end && *s == '[')
                next = p + 1;
        } else if (*p) {
            const char *q = *p == '\\' && p[1] ? p + 1 : p;
            size_t m = character(q);
            if (m == n && !memcmp(q, s, n))
                next = q + m;
        }
        if (next) {
            p = next;
            s += n;
        } else if (star) {
            p = star;
            from += character(from);
            s = from;
        } else {
            return false;
        }
    }
    while (*p == '*')
        p++;
    return !*p;
}
