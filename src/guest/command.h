// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef BERTH_GUEST_COMMAND_H
#define BERTH_GUEST_COMMAND_H

#include "guest.h"

struct stream
{
    int fd;
    uint64_t offset;
    uint32_t credit;
    uint32_t must; // bytes in the pipe when the grace ended; they go before EXIT
};

struct command
{
    bool used, muted, detached, started, failed, exited, exit_sent, settled, tree_empty, lost,
        sup_gone, stdin_end;
    uint8_t kill_reason;
    uint32_t id, flags, grace, exit_flags, killed;
    pid_t sup, main;
    int ctl, in, memfd;
    struct stream s[2];
    uint8_t *pending; // standard input that the pipe did not take yet
    uint32_t pending_len;
    uint64_t deadline, exit_at, kill_at, discarded;
    struct sup_message end;
};

struct request
{
    struct launch l;
    uint32_t timeout, credit, grace;
    char cwd[BG_MAX_PATH];
    char *arena;
    bool wrapped;
};

// launch.c
bool request_parse(struct request *q, struct reader *r);
void request_release(struct request *q);
// Starts the supervisor; false with errno set.
bool command_spawn(struct command *c, struct request *q);
void shut(int *fd);

#endif
