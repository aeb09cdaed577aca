// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Pseudo terminals without a library: a static binary in a foreign image has no tty group, no
// helper and maybe no /dev/pts that it could look into.
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#ifndef TIOCGPTPEER
#define TIOCGPTPEER 0x5441
#endif

static bool pair(int *master, int *slave)
{
    *slave = -1;
    *master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (*master < 0)
        *master = open("/dev/pts/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (*master < 0)
        return false;
    int unlocked = 0, number = 0;
    if (ioctl(*master, TIOCSPTLCK, &unlocked) == 0) {
        *slave = ioctl(*master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (*slave < 0 && ioctl(*master, TIOCGPTN, &number) == 0) { // kernels before 4.13
            char path[32];
            snprintf(path, sizeof path, "/dev/pts/%d", number);
            *slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
        }
    }
    int e = errno;
    if (*slave < 0)
        shut(master);
    errno = e;
    return *slave >= 0;
}

bool terminal_open(int *master, int *slave, const struct launch *l)
{
    // The slave belongs to whoever opens the pair; its user must be able to open it by name.
    bool other = act_as(l->uid, l->gid);
    bool good = pair(master, slave);
    int e = errno;
    if (other)
        act_as_self();
    errno = e;
    return good;
}

bool terminal_available(void)
{
    int master, slave;
    if (!pair(&master, &slave))
        return false;
    close(slave);
    close(master);
    return true;
}

// Columns in the lower half, rows in the upper.
void terminal_resize(int master, uint32_t size)
{
    struct winsize w = {.ws_col = (unsigned short)(size & 0xFFFF),
                        .ws_row = (unsigned short)(size >> 16)};
    if (w.ws_col && w.ws_row)
        ioctl(master, TIOCSWINSZ, &w); // the kernel sends SIGWINCH
}

int terminal_end(int master, bool line_start, uint8_t out[2])
{
    struct termios t;
    if (tcgetattr(master, &t) || !(t.c_lflag & ICANON))
        return 0;
    out[0] = out[1] = t.c_cc[VEOF];
    return line_start ? 1 : 2; // the first one only ends a line that was begun
}
