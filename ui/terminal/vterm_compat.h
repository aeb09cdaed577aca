// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The terminal library has two faces: 0.1 (Debian 12) and 0.3 (Debian 13, Ubuntu 24.04). What
// Berth uses of it is the same in both but for what stands here. Titles, clipboard and other
// strings, whose callbacks differ most, never reach it: see TerminalFilter.
#include <vterm.h>

#if VTERM_VERSION_MAJOR > 0 || VTERM_VERSION_MINOR >= 3
#define BERTH_VTERM_03 1
#else
#define BERTH_VTERM_03 0
#endif

namespace berth::ui::vterm {

inline VTermScreenCallbacks callbacks(int (*damage)(VTermRect, void *),
                                      int (*moveCursor)(VTermPos, VTermPos, int, void *),
                                      int (*property)(VTermProp, VTermValue *, void *),
                                      int (*bell)(void *),
                                      int (*push)(int, const VTermScreenCell *, void *),
                                      int (*pop)(int, VTermScreenCell *, void *),
                                      int (*clear)(void *))
{
    VTermScreenCallbacks result{};
    result.damage = damage;
    result.movecursor = moveCursor;
    result.settermprop = property;
    result.bell = bell;
    result.sb_pushline = push;
    result.sb_popline = pop;
#if BERTH_VTERM_03
    result.sb_clear = clear;
#else
    (void)clear; // TerminalFilter sees the sequence itself
#endif
    return result;
}

inline bool isConcealed(const VTermScreenCell &cell)
{
#if BERTH_VTERM_03
    return cell.attrs.conceal != 0;
#else
    (void)cell;
    return false;
#endif
}

} // namespace berth::ui::vterm
