// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/contract/json_depth.h"

namespace berth::application {

bool isShallow(const QByteArray &text, int limit)
{
    int depth = 0;
    bool inText = false;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (inText) {
            if (c == '\\')
                ++at;
            else if (c == '"')
                inText = false;
        } else if (c == '"') {
            inText = true;
        } else if (c == '[' || c == '{') {
            if (++depth > limit)
                return false;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return true;
}

} // namespace berth::application
